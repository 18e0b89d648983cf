"""Rows → the two tables that most benchmarks want: every score in a column of its own, and one score by a group."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from cutscore.core.estimate import Estimate
from cutscore.core.finding import score_key
from cutscore.core.table import Plot, Table
from cutscore.results.tables.lines import WHO, CellLine, SampleMark, plain_columns, score_reader, whole_reader
from cutscore.results.tables.means import MeanTable, describe_easiest, mean_table

OTHER = "other"
UNIT = (0.0, 1.0)


def scores_table(
    id: str,
    title: str,
    lines: Sequence[CellLine],
    names: Sequence[str],
    *,
    mode: str,
    compared: Sequence[str],
    note: str,
    scales: Mapping[str, tuple[float, float]] = MappingProxyType({}),
    chance: float | None = None,
) -> Table:
    """Return a table with a line for each cell and a column for each score, or other finding; what it shows follows.

    The easiest is named among those that are compared. A score that does not go from 0 to 1 needs its scale, for an
    interval at an end of it.
    """
    cells: dict[tuple[int, str], Estimate] = {}
    for name in names:
        cells |= _score_means(lines, name, score_key(name, mode), scales.get(name, UNIT))
    found = MeanTable(cells)
    title = f"{title}: {describe_easiest(found, lines, compared)}"
    return _table(id, title, lines, found, names, note=note, chance=chance)


def group_table(
    id: str, title: str, lines: Sequence[CellLine], group: str, order: Sequence[str], *, score: str, note: str
) -> Table:
    """Return a table with a line for each cell and a column for each value of a group that some item has.

    Items without the group are `other`; values that are not in the order come after it. The finding follows the title.
    """

    def value_of(mark: SampleMark) -> str:
        return mark.groups.get(group, OTHER)

    def placed(mark: SampleMark) -> tuple[str, float] | None:
        return (value_of(mark), mark.scores[score]) if score in mark.scores else None

    there = {value_of(mark) for line in lines for mark in line.marks}
    parts = tuple(name for name in dict.fromkeys((*order, *sorted(there))) if name in there)

    def asked(mark: SampleMark) -> str:
        return value_of(mark) if mark.lacks(score) else ""

    found = mean_table(lines, parts, placed, whole=whole_reader(score), asked=asked)
    return _table(id, f"{title}: {describe_easiest(found, lines, parts)}", lines, found, parts, note=note)


def _score_means(
    lines: Sequence[CellLine], name: str, score: str, scale: tuple[float, float]
) -> dict[tuple[int, str], Estimate]:
    """Return the means of a score over the marks that have it, from 0 to 1 and taken back to its own scale."""
    low, high = scale
    read = score_reader(score)

    def share(mark: SampleMark) -> tuple[str, float] | None:
        value = read(mark)
        return None if value is None else (name, (value - low) / (high - low))

    def own(share: float | None) -> float | None:
        return None if share is None else low + (high - low) * share

    found = mean_table(
        lines, (name,), share, whole=whole_reader(score), asked=lambda mark: name if mark.lacks(score) else ""
    ).cells
    if scale == UNIT:
        return dict(found)
    return {
        where: cell.model_copy(
            update={each: own(getattr(cell, each)) for each in ("value", "low", "high")}
            | {"bounds": cell.bounds and tuple(own(each) for each in cell.bounds)}
        )
        for where, cell in found.items()
    }


def _table(
    id: str,
    title: str,
    lines: Sequence[CellLine],
    found: MeanTable,
    columns: Sequence[str],
    *,
    note: str,
    chance: float | None = None,
) -> Table:
    return Table(
        id=id,
        title=title,
        columns=plain_columns(*WHO, *columns),
        rows=tuple(
            (*line.who, *(found.cells.get((number, name)) for name in columns)) for number, line in enumerate(lines)
        ),
        note=note,
        plot=Plot(values=tuple(columns), labels=WHO, level=chance, level_name="" if chance is None else "chance"),
    )
