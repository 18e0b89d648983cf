"""One picture, seen by somebody who does not know what things are called: what stands on a table, who is behind it.

A table is what the lower side of the picture shows, a face what has the colour of skin and is about as wide as high,
and a thing on the table whatever of one colour ends where the table's front begins.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from cutscore.media.frames import Frame
from cutscore.media.opencv import opencv
from cutscore.perception.colours import NamedColour, name_colour, rgb_to_lab
from cutscore.perception.segmentation import Region, segment_picture

LONGEST = 480  # pixels, as `look` has it
# The lowest part of a picture, which shows the front of a table where there is one.
_LOWEST = 0.08
# ΔE from the colour of that front, and the share of a row that has it, up to which it is still the front.
_FRONT, _FRONT_SHARE = 14.0, 0.45
# How far above or below the upper edge of that front things stand, in widths of the picture.
_STANDING = 0.09
# Regions of one group differ in area by no more than this, and stand no farther apart than this many widths.
_EQUAL, _BESIDE = 1.6, 2.2


@dataclass(frozen=True, eq=False)
class ColourRegion:
    """Something of one colour: its middle, its box and its share of the picture, unless a side of that cuts it off.

    Places and sizes are shares of the picture's width, x to the right and y down.
    """

    x: float
    y: float
    width: float
    height: float
    area: float
    colour: NamedColour
    cut_off: bool

    @property
    def top(self) -> float:
        """Its upper edge, as y."""
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        """Its lower edge, as y."""
        return self.y + self.height / 2

    def holds(self, other: "ColourRegion") -> bool:
        """Return whether another region lies within its box."""
        aside, down = abs(self.x - other.x), abs(self.y - other.y)
        return aside + other.width / 2 <= self.width / 2 and down + other.height / 2 <= self.height / 2


@dataclass(frozen=True, eq=False)
class Tableau:
    """What one picture shows.

    Args:
        lowest: Colour along the lower side: of a table's front where there is one.
        edge: How far up that colour reaches, as y; the height of the picture when it is nowhere else.
        regions: What stands out, the largest first.
    """

    at_s: Fraction
    lowest: NamedColour
    edge: float
    regions: tuple[ColourRegion, ...]

    def clothes(self) -> ColourRegion | None:
        """Return what somebody wears: the largest region right below a face; None when nobody is seen."""
        for face in filter(_is_face, self.regions):
            below = [region for region in self.regions if _is_below(region, face)]
            if below:
                return max(below, key=lambda region: region.area)
        return None

    def is_on_table(self, region: ColourRegion) -> bool:
        """Return whether a region ends about where the table's front begins."""
        return abs(region.bottom - self.edge) <= _STANDING

    def things_on_table(self) -> Iterator[ColourRegion]:
        """Return what may be a thing on the table: no clothes, and no part of something else."""
        worn = self.clothes()
        for region in self.regions:
            if region is worn or region.cut_off or not self.is_on_table(region):
                continue
            if not any(other is not worn and other.holds(region) for other in self.regions if other is not region):
                yield region

    def groups(self) -> list[list[ColourRegion]]:
        """Return regions that are alike and stand side by side, such as eggs; the largest group first."""
        left, found = list(self.regions), []
        while left:
            group, queue = [], [left.pop(0)]
            while queue:
                group.append(one := queue.pop())
                near = [other for other in left if _alike(one, other)]
                queue += near
                left = [other for other in left if not any(other is each for each in near)]
            found.append(group)
        return sorted((group for group in found if len(group) > 1), key=lambda group: (-len(group), group[0].x))


def read_tableau(frame: Frame) -> Tableau:
    """Look at one picture."""
    cv2 = opencv()
    height, width = frame.pixels.shape[:2]
    share = min(1.0, LONGEST / max(width, height))
    size = max(2, round(width * share)), max(2, round(height * share))
    pixels: npt.NDArray[np.uint8] = cv2.resize(frame.pixels, size, interpolation=cv2.INTER_AREA)
    regions = sorted(
        (_region(patch, size) for patch in segment_picture(pixels).regions), key=lambda region: -region.area
    )
    lab = rgb_to_lab(np.ascontiguousarray(pixels))
    front = np.median(lab[-max(1, round(size[1] * _LOWEST)) :].reshape(-1, 3), axis=0)
    has_front = (np.linalg.norm(lab - front, axis=2) < _FRONT).mean(axis=1) >= _FRONT_SHARE
    rows = int(np.argmin(has_front[::-1])) if not has_front.all() else size[1]
    return Tableau(frame.at_s, name_colour(front), (size[1] - rows) / size[0], tuple(regions))


def _region(patch: Region, size: tuple[int, int]) -> ColourRegion:
    left, top, right, bottom = (edge / size[0] for edge in patch.box)
    area = patch.area / (size[0] * size[1])
    middle = (left + right) / 2, (top + bottom) / 2
    return ColourRegion(*middle, right - left, bottom - top, area, name_colour(patch.lab), patch.cut_off)


def _is_skin(region: ColourRegion) -> bool:
    """Return whether a colour may be that of skin: from light to dark, between red and yellow, and never vivid."""
    red, green, blue = region.colour.rgb
    return red > green > blue and 15 <= red - blue <= 115 and red >= 70 and green - blue >= (red - green) * 0.35


def _is_face(region: ColourRegion) -> bool:
    """Return whether a region may be a face: of skin, and about as wide as high."""
    return _is_skin(region) and 0.5 <= region.height / region.width <= 1.7 and not region.cut_off


def _is_below(region: ColourRegion, face: ColourRegion) -> bool:
    """Return whether a region begins where a face ends, and is no narrower."""
    near = abs(region.top - face.bottom) <= face.height / 2
    in_line = abs(region.x - face.x) < (region.width + face.width) / 2
    return near and in_line and region.width >= face.width * 0.8 and not _is_skin(region)


def _alike(one: ColourRegion, other: ColourRegion) -> bool:
    larger, smaller = max(one.area, other.area), min(one.area, other.area)
    wide, high = max(one.width, other.width), max(one.height, other.height)
    return (
        one.colour.name == other.colour.name
        and larger <= _EQUAL * smaller
        and abs(one.x - other.x) <= _BESIDE * wide
        and abs(one.y - other.y) <= _BESIDE * high
    )
