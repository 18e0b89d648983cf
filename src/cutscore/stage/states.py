"""What every thing is like at a time: one performance of a scene.

    place at t = where it was when its last move began, on the way to where that move leads,
                 plus what whoever holds it has moved since

Everything is exact: fractions in, fractions out.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from cutscore.stage.palette import RGB, Colour, Rgb, mix
from cutscore.stage.physics import Disc, Motion, simulate
from cutscore.stage.scene import Scene
from cutscore.stage.sizes import size_of
from cutscore.stage.things import Appear, Change, Ease, Join, Link, Mood, Move, Thing, track_of

Point = tuple[Fraction, Fraction]
T = TypeVar("T")

_STEP = 4  # units that are still level ground

EASES: dict[Ease, Callable[[Fraction], Fraction]] = {
    "gentle": lambda u: u * u * (3 - 2 * u),
    "steady": lambda u: u,
    "speeding": lambda u: u * u,
    "slowing": lambda u: u * (2 - u),
}


@dataclass(frozen=True)
class State:
    """A thing at a time.

    Args:
        presence: How much of it is there, 0 to 256; less than 256 while it fades in or out.
        joined: Whom it goes with, and how.
        lifted: Whether it is above where it stood at first, or on its way up or down.
    """

    thing: Thing
    kind: str
    x: Fraction
    y: Fraction
    turn: Fraction
    width: Fraction
    height: Fraction
    colour: Colour
    rgb: Rgb
    filling: Colour
    filling_rgb: Rgb
    fill: Fraction
    count: int
    mood: Mood
    text: str
    presence: int
    joined: tuple[str, Link] | None
    lifted: bool


class Animation:
    """A scene with its forces worked out and its changes sorted, ready to be asked what is when."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._things = {thing.id: thing for thing in scene.things}
        # Changes of one track are of one kind; of which one, its users know.
        self._tracks: dict[tuple[str, str], list[Any]] = defaultdict(list)
        for change in scene.all_changes():
            self._tracks[change.thing, track_of(change)].append(change)
        self.place = lru_cache(maxsize=4096)(self._place)

    @cached_property
    def motion(self) -> Motion:
        """What forces do to the things that have a body."""
        discs = {}
        for thing in self.scene.things:
            if thing.body is not None:
                body, radius = thing.body, size_of(thing)[0] / 2
                discs[thing.id] = Disc(thing.x, thing.y, radius, body.speed_x, body.speed_y, body.from_s)
        return simulate(discs, self.scene.world, self.scene.length_s) if discs else Motion({}, ())

    def states(self, time_s: Fraction, place: str) -> list[State]:
        """Return the things of a place that are there at a time, farthest first."""
        there = [self.state(thing.id, time_s) for thing in self.scene.things if thing.place == place]
        return sorted((state for state in there if state.presence), key=lambda state: state.thing.layer)

    def state(self, name: str, time_s: Fraction) -> State:
        """Return what a thing is like at a time."""
        thing = self._things[name]
        x, y = self.place(name, time_s)
        kind = self._latest(thing, "become", thing.kind, time_s)
        width, height = size_of(thing, kind)
        scale = self._number(thing, "grow", Fraction(1), time_s)
        colour, rgb = self._colour(thing.id, "body", thing.colour, time_s)
        filling, filling_rgb = self._colour(thing.id, "filling", thing.filling, time_s)
        return State(
            thing=thing,
            kind=kind,
            x=x,
            y=y,
            turn=self._number(thing, "turn", thing.turn, time_s),
            width=width * scale,
            height=height * scale,
            colour=colour,
            rgb=rgb,
            filling=filling,
            filling_rgb=filling_rgb,
            fill=self._number(thing, "fill", thing.fill, time_s),
            count=self._latest(thing, "count", thing.count, time_s),
            mood=self._latest(thing, "feel", thing.mood, time_s),
            text=self._latest(thing, "write", thing.text, time_s),
            presence=self._presence(thing, time_s),
            joined=self._join_at(thing.id, time_s),
            lifted=y < thing.y - _STEP or self._is_climbing(thing.id, time_s),
        )

    def joins(self, name: str) -> list[tuple[Fraction, Fraction | None, str, Link]]:
        """Return when a thing goes with which other: from, until (None: to the end), with whom, how."""
        found: list[tuple[Fraction, Fraction | None, str, Link]] = []
        for change in self._tracks.get((name, "join"), []):
            if found and found[-1][1] is None:
                found[-1] = (found[-1][0], change.at_s, *found[-1][2:])
            if isinstance(change, Join):
                found.append((change.at_s, None, change.to, change.link))
        return found

    def _place(self, name: str, time_s: Fraction) -> Point:
        thing = self._things[name]
        if thing.body is not None:
            return self.motion.flights[name].at(time_s)
        move = self._last_move(name, time_s)
        if move is None:
            since, (x, y) = Fraction(-1), (thing.x, thing.y)
        else:
            since, (from_x, from_y), u = move.at_s, self._before(name, move), _progress(move, time_s)
            x, y = from_x + (move.x - from_x) * u, from_y + (move.y - from_y) * u - move.arc * 4 * u * (1 - u)
        return self._add_carriers_motion(name, (x, y), since, time_s)

    def _before(self, name: str, move: Move) -> Point:
        """Return where a thing is when a move begins, which is where the one before it has led."""
        thing = self._things[name]
        since, at = Fraction(-1), (thing.x, thing.y)
        for earlier in self._tracks[name, "move"]:
            if earlier is move:
                break
            since, at = earlier.at_s, (earlier.x, earlier.y)
        return self._add_carriers_motion(name, at, since, move.at_s)

    def _add_carriers_motion(self, name: str, at: Point, since: Fraction, until: Fraction) -> Point:
        """Add to a place what those whom a thing went with have moved meanwhile."""
        x, y = at
        for start, end, holder, _ in self.joins(name):
            first, last = max(start, since), until if end is None else min(until, end)
            if first < last:
                (x0, y0), (x1, y1) = self.place(holder, first), self.place(holder, last)
                x, y = x + x1 - x0, y + y1 - y0
        return x, y

    def _last_move(self, name: str, time_s: Fraction) -> Move | None:
        moves: list[Move] = self._tracks.get((name, "move"), [])
        number = bisect_right(moves, time_s, key=lambda move: move.at_s)
        return moves[number - 1] if number else None

    def _number(self, thing: Thing, track: str, first: Fraction, time_s: Fraction) -> Fraction:
        value = first
        for change in self._tracks.get((thing.id, track), []):
            if change.at_s > time_s:
                break
            value += (change.to - value) * _progress(change, time_s)
        return value

    def _latest(self, thing: Thing, track: str, first: T, time_s: Fraction) -> T:
        value = first
        for change in self._tracks.get((thing.id, track), []):
            if change.end_s <= time_s:
                value = change.to
        return value

    def _colour(self, name: str, part: str, first: Colour, time_s: Fraction) -> tuple[Colour, Rgb]:
        colour, rgb = first, RGB[first]
        for change in self._tracks.get((name, f"recolour {part}"), []):
            if change.at_s > time_s:
                break
            u = _progress(change, time_s)
            colour = change.to if u >= Fraction(1, 2) else colour
            rgb = mix(rgb, RGB[change.to], int(u * 256))
        return colour, rgb

    def _presence(self, thing: Thing, time_s: Fraction) -> int:
        changes = self._tracks.get((thing.id, "seen"), [])
        presence = 256 if thing.seen else 0
        for change in changes:
            if change.at_s > time_s:
                break
            u = _progress(change, time_s)
            if isinstance(change, Appear):
                presence = max(1, int(256 * u))
            else:
                presence = 0 if u >= 1 else max(1, int(256 * (1 - u)))
        return presence

    def _is_climbing(self, name: str, time_s: Fraction) -> bool:
        move = self._last_move(name, time_s)
        if move is None or time_s >= move.end_s:
            return False
        return bool(move.arc) or abs(move.y - self._before(name, move)[1]) > _STEP

    def _join_at(self, name: str, time_s: Fraction) -> tuple[str, Link] | None:
        for start, end, holder, link in self.joins(name):
            if start <= time_s and (end is None or time_s < end):
                return holder, link
        return None


def _progress(change: Change, time_s: Fraction) -> Fraction:
    """Return how far a change has come, 0 to 1, eased."""
    if time_s >= change.end_s:
        return Fraction(1)
    return EASES[change.ease]((time_s - change.at_s) / change.for_s)
