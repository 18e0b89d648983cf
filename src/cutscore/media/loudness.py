"""How loud a sound is, as broadcasters measure it: ITU-R BS.1770-4.

Integrated loudness weighs frequencies as ears do (the K filter), takes the power of blocks of 400 ms that begin every
100 ms, and means over those that are above -70 LUFS and then over those within 10 LU of that mean. Left, right and
mono count alike, so a mono sound is 3 LU quieter than the same sound on two sides, as in FFmpeg.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import inf, log10, pi, tan

import numpy as np
import numpy.typing as npt
from scipy import signal

from cutscore.core.errors import BadInput
from cutscore.media.sound import Samples, Sound, sample_at

ABSOLUTE_GATE_LUFS = -70.0
RELATIVE_GATE_LU = -10.0
_OFFSET_LUFS = -0.691  # makes a 997 Hz sine at full scale on one channel -3.01 LUFS
_STEP_S = Fraction(1, 10)
_STEPS_IN_BLOCK = 4
_OVERSAMPLING = 4  # Annex 2, for rates from 44.1 kHz on

# The standard prints coefficients for 48 kHz only. These are the analogue filters behind them, a high shelf and a
# high pass, so that other rates get the same curve.
_PRINTED_HZ = 48_000
_SHELF_HZ, _SHELF_DB, _SHELF_Q = 1681.974450955533, 3.999843853973347, 0.7071752369554196
_SHELF_SLOPE = 0.4996667741545416
_PASS_HZ, _PASS_Q = 38.13547087602444, 0.5003270373238773

Floats = npt.NDArray[np.float64]


def loudness_lufs(sound: Sound) -> float:
    """Return integrated loudness in LUFS; minus infinity when no block is above -70 LUFS."""
    return blocks_loudness_lufs([sound.samples], rate_hz=sound.rate_hz)


def blocks_loudness_lufs(blocks: Iterable[Samples], *, rate_hz: int) -> float:
    """Return integrated loudness of a sound that comes in blocks (`listen.iter_sound`), however long it is."""
    meter = _Meter(rate_hz)
    for block in blocks:
        meter.add(block)
    return meter.integrated()


def true_peak_dbtp(sound: Sound) -> float:
    """Return the highest level between samples too, in dB to full scale, by fourfold oversampling."""
    fine = signal.resample_poly(sound.samples.astype(np.float64), _OVERSAMPLING, 1, axis=0)
    return max(_decibels(float(np.abs(fine).max())), sample_peak_dbfs(sound))


def sample_peak_dbfs(sound: Sound) -> float:
    """Return the level of the largest sample in dB to full scale."""
    return _decibels(float(np.abs(sound.samples).max()))


def k_weighting(rate_hz: int) -> Floats:
    """Return the K filter as second-order sections for `scipy.signal.sosfilt`."""
    k = tan(pi * _SHELF_HZ / rate_hz)
    high, middle = 10 ** (_SHELF_DB / 20), 10 ** (_SHELF_DB / 20 * _SHELF_SLOPE)
    norm = 1 + k / _SHELF_Q + k * k
    store = [
        (high + middle * k / _SHELF_Q + k * k) / norm,
        2 * (k * k - high) / norm,
        (high - middle * k / _SHELF_Q + k * k) / norm,
        1.0,
        2 * (k * k - 1) / norm,
        (1 - k / _SHELF_Q + k * k) / norm,
    ]
    k = tan(pi * _PASS_HZ / rate_hz)
    norm = 1 + k / _PASS_Q + k * k
    # The standard leaves the numerator at 48 kHz as 1, -2, 1, a gain of 0.04 dB; other rates get the same gain.
    k_printed = tan(pi * _PASS_HZ / _PRINTED_HZ)
    gain = (1 + k_printed / _PASS_Q + k_printed * k_printed) / norm
    high_pass = [gain, -2 * gain, gain, 1.0, 2 * (k * k - 1) / norm, (1 - k / _PASS_Q + k * k) / norm]
    return np.array([store, high_pass])


class _Meter:
    """Holds the filter's state and the power of each 100 ms, not the sound."""

    def __init__(self, rate_hz: int) -> None:
        if rate_hz < 8000:
            raise BadInput("loudness", f"is not defined at {rate_hz} samples a second", "use 8000 Hz or more")
        self._rate_hz, self._sections = rate_hz, k_weighting(rate_hz)
        self._state: Floats | None = None
        self._rest = np.zeros(0)
        self._energies: list[float] = []  # of whole steps, summed over samples and channels
        self._lengths: list[int] = []

    def add(self, block: Samples) -> None:
        """Take in the next block."""
        table = block.reshape(len(block), -1).astype(np.float64)
        if self._state is None:
            self._state = np.zeros((len(self._sections), 2, table.shape[1]))
        weighted, self._state = signal.sosfilt(self._sections, table, axis=0, zi=self._state)
        power = np.concatenate([self._rest, (weighted**2).sum(axis=1)])
        while True:
            step = len(self._energies)
            length = sample_at((step + 1) * _STEP_S, self._rate_hz) - sample_at(step * _STEP_S, self._rate_hz)
            if len(power) < length:
                break
            self._energies.append(float(power[:length].sum()))
            self._lengths.append(length)
            power = power[length:]
        self._rest = power.copy()

    def integrated(self) -> float:
        """Return the gated loudness of all blocks in LUFS."""
        if len(self._energies) < _STEPS_IN_BLOCK:
            raise BadInput("loudness", "sound is shorter than a block of 400 ms", "measure a longer one")
        window = np.ones(_STEPS_IN_BLOCK)
        powers = np.convolve(self._energies, window, "valid") / np.convolve(self._lengths, window, "valid")
        heard = powers[powers > _power(ABSOLUTE_GATE_LUFS)]
        if not len(heard):
            return -inf
        gate = _lufs(float(heard.mean())) + RELATIVE_GATE_LU
        return _lufs(float(heard[heard > _power(gate)].mean()))


def _lufs(power: float) -> float:
    return _OFFSET_LUFS + 10 * log10(power)


def _power(lufs: float) -> float:
    return float(10 ** ((lufs - _OFFSET_LUFS) / 10))


def _decibels(level: float) -> float:
    return 20 * log10(level) if level > 0 else -inf
