"""A repaired clip against golden, inside a defect's window and outside: what AgenticVBench H.1.1 and H.1.2 measure.

    pictures    psnr          of red, green and blue: a wrong colour of the right brightness is wrong
                ssim          of grey (`metrics.ssim.ssim_ffmpeg`)
    sound       fw_seg_snr    quality: frequency-weighted segmental SNR (`metrics.segmental`), mono
                pesq          quality as ITU-T P.862.2, where a bundle declares it and the extra `audio` is there, mono
                stoi          intelligibility (`metrics.stoi`), mono; of speech alone
                si_sdr        fidelity, both channels
                sdr           the same with its gain: what nobody should touch should not become louder either

`psnr` and `ssim` are means over the pictures of golden, each picture counted no better than the anchor: whoever mends
half of the pictures perfectly has mended half. A picture of golden that the output lacks counts 0.

Outside is everything that the defect did not touch: the rest of its own stream, and the whole of the other one.

Clips are compared by presentation time after one constant offset (`align`) for each of three stretches: before the
window, inside, and after it. So damage in one of them moves nothing in another. Clips stream: what is held is a number
for each picture, and, while it is heard, the sound of the window.
"""

import math
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import signal

from cutscore.benchmarks.repair.defect import AUDIO, VISUAL, DefectKind
from cutscore.benchmarks.repair.verify.placement import Measure, Where
from cutscore.benchmarks.repair.verify.time_alignment import TimeOffset, align
from cutscore.core.errors import Unscored
from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.media.sound import Samples, sample_at
from cutscore.scoring.metrics.metric import Needs
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.pesq import RATE_HZ as PESQ_HZ
from cutscore.scoring.metrics.pesq import pesq_wb
from cutscore.scoring.metrics.psnr import Psnr
from cutscore.scoring.metrics.segmental import fw_seg_snr_db
from cutscore.scoring.metrics.si_sdr import sdr_db, si_sdr_db
from cutscore.scoring.metrics.ssim import Ssim
from cutscore.scoring.metrics.stoi import stoi

Stream = Literal["pictures", "sound"]
Sums = npt.NDArray[np.float64]

PICTURES = ("psnr", "ssim")
SOUNDS = ("fw_seg_snr", "pesq", "stoi", "si_sdr", "sdr")
SOUND_HZ = 48_000
_NOTHING: Samples = np.zeros((0, 2), np.float32)
_DIGITS = 6  # of a value: means of equal numbers are then equal to these


@dataclass(frozen=True)
class WindowComparison:
    """An output that was compared with golden, whose seconds and length these are.

    Pictures have a value by measure and time of golden's, 0 for those that the output lacks. Sound has one by measure
    and side, None where the output has none. `touched` are the streams of the defect.
    """

    window: Span
    length_s: Fraction
    touched: frozenset[Stream]
    offsets: tuple[TimeOffset, ...]
    pictures: Mapping[str, Mapping[Fraction, float]]
    sound: Mapping[tuple[str, Where], float | None]

    def value(self, name: str, where: Where, *, most: float = math.inf) -> float | None:
        """Return a measure on one side; None where the output has no value for it.

        No picture counts more than `most`, the anchor of golden. Of sound there is what was asked for.
        """
        if name in PICTURES:
            values = self._picture_values(name, where)
            mean = math.fsum(min(value, most) for value in values) / len(values) if values else None
        elif (name, where) in self.sound:
            mean = self.sound[name, where]
        else:
            raise Unscored(f"measure '{name}'", f"was not measured {where}side the window")
        return mean if mean is None or not math.isfinite(mean) else round(mean, _DIGITS)

    def share_below(self, below_db: float) -> float:
        """Return the share of pictures outside of the window that are further from golden than a PSNR."""
        values = self._picture_values("psnr", "out")
        return sum(value < below_db for value in values) / len(values) if values else 0.0

    @property
    def moved(self) -> float | None:
        """Share of golden's movement inside of the window that the output shows; None where golden hardly moves."""
        return next((offset.pictures.moved for offset in self.offsets if offset.span == self.window), None)

    def worst(self, name: str, where: Where) -> float | None:
        """Return the same as `value`, but of pictures the worst one."""
        return min(self._picture_values(name, where), default=None) if name in PICTURES else self.value(name, where)

    def _picture_values(self, name: str, where: Where) -> list[float]:
        spans = [self.window]
        if where == "out":
            rest = "pictures" in self.touched
            spans = [offset.span for offset in self.offsets if not rest or offset.span != self.window]
        return [value for at_s, value in self.pictures[name].items() if any(span.holds(at_s) for span in spans)]


