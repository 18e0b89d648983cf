"""What a film is made of, stretch by stretch, and what that comes to: shares of the film, seconds of the source.

What is frozen, black, padded or new is no second of the source, and a second that is shown twice counts once.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from pydantic import Field, model_validator

from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.timeline import Span
from cutscore.scoring.verifiers.film_faults import FilmFault
from cutscore.scoring.verifiers.refusal import Refusal

PieceKind = Literal["source", "frozen", "blank", "new"]
PieceSound = Literal["", "own", "elsewhere", "foreign", "silent"]
ShareName = Literal["from_source", "repeated", "hurried", "frozen", "padded", "letterboxed", "heard"]
# What fills a film without telling anything, and from which share on that is all it does. Each is far from honest
# work: a recap repeats nothing, a held picture or a fade takes a second.
HOLLOW: Mapping[ShareName, float] = {
    "repeated": 1 / 3,
    "hurried": 1 / 2,
    "frozen": 1 / 2,
    "padded": 1 / 4,
    "letterboxed": 1 / 4,
}
# A held picture or a fade of honest work.
IDLE_S = Fraction(1)
# Times as fast as the source: from here on nobody takes it for the source's own pace.
_HURRIED = 1.15
SHARES: Mapping[ShareName, str] = {
    "from_source": "of the film is from the source",
    "repeated": "of the film repeats what it has shown before",
    "hurried": "of the film runs faster than the source",
    "frozen": "of the film stands still",
    "padded": "of the film is black or one colour",
    "letterboxed": "of the picture lies in bars",
    "heard": "of what is from the source is heard with its own sound",
}


class EditPiece(FrozenModel):
    """One stretch of a film.

    Args:
        out: In the film.
        source, at: Name of the source that it shows, and where in it; None when it shows none.
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


@dataclass(frozen=True)
class SourceMap:
    """What a film is made of: its stretches, in order and without gaps.

    Args:
        from_source: Share of its time that shows a source that goes on.
        coverage: Share of its sources' time that it shows, each second counted once.
        frozen: Share of its time in which a picture of a source is held for half a second or more.
        padded: Share of its time that is black or of one colour.
        letterboxed: Share of its picture that lies in bars which the source has not, over the time that shows one.
        heard: Share of the time that shows a source in which that source is heard with its own sound.
        ungrounded: Whether `from_source` is below `LEAST_FROM_SOURCE`.
        faults: Where it is blurred, and where its sound is not as it is in the source; what stands still or is black
            is among the pieces.
    """

    pieces: tuple[EditPiece, ...]
    from_source: float
    coverage: float
    frozen: float
    padded: float
    letterboxed: float
    heard: float
    ungrounded: bool
    faults: tuple[FilmFault, ...] = ()


def share_of(film: SourceMap, name: ShareName) -> float:
    """Return a share of a film, 0 to 1."""
    if name == "hurried":
        fast_s = sum((each.out.length_s for each in film.pieces if each.at and each.speed > _HURRIED), Fraction(0))
        return float(fast_s / film.pieces[-1].out.end_s)
    if name != "repeated":
        return float(getattr(film, name))
    shown = [piece.at for piece in film.pieces if piece.at is not None]
    twice_s = sum((at.length_s for at in shown), Fraction(0)) - covered_s(shown)
    return float(twice_s / film.pieces[-1].out.end_s)


def refuse_hollow(film: SourceMap) -> Refusal | None:
    """Return why a film counts as none that anybody made of the source; None when it is one.

    Returns:
        `ungrounded`, `repeated`, `hurried`, `frozen`, `padded` or `letterboxed`; the bounds are those of `HOLLOW`.
    """
    if film.ungrounded:
        return Refusal("ungrounded", f"{film.from_source:.0%} {SHARES['from_source']}")
    for name, most in HOLLOW.items():
        if (value := share_of(film, name)) > most:
            return Refusal(name, f"{value:.0%} {SHARES[name]}, more than {most:.0%}")
    return None


def find_idle(film: SourceMap) -> list[FilmFault]:
    """Return the stretches that stand still or are black for longer than a held picture or a fade takes."""
    words = {"frozen": ("still", "stands still"), "blank": ("black", "is black or of one colour")}
    return [
        FilmFault(words[piece.kind][0], piece.out, f"{words[piece.kind][1]} for {float(piece.out.length_s):.2f} s")
        for piece in film.pieces
        if piece.kind in words and piece.out.length_s > IDLE_S
    ]


def shown_s(span: Span, film: SourceMap, *, heard: bool = False) -> Fraction:
    """Return how many seconds of a stretch of the source a film shows, each second once."""
    pieces = [piece.at for piece in film.pieces if piece.at is not None and (not heard or piece.heard)]
    return covered_s([both for at in pieces if (both := _overlap(at, span))])


def first_showing(span: Span, film: SourceMap, *, heard: bool = False) -> Span | None:
    """Return the first stretch of the film in which a stretch of the source is seen."""
    for piece in film.pieces:
        if piece.at is not None and (not heard or piece.heard) and (both := _overlap(piece.at, span)):
            speed = piece.at.length_s / piece.out.length_s
            start_s = piece.out.start_s + (both.start_s - piece.at.start_s) / speed
            return Span(start_s=start_s, end_s=start_s + both.length_s / speed)
    return None


def _overlap(one: Span, other: Span) -> Span | None:
    start_s, end_s = max(one.start_s, other.start_s), min(one.end_s, other.end_s)
    return Span(start_s=start_s, end_s=end_s) if start_s < end_s else None


def covered_s(spans: Iterable[Span]) -> Fraction:
    """Return the seconds that spans cover, each once.

    >>> covered_s([Span(start_s=0, end_s=2), Span(start_s=5, end_s=6), Span(start_s=1, end_s=3)])
    Fraction(4, 1)
    """
    found_s, until_s = Fraction(0), Fraction(0)
    for span in sorted(spans, key=lambda each: each.start_s):
        found_s += max(Fraction(0), span.end_s - max(span.start_s, until_s))
        until_s = max(until_s, span.end_s)
    return found_s
