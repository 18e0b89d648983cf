"""Exact places in time: seconds as fractions, spans, timecodes.

A frame at 24000/1001 frames a second does not begin at a float. Everything that names a second of video
uses `Fraction`, which JSON carries as text (`"1001/24000"`) and reads back equal.
"""

import re
from fractions import Fraction
from numbers import Integral
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, PlainSerializer, model_validator

from cutscore.core.frozen import FrozenModel

# [-][HOURS:]MINUTES:SECONDS, as players show it. Four parts would be frames, whose length we do not know here.
_CLOCK = re.compile(r"(-?)(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)")

# "1e999999999" as an exact number is gigabytes long.
_HUGE_EXPONENT = re.compile(r"[eE][+-]?[\d_]{3}")
# Longer than any clip or clock; an exact number may be larger than any float, and nothing could be said of it.
_MOST_S = 10**12


def seconds(value: object) -> Fraction:
    """Read seconds from a fraction, an integer, a decimal text, `"1001/24000"` or a timecode.

    Floats are read by their shortest decimal form, since `0.1` was meant as one tenth.

    >>> seconds(0.1), seconds("1001/24000"), seconds("01:02.5")
    (Fraction(1, 10), Fraction(1001, 24000), Fraction(125, 2))
    """
    if isinstance(value, bool):
        raise ValueError("seconds cannot be true or false")
    if isinstance(value, Fraction):
        return value
    if isinstance(value, Integral):
        return _refuse_endless(Fraction(int(value)))
    if isinstance(value, float):
        try:
            return Fraction(repr(float(value)))  # numpy's floats are floats with a longer name
        except ValueError:
            raise ValueError(f"{value} is not a number of seconds") from None
    if isinstance(value, str):
        text = value.strip()
        try:
            if _HUGE_EXPONENT.search(text):
                raise ValueError
            return _refuse_endless(Fraction(text) if ":" not in text else _parse_clock(text))
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"'{text[:80]}' is not a number of seconds or a timecode") from None
    raise ValueError(f"{type(value).__name__} is not a number of seconds")


def _refuse_endless(at_s: Fraction) -> Fraction:
    if abs(at_s) > _MOST_S:
        raise ValueError(f"more than {_MOST_S:,} seconds are no place in a clip")
    return at_s


def _parse_clock(text: str) -> Fraction:
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise ValueError
    sign, hours, minutes, rest = found.groups()
    total = int(hours or 0) * 3600 + int(minutes) * 60 + Fraction(rest)
    return -total if sign else total


def timecode(at_s: Fraction) -> str:
    """Write seconds as people read them on a player: minutes, seconds, milliseconds.

    >>> timecode(Fraction(125, 2)), timecode(Fraction(3725))
    ('01:02.500', '1:02:05.000')
    """
    milliseconds = round(abs(at_s) * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    sign = "-" if at_s < 0 and milliseconds else ""
    clock = f"{minutes:02d}:{rest // 1000:02d}.{rest % 1000:03d}"
    return f"{sign}{hours}:{clock}" if hours else f"{sign}{clock}"


def _write(value: Fraction) -> str:
    return str(value)


Seconds = Annotated[Fraction, BeforeValidator(seconds), PlainSerializer(_write, return_type=str)]


class Span(FrozenModel):
    """A half-open stretch of time, `start_s <= t < end_s`; start and end may be equal to mean an instant.

    >>> Span(start_s=1, end_s="5/2").overlap(Span(start_s=2, end_s=4))
    Fraction(1, 2)
    """

    start_s: Seconds
    end_s: Seconds

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.end_s < self.start_s:
            raise ValueError(f"span ends at {float(self.end_s):g} s, before it starts at {float(self.start_s):g} s")
        return self

    @property
    def length_s(self) -> Fraction:
        """Seconds from start to end."""
        return self.end_s - self.start_s

    def holds(self, at_s: Fraction) -> bool:
        """Return whether an instant lies inside."""
        return self.start_s <= at_s < self.end_s or at_s == self.start_s == self.end_s

    def overlap(self, other: "Span") -> Fraction:
        """Return the seconds that two spans share."""
        return max(Fraction(0), min(self.end_s, other.end_s) - max(self.start_s, other.start_s))

    def iou(self, other: "Span") -> Fraction:
        """Return shared seconds over covered seconds; two equal instants count as 1."""
        shared = self.overlap(other)
        covered = self.length_s + other.length_s - shared
        if covered == 0:
            return Fraction(int(self.start_s == other.start_s))
        return shared / covered

    def __str__(self) -> str:
        return f"{timecode(self.start_s)}–{timecode(self.end_s)}"


def span_from(value: Any) -> Span | None:
    """Read `[start, end]`, a span or nothing; the short form that JSON and people use."""
    if value is None or isinstance(value, Span):
        return value
    if isinstance(value, dict):
        return Span.model_validate(value)
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError("a place in time is [start, end] in seconds")
    return Span(start_s=value[0], end_s=value[1])


def _pair(value: Span | None) -> list[str] | None:
    return None if value is None else [str(value.start_s), str(value.end_s)]


At = Annotated[Span | None, BeforeValidator(span_from), PlainSerializer(_pair, return_type=list[str] | None)]
