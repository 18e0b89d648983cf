"""How much of its score a subject keeps with part of its input: every arm beside all of the input, paired.

A subject that scores as well on the question alone, or on the transcript alone, was not measured at looking: the
benchmark leaks, or the subject takes a shortcut. Only items that both cells have count, and verdicts are those that
every command gives on these cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cutscore.results.wording import number

if TYPE_CHECKING:
    from cutscore.core.card import Card
    from cutscore.results.benchmark import BenchmarkResult
    from cutscore.results.cells import CellResult
    from cutscore.results.comparison import Comparison
    from cutscore.results.pairs import CellComparison

ONE_FRAME = "one frame"
# Arms without any picture, as the finding calls them: who does as well with these was not measured at looking.
UNSEEN = {"question": "the question alone", "transcript": "the transcript alone"}


@dataclass(frozen=True)
class AuditArm:
    """One arm beside all of the input: what it was shown, and arm minus everything.

    Means are on the items that both have; None when they have none.
    """

    name: str
    cell: CellResult
    whole: CellResult
    alone: float | None
    everything: float | None
    comparison: Comparison
    card: Card

    @property
    def kept(self) -> float | None:
        """Return the share of the score that the arm keeps, counted from 0; None where there is nothing to keep."""
        if self.alone is None or not self.everything or self.everything < 0:
            return None
        return self.alone / self.everything

    def as_json(self) -> dict[str, Any]:
        """Return the arm as `run --audit` prints it."""
        cell = self.cell.record.cell
        return {
            "arm": self.name,
            "subject": cell.subject.label,
            "model": cell.model or None,
            "cell": cell.id,
            "against": self.whole.record.cell.id,
            "value": self.alone,
            "value_of_all": self.everything,
            "kept": self.kept,
            **self.comparison.as_json(),
        }


def audit_arms(results: Sequence[BenchmarkResult]) -> list[AuditArm]:
    """Put every arm beside all of the input of the same subject and model, where both were run."""
    return [
        _arm(result, pair)
        for result in results
        for pair in result.comparisons
        if result.whole(pair.first) is pair.second
    ]


def _arm(result: BenchmarkResult, pair: CellComparison) -> AuditArm:
    from cutscore.results.estimates import pair_items

    first, second = pair.comparison.scores.first, pair.comparison.scores.second
    shared = set(pair_items(first, second, result.card, pair.comparison.scores.view).shared)
    alone, everything = first.mean(shared), second.mean(shared)
    name = pair.first.record.cell.input or ONE_FRAME
    difference = pair.comparison.difference.model_copy(update={"first": name, "second": "all"})
    comparison = replace(pair.comparison, difference=difference)
    return AuditArm(name, pair.first, pair.second, alone, everything, comparison, result.card)


def audit_finding(arms: Sequence[AuditArm]) -> str:
    """Describe in one sentence how much of the score can be had without looking, by the best arm without pictures."""
    able = [arm for arm in arms if arm.name in UNSEEN and arm.kept is not None]
    if not able:
        return "finding: none; no arm without pictures can be compared"
    best = max(able, key=lambda arm: arm.kept or 0.0)
    kept = f"{UNSEEN[best.name]} keeps {number(best.kept, 2)} of the score"
    if not best.comparison.separable:
        return f"finding: {kept}; {best.comparison.verdict}"
    if (best.kept or 0.0) > 1:
        return f"finding: {kept}: pictures do harm"
    return f"finding: pictures are needed; without them, {kept} at most"
