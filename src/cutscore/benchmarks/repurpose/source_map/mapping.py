"""Where every second of a film comes from: the second of a source, or nowhere. Recovered from pictures and sound.

What each stretch shows, `source_runs` finds; here stretches become pieces of an edit, and pieces shares of the film. A
black or plain picture is `blank` whatever source it may be of: padding shall not pass for footage.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import fsum
from pathlib import Path

import numpy as np

from cutscore.benchmarks.repurpose.source_map.edit import EditPiece, PieceKind, SourceMap, covered_s
from cutscore.benchmarks.repurpose.source_map.holds import HELD_S, split_holds
from cutscore.benchmarks.repurpose.source_map.runs import (
    Reel,
    SourceRun,
    best_crop,
    find_runs,
    view_film,
    view_source,
)
from cutscore.benchmarks.repurpose.source_map.sharpness import EdgeViews, ShownStretch, common_sizes, find_blur
from cutscore.benchmarks.repurpose.source_map.sound import add_sound
from cutscore.benchmarks.repurpose.source_map.views import Views
from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.media.deliverable import Probe
from cutscore.scoring.verifiers.film_faults import FilmFault, find_false_hdr

# A film of which less is of its sources is none that was made of them.
LEAST_FROM_SOURCE = 0.5


def map_film(film: Path, sources: Mapping[str, Path]) -> SourceMap:
    """Map a film to its sources, by name; of two that look alike and cannot be told apart the first is named.

    Raises:
        BadInput: It cannot be opened, or no time passes in it: one picture, or all of them at one time.
    """
    if not sources:
        raise BadInput("source map", "has no source", "name at least one")
    facts, *given = (deliverable.probe(path, scan=False) for path in (film, *sources.values()))
    known = dict(zip(sources, given, strict=True))
    looks = {name: common_sizes(_size(facts), _size(own)) for name, own in known.items()}
    shown = view_film(film, "film", Views(), EdgeViews(min(look for look, _ in looks.values())))
    if shown.views.length_s <= 0:
        raise BadInput(f"film '{film.name}'", f"shows {_count_pictures(len(shown.at_s))}, and no time passes in it")
    reels = [
        view_source(name, path, shown, aspect=known[name].width / known[name].height, edges=looks[name][1])
        for name, path in sources.items()
    ]
    runs = split_holds(find_runs(shown, reels), shown)
    seen = [_piece(run, shown) for run in runs]
    pieces, heard_faults = add_sound(
        seen, film if facts.sound else None, {name: path for name, path in sources.items() if known[name].sound}
    )
    # A film for a phone has another shape than its source: that is a rule of the brief, and colours are none.
    hdr = find_false_hdr(facts, given, Span(start_s=Fraction(0), end_s=pieces[-1].out.end_s))
    faults = (*hdr, *_find_blur(runs, seen, shown), *heard_faults)
    return _summarise(pieces, reels, _bar_share(runs, shown), faults)


def _size(facts: Probe) -> tuple[int, int]:
    return facts.width, facts.height


def _find_blur(runs: Sequence[SourceRun], pieces: Sequence[EditPiece], film: Reel) -> Iterator[FilmFault]:
    """Return where a film is blurred, as far as it shows a source that goes on."""
    stretches = [
        ShownStretch(
            piece.out, run.reel.edges, run.start_s, piece.speed, best_crop(run, film, np.arange(run.first, run.end))
        )
        for run, piece in zip(runs, pieces, strict=True)
        if piece.at is not None and run.reel is not None and run.reel.edges is not None
    ]
    if film.edges is not None:
        yield from find_blur(film.edges, stretches, pieces[-1].out.end_s)


def _count_pictures(count: int) -> str:
    return "one picture" if count == 1 else f"{count} pictures"


def _piece(run: SourceRun, film: Reel) -> EditPiece:
    start_s = film.views.at_s[run.first]
    end_s = film.views.at_s[run.end] if run.end < len(film.at_s) else film.views.length_s
    out = Span(start_s=start_s, end_s=end_s)
    if run.reel is None:
        kind: PieceKind = "blank" if film.views.blank[run.first] else "new"
        return EditPiece(out=out, kind=kind)
    if run.speed == 0 and out.length_s >= HELD_S:
        return EditPiece(out=out, source=run.reel.name, kind="frozen")
    # Places are as exact as pictures are: the microsecond is for the reader.
    first_s = Fraction(max(0, round(run.start_s * 1_000_000)), 1_000_000)
    last_s = min(run.reel.views.length_s, first_s + out.length_s * (run.speed or 1))
    at = Span(start_s=min(first_s, last_s), end_s=last_s)
    return EditPiece(out=out, source=run.reel.name, at=at, speed=float(run.speed or 1))


def _bar_share(runs: Sequence[SourceRun], film: Reel) -> float:
    """Return the share of the picture that lies in bars which the source has not, where one is shown."""
    bars: list[float] = []
    for run in runs:
        if run.reel is not None:
            numbers = np.arange(run.first, run.end)
            own = np.array(run.reel.views.barred)[run.reel.pictures_at(run.source_s(film, numbers))]
            bars += np.maximum(0, np.array(film.views.barred)[numbers] - own).tolist()
    return fsum(bars) / len(bars) if bars else 0.0


def _summarise(
    pieces: tuple[EditPiece, ...], reels: Sequence[Reel], letterboxed: float, faults: tuple[FilmFault, ...]
) -> SourceMap:
    whole_s = pieces[-1].out.end_s

    def share(*kinds: PieceKind) -> float:
        return float(sum((piece.out.length_s for piece in pieces if piece.kind in kinds), Fraction(0)) / whole_s)

    shown_s = sum(
        (covered_s(piece.at for piece in pieces if piece.at and piece.source == reel.name) for reel in reels),
        Fraction(0),
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
        faults=faults,
    )
