"""What the numbers of hub models become: scores and gaps with their reason; and which frames the models are shown."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.core.ending import ScoreGap
from cutscore.core.finding import Finding
from cutscore.media.opencv import opencv
from cutscore.models.hub.visual_quality import parse_quality
from cutscore.perception.shots import ClassifiedPicture, CutDetector, TimedPicture
from cutscore.scoring.metrics.metric import MetricFrame

JPEG_QUALITY = 95
# Task-level dimensions of edits that move or repaint everything.
NO_REGIONS = ("Camera", "Style")

Frame = npt.NDArray[np.uint8]


def describe_mean(name: str, scores: Sequence[float], told: str, *, mode: str = "") -> Finding | ScoreGap:
    """Return the mean of some frames as a score; a gap where it is no number."""
    mean = sum(scores) / len(scores) if scores else math.nan
    if not math.isfinite(mean):
        return ScoreGap(name=name, status="unscored", because=f"{name} is no number: {told}", mode=mode)
    return Finding(name=name, value=mean, because=f"{name} is {mean:.4f}: mean of {told}", file=EDITED, mode=mode)


def describe_replies(replies: Sequence[str], made_by: str) -> Finding | ScoreGap:
    """Return the mean of the numbers in replies; one that has none voids the video, as in the released code."""
    scores = [parse_quality(each) for each in replies]
    numbers = [each for each in scores if each is not None]
    if len(numbers) < len(scores):
        first = scores.index(None)
        because = f"frame {first + 1} of {len(scores)} got no number: '{replies[first][-80:].strip()}'"
        return ScoreGap(name="vqr", status="unscored", because=because)
    return describe_mean("vqr", numbers, f"{len(numbers)} frames, sampled replies; {made_by}")


def describe_regions(alike: Sequence[float | None], found: Sequence[str], made_by: str) -> Finding | ScoreGap:
    """Return the mean of the frames in which the source has something to compare with."""
    scores = [each for each in alike if each is not None]
    if not scores:
        return no_region("empty_mask: no frame of the source has a mask of 64 pixels")
    if lost := scores.count(0.0):
        made_by = f"{lost} of them without anything there; {made_by}"
    said = describe_mean("src", scores, f"{len(scores)} frames with {', '.join(found)}; {made_by}")
    return said.model_copy(update={"value": round(said.value, 6)}) if isinstance(said, Finding) else said


def no_region(because: str) -> ScoreGap:
    """Return that SRC has nothing to compare, by one of the release's statuses."""
    return ScoreGap(name="src", status="excluded", because=because)


def leaves_out_regions(item: EditTask) -> str:
    """Return why SRC leaves a task out, by the dimensions of the whole task if it names any; empty if it does not."""
    entries = item.checklist.categories or [entry for point in item.checklist.points for entry in point.categories]
    odd = next((name for name in NO_REGIONS if any(entry.level_1 == name for entry in entries)), None)
    return f"skipped: an edit of {odd.lower()} is asked for, which changes every region" if odd else ""


def first_of_shots(frames: Sequence[MetricFrame]) -> list[Fraction]:
    """Return when each shot begins, the first one included."""
    detector, begins = CutDetector(), [frames[0].at_s] if frames else []
    for frame in frames:
        begins += [each.source.at_s for each in detector.see(TimedPicture(frame.at_s, frame.pixels)) if _cuts(each)]
    return begins + [each.source.at_s for each in detector.rest() if _cuts(each)]


def _cuts(seen: ClassifiedPicture) -> bool:
    return seen.verdict == "cut"


def through_jpeg(frame: Frame) -> Frame:
    """Return a frame as it comes out of a JPEG of quality 95, in which the released code keeps frames."""
    cv2 = opencv()
    _, coded = cv2.imencode(".jpg", cv2.cvtColor(frame, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return np.asarray(cv2.cvtColor(cv2.imdecode(coded, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB), np.uint8)


def fit_frame(frame: Frame, height: int, width: int) -> Frame:
    """Return a frame at the size of the source, by area average."""
    if frame.shape[:2] == (height, width):
        return frame
    cv2 = opencv()
    return np.asarray(cv2.resize(frame, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
