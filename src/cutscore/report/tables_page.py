"""Tables → what a page of tables shows: figures in words, and dots where a drawing says more."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from cutscore.core.estimate import Estimate
from cutscore.core.table import Plot, Table, TableCell
from cutscore.report.plot import DotPlot, Point, join_names, lay_out_plot, tight_scale, whole_scale
from cutscore.report.scatter import ScatterPlot, lay_out_scatter
from cutscore.results.tables.benchmark_tables import BenchmarkTables, TableSet
from cutscore.results.tables.text import CellText, ColumnHeading, paper_reference, sample_counts, table_text
from cutscore.results.wording import count

WHO = ("subject", "model", "input")  # how benchmarks head the columns that say who was measured
MOST_ROWS = 12  # of a table that is shown unfolded
MOST_DOTS = 40  # of a drawing whose panels are all shown unfolded; of a larger one the first is
DRAWN = "Dots are the figures of the table, bars 95% intervals"
MOST_LABEL = 28  # letters of a dot's name; panels stand beside each other


@dataclass(frozen=True)
class SheetRow:
    """One row: what it is about, and its figures."""

    names: tuple[str, ...]
    cells: tuple[tuple[ColumnHeading, CellText], ...]


@dataclass(frozen=True)
class TableSheet:
    """One table on the page, under an anchor of its own.

    Of its drawing, `panels` are shown unfolded and `more_panels` are not; `drawn` says what it shows.
    """

    id: str
    name: str
    title: str
    reference: str
    note: str
    head: str
    headings: tuple[ColumnHeading, ...]
    lines: tuple[SheetRow, ...]
    size: str
    folded: bool
    panels: tuple[DotPlot, ...]
    more_panels: tuple[DotPlot, ...]
    drawn: str
    scatters: tuple[ScatterPlot, ...] = ()

    @property
    def empty(self) -> bool:
        """Return whether its title, which then says what was not measured, is all there is."""
        return not (self.lines or self.panels or self.scatters)


def table_sheets(sets: Iterable[TableSet]) -> list[TableSheet]:
    """Lay out the tables of one benchmark, or those across several, in their order. Two modes are told apart."""
    found = [(each, each.result.mode if isinstance(each, BenchmarkTables) else "") for each in sets]
    several = len({mode for _, mode in found}) > 1
    seen = Counter({"main": 1})  # the page has an anchor of that name
    made = []
    for each, mode in found:
        for table in each.tables:
            seen[table.id] += 1
            anchor = table.id if seen[table.id] == 1 else f"{table.id}.{seen[table.id]}"
            made.append(_sheet(table, anchor, mode=mode if several else ""))
    return made


def _sheet(table: Table, anchor: str, *, mode: str) -> TableSheet:
    panels = _panels(table, table.plot, anchor) if table.plot else ()
    words = table_text(table)
    # The columns at the left that say who was measured share one cell, which stays in sight.
    lead = max(1, len(list(takewhile(lambda heading: heading.name in WHO, words.headings))))
    first = 1 if sum(len(panel.dots) for panel in panels) > MOST_DOTS else len(panels)
    return TableSheet(
        id=anchor,
        name=f"{table.id} ({mode})" if mode else table.id,
        title=table.title,
        reference=paper_reference(table),
        note=words.note,
        head=words.headings[0].name,
        headings=words.headings[lead:],
        lines=tuple(
            SheetRow(
                names=tuple(_names(cell.text for cell in row[:lead])),
                cells=tuple(zip(words.headings[lead:], row[lead:], strict=True)),
            )
            for row in words.rows
        ),
        size=count(len(table.rows), "row"),
        folded=len(table.rows) > MOST_ROWS,
        panels=panels[:first],
        more_panels=panels[first:],
        drawn=DRAWN + ("; all panels have one scale" if len(panels) > 1 and _one_scale(table, table.plot) else ""),
        scatters=tuple(
            plot
            for number, drawn in enumerate(table.scatters, start=1)
            if (plot := lay_out_scatter(table, drawn, id=f"{anchor}.scatter{number}"))
        ),
    )


def _panels(table: Table, plot: Plot, anchor: str) -> tuple[DotPlot, ...]:
    """Draw a panel for each column of values and each part of the rows; those without any dot are left out."""
    found = {
        title: points
        for column in plot.values
        for title, rows in _parts(table, plot, column).items()
        if (points := _points(table, plot, column, rows)) and not all(_is_line(point, plot) for point in points)
    }
    lines = [] if plot.level is None else [(plot.level_name, plot.level)]
    levels = {
        title: [*lines, *((point.label, point.estimate.value or 0.0) for point in points if _is_line(point, plot))]
        for title, points in found.items()
    }
    everything = [point for points in found.values() for point in points]
    if not everything:
        return ()
    span = tight_scale if plot.tight else whole_scale
    ends = span(everything, [level for _, level in lines])
    # Points of a hundred and shares of one have no axis in common.
    one = _one_scale(table, plot)
    return tuple(
        lay_out_plot(
            [point for point in points if not _is_line(point, plot)],
            id=f"{anchor}.plot{number}",
            title=title,
            axis="",
            caption=sample_counts(point.estimate for point in points),
            levels=levels[title],
            ends=ends if one else span(points, [level for _, level in lines]),
        )
        for number, (title, points) in enumerate(found.items(), start=1)
    )


def _one_scale(table: Table, plot: Plot | None) -> bool:
    cells = (cell for name in (plot.values if plot else ()) for cell in table.cells(name))
    return len({cell.scale for cell in cells if isinstance(cell, Estimate) and cell.value is not None}) < 2


def _is_line(point: Point, plot: Plot) -> bool:
    return bool(plot.reference) and point.label == plot.reference


def _parts(table: Table, plot: Plot, column: str) -> dict[str, list[int]]:
    """Return the rows of each panel of a column, by the panel's title."""
    if not plot.by:
        return {column: list(range(len(table.rows)))}
    parts: dict[str, list[int]] = {}
    for number, value in enumerate(table.cells(plot.by)):
        parts.setdefault(f"{value}: {column}" if value else column, []).append(number)
    return parts


def _points(table: Table, plot: Plot, column: str, rows: Sequence[int]) -> list[Point]:
    """Return the dots of a panel, highest first."""
    labels, values = [table.cells(name) for name in plot.labels], table.cells(column)
    found = [
        Point(join_names(_names(each[number] for each in labels), MOST_LABEL), value)
        for number in rows
        if isinstance(value := values[number], Estimate) and value.value is not None
    ]
    return sorted(found, key=lambda point: (-(point.estimate.value or 0.0), point.label))


def _names(cells: Iterable[TableCell]) -> list[str]:
    """Return the words that name a row; the plain kind `model` goes by the model's own name."""
    words = [str(cell) for cell in cells if cell not in (None, "")]
    return [word for word in words if word != "model"] or words
