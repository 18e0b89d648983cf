"""The globe on a flat map (web Mercator), and the view that somebody has of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import asinh, atan, degrees, floor, pi, radians, sinh, tan
from typing import Self

from cutscore.benchmarks.videowebarena.websites.map.roads import RoadPoint

TILE_PX = 512
ZOOMS = range(11, 18)  # from the whole island to single houses
WIDTH_PX, HEIGHT_PX = 960, 720  # of the largest map that a page shows
_WRITTEN = re.compile(r"(\d{1,2})/(-?\d{1,2}(?:\.\d{1,12})?)/(-?\d{1,3}(?:\.\d{1,12})?)")
_NORTHMOST = 85.0  # a square map of the world ends there


@dataclass(frozen=True)
class View:
    """What a map shows: the point in its middle, and how large.

    >>> str(View(14, RoadPoint(55.0, 3.0)).move(0, 360))
    '14/54.99114/3.00000'
    """

    zoom: int
    middle: RoadPoint

    def __str__(self) -> str:
        return f"{self.zoom}/{self.middle.lat:.5f}/{self.middle.lon:.5f}"

    @classmethod
    def parse(cls, written: str) -> Self | None:
        """Return the view of an address (`14/55.0/3.0`), None where it is none."""
        found = _WRITTEN.fullmatch(written)
        if not found or int(found[1]) not in ZOOMS or abs(float(found[2])) > _NORTHMOST or abs(float(found[3])) > 180:
            return None
        return cls(int(found[1]), RoadPoint(float(found[2]), float(found[3])))

    @classmethod
    def around(cls, points: Sequence[RoadPoint], *, most: int = 16) -> Self:
        """Return the largest view that has all points in it, with a border."""
        lats, lons = [each.lat for each in points], [each.lon for each in points]
        middle = RoadPoint((min(lats) + max(lats)) / 2, (min(lons) + max(lons)) / 2)
        for zoom in range(most, ZOOMS.start, -1):
            left, top = to_pixels(RoadPoint(max(lats), min(lons)), zoom)
            right, bottom = to_pixels(RoadPoint(min(lats), max(lons)), zoom)
            if right - left < WIDTH_PX * 0.8 and bottom - top < HEIGHT_PX * 0.8:
                return cls(zoom, middle)
        return cls(ZOOMS.start, middle)

    def move(self, right_px: float, down_px: float) -> "View":
        """Return the view next to this one."""
        x, y = to_pixels(self.middle, self.zoom)
        return View(self.zoom, to_point(x + right_px, y + down_px, self.zoom))

    def at_zoom(self, zoom: int) -> "View | None":
        """Return the same place larger or smaller, None where there is no such size."""
        return View(zoom, self.middle) if zoom in ZOOMS else None

    def pixel(self, point: RoadPoint) -> tuple[float, float]:
        """Return where a point is on the map, counted from the map's middle."""
        x, y = to_pixels(point, self.zoom)
        middle_x, middle_y = to_pixels(self.middle, self.zoom)
        return x - middle_x, y - middle_y

    def tiles(self) -> list[tuple[int, int, float, float]]:
        """Return the tiles in view: column, row, and where their corner is from the map's middle."""
        x, y = to_pixels(self.middle, self.zoom)
        columns = range(floor((x - WIDTH_PX / 2) / TILE_PX), floor((x + WIDTH_PX / 2) / TILE_PX) + 1)
        rows = range(floor((y - HEIGHT_PX / 2) / TILE_PX), floor((y + HEIGHT_PX / 2) / TILE_PX) + 1)
        return [(column, row, column * TILE_PX - x, row * TILE_PX - y) for row in rows for column in columns]


def to_pixels(point: RoadPoint, zoom: int) -> tuple[float, float]:
    """Return where a point is on a map of the whole world of this size, from its north-west corner."""
    whole = TILE_PX * 2**zoom
    return (point.lon + 180) / 360 * whole, (1 - asinh(tan(radians(point.lat))) / pi) / 2 * whole


def to_point(x: float, y: float, zoom: int) -> RoadPoint:
    """Return the point at a pixel: the other way round."""
    whole = TILE_PX * 2**zoom
    return RoadPoint(degrees(atan(sinh(pi * (1 - 2 * y / whole)))), x / whole * 360 - 180)
