"""What may happen in a beat: functions of the time that it gets."""

from collections.abc import Callable
from fractions import Fraction
from typing import Literal

from cutscore.stage.palette import Colour
from cutscore.stage.things import (
    Appear,
    Become,
    Change,
    Count,
    Feel,
    Fill,
    Grow,
    Join,
    Link,
    Mood,
    Move,
    Recolour,
    Release,
    Rotate,
    Vanish,
)

Act = Callable[[Fraction, Fraction], list[Change]]

_GRID = 100  # times lie on hundredths of a second
_QUICK_S = Fraction(2, 5)


def snap(at_s: Fraction) -> Fraction:
    """Return the nearest hundredth of a second."""
    return Fraction(round(at_s * _GRID), _GRID)


def moves(thing: str, x: float, y: float, *, arc: float = 0, until: Fraction = Fraction(1)) -> Act:
    """Move a thing to a point, over the first `until` of the time."""
    return lambda a, b: [Move(thing=thing, at_s=a, for_s=snap((b - a) * until), x=x, y=y, arc=arc)]


def walks(thing: str, *points: tuple[float, float]) -> Act:
    """Move a thing from point to point, at an even pace."""

    def act(a: Fraction, b: Fraction) -> list[Change]:
        times = [snap(a + (b - a) * n / len(points)) for n in range(len(points) + 1)]
        return [
            Move(thing=thing, at_s=times[n], for_s=times[n + 1] - times[n], x=x, y=y, ease="steady")
            for n, (x, y) in enumerate(points)
        ]

    return act


def turns(thing: str, to: float) -> Act:
    """Turn a thing to an angle, in degrees clockwise."""
    return lambda a, b: [Rotate(thing=thing, at_s=a, for_s=b - a, to=to)]


def fills(thing: str, to: float | Fraction) -> Act:
    """Fill or empty a vessel evenly, to a share of its height."""
    return lambda a, b: [Fill(thing=thing, at_s=a, for_s=b - a, to=to, ease="steady")]


def counts(thing: str, to: int) -> Act:
    """Change the number of pieces at the end of the time."""
    return lambda a, b: [Count(thing=thing, at_s=a, for_s=b - a, to=to)]


def recolours(thing: str, to: Colour, part: Literal["body", "filling"] = "body") -> Act:
    """Change the colour of a thing, or of what is in it."""
    return lambda a, b: [Recolour(thing=thing, at_s=a, for_s=b - a, to=to, part=part)]


def becomes(thing: str, kind: str) -> Act:
    """Turn a thing into another kind at the end of the time."""
    return lambda a, b: [Become(thing=thing, at_s=a, for_s=b - a, to=kind)]


def grows(thing: str, to: float | Fraction) -> Act:
    """Grow or shrink a thing to so many times its first size."""
    return lambda a, b: [Grow(thing=thing, at_s=a, for_s=b - a, to=to)]


def feels(thing: str, mood: Mood) -> Act:
    """Change a mood at the beginning of the time."""
    return lambda a, b: [Feel(thing=thing, at_s=a, to=mood)]


def appears(thing: str) -> Act:
    """Fade in, quickly, at the end of the time."""
    return lambda a, b: [Appear(thing=thing, at_s=max(a, b - _QUICK_S), for_s=min(_QUICK_S, b - a))]


def vanishes(thing: str) -> Act:
    """Fade out, quickly, at the end of the time."""
    return lambda a, b: [Vanish(thing=thing, at_s=max(a, b - _QUICK_S), for_s=min(_QUICK_S, b - a))]


def takes(thing: str, by: str, link: Link = "held") -> Act:
    """Let one go with another from the beginning of the time on."""
    return lambda a, b: [Join(thing=thing, at_s=a, to=by, link=link)]


def drops(thing: str) -> Act:
    """Let a thing no longer go with another from the beginning of the time on."""
    return lambda a, b: [Release(thing=thing, at_s=a)]


def later(act: Act, share: Fraction = Fraction(1, 2)) -> Act:
    """Let an act begin after a share of the time."""
    return lambda a, b: act(snap(a + (b - a) * share), b)


def sooner(act: Act, share: Fraction = Fraction(1, 2)) -> Act:
    """Let an act be over after a share of the time."""
    return lambda a, b: act(a, snap(a + (b - a) * share))
