"""Medians: the plain one when every cluster is drawn once, and intervals by cluster."""

import random
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.stats.medians import median_estimate

SCALE = (0.0, 1000.0)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.floats(0, 100), st.integers(0, 4)), min_size=1, max_size=12))
def test_the_value_is_the_plain_median(samples: list[tuple[float, int]]) -> None:
    values, clusters = [value for value, _ in samples], [f"clip {number}" for _, number in samples]
    found = median_estimate(values, clusters, name="x", scale=SCALE, resamples=20)
    assert found.value == pytest.approx(median(values))
    assert (found.n, found.clusters) == (len(values), len(set(clusters)))


def test_the_interval_is_as_wide_as_drawing_by_hand_makes_it() -> None:
    draw = random.Random(7)
    values = [draw.expovariate(1 / 20) for _ in range(60)]
    found = median_estimate(values, [f"clip {n}" for n in range(60)], name="x", scale=SCALE)
    by_hand = sorted(median(draw.choices(values, k=60)) for _ in range(4000))
    assert found.low == pytest.approx(by_hand[100], rel=0.1)
    assert found.high == pytest.approx(by_hand[3900], rel=0.1)


def test_one_far_off_moves_a_median_little() -> None:
    near = median_estimate([1.0, 2.0, 3.0], ["a", "b", "c"], name="x", scale=SCALE)
    far = median_estimate([1.0, 2.0, 300.0], ["a", "b", "c"], name="x", scale=SCALE)
    assert near.value == far.value == 2


def test_one_cluster_has_no_interval_and_none_no_value() -> None:
    assert median_estimate([1.0, 2.0], ["a", "a"], name="x", scale=SCALE).low is None
    assert median_estimate([], [], name="x", scale=SCALE).value is None
