"""clvg: tables by source of verdicts, in groups on identical cases, with dashes, scripts and published figures."""

from collections.abc import Iterable

from cutscore.benchmarks.clvg.analysis.judge_table import judge_table
from cutscore.benchmarks.clvg.analysis.main_table import difference_table, pass_table
from cutscore.benchmarks.clvg.analysis.script_table import script_table
from cutscore.benchmarks.clvg.analysis.sources import by_source
from cutscore.benchmarks.clvg.tables import published_tables, tables
from cutscore.core.ending import Ending
from cutscore.core.estimate import Estimate
from cutscore.core.finding import Finding
from cutscore.core.row import Row
from cutscore.registry import benchmark
from cutscore.results.tables.lines import cell_lines

CATEGORIES = ("element_editing", "physical_simulation", "logical_reasoning")


def row(subject: str, item: int, value: float, *, judge: str = "stage", **conditions: str) -> Row:
    category = CATEGORIES[item % 3]
    return Row(
        benchmark="clvg",
        version="1",
        cell=f"{subject}-{judge}-{sorted(conditions.items())}",
        subject=subject,
        item=f"case-{item}",
        epoch=1,
        cluster=f"c{item}",
        groups={"category": category, "subcategory": "mechanics", "modalities": "text"},
        conditions=conditions,
        judge=judge,
        ending=Ending(
            status="marked",
            scores={"passed": value},
            findings=(Finding(name="weakness/goal_missed", value=0, because="It stops early."),) if value < 1 else (),
        ),
    )


def run(subject: str, items: Iterable[int], passes: int, **more: str) -> list[Row]:
    return [row(subject, item, float(item < passes), **more) for item in items]


def test_sources_are_never_mixed() -> None:
    rows = [*run("a", range(6), 3), *run("a", range(6), 4, judge="openai/x"), *run("a", range(6), 5, judge="people:l")]
    assert list(by_source(rows)) == ["people", "verifier", "judge:openai/x"]
    titles = [table.title for table in tables(rows, benchmark("clvg").card) if table.id.startswith("passed-")]
    assert [title.rpartition("by the ")[2] for title in titles if "where" not in title] == [
        "people",
        "verifier",
        "judge:openai/x",
    ]


def test_a_group_is_compared_on_the_cases_that_all_of_it_have_and_others_are_dashes() -> None:
    everything = run("whole", range(9), 9, generator="seedance-2.0")
    images = [
        each
        for each in run("pictures", range(9), 4, generator="veo-3.1-fast")
        if "element" not in each.groups["category"]
    ]
    other = [
        each for each in run("stills", range(8), 2, generator="wan-2.2-14b") if "element" not in each.groups["category"]
    ]
    table = pass_table("x", "Pass rates", cell_lines([*everything, *images, *other]), "verifier")
    by_subject = {line[1]: line for line in table.rows}
    columns = [column.name for column in table.columns]
    edited, whole = columns.index("E.E."), columns.index("all")
    assert by_subject["pictures"][edited] == "–"
    assert by_subject["pictures"][columns.index("P.R.")] is None, "nobody was asked such a case"
    assert isinstance(by_subject["whole"][edited], Estimate)
    counts = {subject: line[whole].n for subject, line in by_subject.items() if isinstance(line[whole], Estimate)}
    assert counts == {"whole": 9, "pictures": 5, "stills": 5}, "the last case was not asked of all in the group"
    assert "image: 5 cases" in table.note


def test_a_category_without_any_verdict_says_how_many_are_unscored() -> None:
    unscored = Ending(status="unscored", because="no answer")
    rows = [
        each if "element" not in each.groups["category"] else each.model_copy(update={"ending": unscored})
        for each in run("a", range(9), 9)
    ]
    table = pass_table("x", "Pass rates", cell_lines(rows), "judge:reader")
    assert table.cells("E.E.") == ["3 unscored"]


def test_a_judge_stands_between_who_always_passes_and_who_always_fails() -> None:
    def judged(item: int, *, there: bool, named: bool | None) -> Row:
        plain = row("a", item, 1.0, judge="reader")
        if named is None:
            return plain.model_copy(update={"ending": Ending(status="unscored", because="no answer")})
        found = [Finding(name="judge_agrees", value=float(named == there), because="Seen.")]
        found += [Finding(name="recall/frozen", value=float(named), whole=1, because="Seen.")] if there else []
        return plain.model_copy(
            update={"ending": Ending(status="marked", scores={"passed": 1.0}, findings=tuple(found))}
        )

    rows = [judged(number, there=number < 3, named=number < 2) for number in range(4)]
    table = judge_table(cell_lines([*rows, judged(4, there=True, named=None)]), "judge:reader")
    same, frozen = table.rows
    assert same[:2] == ("same verdict", 4)
    assert [each.value for each in same[2:] if isinstance(each, Estimate)] == [3 / 4, 1 / 4, 3 / 4]
    assert [each.unscored for each in same[2:] if isinstance(each, Estimate)] == [1, 0, 0]
    assert frozen[:2] == ("names frozen", 3)
    assert [each.value for each in frozen[2:] if isinstance(each, Estimate)] == [2 / 3, 0, 1]
    assert not judge_table(cell_lines(run("a", range(6), 3)), "verifier").rows, "nobody else looked"


def test_a_comparison_says_how_many_cases_are_shared() -> None:
    rows = [
        *run("whole", range(9), 9, generator="seedance-2.0"),
        *run("pictures", range(3, 9), 0, generator="veo-3.1-fast"),
    ]
    (line,) = difference_table(cell_lines(rows), "verifier").rows
    assert {line[0].partition(" ")[0], line[1].partition(" ")[0]} == {"whole", "pictures"}
    assert (sorted(line[2:4]), line[4]) == ([6, 9], 6)


def test_scripts_are_paired_with_the_same_generator_without() -> None:
    rows = [*run("a", range(9), 3), *run("a", range(9), 6, script="lab/x"), *run("b", range(9), 1, script="lab/x")]
    table = script_table(cell_lines(rows), "verifier")
    whole = [line for line in table.rows if line[3] == "all"]
    assert [(line[0], line[2], line[4]) for line in whole] == [("a", "lab/x", 9)]
    assert (whole[0][5], whole[0][6]) == (3 / 9, 6 / 9)


def test_printed_figures_have_dashes_and_slips() -> None:
    first, second = published_tables()
    assert first.rows[2][:3] == ("Seedance 1.5", None, 35.47)
    assert "38.96" in first.note
    assert second.rows[1][1:] == (52.4, 23.8, 38.1)
