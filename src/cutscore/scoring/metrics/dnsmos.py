"""DNSMOS: a network's guess of how people would rate speech, without the clean speech, from 1 to 5.

The measure is the `speechmos` package with its own weights, an extra. Old recordings score low however clean they are:
use differences between versions of one sound, not levels.
"""

from dataclasses import dataclass
from importlib import import_module

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput, MissingExtra

RATE_HZ = 16_000


@dataclass(frozen=True)
class Dnsmos:
    """Mean opinion scores from 1 to 5: the whole, the speech, the background, and P.808's single scale."""

    overall: float
    speech: float
    background: float
    p808: float


def dnsmos(samples: npt.NDArray[np.floating], *, rate_hz: int) -> Dnsmos:
    """Return DNSMOS of speech: mono within -1 … 1, at 16000 samples a second."""
    if rate_hz != RATE_HZ:
        raise BadInput("DNSMOS", f"sound has {rate_hz} samples a second", f"read it at {RATE_HZ}")
    if samples.ndim != 1 or not len(samples) or float(np.abs(samples).max()) > 1:
        raise BadInput("DNSMOS", "sound is not mono within -1 … 1", "read it as mono and turn it down")
    try:
        package = import_module("speechmos.dnsmos")
    except ModuleNotFoundError as error:
        raise MissingExtra.of("DNSMOS", "audio") from error
    scores = package.run(samples, sr=rate_hz)
    return Dnsmos(*(float(scores[name]) for name in ("ovrl_mos", "sig_mos", "bak_mos", "p808_mos")))
