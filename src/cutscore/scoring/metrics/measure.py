"""Metrics by name, on a file or on a file and its reference: one decode of the pictures and one of the sound for all.

    measure("fixed.mp4", "original.mp4", metrics=("ssim", "psnr", "stoi"))["ssim"].summary

Another package may offer picture metrics under the entry point `cutscore.metrics`: a callable without arguments that
returns a `Metric` or a `PairMetric`. It cannot replace a metric of ours.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput, UnknownName
from cutscore.media.audio import read_sound
from cutscore.media.sound import Sound
from cutscore.registry import plugins
from cutscore.scoring.metrics.metric import Measurement, Metric, Needs, PairMetric, frozen_array
from cutscore.scoring.metrics.one_pass import one_pass

DEFAULT = ("ssim", "psnr")

# How a user writes each, and one line about it. Those of a pair need a reference.
CLIP_METRICS: Mapping[str, str] = {
    "light": "mean brightness of each frame, 0 to 255",
    "black": "stretches of black",
    "edges": "energy of edges: how sharp a frame is",
    "freeze": "stretches in which nothing moves",
    "letterbox": "share of the frame that is black bars",
    "shots": "cuts and the shots between them",
    "phash": "perceptual hash, and its change from frame to frame",
    "flow": "how much things move",
    "smoothness": "how evenly things move",
    "dnsmos": "quality of speech without a reference (extra audio)",
}
PAIR_METRICS: Mapping[str, str] = {
    "ssim": "structural similarity of luma as FFmpeg defines it",
    "ssim_wang": "structural similarity of Wang et al. 2004",
    "ssim_uniform7": "structural similarity with 7×7 uniform windows",
    "psnr": "peak signal-to-noise ratio of luma",
    "psnr_rgb": "peak signal-to-noise ratio of all three colours",
    "colour": "CIEDE2000 distance of colours",
    "vmaf": "VMAF v0.6.1 (extra vmaf)",
    "si_sdr": "scale-invariant signal-to-distortion ratio of the sound",
    "si_sdr_aligned": "the same, after the sound was moved to where it fits best",
    "fw_seg_snr": "frequency-weighted segmental signal-to-noise ratio of the sound",
    "stoi": "short-time intelligibility of speech",
    "estoi": "the same, extended to noise that comes and goes",
    "pesq": "wide-band PESQ of speech (extra audio)",
}
_SOUND = ("dnsmos", "si_sdr", "si_sdr_aligned", "fw_seg_snr", "stoi", "estoi", "pesq")
_SOUND_HZ = 16_000  # what PESQ and DNSMOS are defined for; the others resample by themselves

Samples = npt.NDArray[np.floating[Any]]


def measure(
    clip: str | Path,
    reference: str | Path | None = None,
    *,
    metrics: Sequence[str] = DEFAULT,
    late_s: Fraction = Fraction(0),
    trusted: bool = False,
) -> dict[str, Measurement]:
    """Return the measurement of each metric, by the name it was asked for.

    Pictures are paired by presentation time (see `one_pass`). Sound is compared as mono from 0 to where the shorter one
    ends; it has no value a frame, only a summary.

    Args:
        clip: What is measured; decoded as a stranger's unless trusted.
        reference: What it is compared with; needed by the metrics of `PAIR_METRICS`.
        metrics: Names from `CLIP_METRICS` and `PAIR_METRICS`, or a plug-in's.
        late_s: How much later than in the reference everything is in the clip; below 0, earlier.
        trusted: Whether we made the clip.

    Raises:
        UnknownName: No metric has that name.
        BadInput: A metric needs a reference and there is none, or the clips cannot be compared.
        MissingExtra: A metric needs a package that is not installed.
    """
    path, beside = Path(clip), Path(reference) if reference is not None else None
    for name in metrics:
        if name in PAIR_METRICS and beside is None:
            raise BadInput(f"metric '{name}'", "compares a clip with its reference", "give a reference")
    pictures = {name: make_metric(name) for name in metrics if name not in _SOUND}
    found: dict[str, Measurement] = {}
    if pictures:
        alone = {name: metric for name, metric in pictures.items() if hasattr(metric, "see")}
        pairs = {name: metric for name, metric in pictures.items() if name not in alone}
        seen = one_pass(
            path,
            list(alone.values()),
            reference=beside if pairs else None,
            pairs=list(pairs.values()),
            late_s=late_s,
            trusted=trusted,
        )
        found = dict(zip((*alone, *pairs), (*seen.alone, *seen.pairs), strict=True))
    if sound := [name for name in metrics if name in _SOUND]:
        found |= _measure_sound(sound, path, beside, late_s=late_s, trusted=trusted)
    return {name: found[name] for name in metrics}


def make_metric(name: str) -> Any:
    """Return a new picture metric by its name, ours or a plug-in's: a `Metric` or a `PairMetric`, used once."""
    if name in _OWN:
        return _OWN[name]()
    offered = plugins("metrics")
    if name not in offered:
        raise UnknownName.among("metric", name, (*CLIP_METRICS, *PAIR_METRICS, *offered))
    entry = offered[name]
    try:
        made = entry.load()()
    except (ImportError, AttributeError) as error:
        fact = f"its package cannot be imported: {error}"
        raise BadInput(f"metric '{name}'", fact, f"mend or uninstall what offers '{entry.value}'") from error
    if not callable(getattr(made, "result", None)) or not (hasattr(made, "see") or hasattr(made, "compare")):
        fact = f"its package made a {type(made).__name__} without see(frame) or compare(reference, test)"
        raise BadInput(f"metric '{name}'", fact, "see cutscore.scoring.metrics.metric")
    return made


