"""PESQ, ITU-T P.862.2 (wide band): speech quality against the clean speech, from about 1.0 to 4.64.

The measure is the `pesq` package, an extra. It aligns the sounds itself.
"""

from importlib import import_module

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput, MissingExtra, Unscored

RATE_HZ = 16_000


def pesq_wb(clean: npt.NDArray[np.floating], heard: npt.NDArray[np.floating], *, rate_hz: int) -> float:
    """Return wide-band PESQ as MOS-LQO, of mono sounds at 16000 samples a second; they may differ in length."""
    if rate_hz != RATE_HZ:
        raise BadInput("PESQ", f"sounds have {rate_hz} samples a second", f"read them at {RATE_HZ}")
    try:
        package = import_module("pesq")
    except ModuleNotFoundError as error:
        raise MissingExtra.of("PESQ", "audio") from error
    try:
        return float(package.pesq(rate_hz, clean, heard, "wb"))
    except package.PesqError as error:
        raise Unscored("PESQ", f"could not be computed: {error}") from error
