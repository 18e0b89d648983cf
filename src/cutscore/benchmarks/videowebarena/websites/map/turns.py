"""A route in words: where to turn, and how far and how long it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, degrees, radians

from cutscore.benchmarks.videowebarena.websites.map.roads import RoadPoint, Route

# How far the direction changes, in degrees, up to which a turn is called so.
_TURNS = (
    (20, "Continue onto"),
    (60, "Turn slightly {side} onto"),
    (125, "Turn {side} onto"),
    (181, "Turn sharply {side} onto"),
)


@dataclass(frozen=True)
class Instruction:
    """One line of the directions; `metres` until the next one."""

    words: str
    metres: float
    at: RoadPoint


def describe_route(route: Route, names: Mapping[int, str]) -> list[Instruction]:
    """Return what to do on the way; stretches of one street are one line."""
    made: list[Instruction] = []
    before = ""
    for number, arc in enumerate(route.arcs):
        at, name = route.points[number], names[arc.way]
        if not number:
            made.append(Instruction(f"Start on {name}", arc.metres, at))
        elif name == before:
            made[-1] = Instruction(made[-1].words, made[-1].metres + arc.metres, made[-1].at)
        else:
            made.append(Instruction(f"{_turn(route.points[number - 1 : number + 2])} {name}", arc.metres, at))
        before = name
    return [*made, Instruction("You have arrived", 0, route.points[-1])]


def write_distance(metres: float) -> str:
    """Return a distance as the map writes it.

    >>> write_distance(748.2), write_distance(1712), write_distance(914_300)
    ('748m', '1.7km', '914km')
    """
    if metres < 999.5:
        return f"{metres:.0f}m"
    return f"{metres / 1000:.1f}km" if metres < 9_950 else f"{metres / 1000:.0f}km"


def write_time(seconds: float) -> str:
    """Return a time in hours and minutes.

    >>> write_time(125), write_time(6300)
    ('0:02', '1:45')
    """
    minutes = round(seconds / 60)
    return f"{minutes // 60}:{minutes % 60:02}"


def _turn(points: Sequence[RoadPoint]) -> str:
    first, second = (_bearing(a, b) for a, b in pairwise(points))
    change = (second - first + 180) % 360 - 180
    side = "right" if change > 0 else "left"
    return next(words for most, words in _TURNS if abs(change) < most).format(side=side)


def _bearing(one: RoadPoint, other: RoadPoint) -> float:
    """Return the direction from one point to another in degrees, north 0 and east 90."""
    return degrees(atan2((other.lon - one.lon) * cos(radians(one.lat)), other.lat - one.lat))
