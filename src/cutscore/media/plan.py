"""Which frames to look at, as one line of text that can be printed, stored and tested.

    uniform=10          the centres of 10 equal parts of the clip
    fps=1,max=60        from 0 s in steps of 1/1 s; more than 60 are thinned out to the middles of 60 equal parts
    fps=1,max=60,head   the same steps; of more than 60 the first 60
    times=0.5;1.25      at these seconds
    every@3.2-5         every frame whose presentation time lies in [3.2 s, 5 s)
    shuffled:fps=1      the frames of the plan behind the colon, in another order that is drawn by the clip
    released:covebench  as the code that CoVEBench has released chooses them; released:covebench,frames=16 for 16
    released:videowebarena  as that of VideoWebArena does, 60 at most; released:videowebarena,frames=5 for 5

A plan names times, which count from the clip's first video frame and may be written as decimals, fractions
(`1001/24000`) or timecodes (`1:02.5`). Only a `released:` plan counts frames, since the code that it follows does.
Reading a plan loads neither a decoder nor numpy.
"""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import ClassVar, TypeVar

from cutscore.core.errors import BadInput
from cutscore.core.timeline import seconds

N = TypeVar("N", int, Fraction)

EXAMPLES = "uniform=10, fps=1,max=60, times=0.5;1.25, every@3.2-5 or released:covebench"
_RELEASED, _TUTORIAL = "released:covebench", "released:videowebarena"
_SHUFFLED = "shuffled:"


class FramePlan(ABC):
    """A way to choose frames; `FramePlan.parse(str(plan)) == plan`."""

    _why_untimed: ClassVar[tuple[str, ...]]  # fact and next step, for plans that name no times

    def capped(self, most: int) -> "FramePlan":
        """Return the plan that has at most so many frames: steps keep their grid, any other plan becomes uniform."""
        return Uniform(most)

    def among(self, total: int) -> tuple[int, ...]:
        """Number those of `total` pictures that a plan keeps where frames lie ready as files; all, if it has no cap."""
        return tuple(range(total))

    @staticmethod
    def parse(text: str) -> "FramePlan":
        """Read a spec string; `str` of the result is its canonical form.

        >>> str(FramePlan.parse(" fps=0.50, max=60 "))
        'fps=0.5,max=60'
        >>> FramePlan.parse("uniform=2").times(Fraction(2))
        (Fraction(1, 2), Fraction(3, 2))
        """
        plain = "".join(text.split())
        start = next((start for start in _READERS if plain.startswith(start)), None)
        if start is None:
            raise BadInput(f"frame plan '{text}'", "does not say how to choose frames", f"write {EXAMPLES}")
        try:
            return _READERS[start](plain.removeprefix(start))
        except ValueError as error:
            raise BadInput(f"frame plan '{text}'", str(error), f"write {EXAMPLES}") from None

    def times(self, duration_s: Fraction) -> tuple[Fraction, ...]:
        """Return the wanted seconds in order, none twice; refused where only the clip knows them."""
        raise BadInput(f"frame plan '{self}'", *self._why_untimed)

    @abstractmethod
    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Uniform(FramePlan):
    """The centres of `count` equal parts of the duration: always `count` times, none at the very start or end."""

    count: int

    def __post_init__(self) -> None:
        _check(self.count >= 1, f"asks for {self.count} frames, at least 1 is needed")

    def times(self, duration_s: Fraction) -> tuple[Fraction, ...]:
        """Return the wanted seconds in order."""
        return tuple(duration_s * (2 * part + 1) / (2 * self.count) for part in range(self.count))

    def among(self, total: int) -> tuple[int, ...]:
        """Return the numbers that it keeps of `total` pictures."""
        return middle_numbers(total, self.count)

    def __str__(self) -> str:
        return f"uniform={self.count}"


