"""The sound of an output against golden's, inside a defect's window and outside, after its offset in time."""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import signal

from cutscore.benchmarks.repair.verify.placement import Where
from cutscore.benchmarks.repair.verify.residual import sound_mended
from cutscore.benchmarks.repair.verify.time_alignment import TimeOffset
from cutscore.core.errors import Unscored
from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.media.sound import Samples, sample_at
from cutscore.scoring.metrics.pesq import RATE_HZ as PESQ_HZ
from cutscore.scoring.metrics.pesq import pesq_wb
from cutscore.scoring.metrics.segmental import fw_seg_snr_db
from cutscore.scoring.metrics.si_sdr import sdr_db, si_sdr_db
from cutscore.scoring.metrics.stoi import stoi

Sums = npt.NDArray[np.float64]

SOUNDS = ("fw_seg_snr", "pesq", "stoi", "si_sdr", "sdr")
SOUND_HZ = 48_000
_NOTHING: Samples = np.zeros((0, 2), np.float32)
# FFmpeg lays one channel on two at √½ each, as players do with a mono sound, so that it is as loud as before.
_SPREAD = 2**0.5


@dataclass(frozen=True)
class HeardValues:
    """Values of sound by measure and side, None where the output has none; and how much of a defect in it is gone."""

    values: Mapping[tuple[str, Where], float | None]
    mended: float | None = None


def compare_sound(
    output: Path,
    golden: Path,
    window: Span,
    names: Collection[str],
    offsets: Sequence[TimeOffset],
    *,
    in_sound: bool,
    broken: Path | None,
) -> HeardValues:
    """Measure the sound of both at once, the output moved by its offset; `in_sound`: the defect is in the sound.

    With the broken clip it is measured how much of its defect is gone.
    """
    if unknown := [name for name in names if name not in SOUNDS]:
        raise Unscored(f"measure '{unknown[0]}'", "is not known", f"known are psnr, ssim, {', '.join(SOUNDS)}")
    if not deliverable.has_sound(golden) or not deliverable.has_sound(output):
        return HeardValues({("sdr", "out"): None, **{(name, "in"): None for name in names}})
    kept: list[tuple[Samples, Samples]] = [(_NOTHING, _NOTHING)]
    outside = np.zeros(3)
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
                else:
                    outside += _products(x[part], y[part])
            at += len(x)
    own, other = (np.concatenate(side) for side in zip(*kept, strict=True))
    if _is_spread(golden, output, _products(own, other) + outside):
        other, outside = other * np.float32(_SPREAD), outside * (1, _SPREAD**2, _SPREAD)
    rest = outside if in_sound else _products(own, other) + outside
    values = {("sdr", "out"): _sdr(rest), **sound_values(names, own, other)}
    if broken is None:
        return HeardValues(values)
    before = deliverable.read_sound(broken, rate_hz=SOUND_HZ, channels="stereo", span=window).samples
    return HeardValues(values, sound_mended(own, before, other))


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


def _is_spread(golden: Path, output: Path, sums: Sums) -> bool:
    """Return whether golden's one channel lies on two in the output, and each is nearer to it when made louder."""
    tracks = [deliverable.probe(each, scan=False).sound for each in (golden, output)]
    _, judged, product = map(float, sums)
    nearer = (_SPREAD**2 - 1) * judged < 2 * (_SPREAD - 1) * product
    return nearer and [track.channels for track in tracks if track] == [1, 2]


def _products(x: Samples, y: Samples) -> Sums:
    a, b = (each.reshape(-1).astype(np.float64) for each in (x, y))
    return np.array([a @ a, b @ b, a @ b])


def _sdr(sums: Sums) -> float | None:
    clean, judged, product = map(float, sums)
    return sdr_db(clean, judged, product) if clean > 0 else None


def sound_values(names: Collection[str], golden: Samples, output: Samples) -> dict[tuple[str, Where], float | None]:
    """Measure a sound inside of the window, both in two channels at `SOUND_HZ`."""
    return {(name, "in"): _sound_value(name, golden, output) for name in names}


def _sound_value(name: str, golden: Samples, output: Samples) -> float | None:
    if name == "sdr":
        return _sdr(_products(golden, output))
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
