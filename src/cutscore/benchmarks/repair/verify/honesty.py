"""Was rendered what was reported? AgenticVBench, Appendix H.1.3: the honesty check and the audio check.

What is left of the broken clip when the reported stretches are dropped is what the output has to show, piece for
piece. Where each piece begins is known; it may begin up to two frames from there (sound 100 ms, if that is more),
counted from where the piece before it leads to, since each cut is rounded to pictures. A quarter of a second at each
join is not looked at: a dissolve or a fade there is honest work. Of a piece shorter than a second it is a quarter of
the piece.

Pictures are compared small and grey, light apart. Two things have to hold:

    each picture    differs by no more than 2 levels + 0.3 of its own contrast, except for less than a quarter of a
                    second: other pictures of the stage and of films differ by 1.4 of their contrast, and encodes as
                    coarse as CRF 40 by 0.1
    each second     moves as it should: the movement of the broken clip is found in the output with a gain of a half or
                    more. A still has a gain of 0, whatever it shows, and noise does not add to it. So a frozen face
                    is found although it hardly differs from one that speaks.

Sound is compared at 8 kHz by cross-correlation, half a second at a time: 0.6 or more, and within 12 dB of its level.
Coders give 0.9 and more, other sound 0.3 and less. Where the broken clip is quiet the output has to be so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import signal

from cutscore.benchmarks.repair.verify.picture_offsets import MOST_FRAMES, STEPS, best_step
from cutscore.benchmarks.repair.verify.small_pictures import PictureDetail, SmallPictures
from cutscore.benchmarks.repair.verify.sound_offsets import nearest_peak
from cutscore.benchmarks.repair.verify.time_alignment import MOST_S
from cutscore.core.timeline import Span, timecode
from cutscore.media import deliverable
from cutscore.media.sound import Sound, sample_at
from cutscore.scoring.metrics.one_pass import SLACK_S, one_pass
from cutscore.scoring.verifiers.refusal import Refusal

MASK_S = Fraction(1, 4)
MOST_LEVELS, MOST_CONTRAST = 2.0, 0.3
MOST_LIGHT = 8.0  # levels of 255 by which all of a picture may be lighter or darker
STRAY_S = Fraction(1, 4)
LEAST_GAIN = 0.5
LEAST_ALIKE = 0.6
# Below that share of detail, or correlation of sound, faults of the film are looked for; good encodes stay above.
DULL, DISTORTED = 0.85, 0.95
MOST_GAIN = 4.0  # 12 dB

_MOVES = 1.0  # levels, root mean square: less movement than that cannot be told from noise
_BEAT_S = Fraction(1)
_SOUND_HZ = 8000
_PHRASE_S = Fraction(1, 2)
_QUIET = 2e-3  # root mean square: -54 dB of full scale
_QUIET_SHARE = 0.05  # of the piece's own

Picture = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Rendering:
    """Why an output is not what was reported, None when it is; and whether its pictures or sound deserve a look."""

    refusal: Refusal | None
    dull: bool = False
    distorted: bool = False


@dataclass(frozen=True)
class KeptPiece:
    """A stretch of the broken clip that is kept, and where it begins in the output."""

    span: Span
    start_s: Fraction
    joins: tuple[bool, bool]  # whether something was cut out before it, and after it

    @property
    def compared(self) -> Span:
        """The stretch without what is masked at its joins."""
        mask_s = min(MASK_S, self.span.length_s / 4)
        before, after = self.joins
        return Span(start_s=self.span.start_s + before * mask_s, end_s=self.span.end_s - after * mask_s)


def kept_pieces(length_s: Fraction, cuts: Sequence[Span]) -> tuple[KeptPiece, ...]:
    """Return what is left of a clip, in order, when stretches are cut out.

    >>> [str(piece.span) for piece in kept_pieces(Fraction(5), [Span(start_s=1, end_s=2)])]
    ['00:00.000–00:01.000', '00:02.000–00:05.000']
    """
    ordered = sorted(cuts, key=lambda each: each.start_s)
    starts, ends = [Fraction(0), *(cut.end_s for cut in ordered)], [*(cut.start_s for cut in ordered), length_s]
    pieces, at_s = list[KeptPiece](), Fraction(0)
    for start_s, end_s in zip(starts, ends, strict=True):
        if end_s > start_s:
            pieces.append(KeptPiece(Span(start_s=start_s, end_s=end_s), at_s, (start_s > 0, end_s < length_s)))
            at_s += end_s - start_s
    return tuple(pieces)


def check_rendering(output: Path, broken: Path, cuts: Sequence[Span]) -> Rendering:
    """Return where an output is not the broken clip without the reported stretches.

    Cuts are in seconds of the broken clip, and disjoint. Without any, a copy is honest. A refusal is `nothing left`,
    `length`, `other pictures`, `no sound` or `other sound`.
    """
    given, shown, own, detail = SmallPictures(), SmallPictures(), PictureDetail(), PictureDetail()
    one_pass(broken, [given, own])
    one_pass(output, [shown, detail])
    pieces = kept_pieces(given.length_s, cuts)
    if not pieces:
        return Rendering(Refusal("nothing left", "the reported ranges are the whole clip"))
    frame_s = given.length_s / len(given.at_s)
    due_s = sum((piece.span.length_s for piece in pieces), Fraction(0))
    if abs(shown.length_s - due_s) > MOST_S + MOST_FRAMES * len(pieces) * frame_s:
        lasts = f"lasts {float(shown.length_s):.2f} s"
        fact = f"{lasts}; without the reported ranges the clip has {float(due_s):.2f} s"
        return Rendering(Refusal("length", fact))
    if refusal := _picture_fault(given, shown, pieces, frame_s):
        return Rendering(refusal)
    alike: list[float] = []
    refusal = _sound_fault(output, broken, pieces, frame_s, alike)
    dull = float(np.mean(detail.values)) < DULL * float(np.mean(own.values))
    return Rendering(refusal, dull=dull, distorted=min(alike, default=1.0) < DISTORTED)


def _picture_fault(
    given: SmallPictures, shown: SmallPictures, pieces: Sequence[KeptPiece], frame_s: Fraction
) -> Refusal | None:
    known, seen = given.pictures, shown.pictures
    known_s, seen_s = (np.array(each.at_s, np.float64) for each in (given, shown))
    late_s = Fraction(0)
    for piece in pieces:
        span = piece.compared
        numbers = np.flatnonzero((known_s >= float(span.start_s)) & (known_s < float(span.end_s)))
        due_s = known_s[numbers] + float(piece.start_s - piece.span.start_s + SLACK_S)
        partners = [np.searchsorted(seen_s, due_s + float(late_s + step * frame_s), side="right") - 1 for step in STEPS]
        inside = [partner >= 0 for partner in partners] + [due_s + float(late_s) < float(shown.length_s)]
        numbers, (*partners,) = numbers[np.all(inside, 0)], (each[np.all(inside, 0)] for each in partners)
        if not len(numbers):
            continue
        errors = [_errors(known[numbers], seen[partner]) for partner in partners]
        best = best_step(np.array([np.mean(each**2) for each in errors]))
        late_s += STEPS[best] * frame_s
        pair = known[numbers].astype(np.float32), seen[partners[best]].astype(np.float32)
        wrong = _find_stray(pair[0], errors[best], frame_s) or _find_still(*pair, frame_s)
        if wrong is not None:
            at_s = given.at_s[numbers[wrong[0]]]
            due = timecode(at_s - piece.span.start_s + piece.start_s)
            return Refusal("other pictures", f"{timecode(at_s)} of the broken clip should be at {due} and {wrong[1]}")
    return None


def _errors(known: npt.NDArray[np.uint8], seen: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Return the root mean squared difference of each pair of pictures, light apart as far as that may differ."""
    apart = seen.astype(np.float32) - known
    light = np.clip(apart.mean(axis=(1, 2), keepdims=True), -MOST_LIGHT, MOST_LIGHT)
    return np.sqrt(np.mean((apart - light) ** 2, axis=(1, 2), dtype=np.float64))


