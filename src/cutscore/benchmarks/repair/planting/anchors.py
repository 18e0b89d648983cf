"""Anchors of a repair task: what broken and golden measure, so that an output can be placed between them (H.1).

Golden's anchor is golden after one good delivery encode: it is finite, and whoever delivers golden well gets 1.
`DELIVERED_CRF` is modest on purpose: x264 by default reaches it with ease, x265 and VP9 at usual settings to within two
hundredths, and whoever encodes better gains nothing. Of pictures the anchor is the worst one. Sound counts as golden
from `ENOUGH` on, which AAC from 64 kb/s a channel, MP3 and Opus all reach.

Inside the window the other anchor is the broken clip. Outside, where it is clean, it is a stated floor of damage
(`FLOORS`): at 20 dB a picture is badly damaged, at 0 dB a sound differs from golden by as much as golden itself.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from cutscore.benchmarks.repair.defect import AUDIO, CUT_OUT, VISUAL, DefectKind
from cutscore.benchmarks.repair.planting.blind_repairs import reach_blindly
from cutscore.benchmarks.repair.verify.placement import Measure, Where, composite, place_all
from cutscore.benchmarks.repair.verify.window import (
    WindowComparison,
    compare_window,
    measure_values,
    streams_of,
)
from cutscore.benchmarks.repair.verify.window_sound import SOUNDS
from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.footage import load_whole_clip, write_footage

DELIVERED_CRF = 26
ENOUGH = {"psnr": 50.0, "ssim": 1.0, "fw_seg_snr": 20.0, "pesq": 4.0, "stoi": 0.97, "si_sdr": 20.0, "sdr": 20.0}
FLOORS = {"psnr": 20.0, "ssim": 0.5, "sdr": 0.0}
# A measure that a mere encode moves by half of the way from broken to golden measures encodes.
CLEAR = 2.0


@dataclass(frozen=True)
class Anchors:
    """Where 0 and 1 lie for a defect in a window or for swapped shots.

    `encode_noise` is the s_in that an encode of broken reaches, or a filter over all of it (`blind_repairs`).
    """

    measures: tuple[Measure, ...]
    encode_noise: float


def measure_anchors(broken: Path, golden: Path, window: Span, kind: DefectKind, *, speech: bool) -> Anchors:
    """Measure the anchors of a task; both clips are ours.

    Swapped shots are compared whole (H.1.2), wherever they lie. What is cut out has ranges and no anchors. Without
    `speech` in the window intelligibility is left out: that of music means nothing.

    Raises:
        BadInput: No measure tells broken from golden, so nothing could be placed between them.
    """
    if kind in CUT_OUT:
        return Anchors(measures=(), encode_noise=0.0)
    inside = _measure_names(kind, speech=speech)
    where = None if kind == "swapped_shots" else window
    with TemporaryDirectory(prefix="cutscore-") as scratch:
        delivered, again = Path(scratch) / "golden.mp4", Path(scratch) / "broken.mp4"
        for clip, made in ((golden, delivered), (broken, again)):
            write_footage(load_whole_clip(clip), made, crf=DELIVERED_CRF)
        touched, sounds = streams_of(kind), [name for name in inside if name in SOUNDS]
        # Our own encoder moves nothing.
        best, worst, noisy = (
            compare_window(clip, golden, where, touched, sounds, aligned=True) for clip in (delivered, broken, again)
        )
    found = [measure for name in inside if (measure := _inside_measure(name, best, worst, noisy))]
    if not found:
        fact = f"is no nearer to broken than an encode is, by {', '.join(inside)}"
        raise BadInput(f"{kind} in {window}", fact, "make the defect stronger, or plant it elsewhere")
    rest = () if kind == "swapped_shots" else ("psnr", "ssim", "sdr")
    found += [measure for name in rest if (measure := _outside_measure(name, best))]
    reached = composite(place_all(measure_values(noisy, found, "in"), found, where="in")) or 0.0
    if kind != "swapped_shots":
        reached = max(reached, reach_blindly(load_whole_clip(broken), load_whole_clip(golden), window, kind, found))
    return Anchors(tuple(found), round(reached, 6))


def _measure_names(kind: DefectKind, *, speech: bool) -> Sequence[str]:
    if kind in AUDIO:
        return ("fw_seg_snr", "stoi", "si_sdr") if speech else ("fw_seg_snr", "si_sdr")
    return ("psnr", "ssim") if kind in VISUAL else ("psnr",)


def _inside_measure(
    name: str, best: WindowComparison, worst: WindowComparison, noisy: WindowComparison
) -> Measure | None:
    """Declare a measure of the window; None where it does not clearly tell broken from golden."""
    golden = _golden_anchor(name, "in", best)
    if golden is None:
        return None
    broken, encoded = worst.value(name, "in", most=golden), noisy.value(name, "in", most=golden)
    if broken is None or encoded is None or not math.isfinite(broken) or not math.isfinite(encoded):
        return None
    noise = round(abs(encoded - broken), 6)
    if golden - broken <= CLEAR * noise:
        return None
    return Measure(name=name, where="in", broken=broken, golden=golden, noise=noise)


def _outside_measure(name: str, best: WindowComparison) -> Measure | None:
    golden = _golden_anchor(name, "out", best)
    if golden is None or golden <= FLOORS[name]:
        return None
    return Measure(name=name, where="out", broken=FLOORS[name], golden=golden)


def _golden_anchor(name: str, where: Where, best: WindowComparison) -> float | None:
    value = best.worst(name, where)
    return None if value is None or value == -math.inf else round(min(value, ENOUGH[name]), 6)
