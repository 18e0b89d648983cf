import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.stats.correlation import kendall_tau, spearman_rho

BOTH = [(kendall_tau, scipy.stats.kendalltau), (spearman_rho, scipy.stats.spearmanr)]
scores = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=30)


def names(n: int) -> list[str]:
    return [f"{number:03d}" for number in range(n)]


@pytest.mark.parametrize(("ours", "theirs"), BOTH)
@given(pairs=scores)
def test_equals_scipy_with_ties(ours, theirs, pairs: list[tuple[int, int]]) -> None:  # type: ignore[no-untyped-def]
    first, second = [float(one) for one, _ in pairs], [float(two) for _, two in pairs]
    found = ours(first, second, names(len(pairs)), resamples=10)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert (found.value, found.low) == (None, None)
        assert found.method == "undefined: one of the scores is the same for all samples"
    else:
        assert found.value == pytest.approx(theirs(first, second).statistic, abs=1e-9)


@pytest.mark.parametrize(("ours", "theirs"), BOTH)
def test_interval_equals_scipy_on_every_resample(ours, theirs) -> None:  # type: ignore[no-untyped-def]
    """Clips of 1 to 4 samples, scores with ties; each resample is written out and given to scipy."""
    generator = np.random.default_rng(3)
    clip = np.arange(17).repeat(generator.integers(1, 5, 17))
    first = generator.integers(0, 8, len(clip)).astype(float)
    second = np.round(first / 2 + generator.normal(0, 1.5, len(clip)))
    clips = [f"{number:02d}" for number in clip]
    found = ours(first.tolist(), second.tolist(), clips, resamples=150, seed=11)
    slow = []
    for draw in np.random.default_rng(11).integers(0, 17, size=(150, 17)):
        rows = np.concatenate([np.flatnonzero(clip == each) for each in draw])
        slow.append(theirs(first[rows], second[rows]).statistic)
    tail = math.erfc(2.119905 * math.sqrt(17 / 16) / math.sqrt(2)) / 2  # Student's 97.5% point, 16 degrees
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(slow, [tail, 1 - tail])), abs=1e-6)
    assert (found.n, found.clusters) == (len(clip), 17)


@pytest.mark.parametrize(("ours", "of_normal"), [(kendall_tau, 2 * math.asin(0.6) / math.pi), (spearman_rho, None)])
def test_intervals_cover_the_truth(ours, of_normal: float | None) -> None:  # type: ignore[no-untyped-def]
    """300 studies of 50 independent pairs with correlation 0.6; for normal pairs tau and rho are arcsines of it."""
    truth = 6 / math.pi * math.asin(0.3) if of_normal is None else of_normal
    hits = 0
    for study in range(300):
        generator = np.random.default_rng(study)
        first = generator.normal(size=50)
        second = 0.6 * first + 0.8 * generator.normal(size=50)
        found = ours(first.tolist(), second.tolist(), names(50), resamples=400, seed=study)
        hits += found.low <= truth <= found.high
    assert 0.92 <= hits / 300 <= 0.98


@pytest.mark.parametrize("ours", [kendall_tau, spearman_rho])
def test_nothing_one_and_perfect_order_are_not_narrow(ours) -> None:  # type: ignore[no-untyped-def]
    assert ours([], [], []).method == "undefined: no samples"
    one = ours([1.0, 2.0], [1.0, 2.0], ["a", "a"])
    assert (one.value, one.method) == (1, "undefined: one cluster")
    single = ours([1.0], [1.0], ["a"])
    assert (single.value, single.low) == (None, None)
    perfect = ours([1.0, 2.0, 3.0, 4.0] * 5, [2.0, 4.0, 6.0, 8.0] * 5, names(20), resamples=50)
    assert (perfect.value, perfect.low) == (1, None)
    assert perfect.method == "undefined: all resamples have the same value"
    with pytest.raises(BadInput, match="value number 1 is nan"):
        ours([1.0, math.nan], [1.0, 2.0], ["a", "b"])