def _find_stray(known: Picture, errors: npt.NDArray[np.float64], frame_s: Fraction) -> tuple[int, str] | None:
    """Return the number of the first picture of a stretch of others that is too long to be a flash."""
    other = errors > MOST_LEVELS + MOST_CONTRAST * known.std(axis=(1, 2))
    most, run = max(1, round(STRAY_S / frame_s)), 0
    for number, is_other in enumerate(other):
        run = run + 1 if is_other else 0
        if run >= min(most, len(other)):
            return number - run + 1, "other pictures are there"
    return None


def _find_still(known: Picture, seen: Picture, frame_s: Fraction) -> tuple[int, str] | None:
    """Return the number of the first picture of a second in which the output does not move as the broken clip does."""
    for start, end in _parts(len(known), max(3, round(_BEAT_S / frame_s))):
        moves, moved = (each[start:end] - each[start:end].mean(axis=0) for each in (known, seen))
        power = float(np.vdot(moves, moves))
        if power >= _MOVES**2 * moves.size and float(np.vdot(moves, moved)) < LEAST_GAIN * power:
            return start, "what is there does not move like it"
    return None


def _parts(count: int, each: int) -> Iterator[tuple[int, int]]:
    """Divide into stretches of some length; what is left over goes with the last one."""
    starts = list(range(0, max(1, count - each + 1), each))
    yield from zip(starts, [*starts[1:], count], strict=True)


