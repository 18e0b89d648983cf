"""Yes or no about an edit, from which seconds of its source it shows and plays: what a rubric can ask without a judge.

A predicate speaks of the source's own time ("the goal, 12.4 to 14 s"), and the source map says which of these seconds
are in the film and where. So a statement about footage whose story is known is decided by arithmetic, with the second
of the film that decided it. What is frozen, black, padded or new is no second of the source, and a second that is
shown twice counts once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from cutscore.benchmarks.repurpose.edit_list import Piece
from cutscore.benchmarks.repurpose.source_map import SourceMap
from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.timeline import Seconds, Span
from cutscore.scoring.verifiers.refusal import Refusal

Share = Annotated[Finite, Field(ge=0, le=1)]
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
# Two pictures at 8 a second: an edit that cuts so much into a moment still has it.
_SLACK_S = Fraction(1, 4)


@dataclass(frozen=True)
class Fact:
    """What a predicate comes to: yes or no, a sentence, and the stretch of the film that shows it, if one does."""

    yes: bool
    because: str
    at: Span | None = None


class Shows(FrozenModel):
    """At least so many seconds of a moment are seen.

    Args:
        span: The moment, in seconds of the source.
        least_s: How much of it has to be there.
        heard: Whether it has to be heard with its own sound, too.
    """

    what: Literal["shows"] = "shows"
    span: Span
    least_s: Annotated[Seconds, Field(gt=0)] = Fraction(1, 2)
    heard: bool = False


class Whole(FrozenModel):
    """Every one of some stretches (sentences, phrases) that the film plays at all it plays to the end.

    A film that plays none of them has cut none off; whether it plays one is for `Shows` to ask.
    """

    what: Literal["whole"] = "whole"
    spans: Annotated[tuple[Span, ...], Field(min_length=1)]


class InOrder(FrozenModel):
    """Moments are all seen, and first seen in this order."""

    what: Literal["in order"] = "in order"
    spans: Annotated[tuple[Span, ...], Field(min_length=2)]


class Opens(FrozenModel):
    """The first seconds of the film are of a stretch of the source."""

    what: Literal["opens"] = "opens"
    span: Span


class Ends(FrozenModel):
    """The last seconds of the film are of a stretch of the source."""

    what: Literal["ends"] = "ends"
    span: Span


class Covers(FrozenModel):
    """At least so many of some stretches are seen, each for at least half a second."""

    what: Literal["covers"] = "covers"
    spans: Annotated[tuple[Span, ...], Field(min_length=1)]
    least: Annotated[int, Field(ge=1)]


class Measures(FrozenModel):
    """A share of the film lies between two bounds, both included.

    Args:
        share: Which: `from_source`, `repeated` (seconds of the source that it has shown before), `hurried`, `frozen`,
            `padded`, `letterboxed` (of the picture), or `heard` (of what is from the source).
    """

    what: Literal["measures"] = "measures"
    share: ShareName
    least: Share = 0.0
    most: Share = 1.0


class Lasts(FrozenModel):
    """The film lasts longer than so many seconds."""

    what: Literal["lasts"] = "lasts"
    over_s: Annotated[Seconds, Field(gt=0)]


class Paces(FrozenModel):
    """No shot of the film is shorter, or none is longer, than so many seconds."""

    what: Literal["paces"] = "paces"
    shortest_s: Annotated[Seconds, Field(ge=0)] = Fraction(0)
    longest_s: Annotated[Seconds, Field(gt=0)] | None = None


class OnBeat(FrozenModel):
    """At least so many of the film's cuts go to a picture of the source that begins on a beat of its music."""

    what: Literal["on beat"] = "on beat"
    beats_s: Annotated[tuple[Seconds, ...], Field(min_length=1)]
    within_s: Annotated[Seconds, Field(ge=0)] = Fraction(3, 16)
    least: Share = 0.75


Predicate = Annotated[
    Shows | Whole | InOrder | Opens | Ends | Covers | Measures | Lasts | Paces | OnBeat, Field(discriminator="what")
]


def decide(predicate: Predicate, film: SourceMap) -> Fact:
    """Return whether a predicate holds of a film."""
    return _DECIDED[type(predicate)](predicate, film)


