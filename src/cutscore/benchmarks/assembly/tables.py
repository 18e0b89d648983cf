"""Rows → the score beside its clipped twin and the chance line, the share by dimension, and by number of slots."""

from collections.abc import Sequence

from cutscore.benchmarks.assembly.dataset import DIMENSIONS, FEWEST, MOST
from cutscore.core.card import Card
from cutscore.core.estimate import Estimate
from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.core.table import Table
from cutscore.results.tables.lifts import lift_table
from cutscore.results.tables.lines import CellLine, cell_lines
from cutscore.results.tables.score_tables import group_table, scores_table

NOTE = "mode paper; 95% by story"
SHOWN = ("score", "clipped", "share")


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Return the scores, the share by dimension and by number of slots, and what leaving out a field does."""
    lines, mode = cell_lines(rows, plan=card.frames), card.mode(None)
    slots = [str(number) for number in range(FEWEST, MOST + 1)]
    share = f"share of slots that are right; {NOTE}"
    chance = card.scores["share"].chance
    return [
        _scores(lines, card, mode),
        scores_table(
            "dimensions",
            "What decides a slot",
            lines,
            DIMENSIONS,
            mode=mode,
            compared=DIMENSIONS,
            note=share if chance is None else f"chance is {chance:.3f}; {share}",
            chance=chance,
        ),
        group_table("slots", "Number of slots", lines, "slots", slots, score=score_key("share", mode), note=share),
        lift_table(lines, score_key("score", mode), scale=card.scores["score"].scale, paper="§3.4", by="story"),
    ]


def _scores(lines: Sequence[CellLine], card: Card, mode: str) -> Table:
    """Show the raw mean, what is left of it when it is cut off at 0, and the share behind both."""
    scales = {name: card.scores[name].scale for name in SHOWN}
    chance = card.scores["score"].chance
    table = scores_table("scores", "", lines, SHOWN, mode=mode, compared=SHOWN, note=NOTE, scales=scales, chance=chance)
    scored = [row[-len(SHOWN)] for row, line in zip(table.rows, lines, strict=True) if line.competes]
    above = [cell for cell in scored if isinstance(cell, Estimate) and cell.low is not None and cell.low > 0]
    title = (
        f"Corrected for chance: {len(above)} of {len(scored)} are above 0, what choosing among the right three gives"
    )
    # The line is the score's own: chance lies elsewhere in the other columns.
    plot = table.plot and table.plot.model_copy(update={"values": SHOWN[:1]})
    return table.model_copy(update={"title": title, "plot": plot})
