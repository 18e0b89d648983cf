"""Pairs of cells → differences, tests and verdicts that hold for all of them together."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cutscore.core.card import Card
from cutscore.core.estimate import Difference
from cutscore.results.estimates import ItemScores, ScoreView, pair_items
from cutscore.stats.multiple import holm
from cutscore.stats.paired import paired_differences
from cutscore.stats.power import DetectableDifference, detectable_difference
from cutscore.stats.resampling import LEVEL, RESAMPLES
from cutscore.stats.significance import PairedTest, paired_tests

# Drawn flips for each test of a family: the smallest p that can be drawn must leave room to be adjusted.
_DRAWS_A_TEST = 200


@dataclass(frozen=True)
class ScorePair:
    """The scores of two cells of one benchmark, by item, in one view."""

    first: ItemScores
    second: ItemScores
    card: Card
    view: ScoreView


@dataclass(frozen=True)
class Comparison:
    """What the scores of two cells let one say.

    Args:
        difference: With the interval of this pair alone. Items count as left out only where the other cell was
            not asked them.
        unscored: Items that both were asked and that lack a mark on either side; not those that a rule leaves out.
        test: Test of this pair alone.
        p_adjusted: Its p-value among all tests; None when there was no test to make.
        reach: What this many items could have shown, by their spread alone; `detectable` knows of the test too.
        tests: How many tests there are in all.
        tied: No item tells the two apart.
    """

    scores: ScorePair
    difference: Difference
    unscored: int
    test: PairedTest
    p_adjusted: float | None
    reach: DetectableDifference
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

    @property
    def detectable(self) -> float | None:
        """Return the difference that this many items could have shown; None when that is undefined."""
        return None if self.too_few else self.reach.difference

    @property
    def verdict(self) -> str:
        """Return what the comparison allows one to say: the same words wherever two are compared."""
        if self.lacking:
            return f"too few clusters: it takes {self.lacking:,}"
        return {True: "separable at 95%", False: "not separable at 95%", None: "no verdict"}[self.separable]

    def as_json(self) -> dict[str, Any]:
        """Return what every command says of a pair."""
        return {
            **self.difference.as_json(),
            "separable": self.separable,
            "p_value": self.test.p_value,
            "p_adjusted": self.p_adjusted,
            "test": self.test.method,
            "tests": self.tests,
            "needed": self.lacking or None,
            "detectable": self.detectable,
            "unscored": self.unscored,
        }


def compare_scores(pairs: Sequence[ScorePair]) -> tuple[Comparison, ...]:
    """Compare all pairs; their p-values are adjusted together (Holm).

    One cluster is one observation, which no test can tell from chance: it has no p-value and does not count.
    """
    items = [pair_items(each.first, each.second, each.card, each.view) for each in pairs]
    differences = paired_differences(items)
    drawn = max(RESAMPLES, _DRAWS_A_TEST * len(items))
    tests = [
        replace(test, p_value=None, method="undefined: one cluster") if test.clusters == 1 else test
        for test in paired_tests(items, resamples=drawn)
    ]
    p_values = [test.p_value for test in tests]
    counted = sum(value is not None for value in p_values)
    made = []
    for scores, paired, difference, test, p in zip(pairs, items, differences, tests, holm(p_values), strict=True):
        first, second = set(scores.first.cluster_of), set(scores.second.cluster_of)
        left_out = {"only_first": len(first - second), "only_second": len(second - first)}
        made.append(
            Comparison(
                scores=scores,
                difference=difference.model_copy(update=left_out),
                unscored=len((first & second) - set(paired.shared) - scores.first.excluded - scores.second.excluded),
                test=test,
                p_adjusted=p,
                reach=detectable_difference(paired.differences, paired.clusters, tests=max(counted, 1)),
                tests=counted,
                tied=bool(paired.shared) and not any(paired.differences),
            )
        )
    return tuple(made)
