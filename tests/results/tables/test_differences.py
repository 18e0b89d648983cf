"""Differences: paired by item, called by their interval, and how small they could be."""

from typing import Any

import pytest

from cutscore.core.table import Table
from cutscore.results.tables.differences import (
    ablation_table,
    best_gap_table,
    line_difference,
    power_table,
    significance,
)
from cutscore.results.tables.lines import CellLine, SampleMark


def cells(table: Table) -> dict[str, Any]:
    (row,) = table.rows
    return dict(zip((column.name for column in table.columns), row, strict=True))


def line(
    model: str, lift: float, *, arm: str = "", items: int = 40, name: str = "axis", subject: str = "s"
) -> CellLine:
    marks = [SampleMark(str(n), 1, f"clip {n // 2}", {}, {name: n % 5 / 10 + lift * (n % 3)}, {}) for n in range(items)]
    return CellLine(subject, model, marks, arm=arm)


def test_a_gap_is_on_the_items_that_both_have() -> None:
    found = line_difference(line("m", 0.2), line("n", 0.1, items=30), "axis")
    assert (found.estimate.n, found.only_first, found.first) == (30, 10, "s m")
    assert found.estimate.value == pytest.approx(0.1)
    assert significance(found.estimate.low, found.estimate.high) == "p < 0.05"


def test_an_interval_that_ends_at_nothing_holds_it() -> None:
    assert significance(0.0, 0.1) == significance(-0.1, 0.0) == "ns"


def test_an_arm_is_set_against_the_whole_line_of_its_subject_and_model() -> None:
    lines = [line("m", 0.2), line("m", 0.1, arm="1 frame"), line("n", 0.3, arm="1 frame")]
    lines.append(line("m", 0.0, subject="other"))
    found = cells(ablation_table(lines, {"axis": "shown"}, resamples=200))
    assert (found["model"], found["input"], found["axis"], found["n"]) == ("m", "1 frame", "shown", 40)
    assert found["arm − whole"].value == pytest.approx(found["arm"] - found["whole"])
    assert found["arm − whole"].value < 0
    assert "200 resamples, seed 42" in found["arm − whole"].method
    assert (found["call"], found["p"], found["p (Holm)"]) == ("p < 0.05", found["p"], found["p"])


def test_a_model_under_another_subjects_name_is_set_against_its_own_line() -> None:
    """`--subject transcript --model m` is the model m with less input."""
    lines = [line("m", 0.2, subject="model"), line("m", 0.1, subject="transcript", arm="transcript only")]
    assert cells(ablation_table(lines, {"axis": "shown"}, resamples=200))["subject"] == "transcript"
    assert not ablation_table(
        [lines[0], line("", 0.1, subject="transcript", arm="x")], {"axis": "a"}, resamples=200
    ).rows


def test_several_comparisons_are_adjusted_together() -> None:
    """Three p-values of one size are tripled; arms are not compared with each other."""
    arms = [line("m", lift, arm=arm) for lift, arm in ((0.1, "1 frame"), (0.2, "4 frames"), (0.05, "question only"))]
    table = ablation_table([line("m", 0.3), *arms], {"axis": "shown"}, resamples=200)
    assert table.cells("input") == ["1 frame", "4 frames", "question only"]
    p_values = table.cells("p")
    assert len(set(p_values)) == 1
    assert table.cells("p (Holm)") == pytest.approx([3 * p for p in p_values])  # type: ignore[operator]
    assert table.title == "A difference is seen in 3 of 3 comparisons with the whole input"
    assert "Holm over the 3 comparisons" in table.note


