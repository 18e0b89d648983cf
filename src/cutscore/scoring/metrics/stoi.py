"""Short-time objective intelligibility: how much of speech would be understood, from about 0 to 1.

STOI as in Taal and others (2011), ESTOI as in Jensen and Taal (2016). Both are correlations with the clean speech of
the same clip, in third-octave bands over 384 ms; both fall apart when the sounds are shifted against each other, so
align first (`media.alignment`).
"""

import numpy as np
import numpy.typing as npt
from scipy import signal

from cutscore.core.errors import BadInput

RATE_HZ = 10_000
_FRAME, _HOP, _FFT = 256, 128, 512  # samples
_BANDS, _LOWEST_HZ = 15, 150.0
_SEGMENT = 30  # frames: 384 ms
_FLOOR_DB = 40.0  # frames further than this below the loudest are pauses
_CLIP_DB = -15.0  # lower bound of the signal-to-distortion ratio of one cell
# A periodic Hann window would begin with 0; this one spends no sample on it, as the authors' code.
_WINDOW = np.hanning(_FRAME + 2)[1:-1]
_TINY = np.finfo(np.float64).eps

Floats = npt.NDArray[np.float64]


def stoi(clean: npt.NDArray[np.floating], heard: npt.NDArray[np.floating], *, rate_hz: int) -> float:
    """Return STOI: the mean correlation of band envelopes, after clipping cells that are far too loud.

    Both sounds are mono, aligned and of one length; they are resampled to 10 kHz.
    """
    first, second = _segments(clean, heard, rate_hz, "STOI")
    gain = np.linalg.norm(first, axis=2, keepdims=True) / (np.linalg.norm(second, axis=2, keepdims=True) + _TINY)
    second = np.minimum(second * gain, first * (1 + 10 ** (-_CLIP_DB / 20)))
    cells = _unit(first, axis=2) * _unit(second, axis=2)
    return float(cells.sum(axis=2).mean())


def estoi(clean: npt.NDArray[np.floating], heard: npt.NDArray[np.floating], *, rate_hz: int) -> float:
    """Return extended STOI, which also follows noise that comes and goes: spectra are compared, not bands alone."""
    first, second = (_unit(_unit(part, axis=2), axis=0) for part in _segments(clean, heard, rate_hz, "ESTOI"))
    return float((first * second).sum(axis=(0, 2)).mean() / _SEGMENT)


def _segments(
    clean: npt.NDArray[np.floating], heard: npt.NDArray[np.floating], rate_hz: int, name: str
) -> tuple[Floats, Floats]:
    """Return band envelopes of shape (bands, segments, frames): every run of 30 frames without pauses."""
    if clean.ndim != 1 or clean.shape != heard.shape:
        raise BadInput(name, f"sounds have shapes {clean.shape} and {heard.shape}", "give two mono of one length")
    pair = _without_pauses(resample(clean, rate_hz, RATE_HZ), resample(heard, rate_hz, RATE_HZ))
    first, second = (_envelopes(part) for part in pair)
    if first.shape[1] < _SEGMENT:
        fact = f"has {first.shape[1]} frames of speech, fewer than {_SEGMENT}"
        raise BadInput(name, fact, "give at least half a second of it")
    window = np.lib.stride_tricks.sliding_window_view
    return window(first, _SEGMENT, axis=1), window(second, _SEGMENT, axis=1)


def resample(samples: npt.NDArray[np.floating], rate_hz: int, to_hz: int) -> Floats:
    """Return the sound at another rate, in double precision; at its own rate it stays as it is."""
    exact: Floats = samples.astype(np.float64)
    return exact if rate_hz == to_hz else signal.resample_poly(exact, to_hz, rate_hz)


def _without_pauses(clean: Floats, heard: Floats) -> tuple[Floats, Floats]:
    """Take the frames out of both in which the clean speech is silent, and join the rest by overlap and add."""
    first, second = _frames(clean), _frames(heard)
    if not len(first):
        return clean[:0], heard[:0]
    level_db = 20 * np.log10(np.linalg.norm(first, axis=1) + _TINY)
    speech = level_db > level_db.max() - _FLOOR_DB
    return _joined(first[speech]), _joined(second[speech])


def _frames(samples: Floats) -> Floats:
    if len(samples) < _FRAME:
        return np.zeros((0, _FRAME))
    return np.lib.stride_tricks.sliding_window_view(samples, _FRAME)[::_HOP] * _WINDOW


def _joined(frames: Floats) -> Floats:
    halves = frames.reshape(len(frames), 2, _HOP)
    joined = np.zeros((len(frames) + 1, _HOP))
    joined[:-1] += halves[:, 0]
    joined[1:] += halves[:, 1]
    return joined.reshape(-1)


def _envelopes(samples: Floats) -> Floats:
    power = np.abs(np.fft.rfft(_frames(samples), _FFT, axis=1)) ** 2
    envelopes: Floats = np.sqrt(_third_octaves() @ power.T)
    return envelopes


def _third_octaves() -> Floats:
    """Return the matrix that adds bins to bands; band edges lie on the nearest bin."""
    bins_hz = np.arange(_FFT // 2 + 1) * RATE_HZ / _FFT
    matrix = np.zeros((_BANDS, len(bins_hz)))
    for band in range(_BANDS):
        low, high = (int(np.argmin(np.abs(bins_hz - _LOWEST_HZ * 2 ** ((2 * band + s) / 6)))) for s in (-1, 1))
        matrix[band, low:high] = 1
    return matrix


def _unit(values: Floats, *, axis: int) -> Floats:
    """Take the mean away and make the rest of length 1."""
    centred = values - values.mean(axis=axis, keepdims=True)
    unit: Floats = centred / (np.linalg.norm(centred, axis=axis, keepdims=True) + _TINY)
    return unit
