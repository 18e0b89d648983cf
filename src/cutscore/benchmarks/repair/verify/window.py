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
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Literal

from cutscore.benchmarks.repair.defect import AUDIO, VISUAL, DefectKind
from cutscore.benchmarks.repair.verify.placement import Measure, Where
from cutscore.benchmarks.repair.verify.residual import PictureResidual, picture_residual
from cutscore.benchmarks.repair.verify.time_alignment import TimeOffset, align
from cutscore.benchmarks.repair.verify.window_sound import compare_sound
from cutscore.core.errors import Unscored
from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.scoring.metrics.metric import Needs
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.psnr import Psnr
from cutscore.scoring.metrics.ssim import Ssim

Stream = Literal["pictures", "sound"]

PICTURES = ("psnr", "ssim")
_DIGITS = 6  # of a value: means of equal numbers are then equal to these


@dataclass(frozen=True)
class WindowComparison:
    """An output that was compared with golden, whose seconds and length these are.

    Pictures have a value by measure and time of golden's, 0 for those that the output lacks. Sound has one by measure
    and side, None where the output has none. `touched` are the streams of the defect. `mended` is how much of the
    defect is gone, by its strength; None where that was not measured.
    """

    window: Span
    length_s: Fraction
    touched: frozenset[Stream]
    offsets: tuple[TimeOffset, ...]
    pictures: Mapping[str, Mapping[Fraction, float]]
    sound: Mapping[tuple[str, Where], float | None]
    mended: float | None = None

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
    defect: tuple[Path, Span] | None = None,
    aligned: bool = False,
) -> WindowComparison:
    """Compare an output with golden, inside a window of golden's seconds or, without one, as a whole (swapped shots).

    The sound inside of the window is measured by `sounds`, of `SOUNDS`; `sdr` outside is always given. With the broken
    clip and where its `defect` lies, it is measured how much of that is gone (`residual`). An output that is `aligned`
    is ours and lies as golden does; else its offsets are measured.

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
    residual = picture_residual(*defect) if defect and "pictures" in touched else None
    given = defect[0] if defect and residual is None else None
    pictures = _compare_pictures(output, golden, offsets, length_s, (inside, residual))
    heard = compare_sound(output, golden, inside, sounds, offsets, in_sound="sound" in touched, broken=given)
    return WindowComparison(
        window=inside,
        length_s=length_s,
        touched=frozenset(touched),
        offsets=offsets,
        pictures=pictures,
        sound=heard.values,
        mended=residual.share if residual else heard.mended,
    )


def measure_values(there: WindowComparison, measures: Sequence[Measure], where: Where) -> dict[str, float | None]:
    """Return the declared measures of one side by name, as `placement.place_all` takes them."""
    return {
        measure.name: there.value(measure.name, where, most=measure.golden)
        for measure in measures
        if measure.where == where
    }


def _compare_pictures(
    output: Path,
    golden: Path,
    offsets: Sequence[TimeOffset],
    length_s: Fraction,
    inside: tuple[Span, PictureResidual | None],
) -> dict[str, dict[Fraction, float]]:
    """Measure the pictures of both, in one pass for each different offset: mostly there is one.

    The pass of the window inside lets its residual see, too.
    """
    window, residual = inside
    found: dict[str, list[tuple[Fraction, float]]] = {name: [] for name in PICTURES}
    for late_s in sorted({offset.pictures.late_s for offset in offsets}):
        spans = [offset.span for offset in offsets if offset.pictures.late_s == late_s]
        beside = (residual,) if residual and window in spans else ()
        pairs = (Psnr(Needs(kind="rgb")), Ssim(needs=Needs(kind="grey")), *beside)
        done = one_pass(output, reference=golden, pairs=pairs, late_s=late_s)
        # What the offset alone pushes over an end of the output is nobody's fault.
        lost = [at_s for at_s in done.missing_s if not (at_s < -late_s or at_s >= length_s - late_s)]
        for name, seen in zip(PICTURES, done.pairs, strict=False):
            every = [*zip(seen.at_s, map(float, seen.values), strict=True), *((at_s, 0.0) for at_s in lost)]
            found[name] += [(at_s, value) for at_s, value in every if any(span.holds(at_s) for span in spans)]
    return {name: dict(sorted(every)) for name, every in found.items()}
