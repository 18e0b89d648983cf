"""Points followed from frame to frame, checked by following them back; they start anew at every cut."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.media.opencv import opencv
from cutscore.perception.points import Points, find_corners, track_points
from cutscore.scoring.metrics.metric import FrameSeries, Measurement, MetricFrame, Needs
from cutscore.scoring.metrics.shots import CUT, content_value

LONGEST = 480  # pixels of the pictures that are tracked on
# When fewer than half are left, new points join; the old ones go on.
_REFILL = 0.5


@dataclass(frozen=True, eq=False)
class Track:
    """One point's way over two frames or more: x and y as shares of the picture's longer side, float32 (times, 2)."""

    at_s: tuple[Fraction, ...]
    points: Points


@dataclass(eq=False)
class Tracks(FrameSeries):
    """Lucas–Kanade tracks; the values are the shares of points that survive each step within a shot.

    The tracks themselves are `tracks` after `result`, in the order in which they began. They take about 200 bytes a
    point and frame at worst, so a source of hours wants a plan such as `every@60-70`.
    """

    points: int = 200
    needs: Needs = field(default=Needs(kind="rgb", longest=LONGEST), init=False)
    tracks: tuple[Track, ...] = field(default=(), init=False)
    _done: list[Track] = field(default_factory=list, init=False)
    _alive: list[tuple[list[Fraction], list[Points]]] = field(default_factory=list, init=False)
    _before: tuple[npt.NDArray[Any], npt.NDArray[Any]] | None = field(default=None, init=False)
    _side: int = field(default=1, init=False)

    def see(self, frame: MetricFrame) -> None:
        """Follow the points into the frame."""
        cv2 = opencv()
        grey, hsv = cv2.cvtColor(frame.pixels, cv2.COLOR_RGB2GRAY), cv2.cvtColor(frame.pixels, cv2.COLOR_RGB2HSV)
        self._side = max(grey.shape)
        if self._before is not None:
            if content_value(self._before[1], hsv) >= CUT:
                self._end(range(len(self._alive)))
            elif self._alive:
                self._step(self._before[0], grey, frame.at_s)
        if len(self._alive) <= _REFILL * self.points:
            living = np.array([points[-1] for _, points in self._alive], np.float32).reshape(-1, 2)
            for point in find_corners(grey, self.points - len(living), avoid=living):
                self._alive.append(([frame.at_s], [point]))
        self._before = grey, hsv

    def result(self) -> Measurement:
        """Return the tracks of all points."""
        self._end(range(len(self._alive)))
        self.tracks = tuple(sorted(self._done, key=lambda track: track.at_s[0]))
        return self._measure_mean(
            "tracks", f"lk_survival_{LONGEST}.1", "share of points", pooled="mean over steps within a shot"
        )

    def _step(self, before: npt.NDArray[Any], grey: npt.NDArray[Any], at_s: Fraction) -> None:
        start = np.array([points[-1] for _, points in self._alive], np.float32)
        end, kept = track_points(before, grey, start)
        self._add(at_s, float(kept.mean()))
        for (times, points), point, alive in zip(self._alive, end, kept, strict=True):
            if alive:
                times.append(at_s)
                points.append(point)
        self._end(np.flatnonzero(~kept).tolist())

    def _end(self, numbers: Any) -> None:
        over = set(numbers)
        for number in sorted(over):
            times, points = self._alive[number]
            if len(times) > 1:
                self._done.append(Track(tuple(times), np.array(points, np.float32) / np.float32(self._side)))
        self._alive = [track for number, track in enumerate(self._alive) if number not in over]
