"""The contract of a metric: the frames that it needs, what it is given, and the measurement that it returns.

A metric never opens a file. It says what it needs (`Needs`), `one_pass` hands it frames in that form, and it returns a
`Measurement`: a number for each frame, one for the clip, and the places that caused them.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from cutscore.core.timeline import Span
from cutscore.media.plan import FramePlan

Values = npt.NDArray[np.float64]
PixelForm = Literal["luma", "grey", "rgb", "grey_of_rgb", "thumbnail"]


@dataclass(frozen=True)
class Needs:
    """Frames and form.

    Args:
        kind: `luma` is what the file stores, at its own depth and range. `grey` is luma as uint8 from 0 (black) to
            255 (white) whatever depth and range are stored. `rgb` is uint8 of shape (height, width, 3), `grey_of_rgb`
            its weighted sum as OpenCV takes it, before any scaling. `thumbnail` is `rgb` in small, cheap and not exact:
            for what people look at, never for a score.
        size: Width and height to scale to, by area average and without regard to the aspect; None keeps the size.
        longest: Scale so that the longer side has at most this many pixels, the aspect kept. Not with `size`.
        plan: Which frames; None means every frame of the clip.
    """

    kind: PixelForm = "grey"
    size: tuple[int, int] | None = None
    longest: int | None = None
    plan: FramePlan | None = None


@dataclass(frozen=True, eq=False)
class MetricFrame:
    """One frame in the form that was asked for.

    Args:
        at_s: Its own presentation time, which may lie before the time that a plan names.
        pixels: Read-only.
        bits: Depth of `pixels`; above 8 only for `luma`.
    """

    at_s: Fraction
    pixels: npt.NDArray[Any]
    bits: int = 8


@dataclass(frozen=True, eq=False)
class Measurement:
    """One metric's result on one clip or pair.

    Args:
        definition: Which of the definitions that go by this name: id and version. Numbers with different ids are
            never compared.
        summary: The clip's number; None where no frame gave a value.
        pooled: How `summary` comes from `values`, in words.
        values: One for each time, float64, read-only. May hold infinities where the definition has them.
        spans: Stretches of time that the metric names (frozen, black …); each ends where the first frame that no
            longer belongs to it begins, and the last one with the last frame's time if it reaches the end.
    """

    name: str
    definition: str
    unit: str
    summary: float | None
    pooled: str
    at_s: tuple[Fraction, ...]
    values: Values
    spans: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        if len(self.at_s) != len(self.values):
            raise ValueError(f"{self.name} has {len(self.values)} values at {len(self.at_s)} times")


@dataclass(eq=False)
class FrameSeries:
    """A number for each frame, as it comes in: what most metrics keep."""

    _at_s: list[Fraction] = field(default_factory=list, init=False)
    # Eight bytes a number: a list of floats takes four times as much of an hour.
    _values: "array[float]" = field(default_factory=lambda: array("d"), init=False)

    def _add(self, at_s: Fraction, value: float) -> None:
        self._at_s.append(at_s)
        self._values.append(value)

    def _measure_mean(
        self, name: str, definition: str, unit: str = "", *, pooled: str = "mean over frames"
    ) -> Measurement:
        mean = mean_or_none(self._values)
        return Measurement(name, definition, unit, mean, pooled, tuple(self._at_s), frozen_array(self._values))


class AnyMetric(Protocol):
    """What every metric has. It is used once."""

    @property
    def needs(self) -> Needs:
        """Which frames, in which form."""

    def result(self) -> Measurement:
        """Return what was measured, after the last frame."""


class Metric(AnyMetric, Protocol):
    """Looks at one clip, frame after frame in order of time."""

    def see(self, frame: MetricFrame) -> None:
        """Take in the next frame."""


class PairMetric(AnyMetric, Protocol):
    """Looks at a reference and a test clip side by side."""

    def compare(self, reference: MetricFrame, test: MetricFrame) -> None:
        """Take in the next pair of frames."""


def frozen_array(values: Iterable[float]) -> Values:
    """Return the values as an array that nobody changes any more."""
    numbers = np.fromiter(values, np.float64)
    numbers.flags.writeable = False
    return numbers


def mean_or_none(values: Sequence[float]) -> float | None:
    """Return the mean, or None where there is nothing to take it of."""
    return float(np.mean(values)) if len(values) else None


def spans_where(at_s: Sequence[Fraction], flags: Sequence[bool], *, at_least_s: Fraction) -> tuple[Span, ...]:
    """Join neighbouring frames that are flagged to spans, and keep those that last long enough.

    A span ends at the time of the first frame without the flag; one that reaches the end of the clip ends at its
    last frame's time, because a metric is not told how long that frame is shown.
    """
    found, start = [], None
    for time_s, flag in zip(at_s, flags, strict=True):
        if flag and start is None:
            start = time_s
        elif not flag and start is not None:
            found.append(Span(start_s=start, end_s=time_s))
            start = None
    if start is not None:
        found.append(Span(start_s=start, end_s=at_s[-1]))
    return tuple(span for span in found if span.length_s >= at_least_s)
