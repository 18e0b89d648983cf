"""A known sound is found where it begins, at any loudness; another one is not."""

import numpy as np
import pytest

from cutscore.perception.sound_match import find_sound

RATE_HZ = 16_000


def chirp(low_hz: float, high_hz: float) -> np.ndarray:
    """A quarter of a second that rises from one pitch to another."""
    at = np.arange(RATE_HZ // 4) / RATE_HZ
    return np.sin(2 * np.pi * (low_hz + (high_hz - low_hz) * 2 * at) * at).astype(np.float32)


@pytest.mark.parametrize("level", [1.0, 0.1])
def test_it_is_found_at_each_of_its_times(level: float) -> None:
    heard = 0.002 * np.random.default_rng(1).normal(size=2 * RATE_HZ).astype(np.float32)
    for at_s in (0.0, 1.0, 1.6):
        first = round(at_s * RATE_HZ)
        heard[first : first + RATE_HZ // 4] += np.float32(level) * chirp(500, 2000)
    assert find_sound(heard, chirp(500, 2000), RATE_HZ) == pytest.approx([0.0, 1.0, 1.6], abs=0.01)


def test_another_sound_silence_and_a_shorter_one_are_not_it() -> None:
    other = np.pad(chirp(3000, 200), (RATE_HZ // 2, RATE_HZ))
    assert find_sound(other, chirp(500, 2000), RATE_HZ) == []
    assert find_sound(np.zeros(RATE_HZ, np.float32), chirp(500, 2000), RATE_HZ) == []
    assert find_sound(chirp(500, 2000)[:100], chirp(500, 2000), RATE_HZ) == []