def streams_of(kind: DefectKind) -> tuple[Stream, ...]:
    """Return the streams that a defect is in."""
    if kind in AUDIO:
        return ("sound",)
    return ("pictures",) if kind in VISUAL else ("pictures", "sound")


def compare_window(
    output: Path,
    golden: Path,
    window: Span | None,
    touched: Collection[Stream],
    sounds: Collection[str] = (),
    *,
    aligned: bool = False,
) -> WindowComparison:
    """Compare an output with golden, inside a window of golden's seconds or, without one, as a whole (swapped shots).

    The sound inside of the window is measured by `sounds`, of `SOUNDS`; `sdr` outside is always given. An output that
    is `aligned` is ours and lies as golden does; else its offsets are measured.

    Raises:
        BadInput: The output cannot be decoded, or has another size.
    """
    length_s = deliverable.probe(golden).duration_s
    if not length_s:
        raise Unscored(f"clip '{golden.name}'", "does not tell its length")
    inside = window or Span(start_s=0, end_s=length_s)
    # What lies before the window, the window, and what lies after it.
    ends = pairwise((Fraction(0), inside.start_s, inside.end_s, max(inside.end_s, length_s)))
    spans = [Span(start_s=start_s, end_s=end_s) for start_s, end_s in ends if end_s > start_s]
    offsets = tuple(map(TimeOffset, spans)) if aligned else align(output, golden, spans)
    return WindowComparison(
        window=inside,
        length_s=length_s,
        touched=frozenset(touched),
        offsets=offsets,
        pictures=_compare_pictures(output, golden, offsets, length_s),
        sound=_compare_sound(output, golden, inside, sounds, offsets, in_sound="sound" in touched),
    )


def measure_values(there: WindowComparison, measures: Sequence[Measure], where: Where) -> dict[str, float | None]:
    """Return the declared measures of one side by name, as `placement.place_all` takes them."""
    return {
        measure.name: there.value(measure.name, where, most=measure.golden)
        for measure in measures
        if measure.where == where
    }


def _compare_pictures(
    output: Path, golden: Path, offsets: Sequence[TimeOffset], length_s: Fraction
) -> dict[str, dict[Fraction, float]]:
    """Measure the pictures of both, in one pass for each different offset: mostly there is one."""
    found: dict[str, list[tuple[Fraction, float]]] = {name: [] for name in PICTURES}
    for late_s in sorted({offset.pictures.late_s for offset in offsets}):
        spans = [offset.span for offset in offsets if offset.pictures.late_s == late_s]
        pairs = (Psnr(Needs(kind="rgb")), Ssim(needs=Needs(kind="grey")))
        done = one_pass(output, reference=golden, pairs=pairs, late_s=late_s)
        # What the offset alone pushes over an end of the output is nobody's fault.
        lost = [at_s for at_s in done.missing_s if not (at_s < -late_s or at_s >= length_s - late_s)]
        for name, seen in zip(PICTURES, done.pairs, strict=True):
            every = [*zip(seen.at_s, map(float, seen.values), strict=True), *((at_s, 0.0) for at_s in lost)]
            found[name] += [(at_s, value) for at_s, value in every if any(span.holds(at_s) for span in spans)]
    return {name: dict(sorted(every)) for name, every in found.items()}


