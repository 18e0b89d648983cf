"""Is an output the broken clip again? AgenticVBench, Appendix H.1.4: "file-identity … and near-identical content".

Only the defective stream counts, and only inside the defect's window: an honest fix of two seconds leaves the rest of
a long clip alone. What hides a copy is undone first: a shift in time (`align`), a shift or crop by up to two pixels,
another size, another volume.

Near-identical cannot be a bound on the difference alone. A coarse encode of the broken clip differs from it by 30 to
35 dB, and a light blur that was repaired perfectly by no more than that. But we know in which direction a repair lies:

    toward = ⟨output − broken, golden − broken⟩ / |golden − broken|²        0 at broken, 1 at golden

and noise of encoders hardly lies in it. A near copy is close to broken *and* has not come toward golden.

The bounds come from a scan over scenes of the stage at 160×90. Copies: x264 at CRF 23 to 35, x265, a pixel cropped,
shifted by a pixel, brightness + 1, scaled to ¾ and back; AAC again, Opus, MP3, volume +0.5 and -12 dB, 20 ms late.
Repairs: golden mixed into broken by a quarter, a half and all, for blur, dullness, two tints, two hisses, hum, babble,
echo and clipping.

                    copies                                          a quarter of the repair     half
    pictures        28.9 dB and more, toward -0.13 to 0.09          toward ≥ 0.25               toward ≥ 0.50
    sound           levels apart by ≤ 1.1 dB, toward ≤ 0.28         hiss: toward ≥ 0.34         toward ≥ 0.42

Encoders drop some of a hiss, which is why sound has the wider bound. Whoever repairs less than an eighth of the
pictures' defect, or less than three tenths of the sound's, counts as having repaired nothing; of clipping, where the
broken sound is the louder one, half of a mix is still that little (0.2). A defect not much stronger than the noise of
encoders (a blur of half a pixel) gives no direction to go by, and copies of it may pass: their place between the
anchors is then what they get.
"""

import filecmp
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf, log10
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.repair.verify.registration import Warp, find_warp, resize_like, without_border
from cutscore.benchmarks.repair.verify.residual import sample_moments
from cutscore.benchmarks.repair.verify.time_alignment import TimeOffset, align
from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.media.orientation import Pixels
from cutscore.media.plan import Times
from cutscore.media.sound import Samples
from cutscore.scoring.verifiers.refusal import Refusal

Stream = Literal["pictures", "sound"]

CLOSE_DB, TOWARD_PICTURES = 28.0, 0.125
CLOSE_LEVEL_DB, TOWARD_SOUND = 1.25, 0.3
# Without golden there is no direction, and closeness alone has to be closer.
CLOSEST_DB = 34.0

_SMALLEST = 16  # pixels of a side: a smaller picture has no border to lose
_HEARD_S = 60  # of a longer window the first minute is heard
_SOUND_HZ = 16_000
_BANDS_HZ = np.geomspace(100, 7000, 25)  # above, coders throw away what they like
_SLICE = 512  # samples; four of them, half overlapping, make one level
_EQUAL_DB = 1e-6  # gains are reckoned in floats
_FLOOR = 1e-5  # of the loudest level: 50 dB below it nothing counts

Wave = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Likeness:
    """How an output lies between broken and golden, inside of the window.

    Args:
        apart: How far from broken: for pictures their PSNR in dB, infinite for equal ones; for sound the mean
            difference of levels in dB, 0 for equal ones.
        toward: How far on the way to golden; None without golden, or where golden is broken.
    """

    apart: float
    toward: float | None


def find_copy(
    output: Path, broken: Path, window: Span, stream: Stream, *, golden: Path | None = None
) -> Refusal | None:
    """Return why an output counts as the broken clip, in the window and the stream of the defect; None if it does not.

    Golden is the clip as it should be, second for second (windowed defects, swaps). There is none for stretches that
    are to be cut out: there an honest output runs ahead of the broken clip, and closeness alone tells.

    Returns:
        `same file`, `same content` (decoded, in the window) or `near copy`.
    """
    if filecmp.cmp(output, broken, shallow=False):
        return Refusal("same file", "is the broken clip, byte for byte")
    (offset,) = align(output, broken, [window])
    likeness = picture_likeness if stream == "pictures" else sound_likeness
    like = likeness(output, broken, window, golden=golden, offset=offset)
    if like is None:
        return None
    if stream == "pictures":
        near = like.apart >= (CLOSE_DB if golden else CLOSEST_DB) and (like.toward or 0) <= TOWARD_PICTURES
        same, text = (
            like.apart == inf,
            f"its pictures are nearly the broken ones (PSNR {like.apart:.1f} dB, more is nearer)",
        )
    else:
        near = like.apart <= CLOSE_LEVEL_DB and (like.toward or 0) <= TOWARD_SOUND
        same, text = (
            like.apart < _EQUAL_DB,
            f"its sound is nearly the broken one (levels differ by {like.apart:.2f} dB)",
        )
    if same:
        return Refusal("same content", f"in {window} it has the {stream} of the broken clip unchanged")
    if not near:
        return None
    way = "" if like.toward is None else f", {max(0.0, like.toward):.0%} of the way to golden"
    return Refusal("near copy", f"in {window} {text}{way}")


