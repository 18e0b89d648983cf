"""A benchmark's tables on their page: names, figures, drawings, folds."""

from types import SimpleNamespace

import pytest

from cutscore.core.estimate import Estimate
from cutscore.core.table import Column, Plot, Table
from cutscore.report.tables_page import MOST_LABEL, TableSheet, table_sheets
from cutscore.results.tables.benchmark_tables import BenchmarkTables


def estimate(value: float | None, *, n: int = 4) -> Estimate:
    ends = (None, None) if value is None else (value - 0.1, value + 0.1)
    return Estimate(name="x", value=value, low=ends[0], high=ends[1], n=n, clusters=n, scale=(-1, 1))


def table(*rows: tuple, plot: Plot | None = None, names=("subject", "model", "input", "score"), **more) -> Table:
    columns = tuple(Column(name=name) for name in names)
    return Table(**({"id": "board", "title": "x leads", "columns": columns, "rows": rows, "plot": plot} | more))


def made_of(*tables: Table, mode: str = "") -> BenchmarkTables:
    return BenchmarkTables(SimpleNamespace(mode=mode), tables)


def sheet(*rows: tuple, **more) -> TableSheet:
    (made,) = table_sheets([made_of(table(*rows, **more))])
    return made


WHO = ("subject", "model", "input")
SCORE = Plot(values=("score",), labels=WHO)


def test_who_was_measured_shares_one_cell_and_a_plain_model_goes_by_its_name():
    made = sheet(("model", "lab/x", "1 frame", estimate(0.5)), ("blind", "", "", None))
    assert (made.head, [head.name for head in made.headings]) == ("subject", ["score"])
    assert [line.names for line in made.lines] == [("lab/x", "1 frame"), ("blind",)]
    assert [[str(cell) for _, cell in line.cells] for line in made.lines] == [["0.500 [0.400, 0.600]"], [""]]


def test_dots_are_sorted_and_cells_without_a_value_are_left_out():
    made = sheet(
        ("a", "", "", estimate(0.2)), ("b", "", "", estimate(0.6)), ("c", "", "", None), ("d", "", "", estimate(None)),
        plot=SCORE,
    )  # fmt: skip
    (panel,) = made.panels
    assert [dot.label for dot in panel.dots] == ["b", "a"]
    assert (panel.title, panel.caption) == ("score", "n=4 in 4")
    assert made.drawn == "Dots are the figures of the table, bars 95% intervals"


def test_a_reference_is_a_line_and_no_dot():
    """People on the leaderboard of a study: their level crosses the panel; alone they have none."""
    with_line = SCORE.model_copy(update={"reference": "human"})
    people = ("human", "", "", estimate(0.8))
    made = sheet(("a", "", "", estimate(0.2)), people, plot=with_line)
    assert sheet(people, plot=with_line).panels == ()
    (panel,) = made.panels
    assert [dot.label for dot in panel.dots] == ["a"]
    assert [level.label for level in panel.levels] == ["human 0.800"]


def test_a_table_that_has_nothing_to_draw_has_no_drawing():
    made = sheet(("a", "", "", None), plot=SCORE)
    assert (made.panels, made.more_panels) == ((), ())
    empty = sheet(plot=SCORE)
    assert (empty.lines, empty.panels) == ((), ())


def test_panels_share_one_scale_and_differences_get_a_tight_one():
    rows = [(arm, axis, estimate(value)) for arm, axis, value in (("1 frame", "step", 0.0), ("none", "step", -0.3))]
    plot = Plot(values=("gap",), labels=("axis",), by="arm", level=0.0, level_name="no difference", tight=True)
    made = sheet(*rows, names=("arm", "axis", "gap"), plot=plot)
    assert [panel.title for panel in made.panels] == ["1 frame: gap", "none: gap"]
    assert len({(panel.ticks, panel.levels) for panel in made.panels}) == 1
    assert [level.label for level in made.panels[0].levels] == ["no difference 0.000"]
    assert [tick.label for tick in made.panels[0].ticks] == ["−0.4", "−0.2", "0"]
    assert "one scale" in made.drawn
    whole = sheet(*rows, names=("arm", "axis", "gap"), plot=Plot(values=("gap",), labels=("axis",)))
    assert [tick.label for tick in whole.panels[0].ticks] == ["−1", "−0.5", "0", "0.5", "1"]


def test_panels_of_different_scores_have_scales_of_their_own():
    points = estimate(0.5).model_copy(update={"value": 50.0, "low": 40.0, "high": 60.0, "scale": (0, 100)})
    made = sheet(
        ("a", estimate(0.5), points), names=("subject", "x", "y"), plot=Plot(values=("x", "y"), labels=WHO[:1])
    )
    assert [panel.ticks[-1].label for panel in made.panels] == ["1", "100"]
    assert "one scale" not in made.drawn


def test_long_tables_and_drawings_are_folded():
    few, many = (sheet(*[(f"s{n}", "", "", estimate(0.5)) for n in range(rows)], plot=SCORE) for rows in (12, 13))
    assert (few.folded, many.folded, many.size) == (False, True, "13 rows")
    names = (*WHO, "a", "b", "c")
    wide = [(f"s{n}", "", "", *[estimate(0.5)] * 3) for n in range(20)]
    made = sheet(*wide, names=names, plot=Plot(values=("a", "b", "c"), labels=WHO))
    assert [panel.title for panel in made.panels] == ["a"]
    assert [panel.title for panel in made.more_panels] == ["b", "c"]


@pytest.mark.parametrize("arm", ["1 frame", "transcript only", ""])
def test_what_tells_two_dots_apart_survives_the_cut(arm):
    (panel,) = sheet(("model", "provider/" + "long-name-" * 5, arm, estimate(0.5)), plot=SCORE).panels
    assert panel.dots[0].label.endswith(arm or "…")
    assert len(panel.dots[0].label) <= MOST_LABEL
    assert panel.dots[0].label.startswith("long-name")


def test_two_modes_have_anchors_of_their_own():
    made = table_sheets([made_of(table(), mode="paper"), made_of(table(), mode="strict")])
    assert [(each.id, each.name) for each in made] == [("board", "board (paper)"), ("board.2", "board (strict)")]
    assert [each.name for each in table_sheets([made_of(table(), mode="paper")])] == ["board"]
    assert sheet(id="main").id == "main.2"  # the page's own anchor stays its own
