"""Find a known sound in another one, by correlation: loudness and encoders do not change it."""

import numpy as np
import numpy.typing as npt

from cutscore.media.sound import Samples

LIKE = 0.55  # correlation from which the sound is heard
APART_S = 0.4  # between two of the same sound; what fits less well within it is its echo


def find_sound(heard: Samples, effect: Samples, rate_hz: int) -> list[float]:
    """Return when an effect begins in a sound, in seconds; both are mono and have one rate."""
    from scipy.signal import correlate, find_peaks  # costs a second to load

    if len(heard) < len(effect):
        return []
    power = np.convolve(heard.astype(np.float64) ** 2, np.ones(len(effect)), "valid") * float((effect**2).sum())
    fits: npt.NDArray[np.float64] = np.abs(correlate(heard, effect, "valid", method="fft"))
    fits = fits / np.maximum(np.sqrt(np.maximum(power, 1e-6)), 1e-3)
    peaks, _ = find_peaks(np.pad(fits, (1, 0)), height=LIKE, distance=round(APART_S * rate_hz))
    return [float(peak) / rate_hz for peak in peaks]
