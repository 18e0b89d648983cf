import math

import numpy as np
import pytest

from cutscore.core.errors import BadInput
from cutscore.stats.intervals import estimate
from cutscore.stats.ratios import ratio


def test_weights_samples_by_their_wholes() -> None:
    found = ratio([20.0, 0.0], [20.0, 1.0], ["a", "b"], name="found", resamples=50)
    assert found.value == pytest.approx(20 / 21)


def test_with_wholes_of_one_it_is_the_mean() -> None:
    generator = np.random.default_rng(1)
    values = generator.random(60).tolist()
    clips = [f"{row // 3:02d}" for row in range(60)]
    found = ratio(values, [1.0] * 60, clips, name="x", resamples=300, seed=5)
    mean = estimate(values, clips, name="x", resamples=300, seed=5)
    assert (found.value, found.low, found.high) == pytest.approx((mean.value, mean.low, mean.high), abs=1e-9)
    assert (found.n, found.clusters, found.method) == (mean.n, mean.clusters, mean.method)


def test_interval_covers_the_truth() -> None:
    """400 studies of 50 clips with 1 to 9 errors each; 70% are found in small clips and 50% in large ones."""
    sizes = np.arange(1, 10)
    truth = float((sizes * np.where(sizes < 5, 0.7, 0.5)).sum() / sizes.sum())
    hits = 0
    for study in range(400):
        generator = np.random.default_rng(study)
        wholes = generator.integers(1, 10, 50)
        parts = generator.binomial(wholes, np.where(wholes < 5, 0.7, 0.5))
        found = ratio(
            parts.tolist(), wholes.tolist(), [f"{clip}" for clip in range(50)], name="x", resamples=400, seed=study
        )
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= truth <= found.high
    assert 0.92 <= hits / 400 <= 0.98


def test_bounds_give_unscored_samples_all_their_weight() -> None:
    found = ratio([3.0, 2.0], [5.0, 5.0], ["a", "b"], name="x", unscored_wholes=[6.0, 4.0], resamples=20)
    assert (found.value, found.unscored) == (0.5, 2)
    assert found.bounds == (0.25, 0.75)
    nothing = ratio([], [], [], name="x", unscored_wholes=[6.0])
    assert (nothing.value, nothing.bounds, nothing.method) == (None, (0, 1), "undefined: no samples")
    assert ratio([], [], [], name="x").bounds is None


def test_what_has_no_ratio_or_no_spread_is_undefined() -> None:
    assert ratio([0.0, 0.0], [0.0, 0.0], ["a", "b"], name="x").method == "undefined: the wholes add up to 0"
    assert ratio([1.0], [2.0], ["a"], name="x").method == "undefined: one cluster"
    flat = ratio([1.0, 2.0, 3.0], [2.0, 4.0, 6.0], list("abc"), name="x", resamples=50)
    assert (flat.value, flat.low, flat.method) == (0.5, None, "undefined: all resamples have the same value")


def test_wrong_input_is_named() -> None:
    with pytest.raises(BadInput, match=r"estimate 'x': 3.0 of 2.0 lies outside of the scale 0.0 … 1.0"):
        ratio([3.0], [2.0], ["a"], name="x")
    with pytest.raises(BadInput, match="the whole of an unscored sample is 0 or more, and finite"):
        ratio([1.0], [2.0], ["a"], name="x", unscored_wholes=[math.inf])
    with pytest.raises(BadInput, match="estimate 'x': 0 resamples cannot be"):
        ratio([1.0], [2.0], ["a"], name="x", resamples=0)
