"""Patches, the shapes they are made of, and kinds: what a thing of that kind looks like.

A kind draws itself on a sheet of its natural size, in stage units from the top left corner. Patches are polygons,
painted from the first to the last.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, sin
from typing import Literal

from cutscore.stage.palette import Rgb

Points = tuple[tuple[float, float], ...]
Paint = Literal["body", "filling"] | Rgb


@dataclass(frozen=True)
class Patch:
    """A polygon and its paint.

    Args:
        paint: `body` and `filling` are the thing's own colours; the body shows the material.
        shade: Lighter (above 0) or darker than the paint, in 256ths.
        alpha: 256 hides what is behind.
    """

    points: Points
    paint: Paint = "body"
    shade: int = 0
    alpha: int = 256


@dataclass(frozen=True)
class Appearance:
    """What a figure may depend on besides colours and size.

    `busy` names arms that hold something and are drawn elsewhere: -1 for the left one, 1 for the right one.
    """

    fill: float = 0.0
    count: int = 1
    mood: str = "calm"
    look: int = 0
    busy: tuple[int, ...] = ()


@dataclass(frozen=True)
class Kind:
    """What a thing of that kind looks like.

    Args:
        width, height: Natural size in units.
        shadow: Whether it throws a shadow on what it stands on.
        text_at: Where writing goes: middle of the line and its height, in units; None for no writing.
    """

    width: int
    height: int
    draw: Callable[[Appearance], list[Patch]]
    shadow: bool = True
    text_at: tuple[float, float, float] | None = None


def static(
    size: tuple[int, int], *patches: Patch, shadow: bool = True, text_at: tuple[float, float, float] | None = None
) -> Kind:
    """Return a kind of this width and height that always looks the same."""
    return Kind(*size, lambda look: list(patches), shadow, text_at)


def _round_points(points: list[tuple[float, float]]) -> Points:
    # Sine and cosine differ between machines in their last digits.
    return tuple((round(x, 3), round(y, 3)) for x, y in points)


@lru_cache(maxsize=4096)
def oval(x: float, y: float, rx: float, ry: float | None = None, *, start: float = 0, end: float = 360) -> Points:
    """Return an ellipse around (x, y), or the piece of it between two angles (clockwise from the right)."""
    ry = rx if ry is None else ry
    count = 64 if end - start >= 360 else 32
    steps = range(count) if end - start >= 360 else range(count + 1)
    angles = [(start + (end - start) * n / count) * pi / 180 for n in steps]
    return _round_points([(x + rx * cos(a), y + ry * sin(a)) for a in angles])


@lru_cache(maxsize=4096)
def box(x: float, y: float, width: float, height: float, *, round_by: float = 0) -> Points:
    """Return a rectangle with its top left corner at (x, y) and round corners."""
    r = min(round_by, width / 2, height / 2)
    if r <= 0:
        return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    corners = [(x + width - r, y + r, -90), (x + width - r, y + height - r, 0), (x + r, y + height - r, 90)]
    corners.append((x + r, y + r, 180))
    turns = [(cx, cy, (start + 90 * n / 6) * pi / 180) for cx, cy, start in corners for n in range(7)]
    return _round_points([(cx + r * cos(a), cy + r * sin(a)) for cx, cy, a in turns])


@lru_cache(maxsize=4096)
def bar(x1: float, y1: float, x2: float, y2: float, width: float) -> Points:
    """Return a straight bar with round ends."""
    dx, dy = x2 - x1, y2 - y1
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    ux, uy, r = dx / length, dy / length, width / 2
    ends: list[tuple[float, float]] = []
    for cx, cy, sign in ((x2, y2, 1), (x1, y1, -1)):
        for n in range(9):
            a = -pi / 2 + pi * n / 8
            ends.append((cx + sign * r * (ux * cos(a) - uy * sin(a)), cy + sign * r * (uy * cos(a) + ux * sin(a))))
    return _round_points(ends)


def trapezoid(x: float, y: float, top: float, bottom: float, height: float) -> Points:
    """Return a shape that is `top` wide above and `bottom` wide below, its top edge's middle at (x, y)."""
    return ((x - top / 2, y), (x + top / 2, y), (x + bottom / 2, y + height), (x - bottom / 2, y + height))


def level(x: float, y: float, top: float, bottom: float, height: float, *, fill: float) -> Points:
    """Return what stands in a tapered vessel that is full to a share of its height."""
    width = bottom + (top - bottom) * fill
    return trapezoid(x, y + height * (1 - fill), width, bottom, height * fill)


def ngon(x: float, y: float, radius: float, corners: int, *, inner: float | None = None, turn: float = -90) -> Points:
    """Return a regular polygon, or a star when an inner radius is given."""
    count = corners if inner is None else 2 * corners
    points = []
    for n in range(count):
        r = radius if inner is None or n % 2 == 0 else inner
        a = (turn + 360 * n / count) * pi / 180
        points.append((x + r * cos(a), y + r * sin(a)))
    return _round_points(points)


def poly(*points: tuple[float, float]) -> Points:
    """Return a polygon with these corners."""
    return points


def place_pieces(count: int, width: float, height: float) -> list[tuple[float, float, float]]:
    """Place pieces in rows of up to five on a sheet: middle x, middle y and the room of each."""
    per_row = min(5, max(3, count))
    rows = max(1, -(-count // per_row))
    room = min(width / per_row, height / rows)
    places = []
    for n in range(count):
        row, column = divmod(n, per_row)
        in_row = min(per_row, count - row * per_row)
        x = width / 2 + (column - (in_row - 1) / 2) * room
        places.append((x, height - (row + 0.5) * room, room))
    return places
