"""Differences of two groups that are not paired."""

import numpy as np

from cutscore.stats.groups import difference_of_means


def test_the_difference_is_that_of_the_means() -> None:
    found = difference_of_means([1, 0, 1, 0, 0, 1], [True, True, True, False, False, False], list("abcabc"), name="d")
    assert found.value is not None
    assert round(found.value, 9) == round(2 / 3 - 1 / 3, 9)
    assert (found.n, found.clusters, found.scale) == (6, 3, (-1.0, 1.0))


def test_an_empty_group_is_undefined() -> None:
    found = difference_of_means([1.0, 0.0], [True, True], ["a", "b"], name="d")
    assert (found.value, found.low) == (None, None)
    assert found.method == "undefined: one of the two groups has no samples"


def test_what_a_clip_gives_to_both_groups_cancels() -> None:
    generator = np.random.default_rng(3)
    clip = generator.normal(0, 10, 40)
    values = np.concatenate([clip + 1 + generator.normal(0, 0.1, 40), clip + generator.normal(0, 0.1, 40)])
    names = [f"c{n}" for n in range(40)]
    groups = [True] * 40 + [False] * 40
    together = difference_of_means(values.tolist(), groups, names * 2, name="d", scale=(-50, 50), resamples=2000)
    assert together.low is not None
    assert together.high is not None
    assert 0.9 < together.low < 1 < together.high < 1.1
