"""Where every second of a film comes from: the second of a source, or nowhere. Recovered from pictures and sound.

What each stretch shows, `source_runs` finds; here stretches become pieces of an edit, and pieces shares of the film. A
black or plain picture is `blank` whatever source it may be of: padding shall not pass for footage.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from pathlib import Path

import numpy as np

from cutscore.benchmarks.repurpose.edit_list import EditList, Piece, PieceKind
from cutscore.benchmarks.repurpose.source_runs import Reel, Run, film_reel, runs_of, source_reel
from cutscore.benchmarks.repurpose.source_sound import listened
from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span

# Shorter holds are a repeated picture and belong to what is around them.
HELD_S = Fraction(1, 2)
# A film of which less is of its sources is none that was made of them.
LEAST_FROM_SOURCE = 0.5


@dataclass(frozen=True)
class SourceMap:
    """What a film is made of.

    Args:
        pieces: Its stretches, in order and without gaps.
        from_source: Share of its time that shows a source that goes on.
        coverage: Share of its sources' time that it shows, each second counted once.
        frozen: Share of its time in which a picture of a source is held for half a second or more.
        padded: Share of its time that is black or of one colour.
        letterboxed: Share of its picture that lies in bars which the source has not, over the time that shows one.
        heard: Share of the time that shows a source in which that source is heard with its own sound.
        ungrounded: Whether `from_source` is below `LEAST_FROM_SOURCE`.
    """

    pieces: tuple[Piece, ...]
    from_source: float
    coverage: float
    frozen: float
    padded: float
    letterboxed: float
    heard: float
    ungrounded: bool

    @property
    def edits(self) -> EditList:
        """The same as a noun, for the record."""
        return EditList(pieces=self.pieces)


def source_map(film: Path, sources: Mapping[str, Path]) -> SourceMap:
    """Map a film.

    Args:
        film: What was handed in.
        sources: What it may be made of, by name. Two sources that look alike cannot be told apart: the first is named.

    Raises:
        BrokenData: The film or a source cannot be decoded.
    """
    if not sources:
        raise BadInput("source map", "has no source", "name at least one")
    shown = film_reel(film)
    reels = [source_reel(name, path, shown) for name, path in sources.items()]
    runs = runs_of(shown, reels)
    pieces = listened([_piece(run, shown) for run in runs], film, sources)
    return _summed(pieces, reels, _in_bars(runs, shown))


def _piece(run: Run, film: Reel) -> Piece:
    start_s = film.views.at_s[run.first]
    end_s = film.views.at_s[run.end] if run.end < len(film.at_s) else film.views.length_s
    out = Span(start_s=start_s, end_s=end_s)
    if run.reel is None:
        kind: PieceKind = "blank" if film.views.blank[run.first] else "new"
        return Piece(out=out, kind=kind)
    if run.speed == 0 and out.length_s >= HELD_S:
        return Piece(out=out, source=run.reel.name, kind="frozen")
    # Places are as exact as pictures are: the microsecond is for the reader.
    first_s = Fraction(max(0, round(run.start_s * 1_000_000)), 1_000_000)
    last_s = min(run.reel.views.length_s, first_s + out.length_s * (run.speed or 1))
    at = Span(start_s=min(first_s, last_s), end_s=last_s)
    return Piece(out=out, source=run.reel.name, at=at, speed=float(run.speed or 1))


def _in_bars(runs: Sequence[Run], film: Reel) -> float:
    """Return the share of the picture that lies in bars which the source has not, where one is shown."""
    bars: list[float] = []
    for run in runs:
        if run.reel is not None:
            numbers = np.arange(run.first, run.end)
            own = np.array(run.reel.views.barred)[run.reel.shown(run.source_s(film, numbers))]
            bars += np.maximum(0, np.array(film.views.barred)[numbers] - own).tolist()
    return fsum(bars) / len(bars) if bars else 0.0


def _summed(pieces: tuple[Piece, ...], reels: Sequence[Reel], letterboxed: float) -> SourceMap:
    whole_s = pieces[-1].out.end_s

    def share(*kinds: PieceKind) -> float:
        return float(sum((piece.out.length_s for piece in pieces if piece.kind in kinds), Fraction(0)) / whole_s)

    shown_s = sum(
        (_united_s([piece.at for piece in pieces if piece.source == reel.name]) for reel in reels), Fraction(0)
    )
    heard_s = sum((piece.out.length_s for piece in pieces if piece.kind == "source" and piece.heard), Fraction(0))
    from_source = share("source")
    return SourceMap(
        pieces=pieces,
        from_source=from_source,
        coverage=float(shown_s / sum(reel.views.length_s for reel in reels)),
        frozen=share("frozen"),
        padded=share("blank"),
        letterboxed=letterboxed,
        heard=float(heard_s / whole_s) / from_source if from_source else 0.0,
        ungrounded=from_source < LEAST_FROM_SOURCE,
    )


def _united_s(spans: Sequence[Span | None]) -> Fraction:
    """Return the seconds that spans cover, each once."""
    covered_s, until_s = Fraction(0), Fraction(0)
    for span in sorted(filter(None, spans), key=lambda each: each.start_s):
        covered_s += max(Fraction(0), span.end_s - max(span.start_s, until_s))
        until_s = max(until_s, span.end_s)
    return covered_s
