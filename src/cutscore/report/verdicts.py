"""What an item showed of each subject: one sentence, one score, and how far its repeats lie apart."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cutscore.core.inert_text import truncate
from cutscore.core.row import Row
from cutscore.report.benchmark_site import BenchmarkSite
from cutscore.report.criteria import FindingView
from cutscore.report.page_parts import SeekLink
from cutscore.results.cells import CellName
from cutscore.results.fitness import failure_reason
from cutscore.results.wording import describe_record, digits_for, number, tone

MOST_CHARS = 240


@dataclass(frozen=True)
class SubjectVerdict:
    """One subject on one item: its samples by the ids of their answers, and the sentence of the worst of them.

    Dots are where the scores of repeats lie on their scale, in per cent.
    """

    name: CellName
    role: str
    samples: tuple[tuple[str, Row, str, str], ...]
    score: str
    tone: str
    said: str
    because: str
    seeks: tuple[SeekLink, ...]
    dots: tuple[str, ...] = ()
    repeats: str = ""


def subject_verdict(
    bench: BenchmarkSite, name: CellName, samples: Sequence[tuple[str, Row, tuple[FindingView, ...]]]
) -> SubjectVerdict:
    """Write what an item showed of one subject; of several samples the lowest is told."""
    result, cell = bench.cells[name.cell]
    scores = [score for _, row, _ in samples if (score := bench.score(row)) is not None]
    _, row, findings = min(samples, key=lambda each: _order(bench.score(each[1])))
    headline = _headline(findings, bench.card.headline, result.mode)
    digits = digits_for(bench.scale)
    mean = sum(scores) / len(scores) if scores else None
    low, high = bench.scale
    return SubjectVerdict(
        name=name,
        role=result.role(cell),
        samples=tuple((id, each, *_mark(bench, each)) for id, each, _ in samples),
        score=number(mean, digits) if mean is not None else bench.status(row),
        tone=tone(mean, bench.scale) if mean is not None else bench.status(row),
        said=_start(row.deliverable.text),
        because=_because(row, headline),
        seeks=headline.seeks if headline else (),
        dots=tuple(f"{100 * (each - low) / ((high - low) or 1):.2f}%" for each in scores) if len(samples) > 1 else (),
        repeats=tell_repeats(scores, len(samples), digits) if len(samples) > 1 else "",
    )


def _order(score: float | None) -> float:
    return -math.inf if score is None else score


def _mark(bench: BenchmarkSite, row: Row) -> tuple[str, str]:
    score, status = bench.score(row), bench.status(row)
    return (status, status) if score is None else (number(score, digits_for(bench.scale)), tone(score, bench.scale))


def _headline(findings: Sequence[FindingView], name: str, mode: str) -> FindingView | None:
    named = [each for each in findings if each.finding.name == name]
    return next((each for each in named if each.finding.mode == mode), named[0] if named else None)


def _because(row: Row, headline: FindingView | None) -> str:
    if row.ending.status != "marked":
        return _start(row.ending.because)
    if row.failed:
        return _start(f"failed: {row.deliverable.failure or failure_reason(row)}")
    because = headline.finding.because if headline else ""
    return _start(describe_record(because) or because)


def _start(text: str) -> str:
    shown, left = truncate(" ".join(text.split()), MOST_CHARS)
    return f"{shown}…" if left else shown


def tell_repeats(scores: Sequence[float], samples: int, digits: int = 3) -> str:
    """Describe the scores of repeats: their number and spread, and how often some or all of k would pass.

    >>> tell_repeats([1, 0, 1], 3)
    '2 of 3 repeats passed; pass@2 1.000, pass^2 0.333; pass@3 1.000, pass^3 0.000'
    >>> tell_repeats([0.25, 0.5], 3)
    'mean of 2 of 3 repeats, from 0.250 to 0.500'
    """
    if not scores:
        return f"none of {samples} repeats has a score"
    of = f"{samples} repeats" if len(scores) == samples else f"{len(scores)} of {samples} repeats"
    if not set(scores) <= {0.0, 1.0}:
        return f"mean of {of}, from {number(min(scores), digits)} to {number(max(scores), digits)}"
    passed, n = sum(score == 1 for score in scores), len(scores)
    told = [f"{passed} of {of} passed"]
    told += [
        f"pass@{k} {number(pass_at(n, passed, k))}, pass^{k} {number(pass_all(n, passed, k))}"
        for k in sorted({min(2, n), n} - {1})
    ]
    return "; ".join(told)


def pass_at(n: int, passed: int, k: int) -> float:
    """Return how often at least one of k repeats passes, drawn without return from n of which some passed.

    The unbiased estimate of Chen et al. 2021, "Evaluating large language models trained on code".

    >>> pass_at(4, 1, 2), pass_at(4, 0, 2)
    (0.5, 0.0)
    """
    return 1 - math.comb(n - passed, k) / math.comb(n, k)


def pass_all(n: int, passed: int, k: int) -> float:
    """Return how often all of k repeats pass, drawn in the same way.

    >>> pass_all(4, 3, 2), pass_all(4, 1, 2)
    (0.5, 0.0)
    """
    return math.comb(passed, k) / math.comb(n, k)
