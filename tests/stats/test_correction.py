import math

import numpy as np
import pytest

from cutscore.core.errors import BadInput
from cutscore.stats.correction import Calibration, corrected_rate

Verdicts = tuple[list[int], list[int], list[str]]


def names(n: int, tag: str = "") -> list[str]:
    return [f"{tag}{number:04d}" for number in range(n)]


def labelled(hit: int, missed: int, alarm: int, quiet: int) -> Calibration:
    truth = [1] * (hit + missed) + [0] * (alarm + quiet)
    judged = [1] * hit + [0] * missed + [1] * alarm + [0] * quiet
    return Calibration(truth, judged, names(len(truth), "label "))


def verdicts(
    generator: np.random.Generator, clips: int, *, each: int, rate: float, right: tuple[float, float]
) -> Verdicts:
    """Truth, the judge's verdict and the clip of samples; clips differ in how many of theirs are passes."""
    odds = generator.beta(2 * rate, 2 * (1 - rate), clips).repeat(each) if each > 1 else np.full(clips, rate)
    truth = generator.random(clips * each) < odds
    luck = generator.random(clips * each)
    judged = np.where(truth, luck < right[0], luck >= right[1])
    return (
        truth.astype(int).tolist(),
        judged.astype(int).tolist(),
        [f"{row // each:04d}" for row in range(clips * each)],
    )


def test_value_undoes_the_judges_errors() -> None:
    """80% sensitivity and 90% specificity turn a true 40% into 0.4 · 0.8 + 0.6 · 0.1 = 38%."""
    found = corrected_rate([1] * 38 + [0] * 62, names(100), labelled(40, 10, 5, 45), resamples=200)
    assert found.rate.value == pytest.approx(0.4)
    assert found.raw == 0.38
    assert (found.sensitivity.value, found.specificity.value) == (0.8, 0.9)
    assert (found.rate.n, found.rate.clusters) == (100, 100)


def test_interval_is_the_published_formula_where_samples_are_independent() -> None:
    """Lang and Reiczigel's steps written out, with Student's t for 49 degrees instead of 1.96."""
    found = corrected_rate([1] * 38 + [0] * 62, names(100), labelled(40, 10, 5, 45), resamples=10).rate
    t = 2.009575
    n, p = 100 + t**2, (38 + t**2 / 2) / (100 + t**2)
    se, sp = 41 / 52, 46 / 52
    rate = (p + sp - 1) / (se + sp - 1)
    shift = 2 * t**2 * (rate * se * (1 - se) / 52 - (1 - rate) * sp * (1 - sp) / 52)
    variance = p * (1 - p) / n + rate**2 * se * (1 - se) / 52 + (1 - rate) ** 2 * sp * (1 - sp) / 52
    half = t * math.sqrt(variance) / (se + sp - 1)
    assert (found.low, found.high) == pytest.approx((rate + shift - half, rate + shift + half), abs=1e-5)


