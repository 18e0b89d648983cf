"""Wilson on what samples are worth: plain where they are independent, honest where they are not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.stats.intervals import wilson_interval
from cutscore.stats.proportion import proportion


@given(st.lists(st.booleans(), min_size=2, max_size=40).filter(lambda yes: len(set(yes)) == 2))
def test_independent_samples_give_plain_wilson(yes: list[bool]) -> None:
    found = proportion(yes, [str(n) for n in range(len(yes))], name="hits")
    # The design effect of single samples is 1 up to rounding.
    assert (found.low, found.high) == pytest.approx(wilson_interval(sum(yes), len(yes)), abs=1e-9)


def test_copies_of_a_sample_are_worth_one() -> None:
    once = proportion([True, True, False, True], list("abcd"), name="hits")
    copies = proportion([True, True, False, True] * 50, list("abcd") * 50, name="hits")
    assert copies.value == once.value
    assert copies.low is not None
    assert once.low is not None
    assert copies.low < once.low - 0.05  # few clusters: wider still, since their spread is a guess
    assert copies.n == 200
    assert copies.clusters == 4


def test_no_spread_counts_clusters() -> None:
    found = proportion([True] * 30, ["a", "b", "c"] * 10, name="hits")
    assert (found.value, found.low, found.high) == (1.0, pytest.approx(wilson_interval(3, 3)[0]), 1.0)


def test_one_cluster_and_nothing_are_undefined() -> None:
    assert proportion([True, False], ["a", "a"], name="hits").method == "undefined: one cluster"
    nothing = proportion([], [], name="hits")
    assert (nothing.value, nothing.method) == (None, "undefined: no samples")


def test_intervals_cover_with_few_uneven_clusters() -> None:
    """200 draws of 12 clips, 6 questions each, whose own rates scatter around 0.8."""
    generator = np.random.default_rng(5)
    covered = 0
    for _ in range(200):
        rates = generator.beta(8, 2, size=12)
        yes = (generator.random((12, 6)) < rates[:, np.newaxis]).ravel().tolist()
        found = proportion(yes, [f"c{place}" for place in range(12) for _ in range(6)], name="hits")
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.8 <= found.high
    assert covered >= 181  # below that is less likely than 1 in 1,000 if 95% cover
