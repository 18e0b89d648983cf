"""Words on a map: which names are shown in a view, and where; no name is laid over another."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, degrees, hypot

from cutscore.benchmarks.videowebarena.websites.map.projection import HEIGHT_PX, WIDTH_PX, View
from cutscore.benchmarks.videowebarena.websites.map.roads import RoadPoint
from cutscore.benchmarks.videowebarena.websites.map.tiles import Way

STREETS_FROM, PLACES_FROM, AREAS_FROM = 14, 16, 13  # zooms
LETTER_PX, LINE_PX = 7.0, 15.0  # about as large as a letter is


@dataclass(frozen=True)
class MapLabel:
    """A name at a point of the map, counted from its middle.

    Args:
        kind: `town`, `area`, `street` or `place`, for the style.
        angle: In which it is turned, in degrees.
    """

    text: str
    kind: str
    x: float
    y: float
    angle: float = 0.0


def place_labels(db: sqlite3.Connection, view: View, ways: Sequence[Way]) -> list[MapLabel]:
    """Return the names of a view, the most important first; one that has no room is left out."""
    boxes: list[tuple[float, float, float, float]] = []
    made = []
    for label in _candidates(db, view, ways):
        box = _box(label)
        inside = abs(label.x) < WIDTH_PX / 2 and abs(label.y) < HEIGHT_PX / 2
        if inside and not any(_overlap(box, other) for other in boxes):
            boxes.append(box)
            made.append(label)
    return made


def _candidates(db: sqlite3.Connection, view: View, ways: Sequence[Way]) -> Iterator[MapLabel]:
    for row in db.execute("SELECT name, lat, lon FROM node WHERE label IN ('Town', 'Village') ORDER BY id"):
        x, y = view.pixel(RoadPoint(row["lat"], row["lon"]))
        yield MapLabel(row["name"], "town", x, y - 18)
    if view.zoom >= AREAS_FROM:
        for way in ways:
            if "highway" not in way.tags and "waterway" not in way.tags:
                middle = [sum(axis) / len(way.nodes) for axis in zip(*map(view.pixel, way.points), strict=True)]
                yield MapLabel(way.name, "area", middle[0], middle[1])
    if view.zoom >= PLACES_FROM:
        for row in db.execute("SELECT name, lat, lon FROM node WHERE name <> '' AND NOT instr(tags, '\"place\"')"):
            x, y = view.pixel(RoadPoint(row["lat"], row["lon"]))
            yield MapLabel(row["name"], "place", x, y + 16)
    if view.zoom >= STREETS_FROM:
        for way in ways:
            if "highway" in way.tags:
                yield from _along(way, view)


def _along(way: Way, view: View) -> Iterator[MapLabel]:
    """Put the name of a street along its first stretch in view that is long enough, never upside down."""
    at = [view.pixel(point) for point in way.points]
    for (ax, ay), (bx, by) in pairwise(at):
        x, y = (ax + bx) / 2, (ay + by) / 2
        if hypot(bx - ax, by - ay) < LETTER_PX * len(way.name) or abs(x) > WIDTH_PX / 2 or abs(y) > HEIGHT_PX / 2:
            continue
        angle = degrees(atan2(by - ay, bx - ax))
        yield MapLabel(way.name, "street", x, y, angle - 180 if angle > 90 else angle + 180 if angle < -90 else angle)
        return


def _box(label: MapLabel) -> tuple[float, float, float, float]:
    wide = LETTER_PX * len(label.text) * (1.4 if label.kind == "town" else 1) / 2
    high = LINE_PX / 2
    if abs(label.angle) > 45:
        wide, high = high, wide
    return label.x - wide, label.y - high, label.x + wide, label.y + high


def _overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
