"""All benchmarks → the front page: a matrix of contestants and benchmarks, the conclusions, and cost against score.

Places across a cell are percentages of its width, as in `plot.py`. Nothing is averaged over benchmarks: their scores do
not mean the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from cutscore.core.row import Row
from cutscore.core.table import Column, Scatter, Table, TableCell
from cutscore.report.benchmark_site import BenchmarkSite
from cutscore.report.conclusions import Conclusions, conclude
from cutscore.report.scatter import ScatterPlot, lay_out_scatter
from cutscore.results.cells import CellName
from cutscore.results.headline import CellHeadline
from cutscore.results.summary import describe_cost, total_cost
from cutscore.results.wording import counted, digits_for, figures, number

LEFT_PC, RIGHT_PC = 4.0, 96.0
MOST_SCATTERS = 4  # more nobody compares; the tables of a benchmark have the rest


@dataclass(frozen=True)
class MatrixCell:
    """One contestant on one benchmark: its figures, and places of dot, interval and levels across the cell."""

    value: float | None
    text: str
    interval: str
    said: str
    href: str
    at: str
    low: str
    high: str
    marks: tuple[tuple[str, str], ...]
    failed: bool


@dataclass(frozen=True)
class MatrixRow:
    """One contestant, or one level that contestants are read against."""

    name: CellName
    cells: tuple[MatrixCell | None, ...]
    failed: int
    unscored: int
    samples: int
    cost: str
    cost_usd: float | None
    seconds: float | None

    @property
    def time(self) -> str:
        """Write the time of a sample with two figures, of long ones in whole seconds."""
        if self.seconds is None:
            return "–"
        return f"{self.seconds:,.0f} s" if self.seconds >= 10 else f"{self.seconds:.2g} s"


@dataclass(frozen=True)
class MatrixColumn:
    """One benchmark, what its score is called, and the levels of it."""

    bench: BenchmarkSite
    score: str
    levels: dict[str, str]


@dataclass(frozen=True)
class FrontPage:
    """Everything that the front page shows; `levels` are those that any benchmark has."""

    said: Conclusions
    columns: tuple[MatrixColumn, ...]
    rows: tuple[MatrixRow, ...]
    levels: tuple[str, ...]
    scatters: tuple[ScatterPlot, ...]


def front_page(benches: Sequence[BenchmarkSite]) -> FrontPage:
    """Lay out the front page. Who is the higher of two most often stands first."""
    columns = tuple(_column(bench) for bench in benches)
    lines = [{each.label: each for each in bench.contestants} for bench in benches]
    labels = sorted({label for found in lines for label in found}, key=lambda label: (-_wins(label, lines), label))
    levels = dict.fromkeys(
        level for level in ("ceiling", "people", "guess") for each in columns if level in each.levels
    )
    return FrontPage(
        said=conclude(benches),
        columns=columns,
        rows=tuple(_row(label, benches, lines) for label in labels),
        levels=tuple(levels),
        scatters=tuple(plot for bench in benches if (plot := _cost_plot(bench)))[:MOST_SCATTERS],
    )


def _column(bench: BenchmarkSite) -> MatrixColumn:
    digits = digits_for(bench.scale)
    return MatrixColumn(bench, bench.score_label, {role: number(mark, digits) for role, mark in bench.marks.items()})


def _wins(label: str, lines: Sequence[dict[str, CellHeadline]]) -> int:
    """Count over all benchmarks the contestants that have a lower value."""
    own = [(found[label].estimate.value, found) for found in lines if label in found]
    return sum(
        value is not None and other.estimate.value is not None and value > other.estimate.value
        for value, found in own
        for other in found.values()
    )


def _row(label: str, benches: Sequence[BenchmarkSite], lines: Sequence[dict[str, CellHeadline]]) -> MatrixRow:
    own = [(bench, found.get(label)) for bench, found in zip(benches, lines, strict=True)]
    rows: list[Row] = []
    for bench, each in own:
        rows += bench.cells[each.name.cell][1].rows if each else ()
    seconds = [row.seconds for row in rows if row.seconds is not None]
    estimates = [each.estimate for _, each in own if each]
    return MatrixRow(
        name=next(each.name for _, each in own if each),
        cells=tuple(_cell(bench, each) if each else None for bench, each in own),
        failed=sum(each.failed for each in estimates),
        unscored=sum(each.unscored for each in estimates),
        samples=len(rows),
        cost=describe_cost(rows),
        cost_usd=total_cost(rows),
        seconds=median(seconds) if seconds else None,
    )


def _cell(bench: BenchmarkSite, each: CellHeadline) -> MatrixCell:
    made = each.estimate
    text, ends = figures(made)
    known = [end for end in (*bench.scale, made.value, made.low, made.high, *bench.marks.values()) if end is not None]
    low, high = min(known), max(known)

    def place(value: float | None) -> str:
        share = ((value or 0.0) - low) / (high - low) if high > low else 0.5
        return "" if value is None else f"{LEFT_PC + (RIGHT_PC - LEFT_PC) * share:.2f}%"

    levels = ", ".join(f"{role} {number(level, digits_for(bench.scale))}" for role, level in bench.marks.items())
    samples = counted(made, bench.card)
    return MatrixCell(
        value=made.value,
        text=text,
        interval=ends if made.low is not None else "no interval",
        said=f"{each.label} on {bench.name}: {text} {ends if made.low is not None else ''}, {samples}; {levels}",
        href=f"{bench.folder}/index.html",
        at=place(made.value),
        low=place(made.low),
        high=place(made.high),
        marks=tuple((role, place(level)) for role, level in bench.marks.items() if role != "floor"),
        failed=made.mostly_failed,
    )


def _cost_plot(bench: BenchmarkSite) -> ScatterPlot | None:
    """Draw cost against score of a benchmark's contestants, where two or more have a price that is known."""
    body: list[tuple[TableCell, ...]] = []
    for each in bench.contestants:
        rows = bench.cells[each.name.cell][1].rows
        cost = total_cost(rows)
        if cost and each.estimate.value is not None:
            body.append((each.label, cost / len(rows), each.estimate))
    if len(body) < 2:
        return None
    score = f"{bench.name}: {bench.score_label}"
    columns = (Column(name="contestant"), Column(name="cost of a sample", unit="$"), Column(name=score))
    table = Table(id="cost", title="", columns=columns, rows=tuple(body))
    drawn = Scatter(across=columns[1].name, up=score, labels=("contestant",))
    return lay_out_scatter(table, drawn, id=f"{bench.folder}-cost")