def _sound_fault(
    output: Path, broken: Path, pieces: Sequence[KeptPiece], frame_s: Fraction, alike: list[float]
) -> Refusal | None:
    """Compare the sound of each piece; `alike` gets the correlations."""
    if not deliverable.has_sound(broken):
        return None
    if not deliverable.has_sound(output):
        return Refusal("no sound", "the broken clip has sound and this has none")
    known, heard = (deliverable.read_sound(each, rate_hz=_SOUND_HZ, channels="mono") for each in (broken, output))
    late_s, most_s = Fraction(0), max(MOST_S, MOST_FRAMES * frame_s)
    most = sample_at(most_s, _SOUND_HZ)
    for piece in pieces:
        span, moved_s = piece.compared, piece.start_s - piece.span.start_s
        own = _wave(known, span)
        due_s = moved_s + late_s
        around = _wave(heard, Span(start_s=span.start_s + due_s - most_s, end_s=span.end_s + due_s + most_s))
        around = np.pad(around, (0, 2))[: len(own) + 2 * most]  # times round to samples, up or down
        products = signal.correlate(around, own, mode="valid", method="fft")
        # A pause looks like nothing, wherever it is put: what sounds next to it would draw it there.
        heard_there = products.max() > 0 and float(np.sqrt(np.mean(own**2))) >= _QUIET
        shift = nearest_peak(products) if heard_there else most
        late_s += Fraction(shift - most, _SOUND_HZ)
        wrong = _find_other_phrase(own, around[shift : shift + len(own)], alike)
        if wrong is not None:
            at_s = span.start_s + Fraction(wrong[0], _SOUND_HZ)
            where = f"{timecode(at_s)} of the broken clip should be heard at {timecode(at_s + moved_s)}"
            return Refusal("other sound", f"{where} and {wrong[1]}")
    return None


def _wave(sound: Sound, span: Span) -> npt.NDArray[np.float64]:
    wave = sound.part(span).samples.astype(np.float64)
    centred: npt.NDArray[np.float64] = wave - wave.mean()
    return centred


def _find_other_phrase(
    known: npt.NDArray[np.float64], heard: npt.NDArray[np.float64], likes: list[float]
) -> tuple[int, str] | None:
    """Return the first sample of half a second that does not sound as it should."""
    quiet = max(_QUIET, _QUIET_SHARE * float(np.sqrt(np.mean(known**2))))
    for start, end in _parts(len(known), sample_at(_PHRASE_S, _SOUND_HZ)):
        own, other = known[start:end], heard[start:end]
        level, there = (float(np.sqrt(np.mean(each**2))) for each in (own, other))
        if level < quiet:
            if there > MOST_GAIN * quiet:
                return start, "something else is heard"
            continue
        if there < level / MOST_GAIN:
            return start, "it is silent there"
        alike = float(own @ other) / (level * there * len(own))
        likes.append(alike)
        if there > level * MOST_GAIN or alike < LEAST_ALIKE:
            return start, f"something else is heard (correlation {alike:.2f})"
    return None
