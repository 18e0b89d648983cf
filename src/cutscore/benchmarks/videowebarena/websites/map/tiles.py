"""Tiles: pictures of the land as SVG, without words, which a map lays over them in its own font."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from cutscore.benchmarks.videowebarena.websites.map.projection import TILE_PX, to_pixels
from cutscore.benchmarks.videowebarena.websites.map.roads import RoadPoint

HOUSES_FROM = 15  # zoom
SEA, LAND, HOUSE = "#a9cfe0", "#f2efe6", "#d8cdbf"
AREAS = {"wood": "#a8cf9b", "park": "#bfe3ae", "water": SEA}  # by the value of the tag that says what it is
MARGIN_PX = 40  # roads have a width, and go on behind the border


@dataclass(frozen=True)
class RoadStyle:
    """How a road is drawn: colour, and width in pixels at zoom 14; thin dashes where no car goes."""

    colour: str
    width: float
    border: str = ""
    dashes: str = ""


ROADS: Mapping[str, RoadStyle] = {
    "footway": RoadStyle("#c77b5b", 1.2, dashes="3 3"),
    "cycleway": RoadStyle("#3b6fd4", 1.4, dashes="6 3"),
    "pedestrian": RoadStyle("#e3dcec", 3.6, border="#a89bb8"),
    "residential": RoadStyle("#ffffff", 3.6, border="#b9b3a8"),
    "primary": RoadStyle("#fbd98a", 4.6, border="#c79a3c"),
    "motorway": RoadStyle("#e9907f", 5.4, border="#b4523f"),
}


@dataclass(frozen=True)
class Way:
    """A line or area of the land."""

    id: int
    name: str
    tags: Mapping[str, str]
    nodes: Sequence[tuple[int | None, RoadPoint]]

    @property
    def points(self) -> list[RoadPoint]:
        return [point for _, point in self.nodes]


def read_ways(db: sqlite3.Connection) -> list[Way]:
    """Return all ways."""
    return [
        Way(
            row["id"],
            row["name"],
            json.loads(row["tags"]),
            [(n, RoadPoint(*at)) for n, *at in json.loads(row["points"])],
        )
        for row in db.execute("SELECT id, name, tags, points FROM way ORDER BY id")
    ]


def draw_tile(db: sqlite3.Connection, zoom: int, column: int, row: int) -> str:
    """Return a tile of the published numbering: 2^zoom columns and rows for the whole world."""
    left, top = column * TILE_PX, row * TILE_PX

    def path(points: Iterable[RoadPoint]) -> str:
        """Return a line on the tile; empty where none of it is seen."""
        at = [(x - left, y - top) for x, y in (to_pixels(point, zoom) for point in points)]
        seen = all(
            min(each[axis] for each in at) < TILE_PX + MARGIN_PX and max(each[axis] for each in at) > -MARGIN_PX
            for axis in (0, 1)
        )
        return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in at) if seen else ""

    ways = read_ways(db)
    shore = path(RoadPoint(*at) for at in db.execute("SELECT lat, lon FROM shore ORDER BY number"))
    parts = [f'<rect width="{TILE_PX}" height="{TILE_PX}" fill="{SEA}"/>', f'<path d="{shore}Z" fill="{LAND}"/>']
    for way in ways:
        colour = next((AREAS[value] for value in way.tags.values() if value in AREAS), "")
        if colour and (line := path(way.points)):
            parts.append(f'<path d="{line}Z" fill="{colour}"/>')
    for way in ways:
        if "waterway" in way.tags and (line := path(way.points)):
            parts.append(_stroke(line, SEA, 10 * 2 ** (zoom - 14)))
    if zoom >= HOUSES_FROM:
        parts += _houses(db, zoom, left, top)
    parts += _roads(ways, zoom, path)
    body = "".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{TILE_PX}" height="{TILE_PX}">{body}</svg>'


def _roads(ways: Sequence[Way], zoom: int, path: Callable[[Iterable[RoadPoint]], str]) -> list[str]:
    """Return the roads, the great ones above the small, and all borders below them, so that crossings are open."""
    grown = 2 ** (0.62 * (zoom - 14))  # roads grow more slowly than the land
    below, above = [], []
    for kind, style in ROADS.items():
        for way in ways:
            if way.tags.get("highway") != kind or not (line := path(way.points)):
                continue
            if style.border:
                below.append(_stroke(line, style.border, style.width * grown + 1.6))
            above.append(_stroke(line, style.colour, style.width * grown, style.dashes))
    return below + above


def _houses(db: sqlite3.Connection, zoom: int, left: float, top: float) -> list[str]:
    side = 3.2 * 2 ** (zoom - 14)
    made = []
    for row in db.execute("SELECT lat, lon FROM node WHERE instr(tags, 'addr:street')"):
        x, y = to_pixels(RoadPoint(row["lat"], row["lon"]), zoom)
        if -side < x - left < TILE_PX + side and -side < y - top < TILE_PX + side:
            made.append(f"M{x - left - side / 2:.1f} {y - top - side / 2:.1f}h{side:.1f}v{side:.1f}h-{side:.1f}z")
    return [f'<path d="{"".join(made)}" fill="{HOUSE}"/>'] if made else []


def _stroke(line: str, colour: str, width: float, dashes: str = "") -> str:
    ends = f'stroke-dasharray="{dashes}"' if dashes else 'stroke-linecap="round"'
    look = f'fill="none" stroke="{colour}" stroke-width="{width:.1f}" stroke-linejoin="round" {ends}'
    return f'<path d="{line}" {look}/>'
