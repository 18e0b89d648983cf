"""How light a clip is, and where it is black."""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from cutscore.scoring.metrics.metric import (
    FrameSeries,
    Measurement,
    MetricFrame,
    Needs,
    frozen_array,
    mean_or_none,
    spans_where,
)

# As FFmpeg's `blackdetect`: a pixel is black up to a tenth of the way to white, a frame when 98% of its pixels are.
BLACK_LEVEL = 0.10
BLACK_SHARE = 0.98


@dataclass(eq=False)
class Light(FrameSeries):
    """Mean luma of each frame from 0 (black) to 255 (white), whatever range and depth the file stores."""

    needs: Needs = field(default=Needs(kind="grey"), init=False)

    def see(self, frame: MetricFrame) -> None:
        """Measure how bright the frame is."""
        self._add(frame.at_s, float(frame.pixels.mean()))

    def result(self) -> Measurement:
        """Return the brightness of each frame."""
        return self._measure_mean("luma", "luma_mean.1", "of 255")


@dataclass(eq=False)
class Black(FrameSeries):
    """Share of black pixels in each frame, and black spans that last long enough: one black frame is a cut."""

    at_least_s: Fraction = Fraction(1, 10)
    needs: Needs = field(default=Needs(kind="grey"), init=False)

    def see(self, frame: MetricFrame) -> None:
        """Measure how much of the frame is black."""
        self._add(frame.at_s, np.count_nonzero(frame.pixels <= int(BLACK_LEVEL * 255)) / frame.pixels.size)

    def result(self) -> Measurement:
        """Return the shares of black, and the stretches of it."""
        black = [value >= BLACK_SHARE for value in self._values]
        return Measurement(
            name="black",
            definition="black_share.1",
            unit="share of pixels",
            summary=mean_or_none(black),
            pooled=f"share of frames with at least {BLACK_SHARE:.0%} black pixels",
            at_s=tuple(self._at_s),
            values=frozen_array(self._values),
            spans=spans_where(self._at_s, black, at_least_s=self.at_least_s),
        )
