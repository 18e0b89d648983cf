import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from cutscore.stats.clustering import clustered_standard_error, design_effect, effective_size

rows = st.lists(st.tuples(st.floats(-5, 5), st.sampled_from("abcdef")), min_size=2, max_size=40)


@given(rows)
def test_is_the_sandwich_of_a_regression_on_a_constant(pairs: list[tuple[float, str]]) -> None:
    """(X'X)⁻¹ X' B X (X'X)⁻¹ with B the residuals' products within clusters, as matrices, times k/(k−1)."""
    values, names = np.array([value for value, _ in pairs]), [name for _, name in pairs]
    found = clustered_standard_error(values.tolist(), names)
    design = np.ones((len(values), 1))
    residuals = values - values.mean()
    same = np.array([[one == two for two in names] for one in names])
    bread = np.linalg.inv(design.T @ design)
    variance = float((bread @ design.T @ (np.outer(residuals, residuals) * same) @ design @ bread)[0, 0])
    k = len(set(names))
    if found is None:
        assert k < 2 or variance < 1e-18
    else:
        assert found == pytest.approx(math.sqrt(k / (k - 1) * variance), rel=1e-6, abs=1e-12)


def test_one_sample_a_cluster_is_the_plain_standard_error() -> None:
    values = np.random.default_rng(0).normal(size=30)
    names = [f"{number}" for number in range(30)]
    assert clustered_standard_error(values.tolist(), names) == pytest.approx(scipy.stats.sem(values))
    assert design_effect(values.tolist(), names) == pytest.approx(1)
    assert effective_size(values.tolist(), names) == 30


def test_copies_are_worth_one() -> None:
    values = np.random.default_rng(1).normal(size=50)
    names = [f"{number // 4}" for number in range(200)]
    effect = design_effect(values.repeat(4).tolist(), names)
    assert effect == pytest.approx(4, rel=0.03)
    assert effective_size(values.repeat(4).tolist(), names) == pytest.approx(50, rel=0.03)


def test_without_spread_it_is_undefined_and_a_cluster_counts_as_one() -> None:
    assert clustered_standard_error([], []) is None
    assert clustered_standard_error([1.0, 2.0], ["a", "a"]) is None
    assert clustered_standard_error([0.3] * 6, list("aabbcc")) is None
    assert clustered_standard_error([0.0, 1.0, 0.0, 1.0], list("aabb")) is None
    assert design_effect([0.3] * 6, list("aabbcc")) is None
    assert effective_size([0.3] * 6, list("aabbcc")) == 3


def test_samples_are_never_worth_more_than_they_are() -> None:
    """Clips in which one answer is right and one wrong hold each other in balance: the effect lies far below 1."""
    values = [1.0, 0.0] * 9 + [1.0, 1.0]
    names = [f"{row // 2}" for row in range(20)]
    effect = design_effect(values, names)
    assert effect is not None
    assert effect < 0.5
    assert effective_size(values, names) == 20
