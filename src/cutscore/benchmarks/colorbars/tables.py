"""Rows → accuracy by what was asked, and by moment: do subjects see the end of a clip as well as its start?"""

from collections.abc import Sequence

from cutscore.core.card import Card
from cutscore.core.row import Row
from cutscore.core.table import Table
from cutscore.results.tables.lines import cell_lines
from cutscore.results.tables.score_tables import group_table

KINDS, MOMENTS = ("colour", "word", "count"), ("early", "middle", "late")


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Return two tables with a line for each cell: by kind of question, and by third of the clip."""
    lines, score = cell_lines(rows, plan=card.frames), card.headline
    note = f"{score}; 95% by clip"
    return [
        group_table("kinds", "By what was asked", lines, "kind", KINDS, score=score, note=note),
        group_table("moments", "By moment of the clip", lines, "moment", MOMENTS, score=score, note=note),
    ]
