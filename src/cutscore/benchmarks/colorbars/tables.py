"""Rows → accuracy by what was asked, and by moment: do subjects see the end of a clip as well as its start?"""

from collections.abc import Sequence

from cutscore.benchmarks._lines import WHO, headed, lines_of
from cutscore.bridge.summary import estimates
from cutscore.core.card import Card
from cutscore.core.estimate import Estimate
from cutscore.core.row import Row
from cutscore.core.table import Plot, Table

PARTS = {"kind": ("colour", "word", "count"), "moment": ("early", "middle", "late")}
TITLES = {"kind": "Accuracy by what was asked", "moment": "Accuracy by moment of the clip"}


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Give two tables with a line for each cell: by kind of question, and by third of the clip."""
    found = [
        (line.who, estimates([row for row in rows if row.cell == line.cell], card))
        for line in lines_of(rows, plan=card.frames)
    ]
    return [
        Table(
            id=f"{group}s",
            title=TITLES[group],
            columns=headed(*WHO, *parts),
            rows=tuple((*who, *(_of(made, group, part) for part in parts)) for who, made in found),
            note="95% intervals; questions about one clip are one cluster",
            plot=Plot(values=parts, labels=WHO),
        )
        for group, parts in PARTS.items()
    ]


def _of(made: Sequence[Estimate], group: str, part: str) -> Estimate | None:
    return next((each for each in made if each.group == {group: part}), None)
