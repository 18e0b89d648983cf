"""Boards: means and composites of many lines from one set of draws."""

from random import Random

import numpy as np
import pytest

from cutscore.results.tables.lines import CellLine, SampleMark
from cutscore.results.tables.means import describe_easiest, item_mean_table, mean_table
from cutscore.stats.intervals import estimate


def mark(item: str, cluster: str, *, epoch: int = 1, **scores: float) -> SampleMark:
    return SampleMark(item, epoch, cluster, {}, scores, {})


def column(mark: SampleMark) -> tuple[str, float] | None:
    return next(iter(mark.scores.items()), None)


def drawn_up(seed: int, name: str) -> list[SampleMark]:
    draw = Random(seed)
    return [mark(f"{name}{clip}.{n}", f"clip {clip}", **{name: draw.random()}) for clip in range(12) for n in range(3)]


def test_a_cell_is_the_estimate_of_its_marks() -> None:
    marks = drawn_up(1, "a")
    cell = mean_table([CellLine("s", "m", marks)], ("a",), column).cells[0, "a"]
    own = estimate([each.scores["a"] for each in marks], [each.cluster for each in marks], name="a")
    assert (cell.n, cell.clusters, cell.method) == (own.n, own.clusters, own.method)
    assert (cell.value, cell.low, cell.high) == pytest.approx((own.value, own.low, own.high))


def test_papers_draw_the_items_of_a_column_and_take_plain_percentiles() -> None:
    marks = drawn_up(1, "a")
    found = item_mean_table([CellLine("s", "m", marks)], ("a",), column, asked=lambda _mark: "a")
    cell = found.cells[0, "a"]
    values = np.array([each.scores["a"] for each in marks])
    drawn = np.random.default_rng(42).integers(0, len(values), size=(10_000, len(values)))
    low, high = np.quantile(values[drawn].mean(axis=1), [0.025, 0.975])
    assert (cell.low, cell.high) == pytest.approx((low, high))
    assert cell.method == "plain percentile bootstrap by item, 10000 resamples, seed 42"
    assert (found.composites[0].value, found.composites[0].low) == (pytest.approx(cell.value), None)


def test_a_line_at_the_top_says_that_its_interval_is_wilsons() -> None:
    found = mean_table([CellLine("s", "m", [mark(str(n), str(n), a=1.0) for n in range(8)])], ("a",), column).cells[
        0, "a"
    ]
    own = estimate([1.0] * 8, [str(n) for n in range(8)], name="a")
    assert (found.low, found.high, found.method) == (own.low, own.high, own.method)


def test_a_composite_is_the_mean_of_columns_in_every_resample() -> None:
    """Two columns that always add up to 1 have a composite of one half, without any spread."""
    first = drawn_up(1, "a")
    second = [mark(f"b{each.item}", each.cluster, b=1 - each.scores["a"]) for each in first]
    found = mean_table([CellLine("s", "m", [*first, *second])], ("a", "b"), column, composite=True).composites[0]
    assert found.value == pytest.approx(0.5)
    assert (found.low, found.n, found.clusters) == (None, 72, 12)
    assert found.method.startswith("undefined")


def test_a_composite_lies_in_its_interval_and_is_tighter_than_its_columns() -> None:
    line = CellLine("s", "m", [*drawn_up(1, "a"), *drawn_up(2, "b")])
    found = mean_table([line], ("a", "b"), column, composite=True)
    whole, parts = found.composites[0], list(found.cells.values())
    assert whole.low is not None
    assert whole.high is not None
    assert whole.low < (whole.value or 0) < whole.high
    assert whole.high - whole.low < max((part.high or 0) - (part.low or 0) for part in parts)


def test_a_line_without_one_of_the_columns_has_no_composite() -> None:
    found = mean_table([CellLine("s", "m", drawn_up(1, "a"))], ("a", "b"), column, composite=True)
    assert set(found.cells) == {(0, "a")}
    assert found.composites == {}
    assert mean_table([], ("a",), column).cells == {}


def test_an_item_counts_once_however_often_it_was_asked() -> None:
    """An item asked three times at 1.0 weighs as much as one that was asked once at 0.0."""
    often = [mark("x", "clip 1", epoch=epoch, a=1.0) for epoch in (1, 2, 3)]
    cell = mean_table([CellLine("s", "m", [*often, mark("y", "clip 2", a=0.0)])], ("a",), column).cells[0, "a"]
    assert (cell.value, cell.n, cell.clusters) == (0.5, 2, 2)


def test_unscored_samples_are_counted_and_bound_the_mean() -> None:
    """One item is marked once of two times, another never: bounds take them for 0, and for 1."""
    lost = [SampleMark(item, 2, "clip 1", {"axis": "a"}, {}, {}, because="503") for item in ("x", "y")]
    line = CellLine("s", "m", [mark("x", "clip 1", a=0.5), *lost, mark("z", "clip 2", a=1.0)])
    cell = mean_table([line], ("a",), column, asked=lambda mark: mark.groups.get("axis", "")).cells[0, "a"]
    assert (cell.value, cell.n, cell.unscored) == (0.75, 2, 2)
    assert cell.bounds == pytest.approx(((0.25 + 0 + 1) / 3, (0.75 + 1 + 1) / 3))
    assert mean_table([line], ("a",), column).cells[0, "a"].unscored == 0


def test_the_easiest_column_is_that_of_most_who_compete() -> None:
    def line(model: str, a: float, b: float, *, arm: str = "") -> CellLine:
        return CellLine("s", model, [mark("x", "c", a=a), mark("y", "c", b=b)], arm=arm)

    lines = [line("k", 1, 0), line("l", 1, 0.5), line("m", 0, 1), line("tied", 1, 1), line("n", 0, 1, arm="1 frame")]
    assert (
        describe_easiest(mean_table(lines, ("a", "b"), column), lines, ("a", "b"))
        == "a is the easiest for 2 of 4 contestants"
    )
    assert describe_easiest(mean_table(lines, ("a",), column), lines, ("a",)) == "only a was asked"
    tied = lines[3:]
    assert describe_easiest(mean_table(tied, ("a", "b"), column), tied, ("a", "b")) == "none is easier than the others"
