"""Headlines of cells → the sentence that says what was found: who leads, and who did no better than chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutscore.results.wording import count, digits_for, names, number

if TYPE_CHECKING:
    from cutscore.core.estimate import Estimate
    from cutscore.results.cells import CellName
    from cutscore.results.pairs import CellComparison

EQUAL = 1e-9


@dataclass(frozen=True)
class CellHeadline:
    """One cell with its headline estimate."""

    name: CellName
    estimate: Estimate

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
    """Describe who leads and who did no better than chance or nothing, in one sentence.

    "Leads" is said only of a paired difference that is separable. "At chance" means that the 95%
    interval holds the level of chance; "at the floor" means that the value is the floor. Whose samples mostly failed is
    said to have failed, and nothing else: a crash tells nothing of skill.
    """
    every = [each for each in rank_headlines(headlines) if each.estimate.value is not None]
    if not every:
        return "nothing was marked"
    order = [each for each in every if not each.estimate.mostly_failed]
    failed = [
        f"{each.label} failed on {each.estimate.failed:,} of {count(each.estimate.n, 'sample')}"
        for each in every
        if each.estimate.mostly_failed
    ]
    return "; ".join([*_standings(order, comparisons, levels), *failed])


def _standings(order: Sequence[CellHeadline], comparisons: Sequence[CellComparison], levels: ScoreLevels) -> list[str]:
    if not order:
        return []
    if len(order) == 1:
        clauses = [f"{order[0].label} scores {number(order[0].estimate.value, digits_for(order[0].estimate.scale))}"]
    else:
        clauses = [_lead(order[0], order[1], comparisons)]
    guessing = [each for each in order if _at_chance(each.estimate, levels)]
    idle = [each for each in order if each not in guessing and _at_floor(each.estimate, levels)]
    for group, place in ((guessing, "at chance"), (idle, "at the floor")):
        if group and len(group) == len(order) > 1:
            clauses.append(f"all are {place}")
        elif group:
            clauses.append(f"{names([each.label for each in group])} {'is' if len(group) == 1 else 'are'} {place}")
    return clauses


def _lead(first: CellHeadline, second: CellHeadline, comparisons: Sequence[CellComparison]) -> str:
    pair = {first.name.cell, second.name.cell}
    found = next((each for each in comparisons if {each.first.id, each.second.id} == pair), None)
    if found is not None and found.comparison.lacking:
        few = count(found.comparison.difference.estimate.clusters, "cluster")
        return f"{names([first.label, second.label])} cannot be told apart by {few}"
    if found is None or found.comparison.separable is None:
        level = (first.estimate.value or 0) - (second.estimate.value or 0) <= EQUAL
        return f"{first.label} and {second.label} are level" if level else f"{first.label} is highest"
    if not found.comparison.separable:
        return f"{first.label} and {second.label} are not separable at 95%"
    gap = found.comparison.difference.estimate.value or 0.0
    ahead = gap > 0 if found.first.id == first.name.cell else gap < 0
    # On the items that both have, the order may be the other one; then nobody is said to lead.
    return f"{first.label} leads" if ahead else f"{first.label} is highest"


def _at_chance(estimate: Estimate, levels: ScoreLevels) -> bool:
    if levels.chance is None or estimate.low is None or estimate.high is None:
        return False
    return estimate.low - EQUAL <= levels.chance <= estimate.high + EQUAL


def _at_floor(estimate: Estimate, levels: ScoreLevels) -> bool:
    return levels.floor is not None and estimate.value is not None and abs(estimate.value - levels.floor) <= EQUAL
