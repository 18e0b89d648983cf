"""Black bars at the borders, and how much of the picture is left between them."""

from dataclasses import astuple, dataclass, field
from fractions import Fraction
from itertools import takewhile
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.scoring.metrics.metric import FrameSeries, Measurement, MetricFrame, Needs, frozen_array, spans_where

# Compression rings into the bars, so a row may have a few lighter pixels and a mean a little above black.
BAR_MEAN = 12.0  # grey levels of 255
BAR_LIGHTEST = 48  # of all but one in a hundred pixels of the row
BAR_SHARE = 0.02  # of a side; thinner ones are scaling borders


@dataclass(frozen=True)
class Bars:
    """Widths of black bars in pixels; all 0 when there are none, and for a frame that is black all over."""

    top: int
    bottom: int
    left: int
    right: int


@dataclass(eq=False)
class Letterbox(FrameSeries):
    """Share of each frame that lies in bars at its borders, and the spans with bars.

    A dark scene is not a bar: bars count when they face each other (top and bottom, or left and right), each at
    least 2% of the side. The bars of the whole clip, the smallest over all frames that are not black, are
    `bars`, known after the last frame: what a fade or a night scene adds does not count.
    Strong compression smears a bar's edge over its block, which takes up to 8 pixels from it.
    """

    at_least_s: Fraction = Fraction(1, 2)
    needs: Needs = field(default=Needs(kind="grey"), init=False)
    bars: Bars | None = field(default=None, init=False)

    def see(self, frame: MetricFrame) -> None:
        """Look for bars around the picture."""
        found = bars_of(frame.pixels)
        if found is None:  # a black frame says nothing about bars: it goes with the frames around it
            self._add(frame.at_s, self._values[-1] if self._values else 0.0)
        else:
            self.bars = Bars(*map(min, astuple(self.bars or found), astuple(found)))
            self._add(frame.at_s, _share(found, frame.pixels.shape))

    def result(self) -> Measurement:
        """Return the share of bars, and remember them for the whole clip."""
        return Measurement(
            name="letterbox",
            definition="letterbox_share.1",
            unit="share of pixels",
            summary=min(self._values, default=None),
            pooled="smallest over frames",
            at_s=tuple(self._at_s),
            values=frozen_array(self._values),
            spans=spans_where(self._at_s, [value > 0 for value in self._values], at_least_s=self.at_least_s),
        )


def bars_of(grey: npt.NDArray[Any]) -> Bars | None:
    """Find the bars of one frame; None when all of it is black."""
    top, bottom = _ends(grey)
    if top == grey.shape[0]:
        return None
    left, right = _ends(grey[top : grey.shape[0] - bottom].T)
    height, width = grey.shape
    if min(top, bottom) < BAR_SHARE * height:
        top = bottom = 0
    if min(left, right) < BAR_SHARE * width:
        left = right = 0
    return Bars(top, bottom, left, right)


def _ends(lines: npt.NDArray[Any]) -> tuple[int, int]:
    """Count the black lines at the start and at the end; all of them twice when there is nothing else."""
    start, end = (sum(1 for _ in takewhile(_is_black, order)) for order in (lines, lines[::-1]))
    return start, end


def _is_black(line: npt.NDArray[Any]) -> bool:
    return bool(line.mean() <= BAR_MEAN and np.count_nonzero(line > BAR_LIGHTEST) * 100 <= line.size)


def _share(bars: Bars, shape: tuple[int, ...]) -> float:
    height, width = shape[:2]
    return 1 - (height - bars.top - bars.bottom) * (width - bars.left - bars.right) / (height * width)
