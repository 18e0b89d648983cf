"""Rows → scores by site, by difficulty, and by what has to be perceived in the video."""

from collections.abc import Sequence

from cutscore.core.card import Card
from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.core.table import Table
from cutscore.results.tables.lines import cell_lines
from cutscore.results.tables.score_tables import group_table

SETS = ("factual", "vwa", "wa")
SITES = ("reddit", "classifieds", "shopping", "shopping_admin", "gitlab", "map")
LEVELS = ("easy", "medium", "hard")


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Return tables with a line for each cell, by set, site and difficulty."""
    lines, score = cell_lines(rows, plan=card.frames), score_key(card.headline, card.modes[0])
    note = f"{card.headline}; 95% by video"
    return [
        group_table("sets", "By set of tasks", lines, "set", SETS, score=score, note=note),
        group_table("sites", "By site", lines, "site", SITES, score=score, note=note),
        group_table("difficulty", "By difficulty of the task", lines, "difficulty", LEVELS, score=score, note=note),
    ]
