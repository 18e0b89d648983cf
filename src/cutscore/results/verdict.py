"""Paired scores → tests that hold for all of them together, and the verdict that every command repeats."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from cutscore.stats.multiple import holm
from cutscore.stats.paired import PairedScores
from cutscore.stats.resampling import LEVEL, RESAMPLES
from cutscore.stats.significance import PairedTest, paired_tests

K = TypeVar("K", bound=Hashable)
# Drawn flips for each test of a family: the smallest p that can be drawn must leave room to be adjusted.
_DRAWS_A_TEST = 200


@dataclass(frozen=True)
class PairVerdict:
    """What a test of a pair allows one to say, among all tests that are made together.

    Args:
        test: Test of this pair alone.
        p_adjusted: Its p-value among all tests; None when there was no test to make.
        tests: How many tests there are in all.
        tied: No item tells the two apart.
    """

    test: PairedTest
    p_adjusted: float | None
    tests: int
    tied: bool

    @property
    def separable(self) -> bool | None:
        """Return whether chance is ruled out at 95%, for all pairs together; None when there was no test to make.

        Two that no item tells apart are not separable, whatever their number.
        """
        if self.tied:
            return False
        return None if self.p_adjusted is None else self.p_adjusted <= 1 - LEVEL

    @property
    def needed(self) -> int:
        """Return the fewest clusters with which any difference could be separable among this many tests.

        The least that a sign flip of k clusters gives is 2 / 2ᵏ, so one test needs 6. A pair without a test would be
        one test more.
        """
        tests = self.tests + (self.p_adjusted is None)
        return math.ceil(math.log2(2 * tests / (1 - LEVEL)) - 1e-9)

    @property
    def too_few(self) -> bool:
        """Return whether it is for want of clusters that two are not separable: no difference at all could have been.

        Holm asks less of a pair once others have passed, so a separable one is not too few, whatever is needed.
        """
        return not self.separable and not self.tied and 1 <= self.test.clusters < self.needed

    @property
    def lacking(self) -> int:
        """Return the clusters that it takes where there are too few, else 0."""
        return self.needed if self.too_few else 0

    def say(self, first: str, second: str, *, ahead: bool, unit: str = "clip", reach: str = "") -> str:
        """Return what may be said of two: the one sentence that every command, page and table repeats.

        Args:
            first: Name of the one.
            second: Name of the other.
            ahead: The first one is better, as far as the value goes.
            unit: What one cluster is.
            reach: The difference that could have been shown, as it is written; empty where that is not known.

        >>> few = PairedTest(0.03, n=7, clusters=7, only_first=7, only_second=0, method="")
        >>> PairVerdict(few, 0.09, tests=6, tied=False).say("a", "b", ahead=True)
        'too few clips to decide: 7, needs 8'
        """
        if not self.test.clusters:
            return f"nothing to compare: no {unit} is marked for both"
        if self.tied:
            return f"equal on every {unit}"
        if self.lacking:
            return f"too few {unit}s to decide: {self.test.clusters:,}, needs {self.lacking:,}"
        if self.separable:
            return f"{first} is better than {second}" if ahead else f"{second} is better than {first}"
        return f"no difference seen ({reach})" if reach else "no difference seen"


def judge_pairs(pairs: Sequence[PairedScores[K]]) -> tuple[PairVerdict, ...]:
    """Test all pairs; their p-values are adjusted together (Holm).

    One cluster is one observation, which no test can tell from chance: it has no p-value and does not count.
    """
    drawn = max(RESAMPLES, _DRAWS_A_TEST * len(pairs))
    tests = [
        replace(test, p_value=None, method="undefined: one cluster") if test.clusters == 1 else test
        for test in paired_tests(pairs, resamples=drawn)
    ]
    p_values = [test.p_value for test in tests]
    counted = sum(value is not None for value in p_values)
    return tuple(
        PairVerdict(test, p_adjusted, counted, tied=bool(pair.shared) and not any(pair.differences))
        for pair, test, p_adjusted in zip(pairs, tests, holm(p_values), strict=True)
    )
