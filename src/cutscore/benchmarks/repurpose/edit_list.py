"""What a film is made of, stretch by stretch: which seconds of which source it shows, and what is of none."""

from typing import Any, Literal

from pydantic import Field, model_validator

from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.timeline import Span

PieceKind = Literal["source", "frozen", "blank", "new"]
PieceSound = Literal["", "own", "elsewhere", "foreign", "silent"]


class Piece(FrozenModel):
    """One stretch of a film.

    Args:
        out: In the film.
        source: Name of the film that it shows; None when it shows none.
        at: In that film; None when it shows none.
        kind: `source`; or `frozen` (one picture of a source, held), `blank` (black or one colour), `new`.
        speed: Seconds of the source for each second of the film.
        heard: Whether the source is heard with the sound that it has there, or is silent in both.
        sound: `own` as above; `elsewhere`, sound of another place of a source; `foreign`; `silent`; empty where nobody
            listened.
    """

    out: Span
    source: str | None = None
    at: Span | None = None
    kind: PieceKind = "new"
    speed: Finite = Field(default=1.0, gt=0)
    heard: bool = False
    sound: PieceSound = ""

    @model_validator(mode="before")
    @classmethod
    def _what_has_a_place_is_of_the_source(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("at") is not None:
            return {"kind": "source", **data}
        return data


class EditList(FrozenModel):
    """The stretches of a film, in order and without gaps."""

    pieces: tuple[Piece, ...] = Field(min_length=1)
