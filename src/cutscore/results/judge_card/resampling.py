"""How the intervals of one card are made: all from the same number of resamples and the same seed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from cutscore.core.estimate import Estimate
from cutscore.stats.intervals import estimate
from cutscore.stats.resampling import RESAMPLES, SEED


class ResamplingOptions(TypedDict):
    """As every function of `stats` takes them."""

    resamples: int
    seed: int


@dataclass(frozen=True)
class Resampling:
    """Resamples and seed."""

    resamples: int = RESAMPLES
    seed: int = SEED

    @property
    def options(self) -> ResamplingOptions:
        """The same as keyword arguments."""
        return {"resamples": self.resamples, "seed": self.seed}

    def mean(
        self,
        values: Sequence[float],
        units: Sequence[str],
        *,
        name: str,
        scale: tuple[float, float] = (0.0, 1.0),
        unscored: int = 0,
    ) -> Estimate:
        """Return a mean over questions with its interval by cluster."""
        return estimate(values, units, name=name, scale=scale, unscored=unscored, **self.options)


DEFAULT_RESAMPLING = Resampling()
