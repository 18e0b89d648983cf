"""Signal-to-distortion ratio, and the one that does not mind the gain (SI-SDR, Le Roux and others, 2019)."""

from math import inf, log10

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput
from cutscore.media.alignment import alignment, overlap
from cutscore.media.sound import Sound

Floats = npt.NDArray[np.floating]
_ROUNDING = 1e-12


def si_sdr_db(reference: Floats, other: Floats) -> float:
    """Return the power of what fits the reference over the power of what does not, in dB.

    The target is the reference times the gain that fits best, s = ⟨x̂,x⟩/‖x‖² · x, and the ratio is ‖s‖² over ‖x̂ − s‖².
    Both lose their mean first. Gain does not matter, a shift does: see `aligned_si_sdr_db`.

    Args:
        reference: The clean sound, of shape (n,). A silent one has no ratio and is refused.
        other: The sound to judge, of the same shape. An exact copy gets infinity or some 150 dB and more, as
            rounding will have it; silence gets minus infinity.
    """
    if reference.ndim != 1 or reference.shape != other.shape:
        raise BadInput(
            "SI-SDR", f"sounds have shapes {reference.shape} and {other.shape}", "give two mono of one length"
        )
    clean, judged = (x - x.mean() for x in (reference.astype(np.float64), other.astype(np.float64)))
    power = float(np.dot(clean, clean))
    if power == 0:
        raise BadInput("SI-SDR", "the reference is silent", "give a sound that can be heard")
    target = float(np.dot(judged, clean)) / power * clean
    rest = judged - target
    fits, strays = float(np.dot(target, target)), float(np.dot(rest, rest))
    if fits == 0:
        return -inf
    return 10 * log10(fits / strays) if strays > 0 else inf


def sdr_db(signal: float, other: float, product: float) -> float:
    """Return the power of a sound over the power of how another differs from it, in dB; here gain does matter.

    Args:
        signal: ‖x‖², the power of the clean sound, which must not be silent.
        other: ‖x̂‖².
        product: ⟨x̂,x⟩. Sums are enough, so that sounds of any length can be compared as they stream by.
    """
    if signal <= 0:
        raise BadInput("SDR", "the reference is silent", "give a sound that can be heard")
    strays = other - 2 * product + signal
    # Below the rounding of the sums nothing is left that could be told from 0.
    return 10 * log10(signal / strays) if strays > _ROUNDING * (signal + other) else inf


def aligned_si_sdr_db(reference: Sound, other: Sound) -> float:
    """Return SI-SDR after the other sound has been moved to where it fits best, over the part that both have."""
    found = alignment(reference, other)
    return si_sdr_db(*overlap(reference.mono(), other.mono(), found.offset_samples))
