"""Predicates and a source map → yes or no, by arithmetic, with the second of the film that decided it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cutscore.benchmarks.repurpose.rubric.predicates import (
    BeatPredicate,
    CoveragePredicate,
    EndingPredicate,
    LengthPredicate,
    OpeningPredicate,
    OrderPredicate,
    PacePredicate,
    Predicate,
    SharePredicate,
    ShowsPredicate,
    WholePredicate,
)
from cutscore.benchmarks.repurpose.source_map.edit import SHARES, EditPiece, SourceMap, first_showing, share_of, shown_s
from cutscore.core.frozen import FrozenModel
from cutscore.core.timeline import Span

# Two pictures at 8 a second: an edit that cuts so much into a moment still has it.
_SLACK_S = Fraction(1, 4)


@dataclass(frozen=True)
class Decision:
    """What a predicate comes to: yes or no, a sentence, and the stretch of the film that shows it, if one does."""

    yes: bool
    because: str
    at: Span | None = None


def decide(predicate: Predicate, film: SourceMap) -> Decision:
    """Return whether a predicate holds of a film."""
    return _DECIDERS[type(predicate)](predicate, film)


def _shows(asked: ShowsPredicate, film: SourceMap) -> Decision:
    there_s = shown_s(asked.span, film, heard=asked.heard)
    needed_s = min(asked.least_s, asked.span.length_s - min(_SLACK_S, asked.span.length_s / 2))
    how = "seen and heard" if asked.heard else "seen"
    because = f"{_s(there_s)} of {asked.span} of the source are {how}, {_s(needed_s)} are enough"
    return Decision(there_s >= needed_s, because, first_showing(asked.span, film, heard=asked.heard))


def _whole(asked: WholePredicate, film: SourceMap) -> Decision:
    for span in asked.spans:
        there_s = shown_s(span, film, heard=True)
        if there_s > _SLACK_S and span.length_s - there_s > _SLACK_S:
            because = f"of {span} of the source only {_s(there_s)} are played"
            return Decision(False, because, first_showing(span, film, heard=True))
    return Decision(True, "nothing that is played breaks off")


def _in_order(asked: OrderPredicate, film: SourceMap) -> Decision:
    before: tuple[Span, Span] | None = None
    for span in asked.spans:
        now = first_showing(span, film)
        if now is None or shown_s(span, film) <= 0:
            return Decision(False, f"{span} of the source is not seen")
        if before is not None and now.start_s < before[1].start_s:
            return Decision(False, f"{span} of the source comes before {before[0]}", now)
        before = (span, now)
    return Decision(True, f"all {len(asked.spans)} moments are seen in their order")


def _opens_or_ends(asked: OpeningPredicate | EndingPredicate, film: SourceMap) -> Decision:
    last = isinstance(asked, EndingPredicate)
    piece = film.pieces[-1 if last else 0]
    word = "ends" if last else "opens"
    if piece.at is None:
        return Decision(False, f"it {word} with what is not of the source", piece.out)
    at_s = piece.at.end_s if last else piece.at.start_s
    low, high = asked.span.start_s - _SLACK_S, asked.span.end_s + _SLACK_S
    return Decision(
        low <= at_s <= high, f"it {word} at {float(at_s):.2f} s of the source, asked was {asked.span}", piece.out
    )


def _covers(asked: CoveragePredicate, film: SourceMap) -> Decision:
    there = [span for span in asked.spans if _shows(ShowsPredicate(span=span), film).yes]
    because = f"{len(there)} of {len(asked.spans)} parts of the source are seen, {asked.least} are enough"
    return Decision(len(there) >= asked.least, because, first_showing(there[0], film) if there else None)


def _measures(asked: SharePredicate, film: SourceMap) -> Decision:
    value = share_of(film, asked.share)
    bound = f"at least {asked.least:.0%}" if asked.least > 0 else f"at most {asked.most:.0%}"
    return Decision(asked.least <= value <= asked.most, f"{value:.0%} {SHARES[asked.share]}, asked was {bound}")


def _lasts(asked: LengthPredicate, film: SourceMap) -> Decision:
    lasts_s = film.pieces[-1].out.end_s
    return Decision(lasts_s > asked.over_s, f"it lasts {_s(lasts_s)}, {_s(asked.over_s)} are the limit")


def _paces(asked: PacePredicate, film: SourceMap) -> Decision:
    lengths = [(piece.out.length_s, piece.out) for piece in _shots(film)]
    shortest, longest = min(lengths, key=lambda each: each[0]), max(lengths, key=lambda each: each[0])
    if shortest[0] < asked.shortest_s:
        because = f"its shortest shot lasts {_s(shortest[0])}, asked were at least {_s(asked.shortest_s)}"
        return Decision(False, because, shortest[1])
    if asked.longest_s is not None and longest[0] > asked.longest_s:
        because = f"its longest shot lasts {_s(longest[0])}, asked were at most {_s(asked.longest_s)}"
        return Decision(False, because, longest[1])
    return Decision(True, f"its shots last {_s(shortest[0])} to {_s(longest[0])}")


def _on_beat(asked: BeatPredicate, film: SourceMap) -> Decision:
    cuts = [piece for piece in _shots(film)[1:] if piece.at is not None]
    if not cuts:
        return Decision(False, "it has no cut that could be on a beat")
    off = [
        piece for piece in cuts if piece.at is not None and _from_beat(piece.at.start_s, asked.beats_s) > asked.within_s
    ]
    share = 1 - len(off) / len(cuts)
    because = f"{len(cuts) - len(off)} of {len(cuts)} cuts go to a beat, asked was {asked.least:.0%}"
    return Decision(share >= asked.least, because, off[0].out if off else cuts[0].out)


def _shots(film: SourceMap) -> tuple[EditPiece, ...]:
    """Return the pieces without a picture or two at either end: encoders repeat the last one, and cut the first."""
    pieces = film.pieces
    while len(pieces) > 1 and pieces[-1].out.length_s < _SLACK_S:
        pieces = pieces[:-1]
    while len(pieces) > 1 and pieces[0].out.length_s < _SLACK_S:
        pieces = pieces[1:]
    return pieces


def _from_beat(at_s: Fraction, beats_s: Sequence[Fraction]) -> Fraction:
    return min(abs(at_s - beat_s) for beat_s in beats_s)


def _s(seconds: Fraction) -> str:
    return f"{float(seconds):.2f} s"


_DECIDERS: Mapping[type[FrozenModel], Callable[[Any, SourceMap], Decision]] = {
    ShowsPredicate: _shows,
    WholePredicate: _whole,
    OrderPredicate: _in_order,
    OpeningPredicate: _opens_or_ends,
    EndingPredicate: _opens_or_ends,
    CoveragePredicate: _covers,
    SharePredicate: _measures,
    LengthPredicate: _lasts,
    PacePredicate: _paces,
    BeatPredicate: _on_beat,
}
