"""Headlines of cells → the sentence that says what was found: who is best, and who did no better than chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutscore.results.wording import count, digits_for, names, number

if TYPE_CHECKING:
    from cutscore.core.estimate import Estimate
    from cutscore.core.subject import ReferenceRole
    from cutscore.results.cells import CellName
    from cutscore.results.pairs import CellComparison

EQUAL = 1e-9


@dataclass(frozen=True)
class CellHeadline:
    """One cell with its headline estimate, and what it shows beside those that compete; empty for one that competes."""

    name: CellName
    estimate: Estimate
    role: ReferenceRole = ""

    @property
    def label(self) -> str:
        """Name the cell in one line."""
        return self.name.label


@dataclass(frozen=True)
class ScoreLevels:
    """Known levels of a score: what doing nothing gets, what guessing gets, what no deliverable surpasses by much.

    None when unknown, and for a ceiling that is the top of the scale.
    """

    floor: float | None = None
    chance: float | None = None
    ceiling: float | None = None


def rank_headlines(headlines: Iterable[CellHeadline]) -> list[CellHeadline]:
    """Sort by value, best first; those without a value last; equals by name."""

    def rank(headline: CellHeadline) -> tuple[bool, float, str, str]:
        value = headline.estimate.value
        return (value is None, -(value or 0.0), headline.label, headline.name.cell)

    return sorted(headlines, key=rank)


def describe_finding(
    headlines: Sequence[CellHeadline], comparisons: Sequence[CellComparison], levels: ScoreLevels
) -> str:
    """Describe which contestant is best and who did no better than chance or nothing, in one sentence.

    Who is best is what the verdict on the first two says. "Not shown to beat chance" means that the 95% interval holds
    the level of chance; "at the floor" means that the value is the floor. Whose samples mostly failed is said to have
    failed, and nothing else: a crash tells nothing of skill.
    """
    every = [each for each in rank_headlines(headlines) if each.estimate.value is not None]
    if not every:
        return "nothing was marked"
    if all(each.role for each in every):
        return f"nobody competed; {', '.join(_level(each) for each in every)}"
    able = [each for each in every if not each.role]
    order = [each for each in able if not each.estimate.mostly_failed]
    failed = [
        f"{each.label} failed on {each.estimate.failed:,} of {count(each.estimate.n, 'sample')}"
        for each in able
        if each.estimate.mostly_failed
    ]
    return "; ".join([*_standings(order, comparisons, levels), *failed])


def _level(each: CellHeadline) -> str:
    """Write what a reference shows; several people or planted faults go by their names."""
    name = each.role if each.role in ("ceiling", "guess", "floor") else each.label
    return f"{name} {number(each.estimate.value, digits_for(each.estimate.scale))}"


def _standings(order: Sequence[CellHeadline], comparisons: Sequence[CellComparison], levels: ScoreLevels) -> list[str]:
    if not order:
        return []
    if len(order) == 1:
        clauses = [f"{order[0].label} scores {number(order[0].estimate.value, digits_for(order[0].estimate.scale))}"]
    else:
        clauses = [_lead(order[0], order[1], comparisons)]
    guessing = [each for each in order if _at_chance(each.estimate, levels)]
    idle = [each for each in order if each not in guessing and _at_floor(each.estimate, levels)]
    for group, place in ((guessing, "not shown to beat chance"), (idle, "at the floor")):
        if group and len(group) == len(order) > 1:
            clauses.append(f"all are {place}")
        elif group:
            clauses.append(f"{names([each.label for each in group])} {'is' if len(group) == 1 else 'are'} {place}")
    return clauses


def _lead(first: CellHeadline, second: CellHeadline, comparisons: Sequence[CellComparison]) -> str:
    pair = {first.name.cell, second.name.cell}
    found = next((each for each in comparisons if {each.first.id, each.second.id} == pair), None)
    if found is None:
        level = (first.estimate.value or 0) - (second.estimate.value or 0) <= EQUAL
        return f"{first.label} and {second.label} are level" if level else f"{first.label} is highest"
    verdict = found.comparison.verdict
    return verdict if found.comparison.separable else f"{first.label} and {second.label}: {verdict}"


def _at_chance(estimate: Estimate, levels: ScoreLevels) -> bool:
    if levels.chance is None or estimate.low is None or estimate.high is None:
        return False
    return estimate.low - EQUAL <= levels.chance <= estimate.high + EQUAL


def _at_floor(estimate: Estimate, levels: ScoreLevels) -> bool:
    return levels.floor is not None and estimate.value is not None and abs(estimate.value - levels.floor) <= EQUAL