@dataclass(frozen=True)
class Steps(FramePlan):
    """Every 1/rate seconds from 0 while inside the clip, and at most `most` of them.

    Of k > most steps the middles of `most` equal parts stay, those numbered floor((2i+1)·k/(2·most)) for
    i = 0 … most-1: evenly spread to within one step, and one of many is the middle one. With `head` the first ones
    stay instead.
    """

    rate: Fraction
    most: int | None = None
    head: bool = False

    def __post_init__(self) -> None:
        _check(self.rate > 0, f"fps is {_text(self.rate)}, it must be above 0")
        _check(self.most is None or self.most >= 1, f"max is {self.most}, it must be at least 1")
        _check(self.most is not None or not self.head, "head needs a max")

    def capped(self, most: int) -> FramePlan:
        """Return the same plan with at most so many frames."""
        return Steps(self.rate, most, self.head)

    def times(self, duration_s: Fraction) -> tuple[Fraction, ...]:
        """Return the wanted seconds in order."""
        steps = max(0, math.ceil(duration_s * self.rate))
        return tuple(number / self.rate for number in self.among(steps))

    def among(self, total: int) -> tuple[int, ...]:
        """Return the numbers that it keeps of `total` pictures."""
        most = total if self.most is None else self.most
        return tuple(range(min(total, most))) if self.head else middle_numbers(total, most)

    def __str__(self) -> str:
        cap = "" if self.most is None else f",max={self.most}"
        return f"fps={_text(self.rate)}{cap}{',head' if self.head else ''}"


@dataclass(frozen=True)
class Times(FramePlan):
    """These seconds, sorted, each once; a time after the end means the last frame."""

    at_s: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        _check(bool(self.at_s), "names no time")
        _check(min(self.at_s) >= 0, f"{_text(min(self.at_s))} s lies before the clip")
        object.__setattr__(self, "at_s", tuple(sorted(set(self.at_s))))

    def times(self, duration_s: Fraction) -> tuple[Fraction, ...]:
        """Return the wanted seconds in order."""
        return self.at_s

    def __str__(self) -> str:
        return "times=" + ";".join(map(_text, self.at_s))


@dataclass(frozen=True)
class Every(FramePlan):
    """Every frame that begins in [start_s, end_s); one that began earlier and is still shown does not count."""

    _why_untimed = ("takes the frames that a clip has; only the clip knows their times",)
    start_s: Fraction
    end_s: Fraction

    def __post_init__(self) -> None:
        _check(self.start_s >= 0, f"{_text(self.start_s)} s lies before the clip")
        _check(self.start_s < self.end_s, f"nothing lies from {_text(self.start_s)} s to {_text(self.end_s)} s")

    def __str__(self) -> str:
        return f"every@{_text(self.start_s)}-{_text(self.end_s)}"


@dataclass(frozen=True)
class Shuffled(FramePlan):
    """The frames of another plan, shown in another order; whoever shows them gives each the time of its new place."""

    _why_untimed = ("says in which order frames are shown", "read them with read_cached_frames")
    plan: FramePlan

    def __post_init__(self) -> None:
        _check(not isinstance(self.plan, Shuffled), "shuffles twice")

    def capped(self, most: int) -> FramePlan:
        """Return the same plan with at most so many frames."""
        return Shuffled(self.plan.capped(most))

    def among(self, total: int) -> tuple[int, ...]:
        """Return the numbers that it keeps of `total` pictures."""
        return self.plan.among(total)

    def __str__(self) -> str:
        return f"{_SHUFFLED}{self.plan}"


