"""Rows → the reward and its parts, by group and kind of defect, and where the rest of it was lost."""

from collections.abc import Callable, Sequence

from cutscore.benchmarks.repair.dataset import GROUPS
from cutscore.benchmarks.repair.defect import KINDS
from cutscore.benchmarks.repair.start_errors import start_error_table
from cutscore.benchmarks.repair.verify.placement import OUTSIDE
from cutscore.core.card import Card
from cutscore.core.estimate import Estimate
from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.core.table import Table, TableCell
from cutscore.results.tables.differences import line_difference
from cutscore.results.tables.lifts import lift_table
from cutscore.results.tables.lines import CellLine, SampleMark, cell_lines, plain_columns
from cutscore.results.tables.means import mean_table
from cutscore.results.tables.score_tables import group_table, scores_table

LOCATION, FIX = "location", "fix"  # inputs of the card
LOST = ("not found", "not recognised", "not mended", "damaged elsewhere")
NOTE = "mode paper; 95% by clip"


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Return every score, the headline by group and by kind of defect, the loss split, lifts of hints, and Δstart."""
    lines, mode = cell_lines(rows, plan=card.frames), card.mode(None)
    headline = score_key(card.headline, mode)
    names, parts = list(card.scores), ("s_in", "s_out", "located", "named")
    return [
        scores_table("scores", "Parts of the reward", lines, names, mode=mode, compared=parts, note=NOTE),
        group_table("groups", "Group of defects", lines, "group", list(GROUPS), score=headline, note=NOTE),
        group_table("kinds", "Kind of defect", lines, "kind", KINDS, score=headline, note=NOTE),
        _loss(lines, headline),
        lift_table(lines, headline, paper="§3.4"),
        start_error_table(rows, plan=card.frames),
    ]


def _loss(lines: Sequence[CellLine], headline: str) -> Table:
    """Part what lies between a reward and 1 by what a hint of the same task wins back.

    Where the defect lies is told by `location`, and what it is and wants by `fix`. What is then still lost inside of
    the window, or of the ranges, was not mended in spite of it; and what is lost outside is damage.
    """
    body: list[tuple[TableCell, ...]] = []
    for line in (each for each in lines if each.whole):
        told = {each.input: each for each in lines if (each.subject, each.model) == (line.subject, line.model)}
        if not told.keys() & {LOCATION, FIX}:
            continue
        before = told.get(LOCATION, line)
        last = told.get(FIX, before)
        body.append(
            (
                line.subject,
                line.model,
                _mean(line, "reward", lambda mark: mark.scores.get(headline)),
                line_difference(before, line, headline).estimate if LOCATION in told else None,
                line_difference(last, before, headline).estimate if FIX in told else None,
                _mean(last, LOST[2], lambda mark: _unmended(mark, headline)),
                _mean(last, LOST[3], lambda mark: _damage(mark, headline)),
            )
        )
    return Table(
        id="loss",
        title=_largest(body),
        columns=plain_columns("subject", "model", "reward", *LOST),
        rows=tuple(body),
        note="mode paper; not found: won back by the input 'location'; not recognised: by 'fix' beyond that; the rest:"
        " lost in spite of the last hint; over the same items the five numbers of a line add up to 1; 95% by clip",
    )


def _mean(line: CellLine, name: str, value: Callable[[SampleMark], float | None]) -> Estimate | None:
    def placed(mark: SampleMark) -> tuple[str, float] | None:
        found = value(mark)
        return None if found is None else (name, found)

    return mean_table([line], (name,), placed, asked=lambda _: name).cells.get((0, name))


def _damage(mark: SampleMark, headline: str) -> float | None:
    """Return what was lost outside of the window; what has no outside loses nothing there."""
    if headline not in mark.scores:
        return None
    return OUTSIDE * (1 - mark.found["s_out"]) if "s_out" in mark.found else 0.0


def _unmended(mark: SampleMark, headline: str) -> float | None:
    damage = _damage(mark, headline)
    return None if damage is None else max(0.0, 1 - mark.scores[headline] - damage)


def _largest(body: Sequence[tuple[TableCell, ...]]) -> str:
    if not body:
        return "No loss split: nobody was measured with the inputs 'location' and 'fix' beside the whole task"
    sums = dict.fromkeys(LOST, 0.0)
    for row in body:
        for name, cell in zip(LOST, row[3:], strict=True):
            sums[name] += (cell.value or 0.0) if isinstance(cell, Estimate) else 0.0
    top = max(sums, key=lambda name: sums[name])
    return f"Most is lost by what was {top}: {sums[top] / len(body):.3f} of the reward on average"
