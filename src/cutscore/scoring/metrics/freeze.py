"""Where a clip stands still although time goes on."""

from dataclasses import dataclass, field
from fractions import Fraction

from cutscore.core.timeline import Span
from cutscore.media.opencv import opencv
from cutscore.scoring.metrics.metric import (
    FrameSeries,
    Measurement,
    MetricFrame,
    Needs,
    frozen_array,
    mean_or_none,
    spans_where,
)

# Encoders never repeat a picture exactly; FFmpeg's `freezedetect` allows a mean difference of 0.001 of the range.
STILL = 0.001


@dataclass(eq=False)
class Freeze(FrameSeries):
    """Mean absolute difference of each frame to its predecessor as a share of the range, and the still spans.

    A span begins with the first of the equal frames and ends where movement begins again, or with another still:
    two stills with a cut between them are two. A drift below the threshold counts as still.

    Args:
        at_least_s: Shorter stills are not named; half a second is a held frame, less may be a duplicate.
    """

    at_least_s: Fraction = Fraction(1, 2)
    needs: Needs = field(default=Needs(kind="grey"), init=False)
    _before: MetricFrame | None = field(default=None, init=False)

    def see(self, frame: MetricFrame) -> None:
        """Compare the frame with the one before."""
        if self._before is not None:
            difference = opencv().norm(frame.pixels, self._before.pixels, opencv().NORM_L1)
            self._values.append(difference / frame.pixels.size / 255)
        self._at_s.append(frame.at_s)
        self._before = frame

    def result(self) -> Measurement:
        """Return the differences, and the stretches in which nothing moves."""
        still = [value <= STILL for value in self._values]
        # A still begins with the frame that the first equal one equals.
        before = dict(zip(self._at_s[1:], self._at_s, strict=False))
        runs = spans_where(self._at_s[1:], still, at_least_s=Fraction(0))
        spans = [Span(start_s=before[run.start_s], end_s=run.end_s) for run in runs]
        return Measurement(
            name="freeze",
            definition="frame_difference_l1.1",
            unit="share of the range",
            summary=mean_or_none(still),
            pooled="share of frames that equal their predecessor",
            at_s=tuple(self._at_s[1:]),
            values=frozen_array(self._values),
            spans=tuple(span for span in spans if span.length_s >= self.at_least_s),
        )
