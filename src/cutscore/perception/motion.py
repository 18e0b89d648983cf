"""How one thing moves: when it rests, when it starts and stops, where its way has a sharp bend."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from cutscore.media.levels import find_runs
from cutscore.perception.report import ObjectTrack

Numbers = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

# Speeds as shares of the picture's width a second: what moves is faster than the first and not slower than the second.
_MOVES, _RESTS = 0.03, 0.012
# Seconds on either side over which a speed is measured; shortest motion and shortest rest.
_OVER_S, _MOTION_S, _REST_S = 0.1, 0.16, 0.24
# Share of the picture's width, and pixels, that a thing at rest may seem to move.
_TREMBLE, _TREMBLE_PX = 0.003, 0.6
# Looks on either side of a bend; the least change of velocity there, in widths a second and as a share of the speed.
_SIDE, _BEND, _BEND_SHARE = 4, 0.1, 0.3
# A gap between two looks of so many times the usual one is one in which a thing was hidden.
_HIDDEN = 2.5


@dataclass(frozen=True)
class Bend:
    """A sudden change of velocity: the number of the look, and velocities (pixels a second) before and after."""

    number: int
    before: tuple[float, float]
    after: tuple[float, float]


@dataclass(frozen=True, eq=False)
class MotionPath:
    """The way of a thing through the places where it could be judged.

    Args:
        at: The same as floats.
        places: Of shape (n, 2), with the camera's motion taken out.
        velocity: Of shape (n, 2), pixels a second.
        width: Of the picture; speeds are measured against it.
    """

    at_s: tuple[Fraction, ...]
    at: Numbers
    places: Numbers
    velocity: Numbers
    width: int

    @property
    def speed(self) -> Numbers:
        """Return pixels a second at each look."""
        found: Numbers = np.linalg.norm(self.velocity, axis=1)
        return found

    def motions(self) -> list[tuple[int, int]]:
        """Return first and last look of every stretch of motion, where it begins to leave and comes to its place."""
        moving = _with_hysteresis(self.speed, _MOVES * self.width, _RESTS * self.width)
        runs = _long_enough(moving, self.at, _MOTION_S, _REST_S)
        return [self._exact(first, last) for first, last in runs]

    def _exact(self, first: int, last: int) -> tuple[int, int]:
        """Find when the thing left the place where it rested, and when it came to the place where it rests."""
        tremble = max(_TREMBLE_PX, _TREMBLE * self.width)
        count = max(2, round(_REST_S / 2 / max(1e-6, float(np.median(np.diff(self.at))))))
        if first > 1:
            rest = np.median(self.places[max(0, first - 2 * count) : max(1, first - 1)], axis=0)
            away = np.linalg.norm(self.places[max(0, first - count) : last + 1] - rest, axis=1) > tremble
            first = max(0, first - count) + int(np.argmax(away)) - 1 if away.any() else first
        if last < len(self.at) - 2:
            rest = np.median(self.places[last + 2 : last + 2 + 2 * count], axis=0)
            stretch = self.places[first : last + 1 + count]
            away = np.linalg.norm(stretch - rest, axis=1) > tremble
            last = min(len(self.at) - 1, first + len(away) - int(np.argmax(away[::-1]))) if away.any() else last
        return max(0, first), last

    def bends(self) -> list[Bend]:
        """Find the looks at which velocity changes at once; gravity changes it everywhere alike and makes none."""
        count = len(self.at)
        event = np.zeros(count)
        sides: dict[int, tuple[Numbers, Numbers]] = {}
        for number in range(2, count - 2):
            around = self.at[max(0, number - _SIDE) : number + _SIDE + 1]
            if np.diff(around).max() > _HIDDEN * np.median(np.diff(self.at)):
                continue  # what happened while it was hidden, and when, cannot be told
            before = _slope(self.at, self.places, max(0, number - _SIDE), number + 1)
            after = _slope(self.at, self.places, number, min(count, number + _SIDE + 1))
            sides[number] = before, after
            event[number] = np.linalg.norm(after - before)
        found: list[Bend] = []
        for number in sorted(sides, key=lambda each: -event[each]):  # of neighbours only the sharpest
            before, after = sides[number]
            least = max(_BEND * self.width, _BEND_SHARE * max(np.linalg.norm(before), np.linalg.norm(after)))
            near = any(abs(number - each.number) <= _SIDE for each in found)
            if not near and event[number] - _beside(event, number) > least:
                found.append(Bend(number, (before[0], before[1]), (after[0], after[1])))
        return sorted(found, key=lambda each: each.number)


def motion_path(track: ObjectTrack, width: int) -> MotionPath:
    """Return the way of a thing through the looks at which it was seen whole, or all of them when that was seldom."""
    good = (
        track.whole if float(track.whole.mean()) >= 0.4 and track.whole.sum() >= 4 else np.ones(len(track.at_s), bool)
    )
    at_s = tuple(at for at, keep in zip(track.at_s, good.tolist(), strict=True) if keep)
    at, places = np.array([float(each) for each in at_s]), track.world[good].astype(np.float64)
    velocity = np.zeros_like(places)
    for number in range(len(at)):
        first, end = np.searchsorted(at, [at[number] - _OVER_S - 1e-6, at[number] + _OVER_S + 1e-6])
        if end - first >= 3:
            velocity[number] = _slope(at, places, int(first), int(end))
    return MotionPath(at_s, at, places, velocity, width)


def _beside(event: Numbers, number: int) -> float:
    """Return what velocity usually changes by around a look, the look and its neighbours left out."""
    before = event[max(0, number - 3 * _SIDE) : max(0, number - _SIDE)]
    after = event[number + _SIDE + 1 : number + 3 * _SIDE + 1]
    return float(np.median(np.concatenate([before, after]))) if len(before) + len(after) else 0.0


def _slope(at: Numbers, places: Numbers, first: int, end: int) -> Numbers:
    """Return the velocity of the straight line that fits best."""
    times = at[first:end] - at[first:end].mean()
    found: Numbers = times @ (places[first:end] - places[first:end].mean(0)) / max(1e-12, float(times @ times))
    return found


def _with_hysteresis(values: Numbers, high: float, low: float) -> Mask:
    """Return where values stay above the low mark around a place where they are above the high one."""
    above = values > low
    found = np.zeros(len(values), bool)
    for first, end in find_runs(above):
        found[first:end] = bool((values[first:end] > high).any())
    return found


def _long_enough(mask: Mask, at: Numbers, on_s: float, off_s: float) -> list[tuple[int, int]]:
    """Return first and last number of runs that last, after gaps that do not last were closed."""
    closed: list[list[int]] = []
    for first, end in find_runs(mask):
        if closed and at[first] - at[closed[-1][1]] < off_s:
            closed[-1][1] = end - 1
        else:
            closed.append([first, end - 1])
    return [(first, last) for first, last in closed if at[last] - at[first] >= on_s]
