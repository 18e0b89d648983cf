"""Rows → the two tables that most benchmarks want: every score in a column of its own, and one score by a group."""

from collections.abc import Sequence
from dataclasses import dataclass

from cutscore.benchmarks._boards import Board, board, easiest
from cutscore.benchmarks._lines import WHO, Line, Mark, headed
from cutscore.core.estimate import Estimate
from cutscore.core.finding import score_key
from cutscore.core.table import Plot, Table

OTHER = "other"


def scores_table(
    id: str, title: str, lines: Sequence[Line], names: Sequence[str], *, mode: str, compared: Sequence[str], note: str
) -> Table:
    """Give a table with a line for each cell and a column for each score.

    Args:
        id: Of the table.
        title: What the scores are; the finding follows it.
        lines: Who.
        names: The scores, as the card has them.
        mode: In which they are shown.
        compared: Those among which the easiest is named.
        note: What a reader should know of the numbers.
    """
    cells: dict[tuple[int, str], Estimate] = {}
    for name in names:
        column = _Column(name, score_key(name, mode))
        cells.update(board(lines, (name,), column.placed, asked=column.asked).cells)
    found = Board(cells)
    return _table(id, f"{title}: {easiest(found, lines, compared)}", lines, found, names, note=note)


def group_table(
    id: str, title: str, lines: Sequence[Line], group: str, order: Sequence[str], *, score: str, note: str
) -> Table:
    """Give a table with a line for each cell and a column for each value of a group that some item has.

    Args:
        id: Of the table.
        title: What the group is; the finding follows it.
        lines: Who.
        group: Its name; items without it are `other`.
        order: Its values in the order in which they are shown; what is not among them comes after.
        score: Key of the score that is shown.
        note: What a reader should know of the numbers.
    """

    def value_of(mark: Mark) -> str:
        return mark.groups.get(group, OTHER)

    def placed(mark: Mark) -> tuple[str, float] | None:
        return (value_of(mark), mark.scores[score]) if score in mark.scores else None

    there = {value_of(mark) for line in lines for mark in line.marks}
    parts = tuple(name for name in dict.fromkeys((*order, *sorted(there))) if name in there)
    found = board(lines, parts, placed, asked=value_of)
    return _table(id, f"{title}: {easiest(found, lines, parts)}", lines, found, parts, note=note)


@dataclass(frozen=True)
class _Column:
    """A score that every mark has, in a column of its own."""

    name: str
    score: str

    def placed(self, mark: Mark) -> tuple[str, float] | None:
        return (self.name, mark.scores[self.score]) if self.score in mark.scores else None

    def asked(self, _mark: Mark) -> str:
        return self.name


def _table(id: str, title: str, lines: Sequence[Line], found: Board, columns: Sequence[str], *, note: str) -> Table:
    return Table(
        id=id,
        title=title,
        columns=headed(*WHO, *columns),
        rows=tuple(
            (*line.who, *(found.cells.get((number, name)) for name in columns)) for number, line in enumerate(lines)
        ),
        note=note,
        plot=Plot(values=tuple(columns), labels=WHO),
    )
