"""Is a source heard where it is shown, is it heard from elsewhere, or is something else heard?

Sound is compared at 8 kHz by cross-correlation, piece by piece. Under its own pictures it may lie up to 150 ms off, and
a correlation of `LEAST_OWN` is enough: a voice under which music was laid of the same loudness still has 0.7. For
elsewhere the whole of each source is searched, where chance has more places to find something, so more is asked.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.repurpose.source_map.edit import EditPiece, PieceSound
from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.media.sound import Sound, sample_at
from cutscore.scoring.verifiers.film_faults import FilmFault
from cutscore.scoring.verifiers.sound_comparison import SILENT, compare_sounds, find_lag, find_silences, loudness

LEAST_OWN, LEAST_ELSEWHERE = 0.4, 0.6
WITHIN_S = Fraction(3, 20)
# Sources that are longer together are not searched for sound of elsewhere: a piece takes a second for each hour.
MOST_SEARCHED_S = 1800

_RATE_HZ = 8000
_SILENT = 1e-3  # root mean square: -60 dB of full scale
_LONGEST_S = 10  # of a piece; its middle stands for the rest
_SHORTEST_S = Fraction(1, 4)  # less sound is like anything
_COMPARED_S, _COMPARED_WITHIN_S = 60, 1.0
_IN_STEP_S = 0.26
_LONGEST_PAUSE_S = Fraction(5, 4)
_CREST = 0.5  # share of the source's ratio of peak to mean: editors make speech more even

Wave = npt.NDArray[np.float64]


def add_sound(
    pieces: Sequence[EditPiece], film: Path | None, sources: Mapping[str, Path]
) -> tuple[tuple[EditPiece, ...], tuple[FilmFault, ...]]:
    """Return the pieces with what is heard in them, and where the sources' own sound is spoilt.

    Given are the film, None if it has no sound track, and those sources that have one.
    """
    heard = _sound(film) if film else None
    known = {name: _sound(path) for name, path in sources.items()}
    return tuple(_classify_sound(piece, heard, known) for piece in pieces), tuple(_find_faults(pieces, heard, known))


def _find_faults(pieces: Sequence[EditPiece], heard: Sound | None, known: Mapping[str, Sound]) -> Iterator[FilmFault]:
    """Return where a film is silent, or has the sound of its sources late, doubled or clipped.

    Editors lay music and voices over a film, and one's sound under another's pictures. So only a sound that is like
    that of the pictures is compared, minute by minute, and pauses of a second are theirs.
    """
    count = sample_at(pieces[-1].out.end_s, _RATE_HZ)
    expected, film = np.zeros(count), np.zeros(count)
    if heard is not None:
        film[: min(count, len(heard.samples))] = heard.samples[:count]
    for piece in pieces:
        if piece.at is not None and piece.speed == 1 and (source := known.get(piece.source or "")):
            start = sample_at(piece.out.start_s, _RATE_HZ)
            part = source.part(piece.at).samples[: count - start].astype(np.float64)
            for first in range(0, len(part), _RATE_HZ):
                _lay_in_step(part[first : first + _RATE_HZ], expected, film, start + first)
    if loudness(expected) <= SILENT:
        return
    yield from find_silences(expected, film, longer_than_s=_LONGEST_PAUSE_S)
    for start in range(0, count, _COMPARED_S * _RATE_HZ):
        end = min(start + _COMPARED_S * _RATE_HZ, count)
        at, alike = Span(start_s=Fraction(start, _RATE_HZ), end_s=Fraction(end, _RATE_HZ)), LEAST_OWN
        yield from compare_sounds(
            expected[start:end], film[start:end], at, least_alike=alike, within_s=_COMPARED_WITHIN_S, crest=_CREST
        )


def _lay_in_step(part: Wave, expected: Wave, film: Wave, start: int) -> None:
    """Lay a second of a source's sound where the film has it, if it is about there; else where the pictures are.

    A film of eight pictures a second may be a picture off its sound, and the map of a picture that is held another one.
    """
    lag, _ = find_lag(part, film, start, (-_RATE_HZ, _RATE_HZ))
    begin = max(0, start + (lag if abs(lag) <= _IN_STEP_S * _RATE_HZ else 0))
    expected[begin : begin + len(part)] = part[: max(0, len(expected) - begin)]


def _sound(path: Path) -> Sound:
    return deliverable.read_sound(path, rate_hz=_RATE_HZ, channels="mono")


def _classify_sound(piece: EditPiece, film: Sound | None, sources: Mapping[str, Sound]) -> EditPiece:
    middle = _middle(piece.out)
    wave = _wave(film, middle)
    source = sources.get(piece.source or "")
    kind: PieceSound = "silent"
    if wave is not None:
        kind = "foreign"
        if piece.at is not None and source is not None and _is_own(piece, middle, wave, source):
            kind = "own"
        elif _is_elsewhere(wave, list(sources.values())):
            kind = "elsewhere"
    elif piece.at is not None and _wave(source, piece.at) is None:
        kind = "own"  # both are silent there
    return piece.model_copy(update={"sound": kind, "heard": kind == "own"})


def _middle(span: Span) -> Span:
    spare_s = max(Fraction(0), span.length_s - _LONGEST_S) / 2
    return Span(start_s=span.start_s + spare_s, end_s=span.end_s - spare_s)


def _wave(sound: Sound | None, span: Span) -> Wave | None:
    """Return the sound of a span without its mean; None where there is nothing to hear."""
    if sound is None or sample_at(span.length_s, sound.rate_hz) < 1:
        return None
    wave = sound.part(span).samples.astype(np.float64)
    wave -= wave.mean()
    return wave if float(np.mean(wave**2)) > _SILENT**2 else None


def _is_own(piece: EditPiece, middle: Span, wave: Wave, source: Sound) -> bool:
    if piece.at is None or piece.speed != 1:
        return False
    start_s = piece.at.start_s + middle.start_s - piece.out.start_s
    around = _wave(source, Span(start_s=start_s - WITHIN_S, end_s=start_s + middle.length_s + WITHIN_S))
    return around is not None and _most_alike(wave, around) >= LEAST_OWN


def _is_elsewhere(wave: Wave, sources: Sequence[Sound]) -> bool:
    if len(wave) < sample_at(_SHORTEST_S, _RATE_HZ) or sum(each.length_s for each in sources) > MOST_SEARCHED_S:
        return False
    return any(_most_alike(wave, each.samples.astype(np.float64)) >= LEAST_ELSEWHERE for each in sources)


def _most_alike(wave: Wave, within: Wave) -> float:
    """Return the largest correlation of a sound with an equally long stretch of a longer one."""
    if len(within) < len(wave):
        within = np.pad(within, (0, len(wave) - len(within)))
    from scipy import signal  # takes a second to import, and items are read without it

    products = signal.correlate(within, wave, mode="valid", method="fft")
    powers = np.cumsum(np.concatenate([[0.0], within**2]))
    powers = powers[len(wave) :] - powers[: -len(wave)]
    # A stretch that is silent is like nothing, whatever rounding leaves of it.
    strengths = np.sqrt(np.maximum(powers, _SILENT**2 * len(wave)) * float(wave @ wave))
    return float((products / strengths).max())