def share_of(film: SourceMap, name: ShareName) -> float:
    """Return a share of a film, 0 to 1."""
    if name == "hurried":
        fast_s = sum((each.out.length_s for each in film.pieces if each.at and each.speed > _HURRIED), Fraction(0))
        return float(fast_s / film.pieces[-1].out.end_s)
    if name != "repeated":
        return float(getattr(film, name))
    shown = [piece.at for piece in film.pieces if piece.at is not None]
    twice_s = sum((at.length_s for at in shown), Fraction(0)) - sum(
        (each.length_s for each in _united(shown)), Fraction(0)
    )
    return float(twice_s / film.pieces[-1].out.end_s)


def hollow(film: SourceMap) -> Refusal | None:
    """Explain why a film is none that anybody has made of the source; None when it is one.

    Returns:
        `ungrounded`, `repeated`, `hurried`, `frozen`, `padded` or `letterboxed`; the bounds are those of `HOLLOW`.
    """
    if film.ungrounded:
        return Refusal("ungrounded", f"{film.from_source:.0%} {SHARES['from_source']}")
    for name, most in HOLLOW.items():
        if (value := share_of(film, name)) > most:
            return Refusal(name, f"{value:.0%} {SHARES[name]}, more than {most:.0%}")
    return None


def seen_s(span: Span, film: SourceMap, *, heard: bool = False) -> Fraction:
    """Return how many seconds of a stretch of the source a film shows, each second once."""
    return sum((piece.length_s for piece in _united(_parts(span, film, heard=heard))), Fraction(0))


def first_seen(span: Span, film: SourceMap, *, heard: bool = False) -> Span | None:
    """Return the first stretch of the film in which a stretch of the source is seen."""
    for piece in film.pieces:
        if piece.at is not None and (not heard or piece.heard) and (both := _shared(piece.at, span)):
            speed = piece.at.length_s / piece.out.length_s
            start_s = piece.out.start_s + (both.start_s - piece.at.start_s) / speed
            return Span(start_s=start_s, end_s=start_s + both.length_s / speed)
    return None


def _shows(asked: Shows, film: SourceMap) -> Fact:
    there_s = seen_s(asked.span, film, heard=asked.heard)
    needed_s = min(asked.least_s, asked.span.length_s - min(_SLACK_S, asked.span.length_s / 2))
    how = "seen and heard" if asked.heard else "seen"
    because = f"{_s(there_s)} of {asked.span} of the source are {how}, {_s(needed_s)} are enough"
    return Fact(there_s >= needed_s, because, first_seen(asked.span, film, heard=asked.heard))


def _whole(asked: Whole, film: SourceMap) -> Fact:
    for span in asked.spans:
        there_s = seen_s(span, film, heard=True)
        if there_s > _SLACK_S and span.length_s - there_s > _SLACK_S:
            because = f"of {span} of the source only {_s(there_s)} are played"
            return Fact(False, because, first_seen(span, film, heard=True))
    return Fact(True, "nothing that is played breaks off")


def _in_order(asked: InOrder, film: SourceMap) -> Fact:
    before: tuple[Span, Span] | None = None
    for span in asked.spans:
        now = first_seen(span, film)
        if now is None or seen_s(span, film) <= 0:
            return Fact(False, f"{span} of the source is not seen")
        if before is not None and now.start_s < before[1].start_s:
            return Fact(False, f"{span} of the source comes before {before[0]}", now)
        before = (span, now)
    return Fact(True, f"all {len(asked.spans)} moments are seen in their order")


def _at_an_end(asked: Opens | Ends, film: SourceMap) -> Fact:
    last = isinstance(asked, Ends)
    piece = film.pieces[-1 if last else 0]
    word = "ends" if last else "opens"
    if piece.at is None:
        return Fact(False, f"it {word} with what is not of the source", piece.out)
    at_s = piece.at.end_s if last else piece.at.start_s
    low, high = asked.span.start_s - _SLACK_S, asked.span.end_s + _SLACK_S
    return Fact(
        low <= at_s <= high, f"it {word} at {float(at_s):.2f} s of the source, asked was {asked.span}", piece.out
    )


