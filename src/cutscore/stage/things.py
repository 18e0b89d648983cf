"""What stands on a stage, and what may happen to it.

The stage is 1600 units wide and 900 high, x to the right and y down, whatever the size of the picture. A thing is where
its middle is. All numbers are exact: JSON carries them as text (`"1/3"`) and reads them back equal.
"""

import re
from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, StringConstraints, model_validator

from cutscore.core.frozen import FrozenModel
from cutscore.core.timeline import Seconds
from cutscore.stage.palette import Colour

STAGE_WIDTH, STAGE_HEIGHT = 1600, 900

Id = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=40)]
Material = Literal["matte", "shiny", "glass", "wood", "metal", "cloth"]
Mood = Literal["calm", "happy", "sad", "surprised", "asleep"]
Ease = Literal["gentle", "steady", "speeding", "slowing"]
Link = Literal["held", "inside", "on"]

_MOST = 10**6
_FINEST = 10**9
_HUGE = re.compile(r"[eE][+-]?\d{3}")


def exact(value: object) -> Fraction:
    """Read a number: an integer, a fraction, a decimal (floats by their shortest form) or `"1/3"`.

    >>> exact(0.1), exact("1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str | Fraction):
        raise ValueError(f"{type(value).__name__} is not a number")
    if isinstance(value, str) and _HUGE.search(value):  # "1e999999999" as an exact number is gigabytes long
        raise ValueError(f"{value[:40]} is too large or too fine for the stage")
    try:
        number = Fraction(repr(value)) if isinstance(value, float) else Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{str(value)[:40]!r} is not a number") from None
    if abs(number) > _MOST or number.denominator > _FINEST:
        raise ValueError(f"{str(value)[:40]} is too large or too fine for the stage")
    return number


# Latin, Greek and Cyrillic; a property test looks for a glyph of each.
_LETTERS = ((" ", "~"), ("¡", "ſ"), ("Α", "Ρ"), ("Σ", "ω"), ("Ѐ", "џ"), ("←", "↓"))
_EXTRA = frozenset("–—‘’“”…•€")


def check_letters(text: str) -> str:
    """Return a text if our font can show all of it; a letter that it cannot show would make the truth wrong."""
    for letter in text:
        if not (letter in _EXTRA or any(first <= letter <= last for first, last in _LETTERS)):
            raise ValueError(f"the letter {letter!r} (U+{ord(letter):04X}) cannot be shown")
    return text


Text = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"\S"), AfterValidator(check_letters)]
Label = Annotated[str, StringConstraints(max_length=40, pattern=r"^$|\S"), AfterValidator(check_letters)]
Exact = Annotated[Fraction, BeforeValidator(exact), PlainSerializer(str, return_type=str)]


class Body(FrozenModel):
    """Lets a thing fly, fall and bounce as a disc, from a moment on (`physics.py`); speeds are units a second."""

    from_s: Seconds = Fraction(0)
    speed_x: Exact = Fraction(0)
    speed_y: Exact = Fraction(0)


class Thing(FrozenModel):
    """An actor or a prop.

    Args:
        kind: What it looks like; `figures.KINDS` names all.
        colour: Of its body.
        width, height: In units; 0 stands for what is usual for the kind, or in proportion to the other.
        turn: Degrees clockwise.
        layer: Higher is nearer to us; among equals the later one in the scene is.
        fill: How full a vessel is, 0 to 1, of `filling`.
        count: How many pieces are shown (slices, eggs, coins), where the kind has pieces.
        seen: Whether it is there at the start.
        look: Which of the actor's faces, hairs and skins.
    """

    id: Id
    kind: Id
    colour: Colour = "grey"
    material: Material = "matte"
    x: Exact
    y: Exact
    width: Annotated[Exact, Field(ge=0)] = Fraction(0)
    height: Annotated[Exact, Field(ge=0)] = Fraction(0)
    turn: Exact = Fraction(0)
    layer: Annotated[int, Field(ge=-100, le=100)] = 0
    fill: Annotated[Exact, Field(ge=0, le=1)] = Fraction(0)
    filling: Colour = "blue"
    count: Annotated[int, Field(ge=0, le=20)] = 1
    mood: Mood = "calm"
    text: Label = ""
    place: Id = "stage"
    seen: bool = True
    look: Annotated[int, Field(ge=0, le=1000)] = 0
    body: Body | None = None


class _Change(FrozenModel):
    """Something that happens to one thing, from `at_s` on and for `for_s` seconds."""

    thing: Id
    at_s: Seconds
    for_s: Seconds = Fraction(0)
    ease: Ease = "gentle"

    @property
    def end_s(self) -> Fraction:
        """Return when the change is over."""
        return self.at_s + self.for_s

    @model_validator(mode="after")
    def _forward(self) -> Self:
        if self.at_s < 0 or self.for_s < 0:
            raise ValueError(f"change of '{self.thing}' is at {self.at_s} s for {self.for_s} s; neither may be below 0")
        return self


class Move(_Change):
    """To another place, along a straight line or a curve that rises `arc` units above it."""

    what: Literal["move"] = "move"
    x: Exact
    y: Exact
    arc: Exact = Fraction(0)


class Rotate(_Change):
    what: Literal["turn"] = "turn"
    to: Exact


class Grow(_Change):
    """To `to` times the size that it has in the scene."""

    what: Literal["grow"] = "grow"
    to: Annotated[Exact, Field(gt=0, le=20)]


class Fill(_Change):
    what: Literal["fill"] = "fill"
    to: Annotated[Exact, Field(ge=0, le=1)]


class Count(_Change):
    """To another number of pieces, at once when the time is over."""

    what: Literal["count"] = "count"
    to: Annotated[int, Field(ge=0, le=20)]


class Recolour(_Change):
    """To another colour, of the body or of the filling; it has the new name from half-way on."""

    what: Literal["recolour"] = "recolour"
    to: Colour
    part: Literal["body", "filling"] = "body"


class Feel(_Change):
    what: Literal["feel"] = "feel"
    to: Mood


class Write(_Change):
    what: Literal["write"] = "write"
    to: Label


class Appear(_Change):
    """Fades in over `for_s`; there from `at_s` on."""

    what: Literal["appear"] = "appear"


class Vanish(_Change):
    """Fades out over `for_s`; there until the end of it."""

    what: Literal["vanish"] = "vanish"


class Become(_Change):
    """Turns into another kind of thing, at once when the time is over: batter into a pancake."""

    what: Literal["become"] = "become"
    to: Id


class Join(_Change):
    """From then on goes where `to` goes: held by it, inside it or on it. What a person holds is drawn with an arm."""

    what: Literal["join"] = "join"
    to: Id
    link: Link = "held"


class Release(_Change):
    """Ends what `Join` began; the thing stays where it is."""

    what: Literal["part"] = "part"


Change = Annotated[
    Move | Rotate | Grow | Fill | Count | Recolour | Feel | Write | Appear | Vanish | Become | Join | Release,
    Field(discriminator="what"),
]

# Two changes of one thing may not want the same of it at the same time.
_TRACKS: dict[str, str] = {"appear": "seen", "vanish": "seen", "join": "join", "part": "join"}


def track_of(change: Change) -> str:
    """Return what a change is about: two of one track cannot happen to one thing at the same time."""
    if isinstance(change, Recolour):
        return f"recolour {change.part}"
    return _TRACKS.get(change.what, change.what)
