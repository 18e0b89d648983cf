"""Looking at a delivered film: its pictures in one size, things found by their colour, and what moves.

Places are in units of the stage, 1600 wide and 900 high, whatever the size of the film. A thing that is not found has
no place (nan): what cannot be seen is never taken for right.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.clvg.staged.films import HEIGHT, WIDTH
from cutscore.core.judgement import Weakness
from cutscore.core.timeline import Span
from cutscore.media import deliverable as door
from cutscore.media.orientation import Pixels
from cutscore.media.plan import FramePlan
from cutscore.perception.colours import lab_of, rgb_to_lab
from cutscore.stage.palette import RGB, Colour
from cutscore.stage.things import STAGE_WIDTH

PLAN = FramePlan.parse("fps=10,max=120")
UNIT = STAGE_WIDTH / WIDTH  # units a pixel
# Distance in Lab, lightness at half, up to which a pixel has a colour; shading and coarse encoders stay below it.
ALIKE = 26.0
LIGHTNESS = 0.5
KEPT, DROPPED = 5, 3  # bits of a channel by which a pixel's colour is looked up
STEPS = 5  # times that something new has to be seen; fewer are a show of slides
FEWEST = 12  # pixels of something that is seen
CHANGED, MOVED = 30, 0.001  # levels by which a pixel has changed, and the share of them from which something moves

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WatchedFilm:
    """Ten pictures a second of a film, in the size of the stage, and when each is shown."""

    pictures: tuple[Pixels, ...]
    at_s: tuple[Fraction, ...]

    @property
    def times(self) -> Numbers:
        """Seconds as plain numbers, for fits."""
        return np.array([float(each) for each in self.at_s])

    def weakness(self, code: str, text: str, number: int | None = None) -> Weakness:
        """Return a weakness that is seen in the picture with this number; in the whole film without one."""
        if number is None:
            return Weakness(code=code, text=text, at=Span(start_s=self.at_s[0], end_s=self.at_s[-1]))
        at_s = self.at_s[number]
        end_s = self.at_s[number + 1] if number + 1 < len(self.at_s) else at_s
        return Weakness(code=code, text=text, at=Span(start_s=at_s, end_s=end_s))


@dataclass(frozen=True, eq=False)
class ColourTrack:
    """Where the largest patch of a colour is in each picture: its middle, box and area, in units; nan unseen."""

    x: Numbers
    y: Numbers
    width: Numbers
    height: Numbers
    area: Numbers

    @property
    def seen(self) -> npt.NDArray[np.bool_]:
        """In which pictures it is there."""
        return ~np.isnan(self.x)


def watch(path: Path) -> WatchedFilm:
    """Return the pictures of a stranger's film; one of another size is scaled."""
    shown = door.read_frames(path, PLAN)
    return WatchedFilm(tuple(_fit(each.pixels) for each in shown), tuple(each.at_s for each in shown))


def _fit(pixels: Pixels) -> Pixels:
    if pixels.shape[:2] == (HEIGHT, WIDTH):
        return pixels
    smaller = pixels.shape[0] > HEIGHT
    how = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return cv2.resize(pixels, (WIDTH, HEIGHT), interpolation=how).astype(np.uint8, copy=False)


def find_standstill(film: WatchedFilm) -> list[Weakness]:
    """Return that nothing moves, or no more than in a show of slides."""
    steps = sum(share_changed(one, two) >= MOVED / 2 for one, two in pairwise(film.pictures))
    if steps >= STEPS and any(share_changed(film.pictures[0], each) >= MOVED for each in film.pictures[1:]):
        return []
    return [film.weakness("frozen", f"Something new is seen {steps} times in the whole film; nothing really moves.")]


def share_changed(one: Pixels, other: Pixels) -> float:
    """Return the share of the pixels that clearly differ between two pictures, after a slight blur of both."""
    red, green, blue = cv2.split(cv2.absdiff(cv2.blur(one, (3, 3)), cv2.blur(other, (3, 3))))
    far = cv2.max(cv2.max(red, green), blue)  # a maximum over the last axis takes ten times as long
    return float(cv2.countNonZero(cv2.inRange(far, CHANGED, 255))) / far.size


def colour_masks(pixels: Pixels, colours: Sequence[Colour]) -> Mapping[Colour, npt.NDArray[np.bool_]]:
    """Return which pixels have each of some colours of the stage; none has two."""
    coarse = pixels.astype(np.intp) >> DROPPED
    places = (coarse[..., 0] << 2 * KEPT) | (coarse[..., 1] << KEPT) | coarse[..., 2]
    numbers = _nearest_colours(tuple(colours))[places]
    return {colour: numbers == number for number, colour in enumerate(colours)}


@lru_cache(maxsize=64)
def _nearest_colours(colours: tuple[Colour, ...]) -> npt.NDArray[np.int8]:
    """Return for every coarse RGB the number of the colour that it has, or -1: looking up is faster than measuring."""
    levels = (np.arange(1 << KEPT) << DROPPED) + (1 << DROPPED) // 2
    every = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1).reshape(1, -1, 3).astype(np.uint8)
    weights = np.array((LIGHTNESS, 1, 1), np.float32)
    picture = rgb_to_lab(every)[0] * weights
    gaps = np.stack([np.linalg.norm(picture - lab_of(RGB[colour]) * weights, axis=1) for colour in colours])
    return np.where(gaps.min(axis=0) <= ALIKE, gaps.argmin(axis=0), -1).astype(np.int8)


def follow_colours(film: WatchedFilm, colours: Iterable[Colour]) -> Mapping[Colour, ColourTrack]:
    """Return for each colour where its largest patch is over time."""
    wanted = list(colours)
    rows: dict[Colour, list[tuple[float, ...]]] = {colour: [] for colour in wanted}
    for pixels in film.pictures:
        for colour, mask in colour_masks(pixels, wanted).items():
            rows[colour].append(largest_patch(mask))
    return {colour: ColourTrack(*np.array(found, float).T) for colour, found in rows.items()}


def largest_patch(mask: npt.NDArray[Any]) -> tuple[float, ...]:
    """Return middle, size and area of the largest connected patch, in units; nan where there is none."""
    count, _, stats, middles = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    if count < 2:
        return (np.nan,) * 5
    best = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    area = float(stats[best, cv2.CC_STAT_AREA])
    if area < FEWEST:
        return (np.nan,) * 5
    x, y = ((float(each) + 0.5) * UNIT for each in middles[best])
    size = (float(stats[best, each]) * UNIT for each in (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT))
    return (x, y, *size, area * UNIT * UNIT)


def first_run(flags: npt.NDArray[np.bool_], length: int) -> int | None:
    """Return where the first run of so many true values begins.

    >>> first_run(np.array([True, False, True, True]), 2)
    2
    """
    return next((n for n in range(len(flags) - length + 1) if flags[n : n + length].all()), None)


def fit_line(times: Numbers, values: Numbers) -> tuple[float, float]:
    """Return the slope of the best straight line, and how far values lie from it (root mean square)."""
    fit = np.polyfit(times, values, 1)
    return float(fit[0]), _off(fit, times, values)


def fit_parabola(times: Numbers, values: Numbers) -> tuple[float, float]:
    """Return the acceleration of the best parabola, and how far values lie from it (root mean square)."""
    fit = np.polyfit(times, values, 2)
    return float(2 * fit[0]), _off(fit, times, values)


def _off(fit: Numbers, times: Numbers, values: Numbers) -> float:
    return float(np.sqrt(np.mean((np.polyval(fit, times) - values) ** 2)))