def picture_likeness(output: Path, broken: Path, window: Span, *, golden: Path | None, offset: TimeOffset) -> Likeness:
    """Compare some pictures of the window, moved by the offset.

    Closeness is the median over these pictures, so that a flash does not make another film of a copy; the way toward
    golden is taken over all of them at once.
    """
    late_s = offset.pictures.late_s
    moments = [at_s for at_s in sample_moments(broken, window) if at_s + late_s >= 0]
    given = _pictures(broken, moments)
    seen = [resize_like(each, given[0]) for each in _pictures(output, [at_s + late_s for at_s in moments])]
    right = _pictures(golden, moments) if golden else []
    warp = find_warp(given[0], seen[0]) if min(given[0].shape[:2]) > _SMALLEST else Warp()
    errors, along, length = [], 0.0, 0.0
    for number, (before, test) in enumerate(zip(given, seen, strict=True)):
        start, end = without_border(warp.applied(before)), without_border(test)
        errors.append(float(np.mean((end - start) ** 2)))
        if right:
            way = without_border(warp.applied(resize_like(right[number], before))) - start
            along += float(np.vdot(end - start, way))
            length += float(np.vdot(way, way))
    error = float(np.median(errors))
    return Likeness(10 * log10(255**2 / error) if error else inf, along / length if length else None)


def sound_likeness(
    output: Path, broken: Path, window: Span, *, golden: Path | None, offset: TimeOffset
) -> Likeness | None:
    """Compare the sound of the window at the same loudness; None where one of the two is silent."""
    if offset.sound.late_s is None:
        return None
    short = Span(start_s=window.start_s, end_s=min(window.end_s, window.start_s + _HEARD_S))
    given, test = _sound(broken, short, Fraction(0)), _sound(output, short, offset.sound_late_s)
    if (end := _match_loudness(test, given)) is None:
        return None
    toward = None
    if golden is not None and (right := _match_loudness(_sound(golden, short, Fraction(0)), given)) is not None:
        way = right - given
        toward = float((end - given) @ way / (way @ way)) if way.any() else None
    return Likeness(_level_difference(given, end), toward)


def _pictures(path: Path, at_s: list[Fraction]) -> list[Pixels]:
    return [frame.pixels for frame in deliverable.read_frames(path, Times(tuple(at_s)))]


def _sound(path: Path, span: Span, late_s: Fraction) -> Wave:
    moved = Span(start_s=span.start_s + late_s, end_s=span.end_s + late_s)
    heard: Samples = deliverable.read_sound(path, rate_hz=_SOUND_HZ, channels="mono", span=moved).samples
    return heard.astype(np.float64)


def _match_loudness(sound: Wave, like: Wave) -> Wave | None:
    """Return a sound at the gain at which it lies nearest to another; None where they have nothing in common."""
    common = float(sound @ like)
    return sound * float(like @ like) / common if common > 0 else None


def _level_difference(one: Wave, other: Wave) -> float:
    """Return the mean difference of levels in dB, over time and bands where at least one of the two is heard."""
    levels = np.stack([_levels(one), _levels(other)])
    floor = levels.max() * _FLOOR
    apart = np.abs(10 * np.log10((levels[1] + floor) / (levels[0] + floor)))
    heard = (levels > floor).any(axis=0)
    return float(apart[heard].mean()) if heard.any() else 0.0


def _levels(sound: Wave) -> npt.NDArray[np.float64]:
    """Return the power in each band, of shape (time, band)."""
    padded = np.pad(sound, (0, max(0, 3 * _SLICE - len(sound))))
    slices = np.lib.stride_tricks.sliding_window_view(padded, _SLICE)[:: _SLICE // 2] * np.hanning(_SLICE)
    power = np.abs(np.fft.rfft(slices, axis=1)) ** 2
    edges = np.rint(_BANDS_HZ * _SLICE / _SOUND_HZ).astype(int)
    bands = np.stack([power[:, a : max(a + 1, b)].sum(axis=1) for a, b in pairwise(edges)], axis=1)
    whole = len(bands) // 4 * 4
    means: npt.NDArray[np.float64] = bands[:whole].reshape(-1, 4, bands.shape[1]).mean(axis=1)
    return means
