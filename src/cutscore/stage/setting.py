"""Where a scene plays, how it is filmed, what is done, said and heard: the parts of a scene besides its things."""

from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from cutscore.core.frozen import FrozenModel
from cutscore.core.timeline import Seconds, Span
from cutscore.stage.palette import Colour
from cutscore.stage.things import Change, Exact, Id, Text

Backdrop = Literal["studio", "kitchen", "workshop", "laboratory", "room", "park", "street", "sea", "forest", "tabletop"]
Weather = Literal["clear", "rain", "snow", "fog"]
Light = Literal["day", "dusk", "night"]
Size = Literal["wide", "medium", "close"]
Filter = Literal["sepia", "grey", "cartoon", "grain", "vignette", "faded"]
Voice = Literal["tones", "espeak-ng"]
Effect = Literal["beep", "knock", "ding", "pour", "whoosh", "step", "buzz"]

INDOORS = frozenset({"kitchen", "workshop", "laboratory", "room", "tabletop"})


class Place(FrozenModel):
    """Where a shot is taken: the backdrop with its main colour, light and weather."""

    id: Id = "stage"
    backdrop: Backdrop = "studio"
    colour: Colour = "blue"
    light: Light = "day"
    weather: Weather = "clear"

    @model_validator(mode="after")
    def _under_the_sky(self) -> Self:
        if self.weather != "clear" and self.backdrop in INDOORS:
            raise ValueError(f"place '{self.id}' is a {self.backdrop}: {self.weather} is not seen indoors")
        return self


class CameraMove(FrozenModel):
    """A move of the camera by `x` and `y` units and to `zoom` times the picture, within the shot."""

    at_s: Seconds
    for_s: Annotated[Seconds, Field(gt=0)]
    x: Exact = Fraction(0)
    y: Exact = Fraction(0)
    zoom: Annotated[Exact, Field(gt=0, le=8)] = Fraction(1)


class Shot(FrozenModel):
    """What the camera shows from `start_s` until the next shot begins.

    Args:
        size: Wide shows the whole stage, medium five eighths of its height, close two fifths.
        on: Thing that the picture is centred on when the shot begins; the stage's middle by default.
        follow: Whether it stays centred on it.
        x, y: Move the centre from there, in units.
        to: Where the camera goes during the shot: a pan, a tilt or a zoom, or all at once.
    """

    start_s: Seconds = Fraction(0)
    place: Id = "stage"
    size: Size = "wide"
    on: Id | None = None
    follow: bool = False
    x: Exact = Fraction(0)
    y: Exact = Fraction(0)
    to: CameraMove | None = None


class SceneStep(FrozenModel):
    """One step of a procedure: who does what with which tool, why, and what changes by it.

    It needs the steps that it is there `because` of, since it uses what they made.
    """

    id: Id
    start_s: Seconds
    end_s: Seconds
    verb: Id
    actor: Id | None = None
    tool: Id | None = None
    objects: tuple[Id, ...] = ()
    text: Text
    because: tuple[Id, ...] = ()
    why: Annotated[str, StringConstraints(max_length=200)] = ""
    changes: tuple[Change, ...] = ()

    @property
    def span(self) -> Span:
        """Return from when to when it takes."""
        return Span(start_s=self.start_s, end_s=self.end_s)


class Caption(FrozenModel):
    start_s: Seconds
    end_s: Seconds
    text: Text
    at: Literal["bottom", "top", "title"] = "bottom"


class SceneLine(FrozenModel):
    """Words that are spoken from `start_s` on; how long they last depends on the voice."""

    start_s: Seconds
    text: Text
    speaker: Id | None = None


class Cue(FrozenModel):
    """A sound from `at_s` on; `pitch_hz` matters to beep, ding and buzz."""

    at_s: Seconds
    sound: Effect
    for_s: Annotated[Seconds, Field(gt=0, le=60)] = Fraction(1, 4)
    pitch_hz: Annotated[int, Field(ge=50, le=8000)] = 880


class World(FrozenModel):
    """Forces and walls for things with a body; gravity 0 is a table seen from above.

    Gravity is units a second squared, down; `bounce` is the share of the speed that is left after hitting something.
    """

    gravity: Annotated[Exact, Field(ge=0, le=10000)] = Fraction(1600)
    bounce: Annotated[Exact, Field(ge=0, le=1)] = Fraction(3, 4)
    left: Exact = Fraction(0)
    right: Exact = Fraction(1600)
    top: Exact = Fraction(-4000)
    floor: Exact = Fraction(800)
