"""The pixel metrics of one task as findings, with the tasks that each of them leaves out, and why."""

from collections.abc import Iterator, Mapping

from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.benchmarks.covebench.metrics.hub_metrics import NO_FILE, HubVideo, open_hub
from cutscore.benchmarks.covebench.metrics.pixel_metrics import (
    STILLS,
    VideoFeatures,
    flows,
    mf_lk,
    msm,
    psnr,
    read_source,
    read_video,
    ssim,
)
from cutscore.core.ending import ScoreGap
from cutscore.core.errors import BrokenData
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding

METRICS = ("ssim", "psnr", "msm", "mf_lk")
MODES = ("reference", "paper")
FEWEST = {"ssim": 1, "psnr": 1, "msm": 3, "mf_lk": 2}  # frames without which a metric has no value
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


def measure_pixels(evidence: Evidence, item: EditTask, hub_file: str = NO_FILE) -> Iterator[Finding | ScoreGap]:
    """Return the metrics of a delivered video in `reference` and `paper`, and how long it is beside its source.

    Those that a hub file names are among them: one decode feeds all.

    A video that cannot be decoded to its end has no metrics, as in the released code; here the reason is told.
    """
    if item.source is None:
        return
    hub = open_hub(hub_file)
    try:
        edited = read_video(evidence.path(EDITED), hub.needs)
    except BrokenData as fault:
        because = f"{EDITED} {fault.fact}"
        names = (*METRICS, *hub.file.named)
        yield from (ScoreGap(name=name, status="excluded", because=because) for name in names)
        return
    yield from hub.measure(HubVideo(evidence.path(EDITED), edited.more), item, evidence)
    try:
        source = read_source(evidence.store.path(item.source), item.source.sha256)
    except BrokenData as fault:
        because = f"the source {fault.fact}"
        yield from (ScoreGap(name=name, status="unscored", because=because) for name in METRICS)
        return
    yield from measure_pair(source, edited, item)


def measure_pair(source: VideoFeatures, edited: VideoFeatures, item: EditTask) -> Iterator[Finding | ScoreGap]:
    """Return the metrics of two videos that were decoded, and what is odd about the edited one."""
    values = measure_values(source, edited)
    for mode in MODES:
        for name in METRICS:
            yield _describe(name, mode, values[name, mode], item, f"{edited.count} frames, the source {source.count}")
    share = float(edited.length_s / source.length_s) if source.length_s else 0.0
    one, other = (f"{float(each.length_s):.2f} s in {each.count} frames" for each in (edited, source))
    yield Finding(name="duration ratio", value=share, because=f"{one}, the source {other}", file=EDITED)
    if edited.lost:
        told = f"{edited.lost} of {STILLS} frames cannot be decoded, the last ones; the others were measured"
        yield Finding(name="lost frames", value=float(edited.lost), because=told, file=EDITED)


def measure_values(source: VideoFeatures, edited: VideoFeatures) -> Mapping[tuple[str, str], float | None]:
    """Return each metric in each mode; None where there are too few frames."""
    moved = flows(edited)
    alike = {"ssim": ssim(source, edited), "psnr": psnr(source, edited), "mf_lk": mf_lk(source, edited)}
    return {
        (name, mode): msm(moved, paper=mode == "paper") if name == "msm" else alike[name]
        for mode in MODES
        for name in METRICS
    }


def _describe(name: str, mode: str, value: float | None, item: EditTask, frames: str) -> Finding | ScoreGap:
    dimension = LEFT_OUT.get((name, mode), "")
    if dimension and dimension in _edited_dimensions(item):
        because = f"an edit of {dimension.lower()} is asked for, which {name} would punish"
        return ScoreGap(name=name, status="excluded", because=because, mode=mode)
    if value is None:
        because = f"{EDITED} has {frames}; {name} needs {FEWEST[name]}"
        return ScoreGap(name=name, status="excluded", because=because, mode=mode)
    return Finding(name=name, value=value, because=f"{name} is {value:.4f}", file=EDITED, mode=mode)


def _edited_dimensions(item: EditTask) -> set[str]:
    """Return the dimensions that groups name; those of the whole task do not count, as in the released lists."""
    return {entry.level_1 for point in item.checklist.points for entry in point.categories}
