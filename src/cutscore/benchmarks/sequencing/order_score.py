"""A predicted order of clips against the true one: AgenticVBench, Appendix H.2.

Three factors, each 0 … 1, and their product. With p the predicted order, t the true one and n clips:

    ND  = Σ |pred_rank(c) − true_rank(c)| / ⌊n²/2⌋      how far clips lie from their places; the divisor is its maximum
    LIS = longest run of clips, gaps allowed, that stand in the true order / n
    ADJ = neighbours (p_i, p_i+1) that are neighbours in t, in that direction / (n − 1)
    score = (1 − ND) · LIS · ADJ

The paper's Table 2 speaks of a "weighted composite"; its equations 2 and 3 are the product, and so are we. It leaves
invalid orders to a "default evaluation policy"; ours is 0, with the reason.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from cutscore.core.errors import Unscored
from cutscore.scoring.verifiers.refusal import Refusal, quote


@dataclass(frozen=True)
class OrderScore:
    """What an order is worth, as counts of which every number is made.

    Args:
        clips: n, at least 2.
        displaced: Sum of all clips' distances from their places.
        backbone: Length of the longest increasing subsequence.
        joins: Neighbours that are right.
        refusal: Why the order is no permutation. Its counts are then the worst that there are, so all factors are 0.
    """

    clips: int
    displaced: int
    backbone: int
    joins: int
    refusal: Refusal | None = None

    @property
    def nd(self) -> float:
        """Normalised distance: 0 in place, 1 as far off as can be."""
        return self.displaced / _most_displaced(self.clips)

    @property
    def lis(self) -> float:
        """Share of clips in the longest run that stands in the true order."""
        return self.backbone / self.clips

    @property
    def adj(self) -> float:
        """Share of neighbours that are neighbours in the film."""
        return self.joins / (self.clips - 1)

    @property
    def score(self) -> float:
        """The product, rounded once: 1.0 only when every factor is exactly 1."""
        near = 1 - Fraction(self.displaced, _most_displaced(self.clips))
        return float(near * Fraction(self.backbone, self.clips) * Fraction(self.joins, self.clips - 1))

    @property
    def strict(self) -> bool:
        """Whether the order is the true one."""
        return self.refusal is None and self.displaced == 0

    @property
    def because(self) -> str:
        """The sentence of a finding."""
        if self.refusal is not None:
            return self.refusal.reason
        return (
            f"in place {1 - self.nd:.3f} × longest run in order {self.backbone}/{self.clips}"
            f" × cuts kept {self.joins}/{self.clips - 1}"
            f" = {self.score:.3f}"
        )


def order_score(predicted: Sequence[str], truth: Sequence[str]) -> OrderScore:
    """Score a predicted order of clips.

    Args:
        predicted: Names out of the truth, as `read_order_file` gives them. Refused by name unless every clip is there
            exactly once: `duplicate`, `missing`.
        truth: The clips in their true order: at least two, all different, else the item is broken and unscored.

    >>> order_score(["b", "a", "c"], ["a", "b", "c"]).because
    'in place 0.500 × longest run in order 2/3 × cuts kept 0/2 = 0.000'
    """
    if len(truth) < 2 or len(set(truth)) != len(truth):
        raise Unscored("sequence", f"the true order has {len(set(truth))} different clips in {len(truth)} places")
    # One entry more than there are clips is enough to find a duplicate; who sends a million is not read to the end.
    times = Counter(predicted[: len(truth) + 1])
    if twice := next((clip for clip in times if times[clip] > 1), None):
        return refuse_order(len(truth), Refusal("duplicate", f"the order has {quote(twice)} more than once"))
    if missing := [clip for clip in truth if clip not in times]:
        lacking = f"the order lacks {len(missing)} of {len(truth)} clips, first {quote(missing[0])}"
        return refuse_order(len(truth), Refusal("missing", lacking))
    rank = {clip: place for place, clip in enumerate(truth)}
    ranks = [rank[clip] for clip in predicted]
    return OrderScore(
        clips=len(truth),
        displaced=sum(abs(place - true) for place, true in enumerate(ranks)),
        backbone=_longest_increasing(ranks),
        joins=sum(after == before + 1 for before, after in pairwise(ranks)),
    )


def refuse_order(clips: int, refusal: Refusal) -> OrderScore:
    """Return the score of what is no order: every factor 0."""
    return OrderScore(clips=clips, displaced=_most_displaced(clips), backbone=0, joins=0, refusal=refusal)


def _longest_increasing(ranks: Sequence[int]) -> int:
    """Return the length of the longest increasing subsequence (patience sorting)."""
    ends: list[int] = []  # ends[i]: the smallest last element of an increasing subsequence of length i + 1
    for rank in ranks:
        place = bisect_left(ends, rank)
        ends[place : place + 1] = [rank]
    return len(ends)


def _most_displaced(clips: int) -> int:
    """Return the largest possible displacement, which reversal reaches."""
    return clips * clips // 2
