"""Things in a row that change places: in which orders they rest, one after the other."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from cutscore.benchmarks.clvg.staged.looking import ColourTrack
from cutscore.stage.palette import Colour

RESTING = 32  # units from its place within which a thing rests there

Order = tuple[Colour, ...]


def resting_orders(
    tracks: Mapping[Colour, ColourTrack], colours: Sequence[Colour], places: Sequence[int], y: float
) -> list[tuple[int, Order]]:
    """Return every order in which all things rest on their places, and the first picture that shows it.

    An order that is seen in several pictures in a row is one.
    """
    found: list[tuple[int, Order]] = []
    for number in range(len(tracks[colours[0]].x)):
        order: list[Colour] = []
        for place in places:
            there = [
                colour
                for colour in colours
                if np.hypot(tracks[colour].x[number] - place, tracks[colour].y[number] - y) <= RESTING
            ]
            order += there[:1]
        if len(order) == len(places) and (not found or found[-1][1] != tuple(order)):
            found.append((number, tuple(order)))
    return found


def is_neighbour_swap(one: Order, other: Order) -> bool:
    """Return whether two orders differ by two neighbours that have changed places.

    >>> is_neighbour_swap(("red", "blue", "green"), ("blue", "red", "green"))
    True
    >>> is_neighbour_swap(("red", "blue", "green"), ("green", "blue", "red"))
    False
    """
    differ = [number for number, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    return len(differ) == 2 and differ[1] == differ[0] + 1


def find_leap(orders: Sequence[tuple[int, Order]]) -> int | None:
    """Return the picture after which things changed places otherwise than as two neighbours."""
    return next((number for (number, one), (_, two) in pairwise(orders) if not is_neighbour_swap(one, two)), None)
