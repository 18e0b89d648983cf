"""Rows → accuracy by what was asked, and by moment: do subjects see the end of a clip as well as its start?"""

from collections.abc import Sequence

from cutscore.core.card import Card
from cutscore.core.row import Row
from cutscore.core.table import Plot, Table
from cutscore.results.boards import board, easiest
from cutscore.results.lines import WHO, Line, Mark, headed, lines_of

PARTS = {"kind": ("colour", "word", "count"), "moment": ("early", "middle", "late")}
TITLES = {"kind": "By what was asked", "moment": "By moment of the clip"}


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Return two tables with a line for each cell: by kind of question, and by third of the clip."""
    lines = lines_of(rows, plan=card.frames)
    return [_table(lines, card.headline, group) for group in PARTS]


def _table(lines: Sequence[Line], score: str, group: str) -> Table:
    def part(mark: Mark) -> str:
        return mark.groups.get(group, "")

    def placed(mark: Mark) -> tuple[str, float] | None:
        return (part(mark), mark.scores[score]) if score in mark.scores else None

    parts = PARTS[group]
    found = board(lines, parts, placed, asked=part)
    return Table(
        id=f"{group}s",
        title=f"{TITLES[group]}: {easiest(found, lines, parts)}",
        columns=headed(*WHO, *parts),
        rows=tuple(
            (*line.who, *(found.cells.get((number, name)) for name in parts)) for number, line in enumerate(lines)
        ),
        note=f"{score}; 95% by clip",
        plot=Plot(values=parts, labels=WHO),
    )
