"""Clips chosen for the slots of a storyboard, corrected for chance: AgenticVBench §2.4, equation 1.

    score = (r − 1/k) / (1 − 1/k)        r: share of slots with the right clip, k: candidates for each slot

0 is what blind choice gives, 1 is every slot right, and whoever does worse than chance is below 0: cut off at 0, the
mean of many blind guessers would lie above it. The paper says "0 corresponds to random selection" and cuts nothing
off; the clipped value stands beside.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from cutscore.core.errors import Unscored
from cutscore.scoring.verifiers.refusal import Refusal


@dataclass(frozen=True)
class SlotTruth:
    """A place of the storyboard as the marker knows it: the right clip, and k, how many compete for it; at least 2."""

    golden: str
    candidates: int


@dataclass(frozen=True)
class SlotScore:
    """What a choice of clips is worth.

    Where there is a refusal there is no choice to score. The score is then 0, as the paper has it for missing output,
    which is more than a wrong choice gets; the reason tells the two apart.
    """

    right: Mapping[str, bool]  # by slot, in order of the storyboard
    score: float  # corrected for chance; 1 at most, below 0 for less than chance
    chance: float  # the share of slots that blind choice gets right: the mean of 1/k
    refusal: Refusal | None = None

    @property
    def share(self) -> float:
        """The share of slots with the right clip."""
        return sum(self.right.values()) / len(self.right)

    @property
    def clipped(self) -> float:
        """The score, 0 at least."""
        return max(0.0, self.score)

    @property
    def because(self) -> str:
        """The sentence of a finding."""
        if self.refusal is not None:
            return self.refusal.reason
        wrong = [slot for slot, right in self.right.items() if not right]
        text = f"{sum(self.right.values())} of {len(self.right)} slots right, chance gives {self.chance:.3f}"
        return f"{text}; wrong: {', '.join(wrong)}" if wrong else text


def slot_score(chosen: Mapping[str, str | None] | Refusal, truth: Mapping[str, SlotTruth]) -> SlotScore:
    """Score the clips chosen for slots.

    Where k is the same everywhere this is the paper's formula. Where it differs, which the paper does not foresee, each
    slot is corrected by its own k and the slots are averaged: blind choice still gives 0.

    One clip in several slots is allowed (the paper is silent): each slot is marked by itself, and since a clip is right
    in one slot, repeating it cannot beat choosing.

    Chosen is a clip or None by slot; a slot without one is wrong. Without slots, or with fewer than two candidates for
    one, the item is broken and unscored.

    >>> slots = {"s1": SlotTruth("a", 3), "s2": SlotTruth("b", 3)}
    >>> slot_score({"s1": "a", "s2": "x"}, slots).score
    0.25
    """
    if not truth or any(slot.candidates < 2 for slot in truth.values()):
        raise Unscored("slots", "the storyboard has no slots" if not truth else "a slot has fewer than 2 candidates")
    chances = [Fraction(1, slot.candidates) for slot in truth.values()]
    chance = float(sum(chances) / len(chances))
    if isinstance(chosen, Refusal):
        return SlotScore(right=dict.fromkeys(truth, False), score=0.0, chance=chance, refusal=chosen)
    right = {name: chosen.get(name) == slot.golden for name, slot in truth.items()}
    corrected = [(got - blind) / (1 - blind) for got, blind in zip(right.values(), chances, strict=True)]
    return SlotScore(right=right, score=float(sum(corrected) / len(corrected)), chance=chance)
