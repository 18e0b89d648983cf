"""What a metric asks for and what it is given."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Protocol

import numpy.typing as npt

from cutscore.media.plan import FramePlan
from cutscore.scoring.metrics.measurement import Measurement

Kind = Literal["luma", "grey", "rgb"]


@dataclass(frozen=True)
class Needs:
    """Frames and form.

    Args:
        kind: `luma` is what the file stores, at its own depth and range. `grey` is luma as uint8 from 0 (black) to
            255 (white) whatever depth and range are stored. `rgb` is uint8 of shape (height, width, 3).
        size: Width and height to scale to, by area average and without regard to the aspect; None keeps the size.
        longest: Scale so that the longer side has at most this many pixels, the aspect kept. Not with `size`.
        plan: Which frames; None means every frame of the clip.
    """

    kind: Kind = "grey"
    size: tuple[int, int] | None = None
    longest: int | None = None
    plan: FramePlan | None = None


@dataclass(frozen=True, eq=False)
class Look:
    """One frame in the form that was asked for.

    Args:
        at_s: Its own presentation time, which may lie before the time that a plan names.
        pixels: Read-only.
        bits: Depth of `pixels`; above 8 only for `luma`.
    """

    at_s: Fraction
    pixels: npt.NDArray[Any]
    bits: int = 8


class Metric(Protocol):
    """Looks at one clip, frame after frame in order of time; used once."""

    @property
    def needs(self) -> Needs: ...

    def see(self, look: Look) -> None: ...

    def result(self) -> Measurement: ...


class PairMetric(Protocol):
    """Looks at a reference and a test clip side by side; used once."""

    @property
    def needs(self) -> Needs: ...

    def compare(self, reference: Look, test: Look) -> None: ...

    def result(self) -> Measurement: ...
