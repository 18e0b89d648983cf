"""A rubric of yes/no items with points: AgenticVBench §2.7.

    score = (points earned − penalties) / positive points, clipped to 0 … 1

for the whole and for each pillar. Items of the pillar `penalty` deduct when they are answered yes and earn nothing when
they are not. An item without an answer is neither: the score is then known between two bounds, and only where these
meet it is a score.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import Field

from cutscore.core.errors import BrokenData, Unscored
from cutscore.core.frozen import Finite, FrozenModel

Pillar = Literal["format", "visual", "narrative", "sound", "penalty"]
PILLARS: tuple[Pillar, ...] = get_args(Pillar)

# By item: yes, no, or None where nobody could say.
Answers = Mapping[str, bool | None]


class RubricItem(FrozenModel):
    """One item of a rubric; points are what a yes is worth, or costs in the pillar `penalty`."""

    id: str = Field(min_length=1)
    pillar: Pillar
    points: Finite = Field(default=1.0, gt=0)


@dataclass(frozen=True)
class Points:
    """Points of one pillar or of the whole rubric.

    `positive` is what could be earned, `open_…` what items without an answer could still earn and cost.
    """

    positive: float
    earned: float
    lost: float
    open_earned: float
    open_lost: float

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The score if every open item went against the submission, and for it; None where nothing can be earned."""
        if not self.positive:
            return None
        low, high = self.earned - self.lost - self.open_lost, self.earned - self.lost + self.open_earned
        return min(1.0, max(0.0, low / self.positive)), min(1.0, max(0.0, high / self.positive))

    @property
    def score(self) -> float | None:
        """The score where open items cannot change it, else None."""
        return self.bounds[0] if self.bounds and self.bounds[0] == self.bounds[1] else None


@dataclass(frozen=True)
class RubricScore:
    """What a rubric comes to, for each pillar that has items; `penalty` has points lost and no score of its own.

    Without a score of the total the submission is unscored, between its bounds.
    """

    total: Points
    pillars: Mapping[Pillar, Points]
    unanswered: tuple[str, ...]

    @property
    def because(self) -> str:
        """The sentence of a finding."""
        parts = [f"{name} {part.earned:g}/{part.positive:g}" for name, part in self.pillars.items() if part.positive]
        told = f"{self.total.earned:g} of {self.total.positive:g} points ({', '.join(parts)})"
        told += f", {self.total.lost:g} lost by penalties" if self.total.lost else ""
        return f"{told}; no answer to {', '.join(self.unanswered)}" if self.unanswered else told


def score_rubric(items: Sequence[RubricItem], answers: Answers) -> RubricScore:
    """Score the answers to a rubric; an item that is not among them has no answer.

    With an id twice, or with nothing to earn, a rubric is broken and the submission unscored. Answers to items that it
    does not have, or that are not yes or no, are an error: they belong to something else.

    >>> rubric = [RubricItem(id="a", pillar="visual", points=3), RubricItem(id="b", pillar="penalty")]
    >>> score_rubric(rubric, {"a": True, "b": True}).total.score
    0.6666666666666666
    """
    _check(items, answers)
    if all(item.pillar == "penalty" for item in items):
        raise Unscored("rubric", "has no item that earns points")
    by_pillar = {name: [item for item in items if item.pillar == name] for name in PILLARS}
    return RubricScore(
        total=_points(items, answers),
        pillars={name: _points(own, answers) for name, own in by_pillar.items() if own},
        unanswered=tuple(item.id for item in items if answers.get(item.id) is None),
    )


def _points(items: Sequence[RubricItem], answers: Answers) -> Points:
    def total(answer: bool | None, *, penalty: bool) -> float:
        own = (item for item in items if (item.pillar == "penalty") is penalty)
        return math.fsum(item.points for item in own if answers.get(item.id) is answer)

    earned, missed, still = (total(answer, penalty=False) for answer in (True, False, None))
    return Points(
        positive=math.fsum((earned, missed, still)),
        earned=earned,
        lost=total(True, penalty=True),
        open_earned=still,
        open_lost=total(None, penalty=True),
    )


def _check(items: Sequence[RubricItem], answers: Answers) -> None:
    known = {item.id for item in items}
    if len(known) != len(items):
        raise Unscored("rubric", "has an id twice")
    for name, answer in answers.items():
        if name not in known:
            raise BrokenData("answers", f"'{name}' is no item of the rubric")
        if not isinstance(answer, bool | None):
            raise BrokenData("answers", f"item '{name}' is answered with {answer!r}", "give true, false or null")
