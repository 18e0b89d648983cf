"""Whether every cell of a run reaches the minimum of every score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cutscore.core.errors import UnknownName
from cutscore.core.finding import score_key

if TYPE_CHECKING:
    from cutscore.core.estimate import Estimate
    from cutscore.results.benchmark import BenchmarkResult

By = Literal["value", "low"]


@dataclass(frozen=True)
class GateCheck:
    """One score of one cell, as the user named it, against its minimum; its value must reach it, or its low end."""

    benchmark: str
    label: str
    score: str
    estimate: Estimate
    minimum: float
    by: By

    @property
    def passed(self) -> bool:
        """Return whether the minimum is met; nothing to average does not meet it."""
        reached = self.estimate.value if self.by == "value" else self.estimate.low
        return reached is not None and reached >= self.minimum

    def as_json(self) -> dict[str, Any]:
        """Return the check as `gate` prints it."""
        who = {"benchmark": self.benchmark, "cell": self.label, "name": self.score}
        return {**who, "min": self.minimum, "by": self.by, "passed": self.passed, "estimate": self.estimate.as_json()}


def check_minima(results: Sequence[BenchmarkResult], minima: Mapping[str, float], by: By) -> list[GateCheck]:
    """Check every cell that competes against every minimum; a score without its mode means that of the headline.

    Where nobody competes, every cell is checked: that nobody is there to fail is no reason to pass.

    Raises:
        UnknownName: No cell has a score of that name.
    """
    made: list[GateCheck] = []
    competing = any(result.rivals for result in results)
    whole = [
        (result, result.labels[cell.id], estimate)
        for result in results
        for cell in (result.rivals if competing else result.cells)
        for estimate in result.estimates[cell.id]
        if not estimate.group
    ]
    for name, least in minima.items():
        found = [
            GateCheck(result.card.name, label, name, estimate, least, by)
            for result, label, estimate in whole
            if name in (score_key(estimate.name, estimate.mode), estimate.name if estimate.mode == result.mode else "")
        ]
        if not found:
            known = {score_key(each.name, each.mode) for _, _, each in whole}
            raise UnknownName.among("score", name, known)
        made += found
    return made
