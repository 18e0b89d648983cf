"""How much of a defect is gone: proportional to its strength, whatever the gain and the noise of encoders."""

from fractions import Fraction

import numpy as np
import pytest

from cutscore.benchmarks.repair.verify.residual import PictureResidual, count_mended, sound_mended
from cutscore.scoring.metrics.metric import MetricFrame

RNG = np.random.default_rng(1)
GOLDEN = RNG.integers(60, 200, (4, 12, 16, 3), np.uint8)
BROKEN = np.stack([np.roll(each, 3, axis=1) for each in GOLDEN])
WAVE = RNG.standard_normal((4800, 2)).astype(np.float32)
HISS = RNG.standard_normal((4800, 2)).astype(np.float32)


def share(output: np.ndarray, pictures: int = 4) -> float | None:
    seen = PictureResidual({Fraction(number): each for number, each in enumerate(BROKEN)})
    for number, (clean, made) in enumerate(zip(GOLDEN[:pictures], output, strict=False)):
        seen.compare(MetricFrame(Fraction(number), clean), MetricFrame(Fraction(number), made))
    return seen.share


@pytest.mark.parametrize("part", [0, 0.25, 0.5, 0.75, 1])
def test_so_much_of_golden_mixed_in_is_so_much_mended(part: float) -> None:
    mixed = np.rint((1 - part) * BROKEN + part * GOLDEN.astype(np.float64)).astype(np.uint8)
    assert share(mixed) == pytest.approx(part, abs=0.01)
    assert sound_mended(WAVE, WAVE + HISS, WAVE + np.float32(1 - part) * HISS) == pytest.approx(part, abs=0.03)


def test_half_of_the_pictures_is_half_and_missing_ones_are_broken() -> None:
    assert share(np.concatenate([GOLDEN[:2], BROKEN[2:]])) == pytest.approx(0.5, abs=0.1)
    assert share(GOLDEN, pictures=3) == pytest.approx(0.75)
    assert share(GOLDEN, pictures=0) == 0


def test_noise_of_an_encoder_leaves_nothing_of_the_defect() -> None:
    noisy = np.clip(GOLDEN + RNG.normal(0, 8, GOLDEN.shape), 0, 255).astype(np.uint8)
    assert share(noisy) == pytest.approx(1, abs=0.02)


def test_a_gain_mends_nothing_and_costs_nothing() -> None:
    for gain in (0.25, 4):
        assert sound_mended(WAVE, WAVE + HISS, np.float32(gain) * (WAVE + HISS)) == pytest.approx(0, abs=0.01)
        assert sound_mended(WAVE, WAVE + HISS, np.float32(gain) * WAVE) == pytest.approx(1, abs=0.03)


def test_silence_and_another_sound_mend_nothing() -> None:
    assert sound_mended(WAVE, WAVE + HISS, np.zeros_like(WAVE)) == 0
    assert sound_mended(WAVE, WAVE + HISS, -WAVE) == 0
    assert sound_mended(WAVE, WAVE, WAVE) is None


def test_what_counts_grows_with_what_is_mended() -> None:
    steps = [count_mended(part) for part in np.linspace(0, 1, 101)]
    assert steps == sorted(steps)
    assert steps[50] == pytest.approx(0.5)
    assert (steps[0], steps[-1]) == (0, 1)
