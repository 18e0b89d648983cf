"""Sound as numbers."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput


@dataclass(frozen=True, eq=False)
class Sound:
    """Samples with their rate.

    Args:
        samples: float32 in -1 … 1, of shape (n,) for mono or (n, 2) for stereo.
        rate_hz: Samples a second.
    """

    samples: npt.NDArray[np.float32]
    rate_hz: int

    def __post_init__(self) -> None:
        shape = self.samples.shape
        if self.samples.dtype != np.float32 or not (len(shape) == 1 or (len(shape) == 2 and shape[1] == 2)):
            raise BadInput("sound", f"is {self.samples.dtype} of shape {shape}", "give float32 of shape (n,) or (n, 2)")
        if not len(self.samples):
            raise BadInput("sound", "has no samples", "give at least one, or no sound")
        if not np.isfinite(self.samples).all():
            raise BadInput("sound", "has samples that are not finite numbers")
        if self.rate_hz < 1:
            raise BadInput("sound", f"has {self.rate_hz} samples a second", "give its rate in Hz")

    @property
    def channels(self) -> int:
        return 1 if self.samples.ndim == 1 else 2
