"""One verdict on each pair: `run`, its JSON, `compare` and the report say the same of the same cells."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutscore.bridge.rows import CellRecord
from cutscore.cells.cell import Cell
from cutscore.cli import compare
from cutscore.cli.report import write_site
from cutscore.cli.standings import standings_text
from cutscore.cli.text_tables import HOLM, results_table
from cutscore.core.ending import Ending
from cutscore.core.estimate import Estimate
from cutscore.core.row import Row
from cutscore.core.subject import SubjectSpec
from cutscore.registry import benchmark
from cutscore.results.benchmark import BenchmarkResult
from cutscore.results.cells import CellResult
from cutscore.results.pairs import choose_pairs
from cutscore.results.summary import as_json
from cutscore.results.tables.differences import ablation_table
from cutscore.results.tables.lines import cell_lines

CARD = benchmark("colorbars").card


def made(label: str, values: list[float], **settings: Any) -> CellResult:
    """A cell of colorbars with one question about each of its clips."""
    spec = SubjectSpec(kind="folder", spec=label, label=label)
    cell = Cell(benchmark="colorbars", version="2", data="0" * 64, subject=spec).model_copy(update=settings)
    rows = tuple(
        Row(
            benchmark="colorbars",
            version="2",
            cell=cell.id,
            subject=label,
            item=f"item-{place:02d}",
            epoch=1,
            cluster=f"clip {place:02d}",
            input=cell.input,
            ending=Ending(status="marked", scores={"accuracy": value}),
        )
        for place, value in enumerate(values)
    )
    return CellResult(CellRecord(cell, Path("run/colorbars") / cell.id, Path("run"), ()), rows)


def front_page(page: Path) -> str:
    """The words of a report's front page."""
    return " ".join(re.sub(r"<[^>]*>", " ", page.read_text(encoding="utf-8")).split())


@pytest.fixture
def everywhere(cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., dict[str, str]]:
    """Give what each place says of the first pair of some cells."""

    def said(*cells: CellResult) -> dict[str, str]:
        part = BenchmarkResult(CARD, cells)
        monkeypatch.setattr(compare, "read_run", lambda _: list(cells))
        (first, *_) = as_json(part, most=0.05)["differences"]
        pair = cli("compare", "run", "--json").json["pairs"][0]
        assert {name: pair[name] for name in first} == first
        return {
            "table": next(line for line in standings_text([part]).splitlines() if " − " in line).partition("], ")[2],
            "compare": cli("compare", "run").out,
            "report": front_page(write_site([part], tmp_path / "site")),
            "json": f"{first['separable']}, needs {first['needed']}",
        }

    return said


def test_a_clear_case_is_separable_everywhere(everywhere) -> None:
    said = everywhere(made("one", [0.9, 0.8] * 6), made("two", [0.2, 0.3] * 6))
    assert (said["table"], said["json"]) == ("one is better than two", "True, needs None")
    assert "  one is better than two\n" in said["compare"]
    assert "one is better than two" in said["report"]


def test_an_interval_that_leaves_out_0_is_no_verdict_anywhere(everywhere) -> None:
    """Twelve clips, nine won by much and three lost by a little: p is 88 / 2¹², 2.1% alone and 6.4% among three."""
    one, two = [0.7] * 9 + [0.4] * 3, [0.5] * 12
    said = everywhere(made("one", one), made("two", two), made("three", two))
    assert (said["table"], said["json"]) == ("no difference seen (could have shown 0.145)", "False, needs None")
    assert "the interval by itself leaves out 0, which may be chance among 3 comparisons" in said["compare"]
    assert "no difference seen (could have shown 0.145)" in said["report"]


def test_four_clips_are_too_few_everywhere(everywhere) -> None:
    """Three subjects on four clips are three pairs: the least p is 3 · 2 / 2⁴, and 7 clips reach 5%."""
    said = everywhere(made("one", [1.0] * 4), made("two", [0.5, 0.4] * 2), made("three", [0.0, 0.1] * 2))
    assert (said["table"], said["json"]) == ("too few clips to decide: 4, needs 7", "False, needs 7")
    assert said["compare"].count("too few clips to decide: 4, needs 7") == 3
    assert "too few clips to decide: 4, needs 7" in said["report"]


def reference(kind: str, values: list[float]) -> CellResult:
    return made(kind, values, subject=SubjectSpec.parse(kind))


