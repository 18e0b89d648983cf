"""Rows → accuracy by moment: do subjects see the end of a clip as well as its start?"""

from collections.abc import Sequence

from cutscore.bridge.summary import estimates
from cutscore.core.card import Card
from cutscore.core.row import Row
from cutscore.core.table import Column, Table

MOMENTS = ("early", "middle", "late")


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Give one table: a line for each subject and model, a column for each third of the clip."""
    lines = []
    for who in sorted({(row.subject, row.model) for row in rows}):
        mine = [row for row in rows if (row.subject, row.model) == who]
        by_moment = {each.group.get("moment"): each for each in estimates(mine, card)}
        lines.append((*who, *(by_moment.get(moment) for moment in MOMENTS)))
    return [
        Table(
            id="moments",
            title="Accuracy by moment of the clip",
            columns=tuple(Column(name=name) for name in ("subject", "model", *MOMENTS)),
            rows=tuple(lines),
            note="95% intervals; questions about one clip are one cluster",
        )
    ]
