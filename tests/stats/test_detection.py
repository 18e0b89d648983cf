import math
from statistics import NormalDist

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from cutscore.stats.detection import auc, detection
from cutscore.stats.intervals import estimate

answers = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)


def names(n: int) -> list[str]:
    return [f"{number:03d}" for number in range(n)]


def cells(hit: int, alarm: int, missed: int, quiet: int) -> tuple[list[bool], list[bool]]:
    pairs = [(True, True)] * hit + [(False, True)] * alarm + [(True, False)] * missed + [(False, False)] * quiet
    return [truth for truth, _ in pairs], [said for _, said in pairs]


@given(answers)
def test_mcc_is_the_correlation_and_f1_the_harmonic_mean(pairs: list[tuple[bool, bool]]) -> None:
    truth, said = [one for one, _ in pairs], [two for _, two in pairs]
    found = detection(truth, said, names(len(pairs)), resamples=10)
    if len(set(truth)) == 2 and len(set(said)) == 2:
        assert found.mcc.value == pytest.approx(np.corrcoef(truth, said)[0, 1], abs=1e-9)
    else:
        assert found.mcc.value is None
    hit = sum(one and two for one, two in pairs)
    if hit:
        precision, recall = hit / sum(said), hit / sum(truth)
        assert found.f1.value == pytest.approx(2 / (1 / precision + 1 / recall))
        assert found.hits.value == pytest.approx(recall)
    else:
        assert found.f1.value == (0 if any(truth) or any(said) else None)


def test_flagging_everything_is_not_telling_apart() -> None:
    """90% hits at 80% false alarms against 60 at 10: the rate of detection orders them the other way round."""
    eager = detection(*cells(900, 800, 100, 200), names(2000), resamples=50)
    careful = detection(*cells(600, 100, 400, 900), names(2000), resamples=50)
    assert (eager.hits.value, careful.hits.value) == (0.9, 0.6)
    # z(0.9) − z(0.8) and z(0.6) − z(0.1) of a normal table; half a case in a thousand moves the third digit.
    assert eager.d_prime.value == pytest.approx(0.43994, abs=0.01)
    assert careful.d_prime.value == pytest.approx(1.53490, abs=0.01)
    assert eager.criterion.value == pytest.approx(-1.06159, abs=0.01)
    assert eager.base_rate == 0.5


def test_log_linear_correction_keeps_rates_of_0_and_1_finite() -> None:
    found = detection(*cells(9, 0, 0, 4), names(13), resamples=200)
    z = NormalDist().inv_cdf
    assert found.d_prime.value == pytest.approx(z(9.5 / 10) - z(0.5 / 5))
    assert found.criterion.value == pytest.approx(-(z(9.5 / 10) + z(0.5 / 5)) / 2)
    assert found.d_prime.scale[1] == pytest.approx(found.d_prime.value)
    assert (found.mcc.value, found.mcc.low) == (1, None)


def test_interval_of_mcc_equals_a_slow_bootstrap_with_the_same_draws() -> None:
    generator = np.random.default_rng(2)
    truth = generator.random(60) < 0.4
    said = truth ^ (generator.random(60) < 0.25)
    clips = [f"{number // 3:02d}" for number in range(60)]
    found = detection(truth.tolist(), said.tolist(), clips, resamples=200, seed=4).mcc
    slow = []
    for draw in np.random.default_rng(4).integers(0, 20, size=(200, 20)):
        rows = np.concatenate([np.arange(3 * clip, 3 * clip + 3) for clip in draw])
        slow.append(np.corrcoef(truth[rows], said[rows])[0, 1])
    tail = math.erfc(2.093024 * math.sqrt(20 / 19) / math.sqrt(2)) / 2
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(slow, [tail, 1 - tail])), abs=1e-6)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=1, max_size=40))
def test_auc_is_mann_whitney(pairs: list[tuple[bool, int]]) -> None:
    truth, scores = [case for case, _ in pairs], [float(score) for _, score in pairs]
    found = auc(truth, scores, names(len(pairs)), resamples=10)
    cases = [score for case, score in zip(truth, scores, strict=True) if case]
    others = [score for case, score in zip(truth, scores, strict=True) if not case]
    if cases and others:
        u = scipy.stats.mannwhitneyu(cases, others, method="asymptotic").statistic
        assert found.value == pytest.approx(u / (len(cases) * len(others)))
    else:
        assert (found.value, found.method) == (None, "undefined: all samples are of one class")


