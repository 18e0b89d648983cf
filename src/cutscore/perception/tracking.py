"""Which region of one picture is which of the next: objects that keep their identity through crossings.

Each thing is expected where its motion leads, with the camera's motion taken out; regions are given to things so that
places, colours and sizes agree best in all. A thing that is not seen is waited for: it may be behind another one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from cutscore.perception.camera import Matrix
from cutscore.perception.segmentation import Region
from cutscore.perception.shapes import UNKNOWN_SHAPE, OutlineShape, classify_shape

# Seconds that a thing may be hidden.
HIDDEN_S = 1.0
# ΔE and ratio of areas beyond which a region is another thing, unless it lies where the thing was.
OTHER_COLOUR, _OTHER_SIZE = 28.0, 2.6
# Share of the boxes in common that makes a region the same thing in another colour or size.
_SAME_PLACE = 0.55
# The same for one that moves: off its expected place by this share of its size at most, and as large (in logarithms).
_AS_EXPECTED, _AS_LARGE = 0.25, 0.25
# How far from the expected place a thing may be: shares of its own size, of its last step, of the picture's width.
_REACH_SIZE, _REACH_STEP, _REACH_WIDTH = 0.5, 0.6, 0.02
# Weight of the newest step in the motion that is expected.
_NEWEST = 0.5


@dataclass(frozen=True, eq=False, slots=True)
class Sighting:
    """A region at a time, with its place and size in the shot's first picture and its shape.

    Its mask is not kept: sightings stay until the end of the clip, and masks would be most of them.
    """

    at_s: Fraction
    region: Region
    world: npt.NDArray[np.float64]
    zoom: float
    shape: OutlineShape


_NO_MASK = np.zeros((0, 0), bool)


@dataclass(eq=False)
class RawTrack:
    """A thing as far as it was followed: what was seen of it, and its velocity in pixels a second."""

    sightings: list[Sighting] = field(default_factory=list)
    velocity: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(2))

    @property
    def last(self) -> Sighting:
        """Return the newest sighting."""
        return self.sightings[-1]

    def predict(self, at_s: Fraction) -> npt.NDArray[np.float64]:
        """Return where it should be at a moment if it moves on as before."""
        return self.last.world + self.velocity * float(at_s - self.last.at_s)

    def add(self, sighting: Sighting) -> None:
        """Add a sighting and update the velocity."""
        if self.sightings:
            gap_s = float(sighting.at_s - self.last.at_s)
            now = (sighting.world - self.last.world) / gap_s
            weight = _NEWEST if len(self.sightings) > 1 else 1.0
            # The visible part of a half hidden thing moves otherwise than the thing.
            if not (sighting.region.covered or self.last.region.covered):
                self.velocity = (1 - weight) * self.velocity + weight * now
        self.sightings.append(sighting)


@dataclass(eq=False)
class ObjectTracker:
    """Follows the objects of one shot after the other; `ended` holds those of shots that are over."""

    width: int
    ended: list[list[RawTrack]] = field(default_factory=lambda: [[]])
    _alive: list[RawTrack] = field(default_factory=list)

    def cut(self) -> None:
        """Begin a new shot: nothing goes on."""
        self.ended[-1] += self._alive
        self._alive = []
        self.ended.append([])

    def see(self, at_s: Fraction, regions: Sequence[Region], to_world: Matrix) -> None:
        """Assign the regions of a picture to the objects that they belong to.

        `to_world` is 3×3, from places in it to places in the shot's first picture.
        """
        zoom = float(np.sqrt(abs(np.linalg.det(to_world[:2, :2]))))
        seen = []
        for region in regions:
            shape = UNKNOWN_SHAPE if region.cut_off else classify_shape(region.mask)
            place = (to_world @ (*region.centre, 1.0))[:2]
            seen.append(Sighting(at_s, replace(region, mask=_NO_MASK), place, zoom, shape))
        assigned = self._assign(seen, at_s)
        for followed, number in assigned:
            followed.add(seen[number])
        known = {number for _, number in assigned}
        self._alive += [RawTrack([sighting]) for number, sighting in enumerate(seen) if number not in known]
        lost = [each for each in self._alive if at_s - each.last.at_s > HIDDEN_S]
        self.ended[-1] += lost
        self._alive = [each for each in self._alive if at_s - each.last.at_s <= HIDDEN_S]

    def _assign(self, seen: Sequence[Sighting], at_s: Fraction) -> list[tuple[RawTrack, int]]:
        if not seen or not self._alive:
            return []
        never = 1e6
        costs = np.full((len(self._alive), len(seen)), never)
        for row, followed in enumerate(self._alive):
            for column, sighting in enumerate(seen):
                cost = self._cost(followed, sighting, at_s)
                if cost is not None:
                    costs[row, column] = cost
        pairs = zip(*linear_sum_assignment(costs), strict=True)
        return [(self._alive[row], int(column)) for row, column in pairs if costs[row, column] < never]

    def _cost(self, followed: RawTrack, sighting: Sighting, at_s: Fraction) -> float | None:
        """Return how badly a region fits a thing, or None when it cannot be it."""
        last = followed.last
        size = np.sqrt(max(last.region.area, sighting.region.area)) * sighting.zoom
        gap_s = float(at_s - last.at_s)
        stride = float(np.linalg.norm(followed.velocity)) * gap_s
        young = len(followed.sightings) < 3  # its motion is not known yet
        reach = _REACH_SIZE * size + _REACH_STEP * stride + _REACH_WIDTH * self.width
        reach += 0.5 * size if young else 0.0
        off = float(np.linalg.norm(followed.predict(at_s) - sighting.world))
        if off > reach:
            return None
        colour = float(np.linalg.norm(last.region.lab - sighting.region.lab))
        ratio = sighting.region.area * sighting.zoom**2 / (last.region.area * last.zoom**2)
        growth = abs(float(np.log(ratio)))
        partly = any(each.cut_off or each.covered for each in (last.region, sighting.region))
        same_place = _overlap(last.region.box, sighting.region.box) > _SAME_PLACE
        odd_shape = last.shape.name != sighting.shape.name and not partly
        as_expected = off < _AS_EXPECTED * size and growth < _AS_LARGE and not odd_shape
        if colour > OTHER_COLOUR and not (same_place or as_expected):
            return None
        if growth > np.log(_OTHER_SIZE) and not (same_place or partly):
            return None
        return float(off / reach + colour / OTHER_COLOUR + 0.5 * growth + 0.3 * odd_shape)


def _overlap(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return width * height / (sum(areas) - width * height)
