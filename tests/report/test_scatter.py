"""A scatter plot of two columns: places by hand, names that do not lie on each other, rows that lack a value."""

from itertools import pairwise

import pytest

from cutscore.core.estimate import Estimate
from cutscore.core.table import Column, Scatter, Table, TableCell
from cutscore.report.plot import join_names
from cutscore.report.scatter import LABEL_PX, LEAST_PX, LEFT_PC, RIGHT_PC, TOP_PX, lay_out_scatter
from cutscore.report.tables_page import table_sheets
from cutscore.results.tables.benchmark_tables import AcrossTables

DRAWN = Scatter(across="cost", up="score", labels=("who",))


def table(*rows: tuple[TableCell, ...]) -> Table:
    columns = (Column(name="who"), Column(name="cost", unit="USD"), Column(name="score"))
    return Table(id="effort", title="t", columns=columns, rows=rows, scatters=(DRAWN,))


def test_points_lie_where_their_values_are() -> None:
    """Values from 0 to 1 with a twentieth free at either end: the middle is in the middle."""
    made = lay_out_scatter(table(("a", 0, 0.0), ("b", 5.0, 0.5), ("c", 10, 1.0)), DRAWN, id="s")
    assert made is not None
    places = {point.label: point for point in made.points}
    assert float(places["b"].x_pc[:-1]) == pytest.approx((LEFT_PC + RIGHT_PC) / 2)
    assert places["b"].y == pytest.approx(TOP_PX + LEAST_PX / 2)
    room = LEAST_PX * 0.05 / 1.1
    assert places["c"].y == pytest.approx(TOP_PX + room, abs=0.1)
    assert (made.title, made.caption) == (
        "score by cost (USD)",
        "3 points, one for each row of the table that has both.",
    )
    assert places["c"].said == "c: cost 10, score 1"


def test_an_interval_is_a_bar_and_widens_the_scale() -> None:
    known = Estimate(name="score", value=0.5, low=0.0, high=1.0, n=3, clusters=3)
    made = lay_out_scatter(table(("a", 1, known), ("b", 2, 0.5)), DRAWN, id="s")
    assert made is not None
    bar, bare = sorted(made.points, key=lambda point: point.label)
    assert bar.low_y is not None
    assert bar.high_y is not None
    assert made.bottom > bar.low_y > bar.y > bar.high_y > TOP_PX
    assert (bare.low_y, bare.high_y) == (None, None)


def test_a_row_without_both_values_is_no_point_and_one_point_is_no_plot() -> None:
    made = lay_out_scatter(table(("a", 1, 0.5), ("b", None, 0.5), ("c", 2, None), ("d", 3, 0.1)), DRAWN, id="s")
    assert made is not None
    assert sorted(point.label for point in made.points) == ["a", "d"]
    assert lay_out_scatter(table(("a", 1, 0.5), ("b", None, 0.5)), DRAWN, id="s") is None


def test_names_of_equal_points_do_not_lie_on_each_other() -> None:
    made = lay_out_scatter(table(*((f"stack {n:02}", 1, 0.5) for n in range(40)), ("z", 9, 0.9)), DRAWN, id="s")
    assert made is not None
    near = [point.text_y for point in made.points]
    assert all(after - before >= LABEL_PX - 0.2 for before, after in pairwise(near))
    assert near[-1] <= made.bottom
    assert near[0] >= TOP_PX


def test_a_third_column_sets_the_area_of_points() -> None:
    """A quarter of the largest value is half of the way in the radius; without a value, or below 0, it is the least."""
    drawn = Scatter(across="cost", up="score", labels=("who",), size="score")
    rows = (("a", 1, 0.8), ("b", 2, 0.2), ("c", 3, -0.1))
    made = lay_out_scatter(table(*rows), drawn, id="s")
    assert made is not None
    assert {point.label: point.radius for point in made.points} == {"a": 12.0, "b": 7.5, "c": 3.0}
    assert made.caption.endswith("The larger, the higher its score; the smallest have none.")


def test_models_lose_their_providers_before_their_names() -> None:
    """The stacks of a study are told apart by the ends of their models' names."""
    names = ["anthropic/claude-opus-4-7", "anthropic/claude-sonnet-4-6", "openrouter/qwen/qwen3-vl-235b-a22b-instruct"]
    labels = [join_names(["opencode", name], 28) for name in names]
    assert labels == ["opencode · claude-opus-4-7", "opencode · claude-sonnet-4-6", "opencode · qwen3-vl-235b-a2…"]


def test_the_page_has_it_and_a_column_that_is_not_there_is_refused() -> None:
    (sheet,) = table_sheets([AcrossTables((table(("a", 1, 0.5), ("b", 2, 0.7)),))])
    assert [plot.id for plot in sheet.scatters] == ["effort.scatter1"]
    with pytest.raises(ValueError, match="its plot names columns that it lacks: who"):
        Table(id="t", title="t", columns=(Column(name="cost"), Column(name="score")), scatters=(DRAWN,))
