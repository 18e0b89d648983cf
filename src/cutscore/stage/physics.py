"""Things that fly, fall, bounce and collide: discs under gravity between four walls.

Between two events every disc moves on an exact parabola; an event is a disc touching a wall or another disc. All of it
is integers (2⁻¹⁶ of a unit and of a second), so the same scene moves in the same way on every machine. Discs have equal
masses and do not spin. What would bounce forever, ever lower, comes to rest on the floor and rolls on; on another disc
it keeps hopping by a fraction of a unit, unseen and unheard.
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor, isqrt

from cutscore.core.errors import BadInput
from cutscore.stage.setting import World

FINE = 1 << 16
_TICK = FINE // 128  # how often we look for contacts: nothing may cross another disc in between
_REST = 40 * FINE  # units a second below which a bounce on the floor is the last, and a touch of two discs no hit
_MOST_CONTACTS = 50_000

# Names that no thing can have, since they hold a space.
WALLS = LEFT, RIGHT, TOP, FLOOR = "the left wall", "the right wall", "the upper wall", "the floor"


@dataclass(frozen=True)
class Disc:
    """A disc when it is let go: its middle, radius, speed and time, in units and seconds."""

    x: Fraction
    y: Fraction
    radius: Fraction
    speed_x: Fraction
    speed_y: Fraction
    from_s: Fraction


@dataclass(frozen=True)
class Hit:
    """A disc touched another one, or one of the `WALLS`."""

    at_s: Fraction
    one: str
    other: str


@dataclass(frozen=True)
class _Leg:
    """A stretch of motion from one event to the next; all in 2⁻¹⁶."""

    since: int
    x: int
    y: int
    vx: int
    vy: int
    ay: int

    def at(self, now: int) -> tuple[int, int]:
        """Return x and y at a time of this stretch."""
        t = now - self.since
        return self.x + (self.vx * t >> 16), self.y + (self.vy * t >> 16) + (self.ay * t * t >> 33)

    def falling_speed(self, now: int) -> int:
        """Return the speed downwards at a time of this stretch."""
        return self.vy + (self.ay * (now - self.since) >> 16)


@dataclass(frozen=True)
class Flight:
    """Where a disc is at any time."""

    legs: tuple[_Leg, ...]

    def at(self, time_s: Fraction) -> tuple[Fraction, Fraction]:
        """Return x and y of the disc's middle, in units; before it is let go it stays where it was."""
        now = max(floor(time_s * FINE), self.legs[0].since)
        leg = self.legs[bisect_right(self.legs, now, key=lambda leg: leg.since) - 1]
        x, y = leg.at(now)
        return Fraction(x, FINE), Fraction(y, FINE)


@dataclass(frozen=True)
class Motion:
    """What forces do: the flight of each disc, and what hits what, in order of time."""

    flights: Mapping[str, Flight]
    hits: tuple[Hit, ...]


def simulate(discs: Mapping[str, Disc], world: World, length_s: Fraction) -> Motion:
    """Let discs go and follow them for `length_s` seconds."""
    simulation = _Simulation(discs, world)
    simulation.run(floor(length_s * FINE))
    flights = {name: Flight(tuple(legs)) for name, legs in simulation.legs.items()}
    return Motion(flights, tuple(simulation.hits))