def test_references_are_in_no_pair_but_that_with_the_guess_unless_asked() -> None:
    cells = (
        *(reference("oracle", [1.0, 1.0]), reference("null", [0.0, 0.0]), reference("blind", [0.2, 0.3])),
        *(made("one", [0.9, 0.5]), made("two", [0.3, 0.2]), made("human-1", [1.0, 0.9])),
    )
    part = BenchmarkResult(CARD, cells)
    assert names(part) == [("one", "two"), ("one", "blind"), ("two", "blind")]
    assert {each.comparison.tests for each in part.comparisons} == {3}
    assert len(part.differences) == 3
    assert len(names(BenchmarkResult(CARD, cells, with_references=True))) == 15
    assert part.finding.startswith("one and two: too few clips to decide: 2, needs 7")
    assert (part.level("ceiling").value, part.level("guess").value, part.level("floor").value) == (1.0, 0.25, 0.0)
    alone = BenchmarkResult(CARD, cells[:2])
    assert (alone.comparisons, alone.finding) == ((), "nobody competed; ceiling 1.000, floor 0.000")
    assert (alone.level("guess").value, alone.level("guess").estimate) == (0.25, None), "as the card has it"


@pytest.mark.parametrize("clips", [6, 5, 12])
def test_a_table_of_ablations_says_of_a_pair_what_all_others_say(clips: int) -> None:
    """Value, interval, p and verdict are those of `run`, also where five clips are too few."""
    whole, arm = made("one", [1.0] * clips), made("one", [0.0] * (clips - 1) + [0.5], input="question")
    part = BenchmarkResult(CARD, (whole, arm))
    (pair,) = part.comparisons
    table = ablation_table(cell_lines(part.rows), {"accuracy": "accuracy"})
    found = pair.comparison
    difference = table.cells("arm − whole")[0]
    assert isinstance(difference, Estimate)
    assert (difference.value, difference.low, difference.high) == (
        found.difference.estimate.value,
        found.difference.estimate.low,
        found.difference.estimate.high,
    )
    told = [table.cells(name)[0] for name in ("p", "p (Holm)", "verdict")]
    said = found.verdict.replace("one (question only)", "the arm").replace("one is", "the whole is")
    assert told == [found.test.p_value, found.p_adjusted, said]
    few = "Too few clips to decide 1 of 1 comparison with the whole input: 5, needs 6"
    assert table.title == (few if clips == 5 else "A difference is seen in 1 of 1 comparison with the whole input")


def names(part: BenchmarkResult) -> list[tuple[str, str]]:
    return [tuple(part.labels[cell.record.cell.id] for cell in pair) for pair in choose_pairs(part)]


def test_rivals_are_crossed_and_more_than_eight_meet_the_best_alone() -> None:
    cells = tuple(made(f"m{rung}", [0.1 * rung, 0.2]) for rung in range(9))
    assert len(names(BenchmarkResult(CARD, cells[:8]))) == 28
    assert names(BenchmarkResult(CARD, cells[:3])) == [("m2", "m1"), ("m2", "m0"), ("m1", "m0")]
    assert names(BenchmarkResult(CARD, cells)) == [("m8", f"m{rung}") for rung in range(7, -1, -1)]


def test_an_arm_meets_its_own_whole_and_a_second_marking_its_first() -> None:
    one, two = made("one", [0.9, 0.5]), made("two", [0.3, 0.2])
    arm = made("two", [0.1, 0.1], input="question")
    again = made("one", [0.9, 0.6], rescored_from=one.record.cell.id)
    empty = made("three", [])
    part = BenchmarkResult(CARD, (one, two, arm, again, empty))
    assert names(part) == [
        ("one (rescored)", "two"),
        ("one", "two"),
        ("one (rescored)", "one"),
        ("two (question only)", "two"),
    ]
    assert {each.comparison.tests for each in part.comparisons} == {4}
    shown = [(each.comparison.difference.first, each.comparison.difference.second) for each in part.differences]
    assert shown == [("one (rescored)", "two"), ("one (rescored)", "one"), ("two (question only)", "two")]
    before = BenchmarkResult(CARD, part.cells, "before").differences
    (found,) = (each.comparison for each in before)
    assert (found.difference.first, found.difference.second, found.tests) == ("one (rescored)", "one", 4)


def test_a_table_says_how_it_judges_only_where_that_explains_something() -> None:
    one, two = [0.7] * 9 + [0.4] * 3, [0.5] * 12
    cells = made("one", one), made("two", two), made("three", two)
    assert results_table([BenchmarkResult(CARD, cells)]).splitlines()[-1] == HOLM
    for clear in ([0.9, 0.8] * 6, [0.2, 0.3] * 6), ([0.9, 0.1] * 6, [0.1, 0.9] * 6):
        assert HOLM not in results_table([BenchmarkResult(CARD, (made("one", clear[0]), made("two", clear[1])))])
