"""Waves in integers: tones, noise and what can be made of them. The same samples on every machine."""

from functools import lru_cache
from math import pi, sin

import numpy as np
import numpy.typing as npt

RATE_HZ = 48_000
FULL = 32_767

Wave = npt.NDArray[np.int32]

_CIRCLE = 4096


@lru_cache(maxsize=1)
def _sine() -> npt.NDArray[np.int64]:
    return np.array([round(FULL * sin(2 * pi * n / _CIRCLE)) for n in range(_CIRCLE)], np.int64)


def tone(pitch_hz: int, count: int, level: int) -> Wave:
    """Return a pure tone; level is its peak, up to 32,767."""
    phase = np.arange(count, dtype=np.int64) * pitch_hz * _CIRCLE // RATE_HZ % _CIRCLE
    return (_sine()[phase] * level // FULL).astype(np.int32)


def noise(seed: int, count: int, level: int, *, smooth: int = 1) -> Wave:
    """Return seeded noise; the mean over `smooth` samples takes away its highs."""
    drawn = np.random.default_rng(seed).integers(-level, level + 1, count + smooth, np.int64)
    total = np.cumsum(drawn)
    return ((total[smooth:] - total[:-smooth]) // max(1, int(smooth**0.5))).astype(np.int32)[:count]


def fade(wave: Wave, edge: int) -> Wave:
    """Let a wave begin and end softly, over `edge` samples on each side."""
    edge = min(edge, len(wave) // 2)
    if edge < 1:
        return wave
    ramp = np.arange(edge, dtype=np.int64)
    out = wave.astype(np.int64)
    out[:edge] = out[:edge] * ramp // edge
    out[-edge:] = out[-edge:] * ramp[::-1] // edge
    return out.astype(np.int32)


def decay(wave: Wave) -> Wave:
    """Let a wave die away, fast at first."""
    left = np.arange(len(wave), 0, -1, dtype=np.int64) * 1024 // max(1, len(wave))
    return (wave * left * left * left >> 30).astype(np.int32)