class _Simulation:
    def __init__(self, discs: Mapping[str, Disc], world: World) -> None:
        self.names = list(discs)
        self.radius = {name: _fine(disc.radius) for name, disc in discs.items()}
        self.gravity, self.bounce = _fine(world.gravity), world.bounce
        sides = (world.left, world.right, world.top, world.floor)
        self.walls = dict(zip(WALLS, map(_fine, sides), strict=True))
        self.legs = {name: [_Leg(0, _fine(disc.x), _fine(disc.y), 0, 0, 0)] for name, disc in discs.items()}
        self.waiting = {name: _fine(disc.from_s) for name, disc in discs.items()}
        self.speed = {name: (_fine(disc.speed_x), _fine(disc.speed_y)) for name, disc in discs.items()}
        self.hits: list[Hit] = []
        self.contacts = 0

    def run(self, end: int) -> None:
        """Follow the discs from contact to contact until a time."""
        now = 0
        while now < end:
            for name in [name for name, start in self.waiting.items() if start <= now]:
                del self.waiting[name]
                x, y = self.legs[name][-1].at(now)
                self.legs[name].append(_Leg(now, x, y, *self.speed[name], self.gravity))
            following = min([now + _TICK, end, *(start for start in self.waiting.values())])
            met = self._first_contact(now, following)
            now = following if met is None else met

    def _first_contact(self, now: int, following: int) -> int | None:
        """Resolve the earliest contact in a tick and give its time."""
        best: tuple[int, str, str] | None = None
        for pair in self._pairs():
            if self._is_closing(*pair, following):
                low, high = now, following
                while high - low > 1:
                    middle = (low + high) // 2
                    low, high = (low, middle) if self._is_closing(*pair, middle) else (middle, high)
                if best is None or high < best[0]:
                    best = (high, *pair)
        if best is None:
            return None
        at, one, other = best
        self.contacts += 1
        if self.contacts > _MOST_CONTACTS:
            raise BadInput(f"'{one}'", f"and others touch more than {_MOST_CONTACTS} times", "give them more room")
        turn_back = self._off_wall if other in self.walls else self._off_disc
        if turn_back(one, other, at):
            self.hits.append(Hit(Fraction(at, FINE), one, other))
        return at

    def _pairs(self) -> list[tuple[str, str]]:
        free = [name for name in self.names if name not in self.waiting]
        walls = [(name, wall) for name in free for wall in self.walls]
        return walls + [
            (one, two) for i, one in enumerate(self.names) for two in self.names[i + 1 :] if one in free or two in free
        ]

    def _is_closing(self, one: str, other: str, at: int) -> bool:
        """Return whether two overlap and still come nearer; what overlaps and parts is left alone."""
        leg = self.legs[one][-1]
        x, y = leg.at(at)
        radius = self.radius[one]
        if other == LEFT:
            return x - radius < self.walls[LEFT] and leg.vx < 0
        if other == RIGHT:
            return x + radius > self.walls[RIGHT] and leg.vx > 0
        if other == TOP:
            return y - radius < self.walls[TOP] and leg.falling_speed(at) < 0
        if other == FLOOR:
            return y + radius > self.walls[FLOOR] and leg.falling_speed(at) > 0
        across, down = self._apart(one, other, at)
        reach = radius + self.radius[other]
        if across * across + down * down >= reach * reach:
            return False
        vx, vy = self._approach(one, other, at)
        return vx * across + vy * down < 0

    def _apart(self, one: str, other: str, at: int) -> tuple[int, int]:
        (ax, ay), (bx, by) = self.legs[one][-1].at(at), self.legs[other][-1].at(at)
        return bx - ax, by - ay

    def _approach(self, one: str, other: str, at: int) -> tuple[int, int]:
        a, b = self.legs[one][-1], self.legs[other][-1]
        return b.vx - a.vx, b.falling_speed(at) - a.falling_speed(at)

    def _off_wall(self, name: str, wall: str, at: int) -> bool:
        """Turn a disc back, and say whether that was a hit: under gravity, what only touches a wall is none."""
        leg = self.legs[name][-1]
        x, y = leg.at(at)
        vx, vy, ay = leg.vx, leg.falling_speed(at), leg.ay
        speed = abs(vx if wall in (LEFT, RIGHT) else vy)
        if wall in (LEFT, RIGHT):
            vx = floor(-vx * self.bounce)
        else:
            vy = floor(-vy * self.bounce)
        if wall == FLOOR and -vy < _REST and self.gravity:
            vy, ay, y = 0, 0, self.walls[FLOOR] - self.radius[name]
        self.legs[name].append(_Leg(at, x, y, vx, vy, ay))
        return not self.gravity or speed >= _REST

    def _off_disc(self, one: str, other: str, at: int) -> bool:
        """Share the speed along the line between the middles, and say whether that was a hit.

        The line need not be scaled to length 1. Under gravity, discs that only touch are parted by a small hop: one
        that lies on another would otherwise bounce without end.
        """
        across, down = self._apart(one, other, at)
        vx, vy = self._approach(one, other, at)
        square = across * across + down * down or 1
        along = vx * across + vy * down
        hit = not self.gravity or along * along >= _REST * _REST * square
        push = (1 + self.bounce) / 2 * Fraction(along, square)
        if not hit:
            push = (Fraction(along, square) - Fraction(_REST, isqrt(square) or 1)) / 2
        for name, sign in ((one, 1), (other, -1)):
            # A disc that is still held is let go by the blow.
            self.waiting.pop(name, None)
            leg = self.legs[name][-1]
            x, y = leg.at(at)
            new_vx = leg.vx + sign * floor(push * across)
            new_vy = leg.falling_speed(at) + sign * floor(push * down)
            resting = y + self.radius[name] >= self.walls[FLOOR] - 1 and new_vy > -_REST and self.gravity
            ay = 0 if resting else self.gravity
            self.legs[name].append(_Leg(at, x, y, new_vx, 0 if resting else new_vy, ay))
        return hit


def _fine(value: Fraction) -> int:
    return floor(value * FINE)
