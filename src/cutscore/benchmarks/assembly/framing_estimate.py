"""How two pictures of the same thing differ in their framing: how much closer, from where, by which lens.

The framing (`framing.py`) that turns the first picture into the second is fitted by least squares over grey levels
(Gauss-Newton, from several distances, coarse to fine). Light and contrast may differ. Of two pictures of which one is
much closer, that one is looked for in the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, log
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.assembly.framing import Places, Reframing, grid, map_places, sample
from cutscore.media.opencv import opencv

Grey = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.float64]

# Pixels across: first the steps from all starts, then those from the best of them.
_COARSE, _FINE = 48, 96
# Where the search begins, whatever matches best: shifts in widths, and logarithms of how many times as close.
_SHIFTS = (-0.2, -0.15, -0.1, -0.05, 0.05, 0.1, 0.15, 0.2)
_CLOSER = tuple(number / 12 for number in range(1, 12))
_TRIED = 2
_STEPS = 14
# Step of each parameter for its slope: right, down, log zoom, roll (radians), tilt, bend.
_STEP = 1e-3
# A weak belief that nothing changed, for pictures in which something cannot be seen.
_RIDGE = 2e-3
_CLOSE = 2e-4
_STUCK = 1e4  # damping at which no step helps any more
_SHARED = 0.6  # of the picture that both must show
_FLAT = 2.0  # grey levels² a pixel² that noise of encoding leaves in a flat place
_WIDEST = 192  # pixels across in which softness is looked for
# From the middle, in half widths: what counts as the middle of a picture, and what as its rim.
_INNER, _OUTER = 0.45, 0.75


@dataclass(frozen=True)
class FramingChange:
    """How the framing of a second picture differs from that of a first.

    Args:
        closer: Natural logarithm of how many times as close.
        roll: Degrees by which the camera leans more to the right.
        tilt, bend: As `Reframing` has them.
        softer: Natural logarithm of how much less fine structure the rim has, compared with the middle.
        right, down: Widths by which the camera looks further to the right or down.
        match: Correlation of the two after the change was taken out, up to 1.
    """

    closer: float = 0.0
    roll: float = 0.0
    tilt: float = 0.0
    bend: float = 0.0
    softer: float = 0.0
    right: float = 0.0
    down: float = 0.0
    match: float = 0.0


def estimate_change(one: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8]) -> FramingChange:
    """Estimate how the framing of the second RGB picture differs from that of the first; both have one aspect."""
    small = _scale(one, _COARSE), _scale(other, _COARSE)
    pairs = {False: _PicturePair(*small), True: _PicturePair(*small[::-1])}
    begins = [(pairs[way].match(pairs[way].places(begin)), begin, way) for begin, way in _starting_points()]
    best = sorted(begins, key=lambda each: each[0])[-_TRIED:]
    found = [(*_fit(pairs[way], begin), way) for _, begin, way in best]
    _, begin, swapped = max(found, key=lambda each: each[0])
    large = _scale(one, _FINE), _scale(other, _FINE)
    first, second = large[::-1] if swapped else large
    match, fit = _fit(_PicturePair(first, second), begin)
    sharp = _grey(one, min(_WIDEST, one.shape[1])), _grey(other, min(_WIDEST, one.shape[1]))
    first, second = sharp[::-1] if swapped else sharp
    softer = _softness(first, second, fit)
    sign = -1.0 if swapped else 1.0
    # Seen the other way, shifts are those of the other picture's scale.
    apart = fit[:2] * (exp(-fit[2]) if swapped else 1.0)
    return FramingChange(
        closer=sign * float(fit[2]),
        roll=sign * float(np.degrees(fit[3])),
        tilt=sign * float(fit[4]),
        bend=sign * float(fit[5]),
        softer=sign * softer,
        right=sign * float(apart[0]),
        down=sign * float(apart[1]),
        match=match,
    )


def _starting_points() -> list[tuple[Numbers, bool]]:
    """Return where the search may begin: parameters, and whether the first picture is looked for in the second."""
    nothing = np.zeros(6)
    found = [(nothing, False)]
    for number, values in ((0, _SHIFTS), (1, _SHIFTS), (2, _CLOSER)):
        for value in values:
            begin = nothing.copy()
            begin[number] = value
            found += [(begin, way) for way in ((False, True) if number == 2 else (False,))]
    return found


def _grey(pixels: npt.NDArray[np.uint8], width: int) -> Grey:
    cv2: Any = opencv()
    height = max(8, round(width * pixels.shape[0] / pixels.shape[1]))
    grey = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY)
    scaled: Grey = cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    return scaled


def _scale(pixels: npt.NDArray[np.uint8], width: int) -> Grey:
    cv2: Any = opencv()
    # A little blur widens the slopes down which the fit goes.
    smooth: Grey = cv2.GaussianBlur(_grey(pixels, width), (0, 0), 1.0)
    return smooth


def _places(fit: Numbers, across: Places, down: Places, aspect: float) -> tuple[Places, Places]:
    framing = Reframing(zoom=exp(fit[2]), roll=float(np.degrees(fit[3])), tilt=float(fit[4]), bend=float(fit[5]))
    x, y = map_places(across, down, framing, aspect=aspect)
    return x + 2 * fit[0] / framing.zoom, y + 2 * fit[1] / framing.zoom


@dataclass(frozen=True, eq=False)
class _PicturePair:
    """Two pictures of one size; the first is to be made like the second."""

    one: Grey
    other: Grey

    @property
    def aspect(self) -> float:
        """Height over width."""
        return float(self.one.shape[0] / self.one.shape[1])

    @cached_property
    def grid(self) -> tuple[Places, Places]:
        """Places of all pixels."""
        return grid(self.one.shape[1], self.one.shape[0])

    @cached_property
    def slopes(self) -> tuple[Grey, Grey]:
        """How grey rises in the first picture, across and down, for each half width."""
        down, across = np.gradient(self.one, axis=(0, 1))
        return across * (self.one.shape[1] / 2), down * (self.one.shape[1] / 2)

    def places(self, fit: Numbers) -> tuple[Places, Places]:
        """Return where in the first picture the pixels of the second lie."""
        return _places(fit, *self.grid, self.aspect)

    def match(self, places: tuple[Places, Places]) -> float:
        """Return the correlation over what both show; what is mostly elsewhere is no match."""
        seen = _inside(*places, self.aspect)
        if seen.mean() < _SHARED:
            return -1.0
        return float((_normalise(sample(self.one, *places)[seen]) * _normalise(self.other[seen])).mean())

    def step(self, fit: Numbers, at: tuple[Places, Places], damping: float) -> Numbers:
        """Return one step of Gauss and Newton, shortened by Levenberg and Marquardt."""
        seen, raw = _inside(*at, self.aspect), sample(self.one, *at)
        gap = _normalise(self.other[seen]) - _normalise(raw[seen])
        rise_x, rise_y = (sample(slope, *at)[seen] / max(1.0, float(raw[seen].std())) for slope in self.slopes)
        columns = []
        for number in range(len(fit)):
            moved = fit.copy()
            moved[number] += _STEP
            x, y = self.places(moved)
            columns.append((rise_x * (x - at[0])[seen] + rise_y * (y - at[1])[seen]) / _STEP)
        table = np.stack(columns, axis=1)
        table -= table.mean(axis=0)
        square = table.T @ table / len(table)
        ridge = np.diag(_RIDGE + damping * np.diag(square))
        # The belief in no change holds for angle and lens only: how close and where must be free.
        pull = np.array([0, 0, 0, _RIDGE, _RIDGE, _RIDGE]) * fit
        step = np.linalg.solve(square + ridge, table.T @ gap / len(table) - pull)
        return np.asarray(step, np.float64)


def _fit(pair: _PicturePair, begin: Numbers) -> tuple[float, Numbers]:
    """Return the correlation and the parameters with which the first picture looks like the second."""
    fit, damping = begin, 1e-2
    at = pair.places(fit)
    match = pair.match(at)
    for _ in range(_STEPS):
        step = pair.step(fit, at, damping)
        tried = pair.places(fit + step)
        if (better := pair.match(tried)) > match:
            fit, at, match, damping = fit + step, tried, better, damping / 4
        else:
            damping *= 8
        if np.abs(step).max() < _CLOSE or damping > _STUCK:
            break
    return match, fit


def _inside(x: Places, y: Places, aspect: float) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = (np.abs(x) <= 1) & (np.abs(y) <= aspect)
    return found


def _normalise(values: npt.NDArray[Any]) -> Numbers:
    wide = values.astype(np.float64) - values.mean()
    levelled: Numbers = wide / max(1.0, float(wide.std()))
    return levelled


def _softness(one: Grey, other: Grey, fit: Numbers) -> float:
    """Return how much less fine structure the rim of the second picture has than the first would."""
    height, width = other.shape
    across, down = grid(width, height)
    x, y = _places(fit, across, down, height / width)
    expected, seen, away = sample(one, x, y), _inside(x, y, height / width), np.hypot(across, down)

    def fine(picture: Grey, where: npt.NDArray[np.bool_]) -> float:
        rises = np.hypot(*np.gradient(picture, axis=(0, 1)))[where]
        return log(float(np.square(rises).mean()) + _FLAT) if where.any() else 0.0

    rim, middle = (away > _OUTER) & seen, (away < _INNER) & seen
    return (fine(expected, rim) - fine(other, rim)) - (fine(expected, middle) - fine(other, middle))


@dataclass(frozen=True)
class FramingDifference(FramingChange):
    """How the framing of a whole clip differs from that of another clip of the same events.

    On an average over the clip, and how it grows from the first picture to the last (`moves_…`); the match is that of
    the worst pair of pictures.
    """

    moves_closer: float = 0.0
    moves_right: float = 0.0
    moves_down: float = 0.0


def compare_framing(one: Sequence[npt.NDArray[np.uint8]], other: Sequence[npt.NDArray[np.uint8]]) -> FramingDifference:
    """Compare two clips of the same events by RGB pictures of the same moments, evenly spread from first to last."""
    changes = [estimate_change(first, second) for first, second in zip(one, other, strict=True)]

    def all_of(name: str) -> Numbers:
        return np.array([getattr(each, name) for each in changes], np.float64)

    names = ("closer", "roll", "tilt", "bend", "softer", "right", "down")
    mean = {name: float(np.mean(all_of(name))) for name in names}
    grows = {f"moves_{name}": float(all_of(name)[-1] - all_of(name)[0]) for name in ("closer", "right", "down")}
    return FramingDifference(**mean, **grows, match=float(all_of("match").min()))
