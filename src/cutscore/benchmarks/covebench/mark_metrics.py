"""The pixel metrics of one task as findings, with the tasks that each of them leaves out, and why."""

from collections.abc import Iterator

from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.benchmarks.covebench.pixel_metrics import VideoFrames, mf_lk, msm, psnr, read_video, ssim
from cutscore.core.ending import ScoreGap
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding

METRICS = ("ssim", "psnr", "msm", "mf_lk")
# Dimensions of edits that a metric leaves out, by mode. The released list for motion fidelity holds edits of the
# background, though the paper speaks of motion; its list of motions belongs to no metric.
LEFT_OUT = {
    ("ssim", "reference"): "Background",
    ("ssim", "paper"): "Background",
    ("psnr", "reference"): "Background",
    ("psnr", "paper"): "Background",
    ("mf_lk", "reference"): "Background",
    ("mf_lk", "paper"): "Motion",
}


def measure_pixels(evidence: Evidence, item: EditTask) -> Iterator[Finding | ScoreGap]:
    """Return the metrics of a delivered video in `reference` and `paper`, and how long it is beside its source."""
    if item.source is None:
        return
    ref = evidence.file(EDITED)
    edited = read_video(evidence.path(EDITED), ref.sha256 if ref else "")
    source = read_video(evidence.store.path(item.source), item.source.sha256)
    for mode in ("reference", "paper"):
        for name in METRICS:
            yield _measure(name, mode, source, edited, item)
    share = edited.count / source.count if source.count else 0.0
    told = f"{edited.count} frames, the source has {source.count}"
    yield Finding(name="length ratio", value=share, because=told, file=EDITED)


def _measure(name: str, mode: str, source: VideoFrames, edited: VideoFrames, item: EditTask) -> Finding | ScoreGap:
    dimension = LEFT_OUT.get((name, mode), "")
    if dimension and dimension in _edited_dimensions(item):
        because = f"an edit of {dimension.lower()} is asked for, which {name} would punish"
        return ScoreGap(name=name, status="excluded", because=because, mode=mode)
    value = {
        "ssim": lambda: ssim(source, edited),
        "psnr": lambda: psnr(source, edited),
        "msm": lambda: msm(edited, paper=mode == "paper"),
        "mf_lk": lambda: mf_lk(source, edited),
    }[name]()
    if value is None:
        because = f"{EDITED} has {edited.count} frames, too few for {name}"
        return ScoreGap(name=name, status="excluded", because=because, mode=mode)
    return Finding(name=name, value=value, because=f"{name} is {value:.4f}", file=EDITED, mode=mode)


def _edited_dimensions(item: EditTask) -> set[str]:
    """Return the dimensions that groups name; those of the whole task do not count, as in the released lists."""
    return {entry.level_1 for point in item.checklist.points for entry in point.categories}
