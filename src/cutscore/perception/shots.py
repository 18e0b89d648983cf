"""Where one shot ends and the next begins, told apart from flashes and from a change of light.

A cut changes most of the picture at once and for good: a flash goes back within a few pictures, and when only the light
changes the edges stay where they are. In a dissolve each picture lies on the straight line between the two that it
leads from and to. Cuts between pictures that look alike from afar (the same background, other small things) are
not found.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from cutscore.core.timeline import Span
from cutscore.media.opencv import opencv
from cutscore.perception.colours import Lab, rgb_to_lab
from cutscore.perception.report import DetectedShot, Transition

PictureClass = Literal["goes on", "cut", "flash", "light"]

# Pictures are compared at this size, so that motion and noise within a cell do not count.
_THUMB = (48, 27)
# Mean ΔE of a cut, share of the picture that changes by more than _CHANGED, and how much more that is than just before.
# (which is at least _QUIET: no clip is quite still).
CUT, _SHARE, _CHANGED, _SUDDEN, _QUIET = 4.0, 0.4, 6.0, 3.0, 0.3
# A picture that is this near to the one before the change, relative to the change, has gone back to it.
_BACK = 0.4
# Correlation of edges above which two pictures show the same place; and the least edge that has a place.
_SAME_EDGES, _EDGES = 0.75, 0.4
# Pictures ahead that a flash may last.
LAG = 4
# A dissolve takes at least and at most so many seconds and at least so many pictures; each lies at most this far off
# the straight line, relative to the change in all.
_SHORTEST_S, _LONGEST_S, _FEWEST = 0.2, 2.5, 5
_OFF_LINE = 0.2
_DISSOLVE_CONFIDENCE = 0.7


@dataclass(frozen=True, eq=False)
class TimedPicture:
    """A picture with its time, its pixels scaled down."""

    at_s: Fraction
    pixels: npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class ClassifiedPicture:
    """A picture, its thumbnail as it is compared, what it is to the one before, and how clearly: 0 to 1."""

    source: TimedPicture
    picture: Lab
    verdict: PictureClass
    confidence: float


@dataclass(eq=False)
class CutDetector:
    """Classifies pictures one by one, a few pictures late, since a flash shows only when it is over."""

    _waiting: deque[tuple[TimedPicture, Lab]] = field(default_factory=deque)
    _before: Lab | None = None
    _usual: deque[float] = field(default_factory=lambda: deque(maxlen=6))
    _flash_left: int = 0

    def see(self, source: TimedPicture) -> Iterator[ClassifiedPicture]:
        """Take one picture and yield the classified ones of a few pictures ago."""
        self._waiting.append((source, lab_thumbnail(source.pixels)))
        if len(self._waiting) > LAG:
            yield self._judge()

    def rest(self) -> Iterator[ClassifiedPicture]:
        """Yield the pictures that still wait, when no more come."""
        while self._waiting:
            yield self._judge()

    def _judge(self) -> ClassifiedPicture:
        source, picture = self._waiting.popleft()
        before = self._before
        if before is None:
            self._before = picture
            return ClassifiedPicture(source, picture, "goes on", 1.0)
        if self._flash_left:
            self._flash_left -= 1
            return ClassifiedPicture(source, picture, "flash", 1.0)
        verdict, confidence = self._verdict(before, picture, [later for _, later in self._waiting])
        if verdict != "flash":
            self._before = picture
        return ClassifiedPicture(source, picture, verdict, confidence)

    def _verdict(self, before: Lab, picture: Lab, ahead: Sequence[Lab]) -> tuple[PictureClass, float]:
        change = delta_e(before, picture)
        mean = float(change.mean())
        usual = max(float(np.median(self._usual)) if self._usual else 0.0, _QUIET)
        self._usual.append(mean)
        if mean < max(CUT, _SUDDEN * usual) or float((change > _CHANGED).mean()) < _SHARE:
            return "goes on", 1.0
        back = [number for number, later in enumerate(ahead) if float(delta_e(before, later).mean()) < _BACK * mean]
        if back:
            self._flash_left = back[0]
            return "flash", 1.0
        # What goes on changing as fast is motion that has just begun, not a cut.
        after = [float(delta_e(one, other).mean()) for one, other in pairwise([picture, *ahead])]
        if len(after) > 1 and mean < _SUDDEN * float(np.median(after)):
            return "goes on", 1.0
        if same_place(before, picture):
            return "light", 0.5
        return "cut", round(min(1.0, 0.5 + mean / (4 * CUT)), 3)


@dataclass(eq=False)
class DissolveDetector:
    """Finds dissolves in a stream of pictures without cuts; `found` holds them in order of time."""

    found: list[Span] = field(default_factory=list)
    _seen: deque[tuple[Fraction, Lab]] = field(default_factory=deque)

    def see(self, judged: ClassifiedPicture) -> None:
        """Take one classified picture; pictures come in order of time."""
        if judged.verdict == "cut":
            self._seen.clear()
        if judged.verdict == "flash":
            return
        self._seen.append((judged.source.at_s, judged.picture))
        while self._seen[-1][0] - self._seen[0][0] > _LONGEST_S:
            self._seen.popleft()
        self._look_back()

    def _look_back(self) -> None:
        """Decide when the change has come to rest: the last step is small, what lies before it was large."""
        if len(self._seen) < _FEWEST + 2:
            return
        (_, one), (_, other) = islice(reversed(self._seen), 2)
        times = [at_s for at_s, _ in self._seen]
        first, last = self._seen[0][1], one
        if float(delta_e(one, other).mean()) > 0.5 or float(delta_e(first, last).mean()) < CUT:
            return
        way = last - first
        length = float((way * way).sum())
        places = [float(((picture - first) * way).sum()) / length for _, picture in self._seen]
        inside = [number for number, place in enumerate(places) if 0.03 < place < 0.97]
        if len(inside) < _FEWEST or inside[-1] - inside[0] + 1 != len(inside):
            return
        start, end = max(0, inside[0] - 1), min(len(times) - 1, inside[-1] + 1)
        if times[end] - times[start] < _SHORTEST_S or not self._straight(start, end):
            return
        self.found.append(Span(start_s=times[start], end_s=times[end]))
        self._seen.clear()

    def _straight(self, start: int, end: int) -> bool:
        pictures = [picture for _, picture in islice(self._seen, start, end + 1)]
        first, last = pictures[0], pictures[-1]
        change = delta_e(first, last)
        if float((change > _CHANGED).mean()) < _SHARE or same_place(first, last):
            return False
        steps = range(1, len(pictures) - 1)
        for number in steps:
            share = number / (len(pictures) - 1)
            off = float(delta_e(pictures[number], first + share * (last - first)).mean())
            if off > _OFF_LINE * float(change.mean()):
                return False
        return True


def lab_thumbnail(pixels: npt.NDArray[np.uint8]) -> Lab:
    """Return a picture at the size at which pictures are compared, as L*, a*, b*."""
    cv2 = opencv()
    return rgb_to_lab(cv2.resize(pixels, _THUMB, interpolation=cv2.INTER_AREA))


def delta_e(first: Lab, second: Lab) -> npt.NDArray[np.float32]:
    """Return ΔE pixel by pixel."""
    found: npt.NDArray[np.float32] = np.linalg.norm(first - second, axis=2)
    return found


def same_place(first: Lab, second: Lab) -> bool:
    """Return whether the edges of two pictures lie alike, whatever their light; without edges one cannot say so."""
    one, other = _edges(first), _edges(second)
    if min(one.std(), other.std()) < _EDGES:
        return False
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1]) > _SAME_EDGES


def _edges(picture: Lab) -> npt.NDArray[np.float32]:
    light = picture[..., 0]
    across, down = np.diff(light, axis=1)[:-1], np.diff(light, axis=0)[:, :-1]
    return np.hypot(across, down)


def build_shots(
    span: Span, cuts: Sequence[tuple[Fraction, float]], dissolves: Sequence[Span]
) -> tuple[DetectedShot, ...]:
    """Put boundaries together to shots without gaps.

    A cut is the time of the first picture after it, with its confidence; the middle of a dissolve is the boundary.
    """
    bounds: list[tuple[Fraction, Transition, float]] = [(at_s, "cut", confidence) for at_s, confidence in cuts]
    bounds += [((each.start_s + each.end_s) / 2, "dissolve", _DISSOLVE_CONFIDENCE) for each in dissolves]
    starts: list[tuple[Fraction, Transition, float]] = [(span.start_s, "start", 1.0), *sorted(bounds)]
    ends = [at_s for at_s, _, _ in starts[1:]] + [span.end_s]
    return tuple(
        DetectedShot(Span(start_s=at_s, end_s=end), begins, confidence)
        for (at_s, begins, confidence), end in zip(starts, ends, strict=True)
    )
