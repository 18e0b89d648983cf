"""Where a clip cuts: a sudden change of colour and light between two frames."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.core.timeline import Span
from cutscore.media.opencv import opencv
from cutscore.scoring.metrics.metric import FrameSeries, Measurement, MetricFrame, Needs, frozen_array

# The content value of a cut: the usual threshold of detectors of this kind.
CUT = 27.0
# Cuts within two frames are one cut: a flash or a short dissolve otherwise counts twice.
APART_FRAMES = 2


@dataclass(eq=False)
class Shots(FrameSeries):
    """Content value of each frame against its predecessor, and the shots between cuts as spans.

    The content value is the mean absolute difference of hue, saturation and value (8-bit HSV, hue as an angle from
    0 to 179 and its difference the short way round) over pixels and the three channels; equal frames have 0. A
    frame with at least the threshold begins a shot, and of cuts that lie within two frames the first counts.
    Hard cuts only: slow dissolves stay below the threshold. The last shot ends at the last frame's time.
    """

    threshold: float = CUT
    needs: Needs = field(default=Needs(kind="rgb", longest=256), init=False)
    _before: npt.NDArray[Any] | None = field(default=None, init=False)

    def see(self, frame: MetricFrame) -> None:
        """Measure how much changed since the frame before."""
        cv2 = opencv()
        hsv = cv2.cvtColor(frame.pixels, cv2.COLOR_RGB2HSV)
        if self._before is not None:
            self._values.append(content_value(self._before, hsv))
        self._at_s.append(frame.at_s)
        self._before = hsv

    def result(self) -> Measurement:
        """Return the changes, and the shots between cuts."""
        begins = [0, *(number + 1 for number in cuts(self._values, self.threshold))]
        ends = [*begins[1:], len(self._at_s) - 1]
        return Measurement(
            name="shots",
            definition="shots_hsv.1",
            unit="levels",
            summary=float(len(begins)) if self._at_s else None,
            pooled="number of shots",
            at_s=tuple(self._at_s[1:]),
            values=frozen_array(self._values),
            spans=tuple(
                Span(start_s=self._at_s[begin], end_s=self._at_s[end])
                for begin, end in zip(begins, ends, strict=True)
                if self._at_s
            ),
        )


def content_value(first_hsv: npt.NDArray[Any], second_hsv: npt.NDArray[Any]) -> float:
    """Return the mean absolute difference of two HSV pictures over pixels and channels; symmetric."""
    difference = opencv().absdiff(first_hsv, second_hsv)
    hue = difference[..., 0]
    total = difference.sum(dtype=np.int64) - hue.sum(dtype=np.int64) + np.minimum(hue, 180 - hue).sum(dtype=np.int64)
    return float(total / difference.size)


def cuts(values: Sequence[float], threshold: float) -> list[int]:
    """Return the numbers of the values that are cuts.

    >>> cuts([0, 40, 35, 0, 0, 50], 27)
    [1, 5]
    """
    found: list[int] = []
    latest = -1 - APART_FRAMES
    for number, value in enumerate(values):
        if value >= threshold:
            if number - latest > APART_FRAMES:
                found.append(number)
            latest = number
    return found
