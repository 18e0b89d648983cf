"""What contestants are read against: ceiling, guess and floor, as measured in the run or as the card has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from cutscore.core.estimate import Estimate
    from cutscore.results.benchmark import BenchmarkResult
    from cutscore.results.cells import CellResult

Role = Literal["ceiling", "guess", "floor"]
ROLES: tuple[Role, ...] = ("ceiling", "guess", "floor")


@dataclass(frozen=True)
class ReferenceLevel:
    """One level of the headline.

    Args:
        value: None when nobody knows it.
        estimate: Of the cell that measured it; None where the card says it.
        label: Of that cell.
    """

    role: Role
    value: float | None
    estimate: Estimate | None = None
    label: str = ""


def reference_cell(result: BenchmarkResult, role: Role) -> CellResult | None:
    """Return the cell of a run that measures a level: whole input, the best of several, `blind` before a transcript."""
    from cutscore.results.estimates import mean_score

    able = [
        each for each in result.references if each.rows and result.role(each) == role and result.whole(each) is None
    ]
    blind = [each for each in able if each.record.cell.subject.kind == "blind"]
    return max(blind or able, key=lambda each: mean_score(result.scores[id(each)]), default=None)


def reference_level(result: BenchmarkResult, role: Role) -> ReferenceLevel:
    """Return a level as it was measured in the run, else as the card of that version has it."""
    cell = reference_cell(result, role)
    if cell is not None:
        estimate = result.estimates[cell.id][0]
        return ReferenceLevel(role, estimate.value, estimate, result.labels[cell.id])
    if result.version != result.card.version:  # levels of another version may differ
        return ReferenceLevel(role, None)
    score = result.card.scores[result.card.headline]
    known = {"ceiling": score.ceiling, "guess": score.chance, "floor": score.floor}
    return ReferenceLevel(role, known[role])
