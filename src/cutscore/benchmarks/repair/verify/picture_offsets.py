"""By how much pictures lie later than golden's, and how much of golden's movement they show, in one pass over both.

Small pictures are compared at offsets in steps of half a frame of golden: a film at another rate shows most pictures a
little before or after they are due, and half a frame later it shows the right ones. Where several offsets fit as well
(on stills all do) the smallest whole one is given. Nothing is held but a few small pictures.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cutscore.core.timeline import Span
from cutscore.scoring.metrics.metric import Measurement, MetricFrame, Needs, frozen_array
from cutscore.scoring.metrics.one_pass import SLACK_S, one_pass

MOST_FRAMES = 2
STEPS = [Fraction(step, 2) for step in range(-2 * MOST_FRAMES, 2 * MOST_FRAMES + 1)]  # in frames

_SMALL = (64, 36)
# Encoder noise alone makes one of several equal offsets the best: a smaller one gives way only to a clear gain.
_CLEARLY = 0.9
_NOISE = 4.0  # squared levels by which encodes make one moment of a still look better than another
_ALL = 0.1  # share of pictures that count for all offsets alike
_MOVES = 1.0  # squared levels from one picture to the next: below, golden rests, and encoders do the rest
_CALM = 0.1  # share of pictures that move: up to it, golden is a still itself


@dataclass(frozen=True)
class PictureOffset:
    """How the pictures of one stretch lie against golden.

    Args:
        late_s: How much later they are shown; below 0, earlier. 0 where nothing can be compared.
        apart: Root of the mean squared difference of small pictures at this offset, of 255; None where no picture
            could be compared.
        moved: Share of golden's movement that is shown at the best offset, each picture of golden that is another than
            the one before counted alike: 0 of a still, 1 of golden. None where golden hardly moves.
    """

    late_s: Fraction = Fraction(0)
    apart: float | None = None
    moved: float | None = None


def picture_offsets(output: Path, golden: Path, spans: Sequence[Span], frame_s: Fraction) -> list[PictureOffset]:
    """Find the offset of each stretch, in golden's seconds; `frame_s` is how long golden shows a picture."""
    seen = _OffsetMetric([step * frame_s for step in STEPS], spans)
    one_pass(output, [seen], reference=golden, pairs=[seen], late_s=seen.late_s[-1])
    return [seen.offset(number) for number in range(len(spans))]


def best_step(means: npt.NDArray[np.float64]) -> int:
    """Number the one of `STEPS` with the smallest difference; one that is later in rank has to be clearly better."""
    best = STEPS.index(Fraction(0))
    # Whole frames first, the smallest first, later before earlier.
    for step in sorted(STEPS, key=lambda step: (step.denominator, abs(step), -step)):
        place = STEPS.index(step)
        best = place if means[place] < _CLEARLY * means[best] else best
    return best


class _OffsetMetric:
    """Compares each picture of golden with those that the output shows at several offsets.

    It watches the output at the latest offset, so that the others have gone by already and are still held. Pictures of
    golden without a partner at one of the offsets are left out for all of them.

    Each picture votes against each offset by how much worse it is there than at its best, from 0 to 1. So a few that
    are black do not outvote those that move: by their sheer difference they would draw the offset to where fewer of
    them are compared.
    """

    needs = Needs(kind="grey", size=_SMALL)

    def __init__(self, late_s: Sequence[Fraction], spans: Sequence[Span]) -> None:
        self.late_s, self.spans = late_s, spans
        self._held: deque[MetricFrame] = deque()
        self._before: tuple[MetricFrame, Sequence[MetricFrame]] | None = None
        self._sums, self._votes, self._followed = np.zeros((3, len(spans), len(late_s)))
        self._moves, self._counts = np.zeros((2, len(spans)), np.int64)

    def see(self, frame: MetricFrame) -> None:
        """Hold a picture of the output."""
        self._held.append(frame)

    def compare(self, reference: MetricFrame, test: MetricFrame) -> None:
        """Compare a picture of golden with those that the output shows at each offset."""
        moments = [reference.at_s + late_s + SLACK_S for late_s in self.late_s]
        while len(self._held) > 1 and self._held[1].at_s <= moments[0]:
            self._held.popleft()
        inside = [number for number, span in enumerate(self.spans) if span.holds(reference.at_s)]
        if not inside or self._held[0].at_s > moments[0]:
            return
        shown = [next(frame for frame in reversed(self._held) if frame.at_s <= moment_s) for moment_s in moments]
        errors = {frame.at_s: _squared_error(reference, frame) for frame in dict.fromkeys(shown)}
        row = [errors[frame.at_s] for frame in shown]
        self._follow(reference, shown)
        worse = np.array(row) - min(row)
        self._sums[inside] += row
        self._votes[inside] += worse / (worse.max() + _NOISE)
        self._counts[inside] += 1

    def _follow(self, reference: MetricFrame, shown: Sequence[MetricFrame]) -> None:
        """Add up how much of golden's change since its last picture the output shows at each offset.

        Near the ends of a span some offsets lead out of it, to where others may be moving: these pictures are left out.
        """
        before, self._before = self._before, (reference, shown)
        if before is None:
            return
        ends_s = (before[0].at_s + self.late_s[0], reference.at_s + self.late_s[-1])
        both = [number for number, span in enumerate(self.spans) if all(map(span.holds, ends_s))]
        change = _difference(before[0], reference)
        if (much := float(np.mean(change * change))) < _MOVES:
            return
        along = [float(np.mean(_difference(*pair) * change)) for pair in zip(before[1], shown, strict=True)]
        self._followed[both] += np.clip(np.array(along) / much, 0, 1)
        self._moves[both] += 1

    def offset(self, number: int) -> PictureOffset:
        """Return how the pictures of a span lie against golden."""
        count, moves = self._counts[number], self._moves[number]
        if not count:
            return PictureOffset()
        # A constant is added to the mean vote, so that no ratio is one of mere noise.
        best = best_step(_ALL + self._votes[number] / count)
        apart = float(self._sums[number, best] / count) ** 0.5
        moved = float(self._followed[number].max() / moves) if moves > max(1, _CALM * count) else None
        return PictureOffset(self.late_s[best], apart, moved)

    def result(self) -> Measurement:
        """Return an empty measurement: the offsets are the result."""
        return Measurement("offset", "offset_msd.1", "", None, "", (), frozen_array(()))


def _difference(before: MetricFrame, after: MetricFrame) -> npt.NDArray[np.float32]:
    """Return what is different in the later of two small pictures."""
    change: npt.NDArray[np.float32] = after.pixels.astype(np.float32) - before.pixels
    return change


def _squared_error(one: MetricFrame, other: MetricFrame) -> float:
    """Return the mean squared difference of two small pictures."""
    apart = _difference(one, other)
    return float(np.mean(apart * apart))
