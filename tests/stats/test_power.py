import math

import numpy as np
import pytest
import scipy.stats

from cutscore.core.errors import BadInput
from cutscore.stats.power import detectable_difference, required_study_size


def differences(generator: np.random.Generator, clips: int, *, each: int = 3, mean: float = 0.0) -> np.ndarray:  # type: ignore[type-arg]
    return mean + generator.normal(0, 0.2, clips).repeat(each) + generator.normal(0, 0.3, clips * each)


def clip_names(clips: int, each: int = 3) -> list[str]:
    return [f"{row // each:05d}" for row in range(clips * each)]


def test_the_difference_it_names_is_found_80_times_in_100() -> None:
    """The reach of a large pilot, scaled to 30 clips, then 2,000 studies of 30 clips that differ by just so much."""
    pilot = detectable_difference(differences(np.random.default_rng(0), 4000).tolist(), clip_names(4000))
    assert pilot.error is not None
    of_a_clip = pilot.error * math.sqrt(4000)
    reach = (scipy.stats.t.ppf(0.975, 29) + scipy.stats.t.ppf(0.8, 29)) * of_a_clip / math.sqrt(30)
    generator = np.random.default_rng(1)
    studies = np.array([differences(generator, 30, mean=reach).reshape(30, 3).mean(axis=1) for _ in range(2000)])
    found = scipy.stats.ttest_1samp(studies, 0, axis=1).pvalue < 0.05
    assert found.mean() == pytest.approx(0.8, abs=0.03)
    needed = required_study_size(
        differences(np.random.default_rng(0), 4000).tolist(), clip_names(4000), difference=reach * 1.000001
    )
    assert (needed.clusters, needed.samples) == (30, 90)


def test_reach_is_quantiles_times_error() -> None:
    values = differences(np.random.default_rng(2), 12)
    found = detectable_difference(values.tolist(), clip_names(12), power=0.9)
    assert found.error == pytest.approx(scipy.stats.sem(values.reshape(12, 3).mean(axis=1)))
    assert found.difference == pytest.approx((2.200985 + 1.363430) * found.error)  # t at 97.5% and 90%, 11 degrees
    assert (found.n, found.clusters, found.power) == (36, 12, 0.9)


def test_needed_is_the_least_that_will_do() -> None:
    values = differences(np.random.default_rng(3), 25).tolist()
    error = detectable_difference(values, clip_names(25)).error
    assert error is not None
    for target in (0.3, 0.05, -0.02):
        needed = required_study_size(values, clip_names(25), difference=target)
        assert needed.clusters is not None

        def reach(clusters: int) -> float:
            quantiles = scipy.stats.t.ppf(0.975, clusters - 1) + scipy.stats.t.ppf(0.8, clusters - 1)
            return float(quantiles * error * math.sqrt(25 / clusters))

        assert reach(needed.clusters) <= abs(target) < reach(needed.clusters - 1)
        assert needed.samples == 3 * needed.clusters


def test_what_cannot_be_known_is_said() -> None:
    assert detectable_difference([], []).method == "undefined: no samples"
    assert detectable_difference([0.1, 0.2], ["a", "a"]).method == "undefined: one cluster"
    flat = detectable_difference([0.1, 0.1], ["a", "b"])
    assert (flat.difference, flat.method) == (None, "undefined: the differences show no spread between clusters")
    assert required_study_size([0.1, 0.1], ["a", "b"], difference=0.1).clusters is None
    assert required_study_size([0.1, 0.3], ["a", "b"], difference=0.0).clusters is None
    assert required_study_size([0.1, 0.3], ["a", "b"], difference=1e-6).clusters is None
    with pytest.raises(BadInput, match=r"power: 0.3 is not between a half and 1"):
        detectable_difference([0.1], ["a"], power=0.3)


def test_tests_that_share_the_five_percent_reach_less_far() -> None:
    differences, clusters = [0.0, 1.0, 0.0, -1.0, 1.0] * 4, [f"{clip}" for clip in range(20)]
    one, ten = (detectable_difference(differences, clusters, tests=tests) for tests in (1, 10))
    upper = scipy.stats.t.ppf([0.975, 0.9975], 19) + scipy.stats.t.ppf(0.8, 19)
    assert one.error is not None
    assert [one.difference, ten.difference] == pytest.approx(list(upper * one.error))
    assert ten.method.endswith("two-sided 5% over 10 tests")
    with pytest.raises(BadInput, match="0 tests cannot be"):
        detectable_difference(differences, clusters, tests=0)
