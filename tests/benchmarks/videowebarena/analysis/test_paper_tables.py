"""Tables of the paper, from rows whose numbers can be counted by hand."""

import pytest

from cutscore import registry
from cutscore.benchmarks.videowebarena.tables import tables
from cutscore.core.ending import Ending
from cutscore.core.estimate import Estimate
from cutscore.core.finding import Finding
from cutscore.core.row import Row
from cutscore.core.table import Table, TableCell
from cutscore.core.usage import Usage

CARD = registry.benchmark("videowebarena").card


def row(
    item: str,
    site: str,
    *,
    final: float,
    knew: float | None = None,
    steps: int = 4,
    shown: str = "",
    subject: str = "frames",
    seen: dict[str, float] | None = None,
    **groups: str,
) -> Row:
    scores = {"final@reference": final} | ({} if knew is None else {"intermediate@reference": knew})
    told = tuple(Finding(name=name, value=value, because="seen") for name, value in (seen or {}).items())
    return Row(
        benchmark="videowebarena",
        version="1",
        cell=f"{subject}-{shown or 'all'}",
        subject=subject,
        model="lab/m",
        input=shown,
        item=item,
        epoch=1,
        cluster=item,
        groups={"set": "factual" if knew is not None else "vwa", "site": site, **groups},
        ending=Ending(status="marked", scores=scores, findings=told),
        environment={"steps": steps},
        usage=Usage(input=1000, output=20),
        cost_usd=0.02,
    )


def made(rows: list[Row]) -> dict[str, Table]:
    return {table.id: table for table in tables(rows, CARD)}


def value(cell: TableCell) -> float | None:
    assert isinstance(cell, Estimate)
    return cell.value


def by_label(table: Table, *label: str) -> tuple[TableCell, ...]:
    return next(each for each in table.rows if set(label) <= set(map(str, each)))


FACTUAL = [
    row("a", "map", final=1, knew=1, steps=3, audio="yes", difficulty="easy", video_difficulty="easy"),
    row("b", "map", final=0, knew=1, steps=9, visual="yes", difficulty="hard", video_difficulty="easy"),
    row("c", "reddit", final=0, knew=0, steps=6, visual="yes", audio="yes", difficulty="easy", video_difficulty="hard"),
]


def test_factual_tasks_by_site_and_in_all() -> None:
    table = made(FACTUAL)["factual-sites"]
    assert [str(each[3]) for each in table.rows] == ["reddit", "map", "total"]
    found = [value(cell) for cell in by_label(table, "map")[4:]]
    assert found == pytest.approx([0.5, 1.0, 6.0])
    assert [value(cell) for cell in by_label(table, "total")[4:]] == pytest.approx([1 / 3, 2 / 3, 6.0])


def test_a_task_counts_in_each_of_its_categories() -> None:
    found = made(FACTUAL)
    final, steps = found["categories-final"], found["categories-steps"]
    assert value(by_label(final, "audio perception")[1]) == 0.5
    assert value(by_label(final, "visual perception")[1]) == 0.0
    assert value(by_label(found["categories-intermediate"], "video easy")[1]) == 1.0
    assert value(by_label(steps, "agentic easy")[1]) == pytest.approx(4.5)
    assert not [each for each in final.rows if each[0] == "temporal reasoning"]  # nobody was asked such a thing


def test_knowing_and_doing_are_counted_and_correlated() -> None:
    table = made([*FACTUAL, row("d", "map", final=1, knew=0)])["knew-did"]
    total = by_label(table, "total")
    assert total[4:9] == (4, 1, 1, 1, 1)
    assert value(total[9]) == pytest.approx(0.0)
    calm = made([*FACTUAL[::2]])["knew-did"]
    assert value(by_label(calm, "total")[9]) == pytest.approx(1.0)


def test_scores_of_sites_are_correlated_beside_those_in_print() -> None:
    ends = {"map": (1, 1), "reddit": (0, 0), "trac": (0, 1)}
    rows = [row(site, site, final=did, knew=knew) for site, (did, knew) in ends.items()]
    table = made(rows)["knew-did-across-sites"]
    ours, *printed = (each[3:] for each in table.rows)
    assert ours == pytest.approx((3, 0.5))
    assert [(n, round(float(str(r)), 2)) for n, r in (printed[0], printed[-1])] == [(6, -0.16), (6, 0.94)]
    assert [str(each[3]) for each in made(rows)["knew-did"].rows] == ["reddit", "map", "trac", "total"]
    assert "knew-did-across-sites" not in made(rows[:2])


def test_the_tutorials_effect_is_paired_by_task() -> None:
    rows = [row(item, "map", final=end, steps=4) for item, end in (("a", 1), ("b", 1), ("only", 0))]
    rows += [row(item, "map", final=end, steps=10, shown="no_tutorial") for item, end in (("a", 1), ("b", 0))]
    (line,) = made(rows)["tutorial-effect"].rows
    assert line[2:6] == ("VisualWebArena", 2, 1.0, 0.5)
    assert value(line[6]) == 0.5
    assert line[7] == -6.0


def test_without_the_other_arm_there_is_no_effect_to_tell() -> None:
    assert "tutorial-effect" not in made(FACTUAL)


def test_ways_of_failing_are_shares_of_samples() -> None:
    seen = [{"diagnosis/several_actions": 1.0}, {"diagnosis/several_actions": 0.0}]
    rows = [row(f"a{number}", "map", final=0, seen=each) for number, each in enumerate(seen)]
    table = made(rows)["failure-modes"]
    assert table.columns[-1].name == "several actions"
    assert value(by_label(table, "total")[-1]) == 0.5


def test_ways_of_failing_are_told_by_category_and_difficulty_and_what_never_happened_is_named() -> None:
    easy = {"difficulty": "easy", "video_difficulty": "hard", "visual": "yes"}
    ways = [{"diagnosis/several_actions": 1.0, "diagnosis/no_action": 0.0}, {"diagnosis/several_actions": 0.0}]
    rows = [row(f"a{number}", "trac", final=0, knew=0, seen=each, **easy) for number, each in enumerate(ways)]
    found = made(rows)
    table = found["failure-modes-categories"]
    assert [str(each[3]) for each in table.rows] == ["visual perception", "agentic easy", "video hard"]
    assert [value(each[-1]) for each in table.rows] == [0.5] * 3
    assert [column.name for column in table.columns[4:]] == ["several actions"]
    assert "seen in no sample: no action" in table.note
    assert value(by_label(found["failure-modes"], "trac")[-1]) == 0.5


def test_a_step_has_its_share_of_tokens_and_money() -> None:
    (line,) = made(FACTUAL)["step-costs"].rows
    assert line[3:5] == (3, 18)
    assert line[5:] == pytest.approx((3000 / 18, 60 / 18, 0.06 / 18))


def test_what_the_paper_prints_stands_beside() -> None:
    found = made(FACTUAL)
    human = next(each for each in found["published-6"].rows if each[:2] == ("human", "total"))
    assert human[2:] == (73.9, 79.3, 6.4)
    assert len(found["published-6"].rows) == 7 * 7
    assert found["published-7"].rows[0] == ("GPT-4o, no tutorial", 14.9, None, 19.8, None)
    assert any("1,641" in str(each) for each in found["slips"].rows)


def test_steps_of_who_does_nothing_have_no_interval() -> None:
    table = made([row(item, "map", final=0, knew=0, steps=0) for item in "abc"])["factual-sites"]
    (steps,) = [each[-1] for each in table.rows if "total" in each]
    assert isinstance(steps, Estimate)
    assert (steps.value, steps.low, steps.high) == (0.0, None, None)