def _compare_sound(
    output: Path, golden: Path, window: Span, names: Collection[str], offsets: Sequence[TimeOffset], *, in_sound: bool
) -> dict[tuple[str, Where], float | None]:
    """Measure the sound of both at once, the output moved by its offset; `in_sound`: the defect is in the sound."""
    if unknown := [name for name in names if name not in SOUNDS]:
        raise Unscored(f"measure '{unknown[0]}'", "is not known", f"known are {', '.join((*PICTURES, *SOUNDS))}")
    if not deliverable.has_sound(golden) or not deliverable.has_sound(output):
        return {("sdr", "out"): None, **{(name, "in"): None for name in names}}
    kept: list[tuple[Samples, Samples]] = [(_NOTHING, _NOTHING)]
    inside, outside = np.zeros(3), np.zeros(3)
    film = Span(start_s=0, end_s=offsets[-1].span.end_s)
    blocks = partial(deliverable.iter_sound, rate_hz=SOUND_HZ, channels="stereo")
    for late_s in sorted({offset.sound_late_s for offset in offsets}):
        spans = [offset.span for offset in offsets if offset.sound_late_s == late_s]
        there = Span(start_s=late_s, end_s=film.end_s + late_s)
        at = 0
        for x, y in _pair_blocks(blocks(golden, span=film), blocks(output, span=there)):
            for span in spans:
                ends = (sample_at(span.start_s, SOUND_HZ) - at, sample_at(span.end_s, SOUND_HZ) - at)
                part = slice(*(min(max(end, 0), len(x)) for end in ends))
                if span == window:
                    kept.append((x[part], y[part]))
                    inside += _products(x[part], y[part])
                else:
                    outside += _products(x[part], y[part])
            at += len(x)
    own, other = (np.concatenate(side) for side in zip(*kept, strict=True))
    rest = outside if in_sound else inside + outside
    return {("sdr", "out"): _sdr(rest), **{(name, "in"): _sound_value(name, own, other, inside) for name in names}}


def _pair_blocks(first: Iterator[Samples], second: Iterator[Samples]) -> Iterator[tuple[Samples, Samples]]:
    """Return two streams in blocks of one length, until one of them ends."""
    one, other = _NOTHING, _NOTHING
    while True:
        one = next(first, one) if not len(one) else one
        other = next(second, other) if not len(other) else other
        count = min(len(one), len(other))
        if not count:
            # To their ends: a stream that is left in the middle costs its decoder.
            deque(chain(first, second), maxlen=0)
            return
        yield one[:count], other[:count]
        one, other = one[count:], other[count:]


def _products(x: Samples, y: Samples) -> Sums:
    a, b = (each.reshape(-1).astype(np.float64) for each in (x, y))
    return np.array([a @ a, b @ b, a @ b])


def _sdr(sums: Sums) -> float | None:
    clean, judged, product = map(float, sums)
    return sdr_db(clean, judged, product) if clean > 0 else None


def _sound_value(name: str, golden: Samples, output: Samples, sums: Sums) -> float | None:
    if name == "sdr":
        return _sdr(sums)
    if name == "si_sdr":
        return si_sdr_db(golden.reshape(-1), output.reshape(-1))
    mono = [side.mean(axis=1, dtype=np.float32) for side in (golden, output)]
    return _MONO[name](*mono) if mono[1].any() else None


def _pesq(clean: Samples, judged: Samples) -> float | None:
    try:
        return pesq_wb(*(signal.resample_poly(side, PESQ_HZ, SOUND_HZ) for side in (clean, judged)), rate_hz=PESQ_HZ)
    except Unscored:  # it heard no speech in the output; golden has some, or no bundle would declare it
        return None


_MONO: dict[str, Callable[[Samples, Samples], float | None]] = {
    "fw_seg_snr": lambda clean, judged: fw_seg_snr_db(clean, judged, rate_hz=SOUND_HZ),
    "stoi": lambda clean, judged: stoi(clean, judged, rate_hz=SOUND_HZ),
    "pesq": _pesq,
}