@dataclass(frozen=True)
class Released(FramePlan):
    """Frames by number, as CoVEBench's released code samples a video of its own length.

    From the first frame to the last, both included: of `total` frames those numbered round(i·(total-1)/(n-1)) for
    i = 0 … n-1 with n = min(total, frames), rounded half to even; the middle one, total // 2, when n is 1. Its
    metrics take 10 frames, motion fidelity 16.

    Its code counts frames with decord or, for aesthetics, believes the header that OpenCV reads. We count the frames
    that are shown: those that an edit list cuts away are not among them.
    """

    _why_untimed = ("counts the frames of a clip; only the clip knows their times",)
    frames: int = 10

    def __post_init__(self) -> None:
        _check(self.frames >= 1, f"asks for {self.frames} frames, at least 1 is needed")

    def numbers(self, total: int, duration_s: Fraction = Fraction(0)) -> tuple[int, ...]:
        """Return the numbers of the wanted frames, from 0, in order, none twice.

        >>> Released(4).numbers(12)
        (0, 4, 7, 11)
        """
        count = min(total, self.frames)
        if count <= 1:
            return (total // 2,) if count == 1 else ()
        return tuple(sorted({round(Fraction(each * (total - 1), count - 1)) for each in range(count)}))

    def __str__(self) -> str:
        return _RELEASED if self.frames == 10 else f"{_RELEASED},frames={self.frames}"


@dataclass(frozen=True)
class ReleasedTutorial(Released):
    """Frames by number, as VideoWebArena's released code samples a tutorial.

    One a second from the first frame on; of a video with more whole seconds than `frames`, every ceil(total/frames)-th.
    Its code steps by the rate itself, and at 29.97 frames a second meets no frame but the first. We step by the nearest
    whole number. It also hands frames on with red and blue swapped, which no plan does here.
    """

    frames: int = 60

    def numbers(self, total: int, duration_s: Fraction = Fraction(0)) -> tuple[int, ...]:
        """Return the numbers of the wanted frames, from 0, in order, none twice.

        >>> ReleasedTutorial(2).numbers(30, Fraction(3)), ReleasedTutorial().numbers(89, Fraction(297, 100))
        ((0, 15), (0, 30, 60))
        """
        is_long = int(duration_s) > self.frames
        step = math.ceil(Fraction(total, self.frames)) if is_long else round(total / (duration_s or 1))
        return tuple(range(0, total, max(1, step)))

    def __str__(self) -> str:
        return _TUTORIAL if self.frames == 60 else f"{_TUTORIAL},frames={self.frames}"


def middle_numbers(total: int, most: int) -> tuple[int, ...]:
    """Number the middles of `most` equal parts of `total` things in a row, from 0; all of them when they are fewer.

    >>> middle_numbers(60, 1), middle_numbers(6, 4), middle_numbers(3, 8)
    ((30,), (0, 2, 3, 5), (0, 1, 2))
    """
    count = min(total, most)
    return tuple((2 * part + 1) * total // (2 * count) for part in range(count))


def shuffled_order(count: int, seed: str) -> tuple[int, ...]:
    """Draw another order of `count` things, any but the one they have; fewer than two have no other.

    >>> shuffled_order(4, "a"), shuffled_order(1, "a")
    ((1, 0, 3, 2), (0,))
    """
    order, draw = list(range(count)), Random(seed)
    while count > 1 and order == sorted(order):
        draw.shuffle(order)
    return tuple(order)


def canonical_plan(text: str, usual: str) -> str:
    """Return the canonical spec of a plan as a user writes it: a bare number is the usual plan with that cap.

    >>> canonical_plan("1", "fps=1,max=8"), canonical_plan("4", ""), canonical_plan("fps=2", "")
    ('fps=1,max=1', 'uniform=4', 'fps=2')
    """
    if not re.fullmatch(r"0*[1-9][0-9]{0,8}", text.strip()):
        return str(FramePlan.parse(text))
    return str(FramePlan.parse(usual).capped(int(text)) if usual else Uniform(int(text)))


def _read_released(text: str, kind: type[Released] = Released) -> Released:
    _check(not text or text.startswith(",frames="), f"'{text}' should be ,frames= and a number of frames")
    return kind(_count(text.removeprefix(",frames="))) if text else kind()


def _read_steps(text: str) -> Steps:
    rate, comma, rest = text.partition(",")
    most, _, head = rest.partition(",")
    _check(not comma or most.startswith("max="), f"'{most}' should be max= and a number of frames")
    _check(head in ("", "head") and not rest.endswith(","), f"'{head}' should be head, or nothing")
    _check(":" not in rate, f"'{rate}' is not a number of frames a second")
    cap = _count(most.removeprefix("max=")) if comma else None
    return Steps(_number(seconds, rate, "frames a second"), cap, bool(head))


def _count(text: str) -> int:
    return _number(int, text, "frames")


def _number(read: Callable[[str], N], text: str, unit: str) -> N:
    try:
        return read(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"'{text}' is not a number of {unit}") from None


def _read_every(text: str) -> Every:
    start, dash, end = text.partition("-")
    _check(bool(dash), "a stretch is a start and an end with a dash between them")
    return Every(seconds(start), seconds(end))


_READERS: dict[str, Callable[[str], FramePlan]] = {
    "uniform=": lambda text: Uniform(_count(text)),
    "fps=": _read_steps,
    "times=": lambda text: Times(tuple(map(seconds, text.split(";")))),
    "every@": _read_every,
    _RELEASED: _read_released,
    _TUTORIAL: lambda text: _read_released(text, ReleasedTutorial),
    _SHUFFLED: lambda text: Shuffled(FramePlan.parse(text)),
}


def _check(holds: bool, fact: str) -> None:
    if not holds:
        raise ValueError(fact)


def _text(value: Fraction) -> str:
    """Write a number so that it reads back equal: as a decimal where six places do, else as a fraction."""
    for places in range(7):
        if (value * 10**places).denominator == 1:
            return f"{Decimal(int(value * 10**places)).scaleb(-places):f}"
    return str(value)
