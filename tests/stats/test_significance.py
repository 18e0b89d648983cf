import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.stats.paired import PairedScores
from cutscore.stats.significance import mcnemar, paired_tests, sign_flip


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 5))
def test_mcnemar_is_the_exact_binomial_test(wins: int, losses: int, same: int) -> None:
    first = [True] * wins + [False] * losses + [True] * same
    second = [False] * wins + [True] * losses + [True] * same
    found = mcnemar(first, second)
    expected = scipy.stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert found.p_value == pytest.approx(expected)
    assert (found.only_first, found.only_second, found.n) == (wins, losses, wins + losses + same)


def test_mcnemar_of_many_samples_stays_exact() -> None:
    first = [True] * 5100 + [False] * 4900
    found = mcnemar(first, [not each for each in first])
    assert found.p_value == pytest.approx(scipy.stats.binomtest(5100, 10_000).pvalue, rel=1e-9)


def test_mcnemar_of_nothing_and_of_unequal_sides() -> None:
    assert mcnemar([], []).p_value is None
    assert mcnemar([], []).method == "undefined: no samples"
    assert mcnemar([True], [True]).p_value == 1
    with pytest.raises(BadInput, match="McNemar's test: has 1 and 2 samples; give the same samples"):
        mcnemar([True], [True, False])


def sides(differences: list[float]) -> tuple[dict[int, float], dict[int, float]]:
    return dict(enumerate(differences)), dict.fromkeys(range(len(differences)), 0.0)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=8))
def test_few_clusters_try_every_pattern(differences: list[int]) -> None:
    first, second = sides([float(each) for each in differences])
    found = sign_flip(first, second, {key: f"{key}" for key in first})
    patterns = list(itertools.product((-1, 1), repeat=len(differences)))
    reached = [
        abs(sum(sign * each for sign, each in zip(signs, differences, strict=True))) >= abs(sum(differences))
        for signs in patterns
    ]
    assert found.p_value == sum(reached) / len(reached)
    assert found.method == f"sign flips by cluster, all {len(patterns)}"


def test_with_one_sample_a_cluster_it_is_scipys_permutation_test() -> None:
    differences = np.random.default_rng(1).normal(0.4, 1, 11)
    theirs = scipy.stats.permutation_test((differences,), np.sum, permutation_type="samples", n_resamples=np.inf)
    first, second = sides(differences.tolist())
    assert sign_flip(first, second, {key: f"{key}" for key in first}).p_value == pytest.approx(theirs.pvalue)


def test_drawn_patterns_agree_with_students_test_on_many_clusters() -> None:
    differences = np.random.default_rng(3).normal(0.25, 1, 80)
    first, second = sides(differences.tolist())
    found = sign_flip(first, second, {key: f"{key}" for key in first}, resamples=20_000)
    assert found.p_value == pytest.approx(scipy.stats.ttest_1samp(differences, 0).pvalue, abs=0.01)
    assert found.method == "sign flips by cluster, 20000 drawn, seed 42"


def test_samples_of_one_clip_flip_together() -> None:
    """Forty samples that all say the same, in four clips: four coins, not forty."""
    first, second = sides([1.0] * 40)
    found = sign_flip(first, second, {key: f"clip {key % 4}" for key in first})
    assert (found.p_value, found.n, found.clusters) == (2 / 2**4, 40, 4)
    assert (found.only_first, found.only_second) == (4, 0)


def test_equal_sides_are_called_different_5_times_in_100() -> None:
    wrong = 0
    for study in range(400):
        generator = np.random.default_rng(study)
        shared = generator.normal(0, 1, 20).repeat(3)
        first, second = sides((shared + generator.normal(0, 1, 60)).tolist())
        clips = {key: f"clip {key // 3}" for key in first}
        wrong += (sign_flip(first, second, clips, resamples=400, seed=study).p_value or 1) < 0.05
    assert 0.025 <= wrong / 400 <= 0.075


def test_nothing_shared_and_nothing_different() -> None:
    assert sign_flip({1: 1.0}, {2: 1.0}, {}).p_value is None
    same = sign_flip(dict.fromkeys(range(20), 0.1), dict.fromkeys(range(20), 0.1), {key: f"{key}" for key in range(20)})
    assert same.p_value == 1
    with pytest.raises(BadInput, match="sign-flip test: sample 1 has no cluster"):
        sign_flip({1: 0.0}, {1: 1.0}, {})
    with pytest.raises(BadInput, match="sign-flip test: 0 resamples cannot be"):
        sign_flip({1: 0.0}, {1: 1.0}, {1: "a"}, resamples=0)
    with pytest.raises(BadInput, match="a score is not a number; leave it out and count it as unscored"):
        sign_flip({1: math.nan}, {1: 1.0}, {1: "a"})


@pytest.mark.parametrize(
    ("first", "clips", "scale", "method"),
    [
        ([1.0, 0.0, 1.0], "abc", (0.0, 1.0), "McNemar, exact"),
        ([100.0, 0.0, 100.0], "abc", (0.0, 100.0), "McNemar, exact"),
        ([1.0, 0.0, 1.0], "aab", (0.0, 1.0), "sign flips by cluster, all 4"),
        ([1.0, 0.5, 1.0], "abc", (0.0, 1.0), "sign flips by cluster, all 8"),
        ([1.0, 0.0, 1.0], "abc", (0.0, 100.0), "sign flips by cluster, all 8"),
    ],
)
def test_what_the_samples_allow_decides_the_test(first, clips, scale, method) -> None:
    one = dict(enumerate(first))
    sides_of = PairedScores(one, dict.fromkeys(one, scale[0]), dict(enumerate(clips)), "x", "a", "b", scale=scale)
    (found,) = paired_tests([sides_of])
    assert found.method == method
    # Two wins and no loss among independent samples: a half, whichever test says it.
    assert found.p_value == pytest.approx(0.5 if clips == "aab" or 0.5 not in first else 0.25)