def _covers(asked: Covers, film: SourceMap) -> Fact:
    there = [span for span in asked.spans if _shows(Shows(span=span), film).yes]
    because = f"{len(there)} of {len(asked.spans)} parts of the source are seen, {asked.least} are enough"
    return Fact(len(there) >= asked.least, because, first_seen(there[0], film) if there else None)


def _measures(asked: Measures, film: SourceMap) -> Fact:
    value = share_of(film, asked.share)
    bound = f"at least {asked.least:.0%}" if asked.least > 0 else f"at most {asked.most:.0%}"
    return Fact(asked.least <= value <= asked.most, f"{value:.0%} {SHARES[asked.share]}, asked was {bound}")


def _lasts(asked: Lasts, film: SourceMap) -> Fact:
    lasts_s = film.pieces[-1].out.end_s
    return Fact(lasts_s > asked.over_s, f"it lasts {_s(lasts_s)}, {_s(asked.over_s)} are the limit")


def _paces(asked: Paces, film: SourceMap) -> Fact:
    lengths = [(piece.out.length_s, piece.out) for piece in _shots(film)]
    shortest, longest = min(lengths, key=lambda each: each[0]), max(lengths, key=lambda each: each[0])
    if shortest[0] < asked.shortest_s:
        because = f"its shortest shot lasts {_s(shortest[0])}, asked were at least {_s(asked.shortest_s)}"
        return Fact(False, because, shortest[1])
    if asked.longest_s is not None and longest[0] > asked.longest_s:
        because = f"its longest shot lasts {_s(longest[0])}, asked were at most {_s(asked.longest_s)}"
        return Fact(False, because, longest[1])
    return Fact(True, f"its shots last {_s(shortest[0])} to {_s(longest[0])}")


def _on_beat(asked: OnBeat, film: SourceMap) -> Fact:
    cuts = [piece for piece in _shots(film)[1:] if piece.at is not None]
    if not cuts:
        return Fact(False, "it has no cut that could be on a beat")
    off = [
        piece for piece in cuts if piece.at is not None and _from_beat(piece.at.start_s, asked.beats_s) > asked.within_s
    ]
    share = 1 - len(off) / len(cuts)
    because = f"{len(cuts) - len(off)} of {len(cuts)} cuts go to a beat, asked was {asked.least:.0%}"
    return Fact(share >= asked.least, because, off[0].out if off else cuts[0].out)


def _shots(film: SourceMap) -> tuple[Piece, ...]:
    """Return the pieces without a picture or two at either end: encoders repeat the last one, and cut the first."""
    pieces = film.pieces
    while len(pieces) > 1 and pieces[-1].out.length_s < _SLACK_S:
        pieces = pieces[:-1]
    while len(pieces) > 1 and pieces[0].out.length_s < _SLACK_S:
        pieces = pieces[1:]
    return pieces


def _from_beat(at_s: Fraction, beats_s: Sequence[Fraction]) -> Fraction:
    return min(abs(at_s - beat_s) for beat_s in beats_s)


def _parts(span: Span, film: SourceMap, *, heard: bool) -> list[Span]:
    pieces = [piece.at for piece in film.pieces if piece.at is not None and (not heard or piece.heard)]
    return [both for at in pieces if (both := _shared(at, span))]


def _shared(one: Span, other: Span) -> Span | None:
    start_s, end_s = max(one.start_s, other.start_s), min(one.end_s, other.end_s)
    return Span(start_s=start_s, end_s=end_s) if start_s < end_s else None


def _united(spans: Sequence[Span]) -> list[Span]:
    made: list[Span] = []
    for span in sorted(spans, key=lambda each: each.start_s):
        if made and span.start_s <= made[-1].end_s:
            made[-1] = Span(start_s=made[-1].start_s, end_s=max(made[-1].end_s, span.end_s))
        else:
            made.append(span)
    return made


def _s(seconds: Fraction) -> str:
    return f"{float(seconds):.2f} s"


_DECIDED: Mapping[type[FrozenModel], Callable[[Any, SourceMap], Fact]] = {
    Shows: _shows,
    Whole: _whole,
    InOrder: _in_order,
    Opens: _at_an_end,
    Ends: _at_an_end,
    Covers: _covers,
    Measures: _measures,
    Lasts: _lasts,
    Paces: _paces,
    OnBeat: _on_beat,
}
