"""Whether numbers are a measurement at all: too much failed, unscored, left open by judges, or without a row."""

from __future__ import annotations

import re
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

LONGEST_REASON = 160  # characters of a failure that a sentence repeats
_OWN_NAME = re.compile(r"^subject '[^']*': (raised )?")


def unfit(results: Sequence[BenchmarkResult], *, most: float, with_stopped: bool = True) -> tuple[str, ...]:
    """Warn of cells of which more than the share `most` is unscored: too much to call the number a measurement.

    Where it is said elsewhere what a wholly stopped cell lacks, `with_stopped` leaves it out.
    """
    reasons = []
    for result, cell in [(each, cell) for each in results for cell in each.cells]:
        reasons += _open_opinions(result, cell, most)
        key = score_key(result.card.headline, result.mode)
        unscored = sum(row.ending.status_of(key) in ("unscored", "stopped") for row in cell.rows)
        if not with_stopped and all(row.ending.status == "stopped" for row in cell.rows):
            continue
        if cell.rows and (share := unscored / len(cell.rows)) > most:
            why = common_reason(cell.rows, key)
            reasons.append(
                f"{result.card.name} {result.labels[cell.id]} is unfit: {unscored:,} of {len(cell.rows):,} "
                f"samples are unscored ({share:.0%}, at most {most:.0%} may be); "
                f"the command that ran it asks them again; most often: {why}"
            )
    return tuple(reasons)


def mostly_failed(results: Sequence[BenchmarkResult]) -> tuple[str, ...]:
    """Name cells whose subject failed alike in more than half of the samples, with the first reason."""
    reasons = []
    for result, cell in [(each, cell) for each in results for cell in each.cells]:
        kind, times = next(iter(cell.failures.items()), ("", 0))
        if 2 * times > len(cell.rows):
            first = next(row for row in cell.rows if row.ending.failure_class == kind)
            who = f"{result.card.name} {result.labels[cell.id]}"
            reasons.append(f"{who}: {times:,} of {len(cell.rows):,} failed: {failure_reason(first)}")
    return tuple(reasons)


def failure_reason(row: Row) -> str:
    """Return why a subject failed, without its name: what it says of itself, else what marking found.

    Only its first line: a traceback may follow.
    """
    said = row.deliverable.failure or next((each.because for each in row.ending.findings if each.unreadable), "")
    words = _OWN_NAME.sub("", said).strip().partition("\n")[0] or "nothing was delivered"
    return words if len(words) <= LONGEST_REASON else f"{words[: LONGEST_REASON - 1]}…"


def _open_opinions(result: BenchmarkResult, cell: CellResult, most: float) -> list[str]:
    """Warn of scores that a judge left open too often, though the samples themselves are marked."""
    judge = cell.record.cell.judge
    marked = [row for row in cell.rows if row.ending.status == "marked"]
    reasons = []
    for name in (name for name, score in result.card.scores.items() if score.judged and judge):
        key = score_key(name, result.mode)
        open_ones = [row for row in marked if key not in row.ending.scores and _is_left_open(row, key)]
        if marked and len(open_ones) / len(marked) > most:
            answers = Counter(each.because for row in open_ones for each in row.judgements if each.answer is None)
            why = answers.most_common(1)[0][0] if answers else "no opinion was given"
            reasons.append(
                f"{result.card.name} {result.labels[cell.id]} is unfit: {judge} left "
                f"{name} open for {len(open_ones):,} of {count(len(marked), 'sample')} "
                f"({len(open_ones) / len(marked):.0%}, at most {most:.0%} may be); most often: {why}"
            )
    return reasons


def _is_left_open(row: Row, key: str) -> bool:
    """Return whether a judge left a score open, rather than the subject everything or a rule of the benchmark this one.

    A ratio of which nothing was counted, for want of answers, is excluded like one that a rule leaves out.
    """
    if row.failed:
        return False
    empty = any(score_key(each.name, each.mode) == key and each.whole == 0 for each in row.ending.findings)
    return empty or row.ending.status_of(key, judged=True) != "excluded"


def common_reason(rows: Iterable[Row], key: str = "") -> str:
    """Return the reason that most samples without a mark share, or without one score, by its key."""
    reasons = Counter(row.ending.because for row in rows if row.ending.status != "marked")
    reasons += Counter(gap.because for row in rows if key and (gap := row.ending.gap(key)) and gap.status != "excluded")
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
            cell = each.record.cell
            return kind(f"{cell.benchmark} {cell.subject}", fact, "mend that and run the same command again")
    return None