def _make(module: str, name: str, **options: Any) -> Metric | PairMetric:
    # Imported when it is asked for: some bring heavy libraries.
    made: Metric | PairMetric = getattr(import_module(f"cutscore.scoring.metrics.{module}"), name)(**options)
    return made


def _make_ssim(definition: str) -> Metric | PairMetric:
    from cutscore.scoring.metrics import ssim

    return ssim.Ssim(getattr(ssim, definition))


_OWN: Mapping[str, Callable[[], Metric | PairMetric]] = {
    "light": partial(_make, "light", "Light"),
    "black": partial(_make, "light", "Black"),
    "edges": partial(_make, "edges", "EdgeEnergy"),
    "freeze": partial(_make, "freeze", "Freeze"),
    "letterbox": partial(_make, "letterbox", "Letterbox"),
    "shots": partial(_make, "shots", "Shots"),
    "phash": partial(_make, "phash", "PerceptualHash"),
    "flow": partial(_make, "flow", "Flow"),
    "smoothness": partial(_make, "flow", "Smoothness"),
    "ssim": partial(_make_ssim, "ssim_ffmpeg"),
    "ssim_wang": partial(_make_ssim, "ssim_wang"),
    "ssim_uniform7": partial(_make_ssim, "ssim_uniform7"),
    "psnr": partial(_make, "psnr", "Psnr"),
    "psnr_rgb": partial(_make, "psnr", "Psnr", needs=Needs(kind="rgb")),
    "colour": partial(_make, "colour", "ColourDistance"),
    "vmaf": partial(_make, "vmaf", "Vmaf"),
}


def _measure_sound(
    names: Sequence[str], clip: Path, reference: Path | None, *, late_s: Fraction, trusted: bool
) -> dict[str, Measurement]:
    heard = read_sound(clip, rate_hz=_SOUND_HZ, channels="mono", trusted=trusted).mono()
    measured = {}
    if "dnsmos" in names:
        from cutscore.scoring.metrics.dnsmos import dnsmos

        overall = asdict(dnsmos(heard, rate_hz=_SOUND_HZ))["overall"]
        measured["dnsmos"] = _summary("DNSMOS", "dnsmos.1", "MOS", overall)
    if reference is None:
        return measured
    clean = read_sound(reference, rate_hz=_SOUND_HZ, channels="mono").mono()
    shift = round(late_s * _SOUND_HZ)
    heard, clean = heard[max(0, shift) :], clean[max(0, -shift) :]
    both = min(len(heard), len(clean))
    for name in names:
        if name != "dnsmos":
            measured[name] = _compare_sound(name, clean[:both], heard[:both])
    return measured


def _compare_sound(name: str, clean: Samples, heard: Samples) -> Measurement:
    from cutscore.scoring.metrics.pesq import pesq_wb
    from cutscore.scoring.metrics.segmental import fw_seg_snr_db
    from cutscore.scoring.metrics.si_sdr import aligned_si_sdr_db, si_sdr_db
    from cutscore.scoring.metrics.stoi import estoi, stoi

    if name == "si_sdr":
        return _summary("SI-SDR", "si_sdr.1", "dB", si_sdr_db(clean, heard))
    if name == "si_sdr_aligned":
        both = (Sound(samples.astype(np.float32), _SOUND_HZ) for samples in (clean, heard))
        return _summary("SI-SDR, aligned", "si_sdr_aligned.1", "dB", aligned_si_sdr_db(*both))
    if name == "fw_seg_snr":
        return _summary("fwSegSNR", "fw_seg_snr.1", "dB", fw_seg_snr_db(clean, heard, rate_hz=_SOUND_HZ))
    if name == "stoi":
        return _summary("STOI", "stoi.1", "", stoi(clean, heard, rate_hz=_SOUND_HZ))
    if name == "estoi":
        return _summary("ESTOI", "estoi.1", "", estoi(clean, heard, rate_hz=_SOUND_HZ))
    return _summary("PESQ", "pesq_wb.1", "MOS", pesq_wb(clean, heard, rate_hz=_SOUND_HZ))


def _summary(name: str, definition: str, unit: str, value: float) -> Measurement:
    return Measurement(name, definition, unit, float(value), "over all samples", (), frozen_array(()))
