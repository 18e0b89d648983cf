"""Metrics by name, on a file or on a file and its reference: one decode of the pictures and one of the sound for all.

    measure("fixed.mp4", "original.mp4", metrics=("ssim", "psnr", "stoi"))["ssim"].summary

Another package may offer picture metrics under the entry point `cutscore.metrics`: a callable without arguments that
returns a `Metric` or a `PairMetric`. It cannot replace a metric of ours.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

from cutscore.core.errors import BadInput, UnknownName
from cutscore.media.audio import read_sound
from cutscore.media.sound import Sound
from cutscore.registry import load_plugin, plugins
from cutscore.scoring.metrics.metric import Measurement, Needs, frozen_array
from cutscore.scoring.metrics.one_pass import one_pass

DEFAULT = ("ssim", "psnr")
SOUND_HZ = 16_000  # what PESQ and DNSMOS are defined for; the others resample by themselves


@dataclass(frozen=True)
class PictureMetric:
    """A metric of pictures: what it measures, where it is, and how it is made."""

    about: str
    place: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SoundMetric:
    """A metric of sound: what it measures, where its function is, and how its number is shown."""

    about: str
    place: str
    label: str
    unit: str = ""


# By the name that a user writes. A module is imported when somebody asks for its metric.
CLIP_METRICS: Mapping[str, PictureMetric | SoundMetric] = {
    "light": PictureMetric("mean brightness of each frame, 0 to 255", "light:Light"),
    "black": PictureMetric("stretches of black", "light:Black"),
    "edges": PictureMetric("energy of edges: how sharp a frame is", "edges:EdgeEnergy"),
    "freeze": PictureMetric("stretches in which nothing moves", "freeze:Freeze"),
    "letterbox": PictureMetric("share of the frame that is black bars", "letterbox:Letterbox"),
    "shots": PictureMetric("cuts and the shots between them", "shots:Shots"),
    "phash": PictureMetric("perceptual hash, and its change from frame to frame", "phash:PerceptualHash"),
    "flow": PictureMetric("how much things move", "flow:Flow"),
    "smoothness": PictureMetric("how evenly things move", "flow:Smoothness"),
    "dnsmos": SoundMetric("quality of speech without a reference (extra audio)", "dnsmos:dnsmos", "DNSMOS", "MOS"),
}
PAIR_METRICS: Mapping[str, PictureMetric | SoundMetric] = {
    "ssim": PictureMetric("structural similarity of luma as FFmpeg defines it", "ssim:Ssim"),
    "ssim_wang": PictureMetric("structural similarity of Wang et al. 2004", "ssim:Ssim", {"measure": "ssim_wang"}),
    "ssim_uniform7": PictureMetric(
        "structural similarity with 7×7 uniform windows", "ssim:Ssim", {"measure": "ssim_uniform7"}
    ),
    "psnr": PictureMetric("peak signal-to-noise ratio of luma", "psnr:Psnr"),
    "psnr_rgb": PictureMetric(
        "peak signal-to-noise ratio of all three colours", "psnr:Psnr", {"needs": Needs(kind="rgb")}
    ),
    "colour": PictureMetric("CIEDE2000 distance of colours", "colour:ColourDistance"),
    "vmaf": PictureMetric("VMAF v0.6.1 (extra vmaf)", "vmaf:Vmaf"),
    "si_sdr": SoundMetric("scale-invariant signal-to-distortion ratio", "si_sdr:si_sdr_db", "SI-SDR", "dB"),
    "si_sdr_aligned": SoundMetric(
        "the same, after the sound was moved to where it fits best", "si_sdr:aligned_si_sdr_db", "SI-SDR, aligned", "dB"
    ),
    "fw_seg_snr": SoundMetric(
        "frequency-weighted segmental signal-to-noise ratio", "segmental:fw_seg_snr_db", "fwSegSNR", "dB"
    ),
    "stoi": SoundMetric("short-time intelligibility of speech", "stoi:stoi", "STOI"),
    "estoi": SoundMetric("the same, extended to noise that comes and goes", "stoi:estoi", "ESTOI"),
    "pesq": SoundMetric("wide-band PESQ of speech (extra audio)", "pesq:pesq_wb", "PESQ", "MOS"),
}
_ALL = {**CLIP_METRICS, **PAIR_METRICS}


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
    pictures = {name: make_metric(name) for name in metrics if not _is_sound(name)}
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
    if sound := [name for name in metrics if _is_sound(name)]:
        found |= _measure_sound(sound, path, beside, late_s=late_s, trusted=trusted)
    return {name: found[name] for name in metrics}


def make_metric(name: str) -> Any:
    """Return a new picture metric by its name, ours or a plug-in's: a `Metric` or a `PairMetric`, used once."""
    own = _ALL.get(name)
    if isinstance(own, PictureMetric):
        # A definition of SSIM is a function beside the class.
        options = {key: _load(f"ssim:{value}") if key == "measure" else value for key, value in own.options.items()}
        return _load(own.place)(**options)
    offered = plugins("metrics")
    if name not in offered:
        raise UnknownName.among("metric", name, (*_ALL, *offered))
    made = load_plugin(f"metric '{name}'", offered[name], lambda make: make())
    if not callable(getattr(made, "result", None)) or not (hasattr(made, "see") or hasattr(made, "compare")):
        fact = f"its package made a {type(made).__name__} without see(frame) or compare(reference, test)"
        raise BadInput(f"metric '{name}'", fact, "see cutscore.scoring.metrics.metric")
    return made


def _is_sound(name: str) -> bool:
    return isinstance(_ALL.get(name), SoundMetric)


def _load(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"cutscore.scoring.metrics.{module}"), name)


def _measure_sound(
    names: Sequence[str], clip: Path, reference: Path | None, *, late_s: Fraction, trusted: bool
) -> dict[str, Measurement]:
    heard = read_sound(clip, rate_hz=SOUND_HZ, channels="mono", trusted=trusted)
    values: dict[str, float] = {}
    if "dnsmos" in names:
        values["dnsmos"] = _load("dnsmos:dnsmos")(heard.mono(), rate_hz=SOUND_HZ).overall
    if reference is not None:
        clean = read_sound(reference, rate_hz=SOUND_HZ, channels="mono")
        shift = round(late_s * SOUND_HZ)
        two = clean.mono()[max(0, -shift) :], heard.mono()[max(0, shift) :]
        both = [samples[: min(map(len, two))] for samples in two]
        values |= {name: _compare_sound(name, *both) for name in names if name != "dnsmos"}
    return {name: _summary(name, value) for name, value in values.items()}


def _compare_sound(name: str, clean: Any, heard: Any) -> float:
    function = _load(_ALL[name].place)
    if name == "si_sdr":
        return float(function(clean, heard))
    if name == "si_sdr_aligned":
        return float(function(Sound(clean, SOUND_HZ), Sound(heard, SOUND_HZ)))
    return float(function(clean, heard, rate_hz=SOUND_HZ))


def _summary(name: str, value: float) -> Measurement:
    metric = _ALL[name]
    assert isinstance(metric, SoundMetric)
    return Measurement(metric.label, f"{name}.1", metric.unit, value, "over all samples", (), frozen_array(()))
