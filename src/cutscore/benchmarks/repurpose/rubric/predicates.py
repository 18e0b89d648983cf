"""What a rubric can ask of an edit without a judge: predicates over the source's own time, answered by arithmetic.

A predicate speaks of seconds of the source ("the goal, 12.4 to 14 s"). Which of them are in a film, and where, the
source map says; the answer names the second of the film that decided it.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from cutscore.benchmarks.repurpose.source_map.edit import (
    SHARES,
    EditPiece,
    ShareName,
    SourceMap,
    first_showing,
    share_of,
    shown_s,
)
from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.timeline import Seconds, Span

Share = Annotated[Finite, Field(ge=0, le=1)]

# Two pictures at 8 a second: an edit that cuts so much into a moment still has it.
_SLACK_S = Fraction(1, 4)


@dataclass(frozen=True)
class Decision:
    """What a predicate comes to: yes or no, a sentence, and the stretch of the film that shows it, if one does."""

    yes: bool
    because: str
    at: Span | None = None


class ShowsPredicate(FrozenModel):
    """At least so many seconds of a moment of the source are seen, and heard with its own sound if they have to be."""

    what: Literal["shows"] = "shows"
    span: Span
    least_s: Annotated[Seconds, Field(gt=0)] = Fraction(1, 2)
    heard: bool = False

    def decide(self, film: SourceMap) -> Decision:
        """Return whether a film shows enough of the moment; what is cut off by the slack does not count."""
        there_s = shown_s(self.span, film, heard=self.heard)
        needed_s = min(self.least_s, self.span.length_s - min(_SLACK_S, self.span.length_s / 2))
        how = "seen and heard" if self.heard else "seen"
        because = f"{_s(there_s)} of {self.span} of the source are {how}, {_s(needed_s)} are enough"
        return Decision(there_s >= needed_s, because, first_showing(self.span, film, heard=self.heard))


class WholePredicate(FrozenModel):
    """Every one of some stretches (sentences, phrases) that the film plays at all it plays to the end.

    A film that plays none of them has cut none off; whether it plays one is for `ShowsPredicate` to ask.
    """

    what: Literal["whole"] = "whole"
    spans: Annotated[tuple[Span, ...], Field(min_length=1)]

    def decide(self, film: SourceMap) -> Decision:
        """Return whether nothing that is played breaks off, or the first that does."""
        for span in self.spans:
            there_s = shown_s(span, film, heard=True)
            if there_s > _SLACK_S and span.length_s - there_s > _SLACK_S:
                because = f"of {span} of the source only {_s(there_s)} are played"
                return Decision(False, because, first_showing(span, film, heard=True))
        return Decision(True, "nothing that is played breaks off")


class OrderPredicate(FrozenModel):
    """Moments are all seen, and first seen in this order."""

    what: Literal["in order"] = "in order"
    spans: Annotated[tuple[Span, ...], Field(min_length=2)]

    def decide(self, film: SourceMap) -> Decision:
        """Return whether all moments are seen in order, or the first that is not."""
        before: tuple[Span, Span] | None = None
        for span in self.spans:
            now = first_showing(span, film)
            if now is None or shown_s(span, film) <= 0:
                return Decision(False, f"{span} of the source is not seen")
            if before is not None and now.start_s < before[1].start_s:
                return Decision(False, f"{span} of the source comes before {before[0]}", now)
            before = (span, now)
        return Decision(True, f"all {len(self.spans)} moments are seen in their order")


class OpeningPredicate(FrozenModel):
    """The first seconds of the film are of a stretch of the source."""

    what: Literal["opens"] = "opens"
    span: Span

    def decide(self, film: SourceMap) -> Decision:
        """Return whether the film opens in the stretch."""
        first = film.pieces[0]
        return _decide_place("opens", first, first.at.start_s if first.at else None, self.span)


class EndingPredicate(FrozenModel):
    """The last seconds of the film are of a stretch of the source."""

    what: Literal["ends"] = "ends"
    span: Span

    def decide(self, film: SourceMap) -> Decision:
        """Return whether the film ends in the stretch."""
        last = film.pieces[-1]
        return _decide_place("ends", last, last.at.end_s if last.at else None, self.span)


class CoveragePredicate(FrozenModel):
    """At least so many of some stretches are seen, each for at least half a second."""

    what: Literal["covers"] = "covers"
    spans: Annotated[tuple[Span, ...], Field(min_length=1)]
    least: Annotated[int, Field(ge=1)]

    def decide(self, film: SourceMap) -> Decision:
        """Return whether enough of the stretches are seen."""
        there = [span for span in self.spans if ShowsPredicate(span=span).decide(film).yes]
        because = f"{len(there)} of {len(self.spans)} parts of the source are seen, {self.least} are enough"
        return Decision(len(there) >= self.least, because, first_showing(there[0], film) if there else None)


class SharePredicate(FrozenModel):
    """A share of the film lies between two bounds, both included.

    Args:
        share: Which: `from_source`, `repeated` (seconds of the source that it has shown before), `hurried`, `frozen`,
            `padded`, `letterboxed` (of the picture), or `heard` (of what is from the source).
    """

    what: Literal["measures"] = "measures"
    share: ShareName
    least: Share = 0.0
    most: Share = 1.0

    def decide(self, film: SourceMap) -> Decision:
        """Return whether the share lies between the bounds."""
        value = share_of(film, self.share)
        bound = f"at least {self.least:.0%}" if self.least > 0 else f"at most {self.most:.0%}"
        return Decision(self.least <= value <= self.most, f"{value:.0%} {SHARES[self.share]}; the line says {bound}")


class LengthPredicate(FrozenModel):
    """The film lasts longer than so many seconds."""

    what: Literal["lasts"] = "lasts"
    over_s: Annotated[Seconds, Field(gt=0)]

    def decide(self, film: SourceMap) -> Decision:
        """Return whether the film lasts longer."""
        lasts_s = film.pieces[-1].out.end_s
        return Decision(lasts_s > self.over_s, f"it lasts {_s(lasts_s)}, {_s(self.over_s)} are the limit")


class PacePredicate(FrozenModel):
    """No shot of the film is shorter, or none is longer, than so many seconds."""

    what: Literal["paces"] = "paces"
    shortest_s: Annotated[Seconds, Field(ge=0)] = Fraction(0)
    longest_s: Annotated[Seconds, Field(gt=0)] | None = None

    def decide(self, film: SourceMap) -> Decision:
        """Return whether all shots keep to the bounds, or the one that is furthest beyond."""
        shots = sorted((piece.out for piece in _shots(film)), key=lambda out: out.length_s)
        shortest_s, longest_s = shots[0].length_s, shots[-1].length_s
        if shortest_s < self.shortest_s:
            because = f"its shortest shot lasts {_s(shortest_s)}, asked were at least {_s(self.shortest_s)}"
            return Decision(False, because, shots[0])
        if self.longest_s is not None and longest_s > self.longest_s:
            because = f"its longest shot lasts {_s(longest_s)}, asked were at most {_s(self.longest_s)}"
            return Decision(False, because, next(out for out in shots if out.length_s == longest_s))
        return Decision(True, f"its shots last {_s(shortest_s)} to {_s(longest_s)}")


class BeatPredicate(FrozenModel):
    """At least so many of the film's cuts go to a picture of the source that begins on a beat of its music."""

    what: Literal["on beat"] = "on beat"
    beats_s: Annotated[tuple[Seconds, ...], Field(min_length=1)]
    within_s: Annotated[Seconds, Field(ge=0)] = Fraction(3, 16)
    least: Share = 0.75

    def decide(self, film: SourceMap) -> Decision:
        """Return whether enough cuts are on a beat, with the first that is not."""
        cuts = [(piece.at.start_s, piece.out) for piece in _shots(film)[1:] if piece.at is not None]
        if not cuts:
            return Decision(False, "it has no cut that could be on a beat")
        off = [out for at_s, out in cuts if min(abs(at_s - beat_s) for beat_s in self.beats_s) > self.within_s]
        share = 1 - len(off) / len(cuts)
        because = f"{len(cuts) - len(off)} of {len(cuts)} cuts go to a beat, asked was {self.least:.0%}"
        return Decision(share >= self.least, because, off[0] if off else cuts[0][1])


Predicate = Annotated[
    ShowsPredicate
    | WholePredicate
    | OrderPredicate
    | OpeningPredicate
    | EndingPredicate
    | CoveragePredicate
    | SharePredicate
    | LengthPredicate
    | PacePredicate
    | BeatPredicate,
    Field(discriminator="what"),
]


def _decide_place(does: str, piece: EditPiece, at_s: Fraction | None, asked: Span) -> Decision:
    if at_s is None:
        return Decision(False, f"it {does} with what is not of the source", piece.out)
    because = f"it {does} at {float(at_s):.2f} s of the source, asked was {asked}"
    return Decision(asked.start_s - _SLACK_S <= at_s <= asked.end_s + _SLACK_S, because, piece.out)


def _shots(film: SourceMap) -> tuple[EditPiece, ...]:
    """Return the pieces without a picture or two at either end: encoders repeat the last one, and cut the first."""
    pieces = film.pieces
    while len(pieces) > 1 and pieces[-1].out.length_s < _SLACK_S:
        pieces = pieces[:-1]
    while len(pieces) > 1 and pieces[0].out.length_s < _SLACK_S:
        pieces = pieces[1:]
    return pieces


def _s(seconds: Fraction) -> str:
    return f"{float(seconds):.2f} s"
