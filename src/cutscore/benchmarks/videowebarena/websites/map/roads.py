"""Roads as a graph, and the quickest way along them.

A road is a row of arcs between nodes, one arc for each direction in which it may be travelled. A way may begin and end
anywhere on a road: the point is joined to the graph by arcs that are parts of the road's own.
"""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import asin, cos, hypot, radians, sin, sqrt
from typing import Literal

Mode = Literal["bicycle", "car", "foot"]
EARTH_M = 6_371_008.8
METRES_A_DEGREE = EARTH_M * radians(1)
START, END = -1, -2  # the points that a way begins and ends at; nodes of roads are counted from 1

# Who may use a kind of road, by the values of the tag `highway`.
OPEN_TO: Mapping[str, frozenset[Mode]] = {
    "motorway": frozenset({"car"}),
    "primary": frozenset({"car", "bicycle", "foot"}),
    "residential": frozenset({"car", "bicycle", "foot"}),
    "pedestrian": frozenset({"foot"}),
    "cycleway": frozenset({"bicycle", "foot"}),
    "footway": frozenset({"foot"}),
}
OWN_KMH: Mapping[Mode, float] = {"bicycle": 15.0, "foot": 5.0}  # a car goes as fast as it may


@dataclass(frozen=True)
class RoadPoint:
    """A place on the globe, in degrees."""

    lat: float
    lon: float


@dataclass(frozen=True, order=True)
class Arc:
    """A stretch of road in one direction.

    Args:
        way: Number of the road that it is part of.
    """

    start: int
    end: int
    metres: float
    seconds: float
    way: int


@dataclass
class RoadGraph:
    """Where one can go, for one way of travelling."""

    points: dict[int, RoadPoint] = field(default_factory=dict)
    arcs: dict[int, list[Arc]] = field(default_factory=dict)

    def add_road(
        self, mode: Mode, way: int, kind: str, nodes: Sequence[tuple[int, RoadPoint]], *, max_kmh: float, oneway: bool
    ) -> None:
        """Add a road for those who may use it; on foot one-way streets have two."""
        if mode not in OPEN_TO[kind]:
            return
        metres_a_second = OWN_KMH.get(mode, max_kmh) / 3.6
        for (a, at), (b, to) in pairwise(nodes):
            metres = distance_m(at, to)
            arc = Arc(a, b, metres, metres / metres_a_second, way)
            self.points |= {a: at, b: to}
            self.arcs.setdefault(a, []).append(arc)
            self.arcs.setdefault(b, [])
            if mode == "foot" or not oneway:
                self.arcs[b].append(replace(arc, start=b, end=a))


@dataclass(frozen=True)
class Spot:
    """The point of a road that is nearest to another point: so much of the way from one node to the next."""

    start: int
    end: int
    share: float
    point: RoadPoint

    def node(self, between: int) -> int:
        """Return the node that it is at; `between` where it lies between two."""
        return {0.0: self.start, 1.0: self.end}.get(self.share, between)


@dataclass(frozen=True)
class Route:
    """A way along roads. Its points begin and end on a road, the nearest one to what was asked for."""

    arcs: tuple[Arc, ...]
    points: tuple[RoadPoint, ...]

    @property
    def metres(self) -> float:
        return sum(arc.metres for arc in self.arcs)

    @property
    def seconds(self) -> float:
        return sum(arc.seconds for arc in self.arcs)


def distance_m(one: RoadPoint, other: RoadPoint) -> float:
    """Return the metres between two points along the globe."""
    lat, lon = radians(other.lat - one.lat), radians(other.lon - one.lon)
    across = sin(lat / 2) ** 2 + cos(radians(one.lat)) * cos(radians(other.lat)) * sin(lon / 2) ** 2
    return 2 * EARTH_M * asin(sqrt(across))


