"""Rows → the three factors beside the score, and the score by number of clips."""

from collections.abc import Sequence
from dataclasses import dataclass

from cutscore.benchmarks._boards import Board, board, easiest
from cutscore.benchmarks._lines import WHO, Line, Mark, headed, lines_of
from cutscore.benchmarks.sequencing.dataset import OTHER, STRATA
from cutscore.core.card import Card
from cutscore.core.estimate import Estimate
from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.core.table import Plot, Table

FACTORS = ("nd", "lis", "adj")
SHOWN = ("score", *FACTORS, "exact")
CLIPS = "clips"


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Give two tables with a line for each cell: every score, and the headline by number of clips."""
    lines, mode = lines_of(rows, plan=card.frames), card.mode(None)
    return [_scores(lines, mode), _by_clips(lines, score_key(card.headline, mode))]


def _scores(lines: Sequence[Line], mode: str) -> Table:
    cells: dict[tuple[int, str], Estimate] = {}
    for name in SHOWN:
        column = _Column(name, score_key(name, mode))
        cells.update(board(lines, (name,), column.placed, asked=column.asked).cells)
    found = Board(cells)
    return _table("factors", f"Factors of the score: {easiest(found, lines, FACTORS)}", lines, found, SHOWN)


@dataclass(frozen=True)
class _Column:
    """A score that every mark has, in a column of its own."""

    name: str
    score: str

    def placed(self, mark: Mark) -> tuple[str, float] | None:
        return (self.name, mark.scores[self.score]) if self.score in mark.scores else None

    def asked(self, _mark: Mark) -> str:
        return self.name


def _by_clips(lines: Sequence[Line], score: str) -> Table:
    def placed(mark: Mark) -> tuple[str, float] | None:
        return (_stratum(mark), mark.scores[score]) if score in mark.scores else None

    there = {_stratum(mark) for line in lines for mark in line.marks}
    parts = tuple(name for name in (*(name for _, name in STRATA), OTHER) if name in there)
    found = board(lines, parts, placed, asked=_stratum)
    return _table("clips", f"Number of clips: {easiest(found, lines, parts)}", lines, found, parts)


def _stratum(mark: Mark) -> str:
    return mark.groups.get(CLIPS, OTHER)


def _table(id: str, title: str, lines: Sequence[Line], found: Board, columns: Sequence[str]) -> Table:
    return Table(
        id=id,
        title=title,
        columns=headed(*WHO, *columns),
        rows=tuple(
            (*line.who, *(found.cells.get((number, name)) for name in columns)) for number, line in enumerate(lines)
        ),
        note="mode paper; 95% by film",
        plot=Plot(values=columns, labels=WHO),
    )
