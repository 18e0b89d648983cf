"""Estimates → the sentence that says what was found."""

from collections.abc import Sequence
from dataclasses import dataclass

from cutscore.core.estimate import Estimate
from cutscore.results.report_data import Contrast, Who
from cutscore.results.wording import count, digits_for, names, number

EQUAL = 1e-9


@dataclass(frozen=True)
class Standing:
    """One cell with its headline estimate."""

    who: Who
    estimate: Estimate

    @property
    def label(self) -> str:
        return self.who.label


@dataclass(frozen=True)
class Marks:
    """Two known levels of a score: what doing nothing and what guessing gets; None when unknown."""

    floor: float | None = None
    chance: float | None = None


def ranked(standings: Sequence[Standing]) -> list[Standing]:
    """Sort by value, best first; those without a value last; equals by name."""

    def place(standing: Standing) -> tuple[bool, float, str, str]:
        value = standing.estimate.value
        return (value is None, -(value or 0.0), standing.label, standing.who.cell)

    return sorted(standings, key=place)


def finding(standings: Sequence[Standing], contrasts: Sequence[Contrast], marks: Marks) -> str:
    """Describe who leads and who did no better than chance or nothing, in one sentence.

    "Leads" is said only of a paired difference that is separable. "At chance" means that the 95%
    interval holds the level of chance; "at the floor" means that the value is the floor.
    """
    order = [standing for standing in ranked(standings) if standing.estimate.value is not None]
    if not order:
        return "nothing was marked"
    if len(order) == 1:
        clauses = [f"{order[0].label} scores {number(order[0].estimate.value, digits_for(order[0].estimate.scale))}"]
    else:
        clauses = [_lead(order, contrasts)]
    guessing = [standing for standing in order if _at_chance(standing.estimate, marks)]
    idle = [standing for standing in order if standing not in guessing and _at_floor(standing.estimate, marks)]
    for group, place in ((guessing, "at chance"), (idle, "at the floor")):
        if group and len(group) == len(order) > 1:
            clauses.append(f"all are {place}")
        elif group:
            clauses.append(f"{names([each.label for each in group])} {'is' if len(group) == 1 else 'are'} {place}")
    return "; ".join(clauses)


def separated(contrasts: Sequence[Contrast], first: Standing, second: Standing) -> Contrast | None:
    """Find the difference of two headlines, whichever was named first; None when none or several fit."""
    pair = (first.who.names, second.who.names)
    found = [
        each
        for each in contrasts
        if not each.difference.estimate.group
        and each.difference.estimate.mode == first.estimate.mode
        and any(each.difference.first in one and each.difference.second in other for one, other in (pair, pair[::-1]))
    ]
    named = [each for each in found if each.difference.estimate.name == first.estimate.name]
    found = named or found
    return found[0] if len(found) == 1 else None


def _lead(order: Sequence[Standing], contrasts: Sequence[Contrast]) -> str:
    first, second = order[0], order[1]
    told = separated(contrasts, first, second)
    if told is not None and told.lacking:
        few = count(told.difference.estimate.clusters, "cluster")
        return f"{names([first.label, second.label])} cannot be told apart by {few}"
    if told is None or told.separable is None:
        level = (first.estimate.value or 0) - (second.estimate.value or 0) <= EQUAL
        return f"{first.label} and {second.label} are level" if level else f"{first.label} is highest"
    if not told.separable:
        return f"{first.label} and {second.label} are not separable at 95%"
    gap = told.difference.estimate.value or 0.0
    ahead = gap > 0 if told.difference.first in first.who.names else gap < 0
    # On the items that both have, the order may be the other one; then nobody is said to lead.
    return f"{first.label} leads" if ahead else f"{first.label} is highest"


def _at_chance(estimate: Estimate, marks: Marks) -> bool:
    if marks.chance is None or estimate.low is None or estimate.high is None:
        return False
    return estimate.low - EQUAL <= marks.chance <= estimate.high + EQUAL


def _at_floor(estimate: Estimate, marks: Marks) -> bool:
    return marks.floor is not None and estimate.value is not None and abs(estimate.value - marks.floor) <= EQUAL
