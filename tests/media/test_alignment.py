from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.media.alignment import alignment, overlap
from cutscore.media.sound import Sound


def coloured(samples: int, seed: int = 1) -> np.ndarray:
    """Noise that changes slowly, as sounds do: neighbours are alike, so the peak is not one sample wide."""
    white = np.random.default_rng(seed).standard_normal(samples + 20)
    return np.convolve(white, np.hanning(22)[1:-1], "valid")[:samples] / 10


def shifted(samples: np.ndarray, offset: int) -> np.ndarray:
    return np.concatenate([np.zeros(offset), samples]) if offset >= 0 else samples[-offset:]


def sound(samples: np.ndarray, rate_hz: int = 16_000) -> Sound:
    return Sound(samples.astype(np.float32), rate_hz)


@pytest.mark.parametrize("offset", [-4000, -800, -1, 0, 1, 7, 800, 4000])
@pytest.mark.parametrize("snr_db", [None, 10, 0])
def test_the_shift_is_exact_under_noise(offset: int, snr_db: int | None) -> None:
    clean = coloured(32_000)
    late = shifted(clean, offset)
    noise = coloured(len(late), seed=2)
    if snr_db is not None:
        late = late + noise * np.sqrt(np.mean(late**2) / np.mean(noise**2)) * 10 ** (-snr_db / 20)
    found = alignment(sound(clean), sound(0.3 * late))
    assert found.offset_samples == offset
    assert found.offset_s == Fraction(offset, 16_000)
    expected = 1.0 if snr_db is None else 1 / np.sqrt(1 + 10 ** (-snr_db / 10))
    assert found.correlation == pytest.approx(expected, abs=0.03)
    assert found.prominence > 0.5


@settings(max_examples=30, deadline=None)
@given(st.integers(-40, 40), st.integers(0, 1000))
def test_it_agrees_with_trying_every_shift(offset: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    first = rng.standard_normal(120).astype(np.float32)
    second = shifted(first, offset) + 0.5 * rng.standard_normal(120 + max(offset, 0) + min(offset, 0))
    found = alignment(sound(first), sound(second), within_s=Fraction(45, 16_000))
    second = second.astype(np.float32).astype(np.float64)
    fits = {}
    for lag in range(-45, 46):
        early, late = overlap(first - first.astype(np.float64).mean(), second - second.mean(), lag)
        fits[lag] = sum(a * b for a, b in zip(early, late, strict=True))
    assert found.offset_samples == max(fits, key=lambda lag: fits[lag])


def test_the_limit_is_kept() -> None:
    clean = coloured(8_000)
    found = alignment(sound(clean), sound(shifted(clean, 1600)), within_s=Fraction(1, 20))
    assert abs(found.offset_samples) <= 800
    assert found.correlation < 0.5
    assert alignment(sound(clean), sound(shifted(clean, 800)), within_s=Fraction(1, 20)).offset_samples == 800


def test_a_steady_tone_is_called_ambiguous() -> None:
    tone = np.sin(2 * np.pi * 100 * np.arange(32_000) / 16_000)
    assert alignment(sound(tone), sound(tone)).prominence < 0.02


def test_strangers_do_not_correlate() -> None:
    found = alignment(sound(coloured(16_000)), sound(coloured(16_000, seed=9)))
    assert abs(found.correlation) < 0.3
    assert found.prominence < 0.3


def test_errors_say_what_is_the_case() -> None:
    with pytest.raises(BadInput, match="sounds have 16000 and 8000 samples a second; read both at one rate"):
        alignment(sound(coloured(800)), sound(coloured(800), 8000))
    with pytest.raises(BadInput, match="one of the sounds is silent"):
        alignment(sound(coloured(800)), sound(np.full(800, 0.25)))