def quickest(arcs: Mapping[int, Iterable[Arc]], start: int, end: int) -> tuple[Arc, ...] | None:
    """Return the arcs that take the least time from one node to another (Dijkstra), None where no way leads there."""
    reached: dict[int, Arc | None] = {}
    waiting: list[tuple[float, int, Arc | None]] = [(0.0, start, None)]
    while waiting:
        seconds, node, by = heapq.heappop(waiting)
        if node in reached:
            continue
        reached[node] = by
        if node == end:
            return _trace(reached, end)
        for arc in arcs.get(node, ()):
            if arc.end not in reached:
                heapq.heappush(waiting, (seconds + arc.seconds, arc.end, arc))
    return None


def find_route(graph: RoadGraph, start: RoadPoint, end: RoadPoint) -> Route | None:
    """Return the quickest way between two points, from road to road; None where none leads there."""
    begin, finish = nearest_spot(graph, start), nearest_spot(graph, end)
    if begin is None or finish is None:
        return None
    first = begin.node(between=START)
    arcs = quickest(_join(graph.arcs, begin, finish), first, finish.node(between=END))
    if arcs is None:
        return None
    points = {**graph.points, START: begin.point, END: finish.point}
    return Route(arcs, tuple(points[node] for node in (first, *(arc.end for arc in arcs))))


def nearest_spot(graph: RoadGraph, point: RoadPoint) -> Spot | None:
    """Return the point on a road that is nearest; distances are flat, since roads are short."""
    east = METRES_A_DEGREE * cos(radians(point.lat))
    best, best_m = None, float("inf")
    for arc in (arc for leaving in graph.arcs.values() for arc in leaving):
        a, b = graph.points[arc.start], graph.points[arc.end]
        ax, ay = (a.lon - point.lon) * east, (a.lat - point.lat) * METRES_A_DEGREE
        bx, by = (b.lon - point.lon) * east, (b.lat - point.lat) * METRES_A_DEGREE
        long2 = (bx - ax) ** 2 + (by - ay) ** 2
        share = min(1.0, max(0.0, (ax * (ax - bx) + ay * (ay - by)) / long2)) if long2 else 0.0
        away_m = hypot(ax + share * (bx - ax), ay + share * (by - ay))
        if away_m < best_m - 1e-6:
            at = RoadPoint(a.lat + share * (b.lat - a.lat), a.lon + share * (b.lon - a.lon))
            best, best_m = Spot(arc.start, arc.end, share, at), away_m
    return best


def _join(arcs: Mapping[int, Sequence[Arc]], begin: Spot, finish: Spot) -> dict[int, list[Arc]]:
    """Return the arcs with both points joined to the roads that they are on."""
    made = {node: list(leaving) for node, leaving in arcs.items()}
    made[START] = []
    for arc, share in _passing(arcs, begin):
        made[START].append(_part(arc, 1 - share, start=START))
    for arc, share in _passing(arcs, finish):
        made[arc.start].append(_part(arc, share, end=END))
        for left, begun in _passing(arcs, begin):
            if left is arc and begun <= share:
                made[START].append(_part(arc, share - begun, start=START, end=END))
    return made


def _passing(arcs: Mapping[int, Sequence[Arc]], spot: Spot) -> list[tuple[Arc, float]]:
    """Return the arcs that pass a spot, each with how much of it lies before the spot."""
    there = [(arc, spot.share) for arc in arcs[spot.start] if arc.end == spot.end]
    return there + [(arc, 1 - spot.share) for arc in arcs[spot.end] if arc.end == spot.start]


def _part(arc: Arc, share: float, *, start: int | None = None, end: int | None = None) -> Arc:
    return Arc(
        arc.start if start is None else start,
        arc.end if end is None else end,
        arc.metres * share,
        arc.seconds * share,
        arc.way,
    )


def _trace(reached: Mapping[int, Arc | None], end: int) -> tuple[Arc, ...]:
    back = []
    arc = reached[end]
    while arc is not None:
        back.append(arc)
        arc = reached[arc.start]
    return tuple(reversed(back))