def test_a_call_by_the_interval_may_fall_after_adjustment() -> None:
    """Six clips that all go one way have p = 2/64: a difference alone, not as one of two comparisons."""
    whole = CellLine("s", "m", [SampleMark(str(n), 1, str(n), {}, {"axis": 0.5, "same": 0.5}, {}) for n in range(6)])
    few = [SampleMark(str(n), 1, str(n), {}, {"axis": 0.4 if n else 0.45, "same": 0.5}, {}) for n in range(6)]
    names = {"axis": "shown", "same": "same"}
    table = ablation_table([whole, CellLine("s", "m", few, arm="1 frame")], names, resamples=200)
    assert table.cells("call") == ["p < 0.05", "ns"]
    assert table.cells("p (Holm)")[0] == pytest.approx(2 * 2 / 2**6)  # type: ignore[index]
    assert table.title == "Too few clips to decide 1 of 2 comparisons with the whole input: 6, needs 7"
    assert table.cells("verdict") == ["too few clips to decide: 6, needs 7", "equal on every clip"]


def test_an_ablation_without_findings_says_so() -> None:
    lines = [line("m", 0.2), line("m", 0.2, arm="1 frame")]
    table = ablation_table(lines, {"axis": "shown"}, resamples=200)
    assert table.title == "No difference is seen in 1 comparison with the whole input"
    assert table.cells("call") == ["ns"]  # no item tells them apart
    assert ablation_table([], {"axis": "shown"}, resamples=200).title.startswith("No ablation")


def test_the_best_is_set_against_each_other_line() -> None:
    lines = [line("low", 0.1, name="error swap"), line("high", 0.2, name="error swap")]
    found = cells(best_gap_table(lines, "error swap", ("swap", "omission")))
    assert (found["first"], found["second"], found["error type"], found["n"]) == ("s high", "s low", "swap", 40)
    assert found["first − second"].value == pytest.approx(0.1, abs=0.01)
    assert (found["first − second"].low, found["call"]) == (pytest.approx(0.08, abs=0.01), "p < 0.05")
    assert best_gap_table(lines, "error swap", ("swap",)).title == (
        "s high flags most; 1 of 1 intervals of gaps to others leave out 0"
    )
    assert best_gap_table([], "error swap", ("swap",)).rows == ()


def test_power_names_the_best_two_and_how_many_items_more_they_need() -> None:
    table = power_table(
        [line("worst", 0.0), line("best", 0.2), line("second", 0.18)], {"axis": "shown", "none": "none"}
    )
    found = cells(table)
    assert (found["axis"], found["first"], found["second"], found["n"]) == ("shown", "s best", "s second", 40)
    assert found["first − second"].value == pytest.approx(0.02, abs=0.001)
    assert found["smallest visible"] > 0
    assert found["items more"] == max(0, found["items needed"] - 40) == 0
    assert found["verdict"] == "enough items"
    assert table.title == "More items would change nothing"


def test_power_does_not_call_five_clips_enough() -> None:
    """Every difference of five clips may be chance: the least p of their sign flips is 2 / 2⁵."""

    def line_of(*values: float) -> CellLine:
        marks = [SampleMark(str(n), 1, str(n), {}, {"axis": value}, {}) for n, value in enumerate(values)]
        return CellLine("s", str(values), marks)

    found = cells(power_table([line_of(0.9, 0.8, 0.8, 0.8, 0.8), line_of(*[0.0] * 5)], {"axis": "shown"}))
    assert (found["items more"], found["verdict"]) == (0, "too few clips to decide: 5, needs 6")


def test_power_says_what_is_missing_in_its_title() -> None:
    """Items that go one way and the other: a mean of 0.05 needs many more of them."""

    def swinging(model: str, by: float) -> CellLine:
        values = [0.5 + by * (1.0 if n % 2 else -0.8) for n in range(20)]
        return CellLine("s", model, [SampleMark(str(n), 1, str(n), {}, {"axis": v}, {}) for n, v in enumerate(values)])

    table = power_table([swinging("m", 0.5), swinging("n", 0.0)], {"axis": "shown"})
    found = cells(table)
    more = found["items more"]
    assert more > 100
    assert found["verdict"] == f"{more} items more"
    assert table.title == f"1 of 1 axes need more items to tell the best two apart; shown {more:,} more"
    same = power_table([swinging("m", 0.5), swinging("m", 0.5)], {"axis": "shown"})
    assert cells(same)["verdict"] == "no item tells them apart"
    assert power_table([], {"axis": "shown"}).title == "Nobody to tell apart"
