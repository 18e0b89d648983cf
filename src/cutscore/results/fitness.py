"""Whether numbers are a measurement at all: too much unscored, judges who left too much open, samples without a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cutscore.core.errors import CutscoreError, RunBroken, Stopped
from cutscore.core.finding import score_key
from cutscore.results.wording import count

if TYPE_CHECKING:
    from cutscore.core.row import Row
    from cutscore.results.benchmark import BenchmarkResult
    from cutscore.results.cells import CellResult


def unfit(results: Sequence[BenchmarkResult], *, most: float) -> tuple[str, ...]:
    """Warn of cells of which more than the share `most` is unscored: too much to call the number a measurement."""
    reasons = []
    for result, cell in [(each, cell) for each in results for cell in each.cells]:
        reasons += _open_opinions(result, cell, most)
        if cell.rows and (share := cell.unscored / len(cell.rows)) > most:
            reasons.append(
                f"{result.card.name} {result.labels[cell.id]} is unfit: {cell.unscored:,} of {len(cell.rows):,} "
                f"samples are unscored ({share:.0%}, at most {most:.0%} may be); most often: {common_reason(cell.rows)}"
            )
    return tuple(reasons)


def _open_opinions(result: BenchmarkResult, cell: CellResult, most: float) -> list[str]:
    """Warn of scores that a judge left open too often, though the samples themselves are marked."""
    judge = cell.record.cell.judge
    marked = [row for row in cell.rows if row.ending.status == "marked"]
    reasons = []
    for name in (name for name, score in result.card.scores.items() if score.judged and judge):
        key = score_key(name, result.mode)
        open_ones = [row for row in marked if key not in row.ending.scores]
        if marked and len(open_ones) / len(marked) > most:
            answers = Counter(each.because for row in open_ones for each in row.judgements if each.answer is None)
            why = answers.most_common(1)[0][0] if answers else "no opinion was given"
            reasons.append(
                f"{result.card.name} {result.labels[cell.id]} is unfit: {judge} left "
                f"{name} open for {len(open_ones):,} of {count(len(marked), 'sample')} "
                f"({len(open_ones) / len(marked):.0%}, at most {most:.0%} may be); most often: {why}"
            )
    return reasons


def common_reason(rows: Iterable[Row]) -> str:
    """Return the reason that most samples without a mark share."""
    reasons = Counter(row.ending.because for row in rows if row.ending.status != "marked")
    return reasons.most_common(1)[0][0] if reasons else ""


def incomplete_run(cells: Sequence[CellResult]) -> CutscoreError | None:
    """Return what keeps a run from being complete: samples without a row, or a cell in which nothing was marked."""
    missing = sum(each.missing for each in cells)
    if missing:
        total = missing + sum(len(each.rows) for each in cells)
        fact = f"{missing:,} of {count(total, 'sample')} {'has' if missing == 1 else 'have'} no row"
        return RunBroken("run", fact, "run the same command again to go on")
    for each in cells:
        if each.rows and each.unscored == len(each.rows):
            kind = Stopped if all(row.ending.status == "stopped" for row in each.rows) else RunBroken
            fact = f"nothing was marked; most often because {common_reason(each.rows)}"
            return kind(f"cell '{each.record.cell.id}'", fact, "mend that and run the same command again")
    return None
