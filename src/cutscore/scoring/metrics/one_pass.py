"""One decode of a clip, or of a clip and its reference, for any number of metrics.

Pictures stream through: each is turned into the forms that some metric asked for, each form once, and forgotten.
At most two pictures of either clip are held, so memory grows only with the series that metrics keep.

Clips are paired by presentation time. With each frame of the reference goes the frame of the test clip that a
viewer sees at that moment: the last one that has begun, give or take 2 ms, since Matroska rounds times to
milliseconds. The last frame of the test clip is shown as long as the one before it. Frames that stand alone are
counted and never scored here: what a missing end is worth is for the caller to say. A clip that is known to be a
constant while late or early (`verifiers.in_step`) is looked at that much later.

The clip is a stranger's unless the caller says otherwise: it is decoded in a limited child, with equal numbers. The
reference is always ours.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from cutscore.core.errors import BadInput, BrokenData
from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.packets import Extent
from cutscore.scoring.metrics.metric import Measurement, Metric, MetricFrame, Needs, PairMetric
from cutscore.scoring.metrics.metric_frames import (
    FrameChoice,
    MetricSource,
    ShownFrame,
    choose_frames,
    show_frames,
    show_numbers,
)

SLACK_S = Fraction(1, 500)


@dataclass(frozen=True)
class MetricResults:
    """Results in the order of the metrics, and how much was looked at.

    Args:
        reference_only: Frames of the reference that the clip has no picture for: after its end, or before its start.
        clip_only: Frames of the clip that no frame of the reference was compared with.
        missing_s: Times of the reference's frames that stand alone.
    """

    alone: tuple[Measurement, ...]
    pairs: tuple[Measurement, ...] = ()
    frames: int = 0
    paired: int = 0
    reference_only: int = 0
    clip_only: int = 0
    missing_s: tuple[Fraction, ...] = ()


@dataclass(frozen=True, eq=False)
class CollectedFrames:
    """Frames for each of some needs, in their order, and how far the clip reaches by its packets.

    Frames that a plan counts and the decoder does not give are missing at the end.
    """

    extent: Extent
    frames: tuple[tuple[MetricFrame, ...], ...]


def one_pass(
    clip: Path,
    metrics: Sequence[Metric] = (),
    *,
    reference: Path | None = None,
    pairs: Sequence[PairMetric] = (),
    late_s: Fraction = Fraction(0),
    trusted: bool = False,
    budget: Budget = DEFAULT_BUDGET,
) -> MetricResults:
    """Decode once and let all metrics see what they need.

    Args:
        clip: What is measured.
        metrics: Look at the clip alone. A plan of theirs counts in the clip's time.
        reference: What the clip is compared with; needed when there are `pairs`.
        pairs: Compare reference and clip. A plan of theirs counts in the reference's time.
        late_s: How much later than in the reference everything is in the clip; below 0, earlier.
        trusted: Whether we made the clip. What is measured mostly is a deliverable, so forgetting this costs time only.
        budget: What the clip may cost.
    """
    if reference is None and pairs:
        raise BadInput(f"clip '{clip.name}'", "is to be compared, but with nothing", "give a reference")
    test = MetricSource(
        clip, (*(metric.needs for metric in metrics), *(metric.needs for metric in pairs)), trusted, budget
    )
    alone = [_Viewer(metric.needs, metric, choose_frames(metric.needs.plan, test)) for metric in metrics]
    if reference is None:
        frames = _show_alone(test, alone)
        return MetricResults(tuple(metric.result() for metric in metrics), frames=frames)
    ours = MetricSource(reference, tuple(metric.needs for metric in pairs))
    beside = [_Viewer(metric.needs, metric, choose_frames(metric.needs.plan, ours)) for metric in pairs]
    together = _show_pairs(ours, test, alone, beside, late_s)
    return MetricResults(
        tuple(metric.result() for metric in metrics),
        tuple(metric.result() for metric in pairs),
        frames=together.frames,
        paired=together.paired,
        reference_only=len(together.missing_s),
        clip_only=together.clip_only,
        missing_s=tuple(together.missing_s),
    )


def collect_frames(
    clip: Path, needs: Sequence[Needs], *, trusted: bool = False, budget: Budget = DEFAULT_BUDGET
) -> CollectedFrames:
    """Decode once and return the frames of each need; all are held, so ask for few or for small ones.

    Raises:
        BrokenData: The clip cannot be decoded, with the time of the last frame that could be collected.
    """
    source = MetricSource(clip, tuple(needs), trusted, budget)
    collectors = [_Collector() for _ in needs]
    viewers = [
        _Viewer(each, collector, choose_frames(each.plan, source))
        for each, collector in zip(needs, collectors, strict=True)
    ]
    try:
        _show_alone(source, viewers)
    except BrokenData as fault:
        seen_s = max((frame.at_s for each in collectors for frame in each.frames), default=None)
        after = "no frame of it was seen" if seen_s is None else f"it was seen as far as {float(seen_s):.2f} s"
        raise BrokenData(fault.what, f"{fault.fact}; {after}", fault.next) from fault
    return CollectedFrames(source.extent, tuple(tuple(each.frames) for each in collectors))


def _show_alone(clip: MetricSource, viewers: Sequence["_Viewer"]) -> int:
    """Show a clip until nobody needs more of it; return how many frames were shown."""
    frames = 0
    if (numbers := clip.numbers) is not None:  # to its end, so that the child that decodes can go on to the next clip
        for shown in show_numbers(clip, numbers):
            frames += 1
            _show_to(viewers, shown)
        return frames
    with closing(show_frames(clip)) as reel:
        for shown in reel:
            frames += 1
            _show_to(viewers, shown)
            if all(viewer.choice.done for viewer in viewers):
                break
    return frames


def _show_pairs(
    reference: MetricSource,
    clip: MetricSource,
    alone: Sequence["_Viewer"],
    beside: Sequence["_Viewer"],
    late_s: Fraction,
) -> "_FramePairs":
    """Show a clip and its reference side by side until nobody needs more; return the counts."""
    with closing(show_frames(reference)) as known, closing(show_frames(clip)) as reel:
        together = _FramePairs(known, _watch(reel, alone), late_s)
        for one, other in together:
            for viewer in beside:
                for _ in range(viewer.choice.times_of(one)):
                    frames = _same_form(one.form(viewer.needs), other.form(viewer.needs), clip.path.name)
                    viewer.metric.compare(*frames)
            if all(viewer.choice.done for viewer in (*alone, *beside)):
                break
    return together


def _same_form(reference: MetricFrame, test: MetricFrame, name: str) -> tuple[MetricFrame, MetricFrame]:
    if reference.pixels.shape != test.pixels.shape:
        one, other = (f"{frame.pixels.shape[1]}×{frame.pixels.shape[0]}" for frame in (reference, test))
        raise BadInput(f"clip '{name}'", f"is {other}, its reference {one}", "scale one of them first")
    if reference.bits != test.bits:
        raise BadInput(f"clip '{name}'", f"has {test.bits} bits, its reference {reference.bits}", "convert one of them")
    return reference, test


@dataclass(frozen=True)
class _Viewer:
    """A metric, and which frames it wants to see."""

    needs: Needs
    metric: Any
    choice: FrameChoice


@dataclass(frozen=True)
class _Collector:
    frames: list[MetricFrame] = field(default_factory=list)

    def see(self, frame: MetricFrame) -> None:
        self.frames.append(frame)


def _show_to(viewers: Sequence[_Viewer], shown: ShownFrame) -> None:
    for viewer in viewers:
        for _ in range(viewer.choice.times_of(shown)):
            viewer.metric.see(shown.form(viewer.needs))


def _watch(reel: Iterator[ShownFrame], viewers: Sequence[_Viewer]) -> Iterator[ShownFrame]:
    for shown in reel:
        _show_to(viewers, shown)
        yield shown


class _FramePairs:
    """Pairs of a reference and a test picture that are on screen at one moment, with counts of the rest."""

    def __init__(self, reference: Iterator[ShownFrame], test: Iterator[ShownFrame], late_s: Fraction) -> None:
        self._reference, self._test, self._late_s = reference, test, late_s
        self.frames = self.paired = self.clip_only = 0
        self.missing_s: list[Fraction] = []

    def __iter__(self) -> Iterator[tuple[ShownFrame, ShownFrame]]:
        on_screen, used = self._next_test(), False
        for frame in self._reference:
            moment_s = frame.at_s + self._late_s + SLACK_S
            while on_screen is not None and on_screen.until_s is not None and on_screen.until_s <= moment_s:
                self.clip_only += not used
                on_screen, used = self._next_test(), False
            if on_screen is None or moment_s < on_screen.at_s or self._is_over(on_screen, moment_s):
                self.missing_s.append(frame.at_s)
                continue
            self.paired, used = self.paired + 1, True
            yield frame, on_screen
        self.clip_only += on_screen is not None and not used
        while self._next_test() is not None:
            self.clip_only += 1

    def _next_test(self) -> ShownFrame | None:
        shown = next(self._test, None)
        self.frames += shown is not None
        return shown

    def _is_over(self, last: ShownFrame, moment_s: Fraction) -> bool:
        if last.until_s is not None or last.lasts_s is None:  # a single picture is a still: it stays
            return False
        return moment_s >= last.at_s + last.lasts_s
