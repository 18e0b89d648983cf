"""Rows → the pillars beside the score, and the score by content and by form."""

from collections.abc import Sequence

from cutscore.benchmarks.repurpose.dataset import CONTENTS, FORMS
from cutscore.core.card import Card
from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.core.table import Table
from cutscore.results.tables.lifts import lift_table
from cutscore.results.tables.lines import cell_lines
from cutscore.results.tables.score_tables import group_table, scores_table

PILLARS = ("format", "visual", "narrative", "sound")
NOTE = "mode paper; 95% by source film"


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Return every pillar and the headline by content and by form, with a line for each cell, and the lift of hints."""
    lines, mode = cell_lines(rows, plan=card.frames), card.mode(None)
    headline, shown = score_key(card.headline, mode), ("score", *PILLARS)
    return [
        scores_table("pillars", "Pillars of the rubric", lines, shown, mode=mode, compared=PILLARS, note=NOTE),
        group_table("content", "Content of the source", lines, "content", CONTENTS, score=headline, note=NOTE),
        group_table("form", "Form that was asked for", lines, "form", FORMS, score=headline, note=NOTE),
        lift_table(lines, headline, paper="§3.4", by="source film"),
    ]
