"""Rows → recall by length of clip, and all scores."""

from collections.abc import Sequence

from cutscore.core.card import Card
from cutscore.core.row import Row
from cutscore.core.table import Table
from cutscore.results.tables.lines import cell_lines
from cutscore.results.tables.score_tables import group_table, scores_table


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Give both tables."""
    lines, scales = cell_lines(rows), {name: score.scale for name, score in card.scores.items()}
    names = tuple(card.scores)
    return [
        group_table("lengths", "By length", lines, "length", ("short", "long"), score="recall", note="ratios of sums"),
        scores_table("scores", "All", lines, names, mode="", compared=names[:2], note="ratios of sums", scales=scales),
    ]
