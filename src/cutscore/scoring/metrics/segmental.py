"""Frequency-weighted segmental signal-to-noise ratio: how near a sound is to the clean one, band by band, in dB.

    fwSNRseg = mean over frames of   Σ_j W_j · 10·log10( X_j² / (X_j − Y_j)² )  ÷  Σ_j W_j,      W_j = X_j ** 0.2

where X_j and Y_j are the magnitudes of the clean and the judged sound in band j, and each ratio is kept between −10 and
35 dB (Tribolet and others 1978; weights and bounds as in Hu and Loizou 2008, who found it to go with opinions on
quality better than most measures). Bands are a third of an octave here, from 100 Hz to 6.3 kHz, and frames in which the
clean sound is a pause do not count. It follows gain and needs aligned sounds.
"""

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput
from cutscore.scoring.metrics.stoi import resample

RATE_HZ = 16_000
LOWEST_DB, HIGHEST_DB = -10.0, 35.0
_FRAME, _HOP = 512, 256  # samples: 32 ms, half of it new
_BANDS, _LOWEST_HZ = 19, 100.0
_WEIGHT = 0.2  # exponent of a band's magnitude
_PAUSE_DB = 40.0  # frames further than this below the loudest are pauses
_TINY = np.finfo(np.float64).eps

Floats = npt.NDArray[np.float64]


def fw_seg_snr_db(clean: npt.NDArray[np.floating], heard: npt.NDArray[np.floating], *, rate_hz: int) -> float:
    """Return the measure of two aligned mono sounds, from −10 to 35 dB; both are resampled to 16 kHz.

    A clean sound that is silent or shorter than a frame of 32 ms is refused.
    """
    if clean.ndim != 1 or clean.shape != heard.shape:
        shapes = f"sounds have shapes {clean.shape} and {heard.shape}"
        raise BadInput("segmental SNR", shapes, "give two mono of one length")
    first, second = (_magnitudes(resample(each, rate_hz, RATE_HZ)) for each in (clean, heard))
    level_db = 20 * np.log10(np.linalg.norm(first, axis=1) + _TINY)
    if not len(first) or not first.any():
        raise BadInput("segmental SNR", "the clean sound is silent or shorter than a frame", "give one that is heard")
    sounding = level_db > level_db.max() - _PAUSE_DB
    first, second = first[sounding], second[sounding]
    weights = first**_WEIGHT
    ratios_db = 20 * (np.log10(first + _TINY) - np.log10(np.abs(first - second) + _TINY))
    kept = np.clip(ratios_db, LOWEST_DB, HIGHEST_DB)
    return float(((weights * kept).sum(axis=1) / weights.sum(axis=1)).mean())


def _magnitudes(samples: Floats) -> Floats:
    """Return the magnitude of each frame in each band."""
    if len(samples) < _FRAME:
        return np.zeros((0, _BANDS))
    frames = np.lib.stride_tricks.sliding_window_view(samples, _FRAME)[::_HOP] * np.hanning(_FRAME)
    power = np.abs(np.fft.rfft(frames, axis=1)) ** 2
    bins_hz = np.fft.rfftfreq(_FRAME, 1 / RATE_HZ)
    edges_hz = _LOWEST_HZ * 2 ** ((np.arange(_BANDS + 1) - 0.5) / 3)
    # A low band may be narrower than the step from bin to bin: it has the bin that lies nearest to its middle.
    first = np.searchsorted(bins_hz, edges_hz[:-1])
    end = np.maximum(np.searchsorted(bins_hz, edges_hz[1:]), first + 1)
    bands = [power[:, low:high].sum(axis=1) for low, high in zip(first, end, strict=True)]
    magnitudes: Floats = np.sqrt(np.stack(bands, axis=1))
    return magnitudes
