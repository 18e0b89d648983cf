"""Pairs of cells → differences, tests and verdicts that hold for all of them together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cutscore.core.card import Card
from cutscore.core.estimate import Difference
from cutscore.results.estimates import ItemScores, ScoreView, pair_items
from cutscore.results.verdict import PairVerdict, judge_pairs
from cutscore.results.wording import digits_for, number
from cutscore.stats.paired import paired_differences
from cutscore.stats.power import DetectableDifference, detectable_difference
from cutscore.stats.significance import PairedTest


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
        judged: Its test, among all tests that were made together.
        reach: What this many items could have shown, by their spread alone; `detectable` knows of the test too.
    """

    scores: ScorePair
    difference: Difference
    unscored: int
    judged: PairVerdict
    reach: DetectableDifference

    @property
    def test(self) -> PairedTest:
        """Return the test of this pair alone."""
        return self.judged.test

    @property
    def p_adjusted(self) -> float | None:
        """Return the p-value among all tests; None when there was no test to make."""
        return self.judged.p_adjusted

    @property
    def tests(self) -> int:
        """Return how many tests there are in all."""
        return self.judged.tests

    @property
    def tied(self) -> bool:
        """Return whether no item tells the two apart."""
        return self.judged.tied

    @property
    def separable(self) -> bool | None:
        """Return whether chance is ruled out at 95%, for all pairs together; None when there was no test to make."""
        return self.judged.separable

    @property
    def too_few(self) -> bool:
        """Return whether it is for want of clusters that two are not separable."""
        return self.judged.too_few

    @property
    def lacking(self) -> int:
        """Return the clusters that it takes where there are too few, else 0."""
        return self.judged.lacking

    @property
    def verdict(self) -> str:
        """Return what the comparison allows one to say: the same sentence wherever two are compared."""
        return self.say(self.difference.first, self.difference.second)

    def say(self, first: str, second: str) -> str:
        """Return the verdict under other names, such as the letters of a table."""
        card, gap = self.scores.card, self.difference.estimate.value or 0.0
        higher = card.scores[self.scores.view.name].direction == "higher"
        return self.judged.say(
            first,
            second,
            ahead=(gap > 0) == higher,
            unit=card.cluster_noun,
            reach=self.reach_words,
        )

    @property
    def reach_words(self) -> str:
        """Write what this many items could have shown; empty where that is not known."""
        estimate = self.difference.estimate
        if self.detectable is None:
            return ""
        if self.detectable > estimate.scale[1]:
            return f"too few {self.scores.card.cluster_noun}s to show any"
        return f"could have shown {number(self.detectable, digits_for(estimate.scale))}"

    @property
    def detectable(self) -> float | None:
        """Return the difference that this many items could have shown; None when that is undefined."""
        return None if self.too_few else self.reach.difference

    def as_json(self) -> dict[str, Any]:
        """Return what every command says of a pair."""
        return {
            **self.difference.as_json(),
            "separable": self.separable,
            "verdict": self.verdict,
            "p_value": self.test.p_value,
            "p_adjusted": self.p_adjusted,
            "test": self.test.method,
            "tests": self.tests,
            "needed": self.lacking or None,
            "detectable": self.detectable,
            "unscored": self.unscored,
        }


def compare_scores(pairs: Sequence[ScorePair]) -> tuple[Comparison, ...]:
    """Compare all pairs; their p-values are adjusted together (Holm)."""
    items = [pair_items(each.first, each.second, each.card, each.view) for each in pairs]
    made = []
    for scores, paired, difference, judged in zip(
        pairs, items, paired_differences(items), judge_pairs(items), strict=True
    ):
        first, second = set(scores.first.cluster_of), set(scores.second.cluster_of)
        left_out = {"only_first": len(first - second), "only_second": len(second - first)}
        made.append(
            Comparison(
                scores=scores,
                difference=difference.model_copy(update=left_out),
                unscored=len((first & second) - set(paired.shared) - scores.first.excluded - scores.second.excluded),
                judged=judged,
                reach=detectable_difference(paired.differences, paired.clusters, tests=max(judged.tests, 1)),
            )
        )
    return tuple(made)
