"""What a client may want of a film, and what films there are."""

from fractions import Fraction
from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field

from cutscore.core.frozen import FrozenModel
from cutscore.core.timeline import Seconds

Content = Literal["talk", "narrative short", "sports broadcast", "music performance"]
Form = Literal["recap", "trailer", "teaser", "social cut"]
CONTENTS: tuple[Content, ...] = get_args(Content)
FORMS: tuple[Form, ...] = get_args(Form)


def _split_aspect(value: object) -> object:
    return tuple(value.split(":")) if isinstance(value, str) else value


class FilmTerms(FrozenModel):
    """What a film has to be, and what it is made of.

    Args:
        length_s, within_s: Length, and how far it may stray.
        aspect: Width to height; written `9:16`.
        sound: Whether it has to be heard.
    """

    content: Content = "narrative short"
    form: Form = "trailer"
    length_s: Annotated[Seconds, Field(gt=0)] = Fraction(60)
    within_s: Annotated[Seconds, Field(ge=0)] = Fraction(2)
    aspect: Annotated[
        tuple[Annotated[int, Field(gt=0)], Annotated[int, Field(gt=0)]], BeforeValidator(_split_aspect)
    ] = (
        16,
        9,
    )
    container: Literal["mp4", "mov", "matroska", "webm"] = "mp4"
    sound: bool = True
