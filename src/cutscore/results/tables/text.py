"""A table as text: what a reader sees of each cell and heading, in a terminal, on a page and in a paper alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cutscore.core.estimate import Estimate
from cutscore.core.table import Column, Table, TableCell
from cutscore.results.wording import interval, number


@dataclass(frozen=True)
class CellText:
    """One cell as text; beside an estimate stand its interval and the samples that are unscored."""

    text: str
    interval: str = ""
    beside: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.text, self.interval, self.beside)))


@dataclass(frozen=True)
class ColumnHeading:
    """The head of a column: from how many samples its estimates are, and whether it is flush right as numbers are.

    Words of a column of links are paths.
    """

    name: str
    n: str
    numeric: bool
    link: bool = False


@dataclass(frozen=True)
class TableText:
    """A table as text; columns without any content are left out. The note tells what n is, where headings have one."""

    headings: tuple[ColumnHeading, ...]
    rows: tuple[tuple[CellText, ...], ...]
    note: str

    @property
    def keys(self) -> int:
        """Count the columns at the left say what a row is about: those before the first number, at least one."""
        first = next((at for at, heading in enumerate(self.headings) if heading.numeric), len(self.headings))
        return max(1, first) if first < len(self.headings) else 1


def table_text(table: Table) -> TableText:
    """Write every cell and heading of a table."""
    kept = [at for at in range(len(table.columns)) if any(row[at] not in (None, "") for row in table.rows)]
    kept = kept or list(range(len(table.columns)))
    headings = tuple(_heading(table.columns[at], [row[at] for row in table.rows]) for at in kept)
    counted = "n: observations in clusters" if any(each.n for each in headings) else ""
    return TableText(
        headings,
        note="; ".join(filter(None, (table.note, counted))),
        rows=tuple(tuple(cell_text(row[at], table.columns[at]) for at in kept) for row in table.rows),
    )


def cell_text(cell: TableCell, column: Column) -> CellText:
    """Write a cell; what could not be measured is blank.

    >>> column = Column(name="p")
    >>> str(cell_text(0.0001, column)), str(cell_text(None, column)), str(cell_text(1200, column))
    ('<0.001', '', '1,200')
    """
    if cell is None:
        return CellText("")
    if isinstance(cell, str):
        return CellText(cell)
    if isinstance(cell, Estimate):
        if cell.value is None:
            return CellText(number(None))
        ends = interval(cell.low, cell.high, column.digits)
        beside = f"{cell.unscored:,} unscored" if cell.unscored else ""
        return CellText(number(cell.value, column.digits), ends if ends.startswith("[") else f"[{ends}]", beside)
    if isinstance(cell, int):
        return CellText(f"{cell:,}".replace("-", "−"))
    least = 10**-column.digits
    return CellText(f"<{least:.{column.digits}f}" if 0 < cell < least / 2 else number(cell, column.digits))


def _heading(column: Column, cells: list[TableCell]) -> ColumnHeading:
    numeric = any(isinstance(cell, int | float | Estimate) for cell in cells)
    name = f"{column.name} ({column.unit})" if column.unit else column.name
    n = sample_counts(cell for cell in cells if isinstance(cell, Estimate))
    return ColumnHeading(name, n, numeric, column.link)


def sample_counts(estimates: Iterable[Estimate]) -> str:
    """Write from how many samples in how many clusters some estimates are."""
    found = [(each.n, each.clusters) for each in estimates]
    if not found:
        return ""
    sizes, clusters = zip(*found, strict=True)
    return f"n={_range(sizes)} in {_range(clusters)}"


def _range(sizes: Sequence[int]) -> str:
    return "–".join(f"{size:,}" for size in sorted({min(sizes), max(sizes)}))


def paper_reference(table: Table) -> str:
    """Describe which table of the paper it repeats; empty when none."""
    return f"{table.paper} of the paper" if table.paper else ""