def test_few_labels_widen_the_interval_and_more_verdicts_do_not_mend_it() -> None:
    def width(calibration: Calibration, n: int) -> float:
        found = corrected_rate([1] * (n // 2) + [0] * (n // 2), names(n), calibration, resamples=10).rate
        assert found.low is not None
        assert found.high is not None
        return found.high - found.low

    few, many = labelled(16, 4, 3, 17), labelled(160, 40, 30, 170)
    assert width(few, 10_000) > 1.9 * width(many, 10_000)
    assert width(few, 10_000) > 0.8 * width(few, 1000)


def test_a_judge_without_errors_on_ten_labels_is_not_one_without_errors() -> None:
    found = corrected_rate([1] * 500 + [0] * 500, names(1000), labelled(5, 0, 0, 5), resamples=10).rate
    assert found.value == 0.5
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low > 0.25


def test_four_copies_of_a_verdict_are_one() -> None:
    once = corrected_rate([1] * 38 + [0] * 62, names(100), labelled(40, 10, 5, 45), resamples=10).rate
    clips = [name for name in names(100) for _ in range(4)]
    copied = corrected_rate([1] * 152 + [0] * 248, clips, labelled(40, 10, 5, 45), resamples=10).rate
    assert (copied.low, copied.high) == pytest.approx((once.low, once.high), abs=2e-3)
    independent = corrected_rate([1] * 152 + [0] * 248, names(400), labelled(40, 10, 5, 45), resamples=10).rate
    assert (independent.low or 0) > (once.low or 0) + 0.02


def test_lopsided_labels_do_not_leave_the_value_outside() -> None:
    """Three failures among 203 labels: padded, they pull the middle of the interval far below the plain value."""
    found = corrected_rate([1] * 47 + [0] * 3, names(50), labelled(200, 0, 0, 3), resamples=10).rate
    assert (found.value, found.high) == (0.94, 0.94)
    assert found.low is not None
    assert found.low < 0.5


@pytest.mark.parametrize("passed", [0, 1000])
def test_verdicts_that_the_labels_cannot_explain_have_no_interval(passed: int) -> None:
    """A judge that passed 4 of 10 failures and failed 3 of 10 passes cannot have passed none, or all, of a thousand."""
    found = corrected_rate(
        [1] * passed + [0] * (1000 - passed), names(1000), labelled(70, 30, 40, 60), resamples=10
    ).rate
    assert (found.value, found.low) == (passed / 1000, None)
    assert found.method == "undefined: the judge's errors on the labels do not explain its verdicts here"


@pytest.mark.parametrize(
    ("clips", "label_clips", "each", "rate", "right"),
    [(150, 80, 1, 0.42, (0.85, 0.8)), (60, 50, 3, 0.42, (0.85, 0.8)), (200, 100, 1, 0.3, (0.9, 0.95))],
)
def test_interval_covers_the_truth_95_times_in_100(
    clips: int, label_clips: int, each: int, rate: float, right: tuple[float, float]
) -> None:
    """800 studies, with labels drawn anew in each, independent and in clusters of 3."""
    hits, naive, decided = 0, 0, 0
    for study in range(800):
        generator = np.random.default_rng(study)
        _, judged, where = verdicts(generator, clips, each=each, rate=rate, right=right)
        calibration = Calibration(*verdicts(generator, label_clips, each=each, rate=rate, right=right))
        found = corrected_rate(judged, where, calibration, resamples=1)
        if found.rate.low is not None and found.rate.high is not None:
            decided += 1
            hits += found.rate.low <= rate <= found.rate.high
            naive += abs((found.raw or 0) - rate) < 1.96 * math.sqrt(rate * (1 - rate) / (clips * each))
    assert decided == 800
    assert 0.93 <= hits / decided <= 0.97
    assert naive < hits


@pytest.mark.parametrize(
    ("calibration", "value", "why"),
    [
        (labelled(5, 5, 0, 0), None, "the labels hold passes only or failures only"),
        (labelled(0, 0, 5, 5), None, "the labels hold passes only or failures only"),
        (labelled(5, 5, 5, 5), None, "on the labels the judge does no better than chance"),
        (labelled(6, 4, 5, 5), 0.0, "the labels do not show at 95% that the judge does better than chance"),
        (Calibration([1, 0], [1, 0], ["a", "a"]), 0.5, "one cluster"),
    ],
)
def test_labels_that_prove_nothing_give_no_interval(calibration: Calibration, value: float | None, why: str) -> None:
    found = corrected_rate([1] * 10 + [0] * 10, names(20), calibration, resamples=10).rate
    assert (found.value, found.low, found.method) == (value, None, f"undefined: {why}")


def test_nothing_to_score_and_wrong_verdicts() -> None:
    found = corrected_rate([], [], labelled(9, 1, 1, 9), resamples=10)
    assert (found.raw, found.rate.value, found.rate.method) == (None, None, "undefined: no samples")
    with pytest.raises(BadInput, match=r"estimate 'x': verdict 0.5 is neither 0 nor 1; use ppi_mean for scores"):
        corrected_rate([0.5], ["a"], labelled(9, 1, 1, 9), name="x")
