"""Differences: paired by item, called by their interval, and how small they could be."""

from typing import Any

import pytest

from cutscore.benchmarks._gaps import ablation, against_the_best, gap, power, significance
from cutscore.benchmarks._lines import Line, Mark
from cutscore.core.table import Table


def cells(table: Table) -> dict[str, Any]:
    (row,) = table.rows
    return dict(zip((column.name for column in table.columns), row, strict=True))


def line(model: str, lift: float, *, frames: int | None = None, items: int = 40, name: str = "axis") -> Line:
    marks = [Mark(str(n), 1, f"clip {n // 2}", {}, {name: n % 5 / 10 + lift * (n % 3)}, {}) for n in range(items)]
    return Line("s", model, marks, frames)


def test_a_gap_is_on_the_items_that_both_have() -> None:
    found = gap(line("m", 0.2), line("n", 0.1, items=30), "axis")
    assert (found.estimate.n, found.only_first, found.first) == (30, 10, "s m")
    assert found.estimate.value == pytest.approx(0.1)
    assert significance(found.estimate.low, found.estimate.high) == "p < 0.05"


def test_an_interval_that_ends_at_nothing_holds_it() -> None:
    assert significance(0.0, 0.1) == significance(-0.1, 0.0) == "ns"


def test_only_cells_that_differ_in_frames_alone_are_arms_of_an_ablation() -> None:
    lines = [line("m", 0.2, frames=8), line("m", 0.1, frames=1), line("n", 0.3, frames=1), line("m", 0.0)]
    found = cells(ablation(lines, {"axis": "shown"}, resamples=200))
    assert (found["model"], found["axis"], found["n"], found["few"], found["many"]) == ("m", "shown", 40, 1, 8)
    assert found["few − many"].value == pytest.approx(found["score (few)"] - found["score (many)"])
    assert found["few − many"].value < 0
    assert (found["call"], found["p"], found["p (Holm)"]) == ("p < 0.05", found["p"], found["p"])
    assert ablation([], {"axis": "shown"}, resamples=200).title == "No ablation"


def test_several_comparisons_are_adjusted_together() -> None:
    """Two cells with the same frames are no ablation; three p-values of one size are tripled."""
    lines = [line("m", lift, frames=frames) for lift, frames in ((0.1, 1), (0.2, 4), (0.3, 8), (0.3, 8))]
    table = ablation(lines[:3], {"axis": "shown"}, resamples=200)
    assert [(row[4], row[5]) for row in table.rows] == [(1, 4), (1, 8), (4, 8)]
    assert [row[11] for row in table.rows] == pytest.approx([3 * row[10] for row in table.rows])
    assert len(ablation(lines, {"axis": "shown"}, resamples=200).rows) == 5


def test_the_best_is_set_against_each_other_line() -> None:
    lines = [line("low", 0.1, name="error swap"), line("high", 0.2, name="error swap")]
    found = cells(against_the_best(lines, "error swap", ("swap", "omission")))
    assert (found["first"], found["second"], found["error type"], found["n"]) == ("s high", "s low", "swap", 40)
    assert found["first − second"].value == pytest.approx(0.1, abs=0.01)
    assert against_the_best([], "error swap", ("swap",)).rows == ()


def test_power_names_the_best_two_and_what_is_missing() -> None:
    table = power([line("worst", 0.0), line("best", 0.2), line("second", 0.18)], ("axis", "none"))
    found = cells(table)
    assert (found["first"], found["second"], found["n"]) == ("s best", "s second", 40)
    assert found["first − second"] == pytest.approx(0.02, abs=0.001)
    assert found["smallest visible"] > 0
    assert found["items more"] == max(0, found["items needed"] - 40)
