"""Rows → the three factors beside the score, and the score by number of clips."""

from collections.abc import Sequence

from cutscore.benchmarks.sequencing.dataset import STRATA
from cutscore.core.card import Card
from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.core.table import Table
from cutscore.results.tables.lifts import lift_table
from cutscore.results.tables.lines import cell_lines
from cutscore.results.tables.score_tables import group_table, scores_table

FACTORS = ("nd", "lis", "adj")
SHOWN = ("score", *FACTORS, "exact")
CLIPS = "clips"
NOTE = "mode paper; 95% by film"


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Return every score and the headline by number of clips, with a line for each cell, and the lift of hints."""
    lines, mode = cell_lines(rows, plan=card.frames), card.mode(None)
    order = [name for _, name in STRATA]
    headline = score_key(card.headline, mode)
    return [
        scores_table("factors", "Factors of the score", lines, SHOWN, mode=mode, compared=FACTORS, note=NOTE),
        group_table("clips", "Number of clips", lines, CLIPS, order, score=headline, note=NOTE),
        lift_table(lines, headline, paper="§3.4", by="film"),
    ]