def test_interval_of_auc_equals_a_slow_bootstrap_with_the_same_draws() -> None:
    generator = np.random.default_rng(6)
    truth = np.arange(40) % 2 == 0
    scores = np.round(generator.normal(size=40) + truth, 1)
    clips = [f"{number // 2:02d}" for number in range(40)]
    found = auc(truth.tolist(), scores.tolist(), clips, resamples=150, seed=9)
    slow = []
    for draw in np.random.default_rng(9).integers(0, 20, size=(150, 20)):
        cases, others = scores[2 * draw], scores[2 * draw + 1]
        slow.append(np.mean(np.subtract.outer(cases, others) > 0) + np.mean(np.subtract.outer(cases, others) == 0) / 2)
    tail = math.erfc(2.093024 * math.sqrt(20 / 19) / math.sqrt(2)) / 2
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(slow, [tail, 1 - tail])), abs=1e-6)


def test_interval_of_auc_covers_the_truth() -> None:
    """300 studies, 35 cases 1 above 35 others; the true area is Φ(1/√2)."""
    truth = [True] * 35 + [False] * 35
    area = NormalDist().cdf(1 / math.sqrt(2))
    hits = 0
    for study in range(300):
        scores = np.random.default_rng(study).normal(size=70) + np.array(truth)
        found = auc(truth, scores.tolist(), names(70), resamples=300, seed=study)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= area <= found.high
    assert 0.92 <= hits / 300 <= 0.98


def test_one_class_perfect_and_nothing_are_undefined() -> None:
    found = detection([True, True], [True, False], ["a", "b"], resamples=20)
    assert found.false_alarms.method == "undefined: every sample is a case"
    assert (found.d_prime.value, found.d_prime.method) == (None, "undefined: all samples are of one class")
    assert (found.mcc.value, found.mcc.method) == (None, "undefined: truth or answer is always the same")
    empty = detection([], [], [])
    assert (empty.base_rate, empty.f1.value, empty.f1.method) == (None, None, "undefined: no samples")
    none = detection([False, False], [False, False], ["a", "b"])
    assert none.f1.method == "undefined: nothing is a case and nothing was flagged"
    apart = auc([True, False] * 10, [1.0, 0.0] * 10, names(20), resamples=50)
    assert (apart.value, apart.low) == (1, None)
    # Two cases among twenty: many a resample has none, so an end of the interval could lie anywhere.
    rare = auc([True] * 2 + [False] * 18, [5.0, 9.0, *map(float, range(18))], names(20), resamples=200)
    assert rare.low is None
    assert rare.method.endswith("of 200 resamples have no value")


def test_a_rate_is_estimated_as_it_is_anywhere_else() -> None:
    """Hits of who flags everything have the interval and the n that a mean over the cases alone has."""
    clips = [f"{number // 2:02d}" for number in range(16)]
    always = detection([True, False] * 8, [1.0] * 16, clips)
    assert always.hits.model_copy(update={"name": ""}) == estimate([1.0] * 8, clips[::2], name="")
    assert (always.hits.n, always.hits.high, always.false_alarms.low) == (8, 1.0, always.hits.low)
    some = detection([True, False] * 8, [1.0, 0.0, 0.0, 0.0] * 4, clips)
    assert some.hits.model_copy(update={"name": ""}) == estimate([1.0, 0.0] * 4, clips[::2], name="")


def test_a_case_that_was_flagged_every_other_time_is_half_a_hit() -> None:
    found = detection([True, True, False], [1.0, 0.5, 0.25], names(3), resamples=10)
    assert (found.hits.value, found.false_alarms.value) == (0.75, 0.25)
    z = NormalDist().inv_cdf
    assert found.d_prime.value == pytest.approx(z((1.5 + 0.5) / 3) - z((0.25 + 0.5) / 2))
