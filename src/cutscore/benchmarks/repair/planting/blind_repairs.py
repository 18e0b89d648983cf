"""What filters without knowledge reach inside a window: below that, nobody can be said to have mended anything.

Films are not encoded for it: a filter that is encoded afterwards reaches no more, but for `MARGIN`.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice

import numpy as np
from scipy import signal

from cutscore.benchmarks.repair.defect import AUDIO, DefectKind
from cutscore.benchmarks.repair.edits.blind_filters import PICTURE_FILTERS, SOUND_FILTERS
from cutscore.benchmarks.repair.verify.placement import Measure, composite, place_all
from cutscore.benchmarks.repair.verify.residual import PictureResidual, count_mended, sound_mended
from cutscore.benchmarks.repair.verify.time_alignment import TimeOffset
from cutscore.benchmarks.repair.verify.window import WindowComparison, measure_values, streams_of
from cutscore.benchmarks.repair.verify.window_sound import SOUND_HZ, sound_values
from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.edit import trim
from cutscore.media.footage import Footage
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Samples
from cutscore.scoring.metrics.metric import MetricFrame, Needs
from cutscore.scoring.metrics.psnr import Psnr
from cutscore.scoring.metrics.ssim import Ssim

MARGIN = 0.03
_MOST_LATE = SOUND_HZ // 100  # samples
_MOST_PICTURES = 24


def reach_blindly(
    broken: Footage, golden: Footage, window: Span, kind: DefectKind, measures: Sequence[Measure]
) -> float:
    """Return the highest s_in that a filter over all of the broken clip reaches, and a little more; 0 if none does."""
    compare = _compare_sounds if kind in AUDIO else _compare_pictures
    inside = [measure for measure in measures if measure.where == "in"]
    reached = [0.0]
    for found in compare(broken, golden, window, kind, [measure.name for measure in inside]):
        s_in = composite(place_all(measure_values(found, inside, "in"), inside, where="in")) or 0.0
        reached.append(min(s_in, count_mended(1.0 if found.mended is None else found.mended)))
    best = max(reached)
    return best + MARGIN if best else 0.0


def _compare_pictures(
    broken: Footage, golden: Footage, window: Span, kind: DefectKind, names: Sequence[str]
) -> Iterator[WindowComparison]:
    given, right = (list(_some(trim(clip, window))) for clip in (broken, golden))
    step = Fraction(1)
    for change in PICTURE_FILTERS.values():
        psnr, ssim = Psnr(Needs(kind="rgb")), Ssim(needs=Needs(kind="grey"))
        residual = PictureResidual({number * step: each for number, each in enumerate(given)})
        still = Footage(lambda: iter(given), len(given), broken.rate, None, broken.name)
        for number, (clean, made) in enumerate(zip(right, change(still).pictures(), strict=True)):
            pair = MetricFrame(number * step, clean), MetricFrame(number * step, made)
            psnr.compare(*pair)
            residual.compare(*pair)
            ssim.compare(*(MetricFrame(each.at_s, _grey(each.pixels)) for each in pair))
        span = Span(start_s=0, end_s=len(given))
        values = {
            name: dict(zip(seen.at_s, map(float, seen.values), strict=True))
            for name, seen in (("psnr", psnr.result()), ("ssim", ssim.result()))
        }
        yield WindowComparison(
            span, span.end_s, frozenset(streams_of(kind)), (TimeOffset(span),), values, {}, residual.share
        )


def _some(clip: Footage) -> Iterator[Pixels]:
    """Return some pictures that are evenly spread."""
    return islice(clip.pictures(), 0, None, -(-clip.count // _MOST_PICTURES))


def _grey(pixels: Pixels) -> Pixels:
    cv2 = opencv()
    grey: Pixels = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    return grey


def _compare_sounds(
    broken: Footage, golden: Footage, window: Span, kind: DefectKind, names: Sequence[str]
) -> Iterator[WindowComparison]:
    given, right = _heard(broken, window), _heard(golden, window)
    for change in SOUND_FILTERS.values():
        made = _align_sound(_heard(change(broken), window), right)
        values = sound_values(names, right, made)
        touched = frozenset(streams_of(kind))
        yield WindowComparison(
            window, golden.length_s, touched, (TimeOffset(window),), {}, values, sound_mended(right, given, made)
        )


def _align_sound(made: Samples, right: Samples) -> Samples:
    """Move a sound to where it is most like another: filters make it late, and marking grants that."""
    one, other = (side.mean(axis=1, dtype=np.float64) for side in (made, right))
    products = signal.correlate(np.pad(one, _MOST_LATE), other, mode="valid", method="fft")
    return np.roll(made, _MOST_LATE - int(products.argmax()), axis=0)


def _heard(clip: Footage, window: Span) -> Samples:
    """Return the sound of a window as it is measured: in two channels, at one rate."""
    if clip.sound is None:
        raise BadInput(f"clip '{clip.name}'", "nothing is heard in it")
    part = clip.sound.part(window)
    wave = signal.resample_poly(part.samples, SOUND_HZ, part.rate_hz).astype(np.float32)
    return np.repeat(wave[:, None], 2, axis=1) if part.channels == 1 else wave
