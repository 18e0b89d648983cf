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

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput
from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.opencv import opencv
from cutscore.media.packets import Extent
from cutscore.media.plan import Every, FramePlan, Released, Times
from cutscore.media.planes import Luma, Picture, SentPicture, iter_pictures
from cutscore.media.probe import extent_of
from cutscore.scoring.metrics.metric import Measurement, Metric, MetricFrame, Needs, PairMetric

SLACK_S = Fraction(1, 500)


@dataclass(frozen=True)
class MetricResults:
    """Results in the order of the metrics, and how much was looked at.

    Args:
        alone: Of the metrics that look at one clip.
        pairs: Of the metrics that compare.
        frames: Frames of the clip that were decoded.
        paired: Frames of the reference that found a partner.
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
    test = _Source(clip, (*(metric.needs for metric in metrics), *(metric.needs for metric in pairs)), trusted, budget)
    alone = [_Viewer(metric.needs, metric, _frame_choice(metric.needs.plan, test)) for metric in metrics]
    if reference is None:
        frames = _show_alone(test, alone)
        return MetricResults(tuple(metric.result() for metric in metrics), frames=frames)
    ours = _Source(reference, tuple(metric.needs for metric in pairs))
    beside = [_Viewer(metric.needs, metric, _frame_choice(metric.needs.plan, ours)) for metric in pairs]
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


def _show_alone(clip: "_Source", viewers: Sequence["_Viewer"]) -> int:
    """Show a clip until nobody needs more of it; return how many frames were decoded."""
    frames = 0
    with closing(_shown_frames(clip)) as reel:
        for shown in reel:
            frames += 1
            _show_to(viewers, shown)
            if all(viewer.choice.done for viewer in viewers):
                break
    return frames


def _show_pairs(
    reference: "_Source", clip: "_Source", alone: Sequence["_Viewer"], beside: Sequence["_Viewer"], late_s: Fraction
) -> "_FramePairs":
    """Show a clip and its reference side by side until nobody needs more; return the counts."""
    with closing(_shown_frames(reference)) as known, closing(_shown_frames(clip)) as reel:
        together = _FramePairs(known, _watch(reel, alone), late_s)
        for one, other in together:
            for viewer in beside:
                for _ in range(viewer.choice.times_of(one)):
                    frames = _same_form(one.form(viewer.needs), other.form(viewer.needs), clip.path.name)
                    viewer.metric.compare(*frames)
            if all(viewer.choice.done for viewer in (*alone, *beside)):
                break
    return together


@dataclass(frozen=True)
class _Source:
    """A file, and what the metrics need of its pictures."""

    path: Path
    needs: tuple[Needs, ...]
    trusted: bool = True
    budget: Budget = DEFAULT_BUDGET

    def pictures(self) -> Iterator[Picture | SentPicture]:
        forms = {"rgb" if needs.kind == "rgb" else "luma" for needs in self.needs}
        wanted = tuple(form for form in ("luma", "rgb") if form in forms)
        return iter_pictures(self.path, forms=wanted, trusted=self.trusted, budget=self.budget)

    def extent(self) -> Extent:
        return extent_of(self.path, trusted=self.trusted, budget=self.budget)


class _ShownFrame:
    """A picture on screen, with the forms of it that were asked for."""

    def __init__(self, picture: Picture | SentPicture, until_s: Fraction | None, lasts_s: Fraction | None) -> None:
        self.at_s, self.until_s, self.lasts_s = picture.at_s, until_s, lasts_s
        self.clock_s = picture.clock_s
        self._picture = picture
        self._forms: dict[tuple[object, ...], MetricFrame] = {}

    def form(self, needs: Needs) -> MetricFrame:
        form = (needs.kind, needs.size, needs.longest)
        if form not in self._forms:
            self._forms[form] = _to_form(self._picture, needs)
        return self._forms[form]


def _shown_frames(film: _Source) -> Generator[_ShownFrame]:
    """Return each picture when its successor is known, and with it the time until which it is shown."""
    before: Picture | SentPicture | None = None
    gap: Fraction | None = None
    for picture in film.pictures():
        if before is not None:
            gap = picture.at_s - before.at_s
            yield _ShownFrame(before, picture.at_s, gap)
        before = picture
    if before is not None:
        yield _ShownFrame(before, None, gap)


def _to_form(picture: Picture | SentPicture, needs: Needs) -> MetricFrame:
    if needs.kind == "rgb":
        return MetricFrame(picture.at_s, _scale(picture.rgb, needs))
    luma = picture.luma
    pixels = _scale(luma.samples, needs)
    if needs.kind == "luma":
        return MetricFrame(picture.at_s, pixels, luma.bits)
    return MetricFrame(picture.at_s, _grey(pixels, luma))


def _scale(pixels: npt.NDArray[Any], needs: Needs) -> npt.NDArray[Any]:
    height, width = pixels.shape[:2]
    size = needs.size
    if needs.longest is not None and max(width, height) > needs.longest:
        share = needs.longest / max(width, height)
        size = max(1, round(width * share)), max(1, round(height * share))
    if size is None or size == (width, height):
        return pixels
    cv2 = opencv()
    scaled: npt.NDArray[Any] = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    scaled.flags.writeable = False
    return scaled


def _grey(samples: npt.NDArray[Any], luma: Luma) -> npt.NDArray[np.uint8]:
    if luma.full_range and luma.bits == 8:
        return samples
    peak = 2**luma.bits - 1
    step = 2 ** (luma.bits - 8)
    low, high = (0, peak) if luma.full_range else (16 * step, 235 * step)
    levels = np.clip(np.rint((np.arange(peak + 1) - low) * (255 / (high - low))), 0, 255).astype(np.uint8)
    grey: npt.NDArray[np.uint8] = opencv().LUT(samples, levels) if luma.bits == 8 else levels[samples]
    grey.flags.writeable = False
    return grey


def _same_form(reference: MetricFrame, test: MetricFrame, name: str) -> tuple[MetricFrame, MetricFrame]:
    if reference.pixels.shape != test.pixels.shape:
        one, other = (f"{frame.pixels.shape[1]}×{frame.pixels.shape[0]}" for frame in (reference, test))
        raise BadInput(f"clip '{name}'", f"is {other}, its reference {one}", "scale one of them first")
    if reference.bits != test.bits:
        raise BadInput(f"clip '{name}'", f"has {test.bits} bits, its reference {reference.bits}", "convert one of them")
    return reference, test


class _EveryFrame:
    done = False

    def times_of(self, shown: _ShownFrame) -> int:
        return 1


class _FramesWithin:
    def __init__(self, plan: Every) -> None:
        self._plan, self.done = plan, False

    def times_of(self, shown: _ShownFrame) -> int:
        self.done = shown.until_s is None or shown.until_s >= self._plan.end_s
        return int(self._plan.start_s <= shown.at_s < self._plan.end_s)


class _FramesAtTimes:
    def __init__(self, plan: FramePlan, film: _Source) -> None:
        self._plan, self._film = plan, film
        self._left: deque[Fraction] | None = None  # until the first frame tells when the clip begins

    @property
    def done(self) -> bool:
        return self._left is not None and not self._left

    def times_of(self, shown: _ShownFrame) -> int:
        if self._left is None:
            known = isinstance(self._plan, Times)  # whatever the duration, so the file need not be read for it
            duration_s = Fraction(0) if known else self._film.extent().end_s - shown.clock_s
            self._left = deque(self._plan.times(duration_s))
        due = 0
        while self._left and (shown.until_s is None or self._left[0] < shown.until_s):
            self._left.popleft()
            due += 1
        return due


class _FramesByNumber:
    def __init__(self, plan: Released, film: _Source) -> None:
        self._left = deque(plan.numbers(film.extent().frames))
        self._seen = 0

    @property
    def done(self) -> bool:
        return not self._left

    def times_of(self, shown: _ShownFrame) -> int:
        due = bool(self._left) and self._left[0] == self._seen
        self._seen += 1
        if due:
            self._left.popleft()
        return int(due)


_FrameChoice = _EveryFrame | _FramesWithin | _FramesAtTimes | _FramesByNumber


def _frame_choice(plan: FramePlan | None, film: _Source) -> _FrameChoice:
    if plan is None:
        return _EveryFrame()
    if isinstance(plan, Every):
        return _FramesWithin(plan)
    if isinstance(plan, Released):
        return _FramesByNumber(plan, film)
    return _FramesAtTimes(plan, film)


@dataclass(frozen=True)
class _Viewer:
    """A metric, and which frames it wants to see."""

    needs: Needs
    metric: Any
    choice: _FrameChoice


def _show_to(viewers: Sequence[_Viewer], shown: _ShownFrame) -> None:
    for viewer in viewers:
        for _ in range(viewer.choice.times_of(shown)):
            viewer.metric.see(shown.form(viewer.needs))


def _watch(reel: Iterator[_ShownFrame], viewers: Sequence[_Viewer]) -> Iterator[_ShownFrame]:
    for shown in reel:
        _show_to(viewers, shown)
        yield shown


class _FramePairs:
    """Pairs of a reference and a test picture that are on screen at one moment, with counts of the rest."""

    def __init__(self, reference: Iterator[_ShownFrame], test: Iterator[_ShownFrame], late_s: Fraction) -> None:
        self._reference, self._test, self._late_s = reference, test, late_s
        self.frames = self.paired = self.clip_only = 0
        self.missing_s: list[Fraction] = []

    def __iter__(self) -> Iterator[tuple[_ShownFrame, _ShownFrame]]:
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

    def _next_test(self) -> _ShownFrame | None:
        shown = next(self._test, None)
        self.frames += shown is not None
        return shown

    def _is_over(self, last: _ShownFrame, moment_s: Fraction) -> bool:
        if last.until_s is not None or last.lasts_s is None:  # a single picture is a still: it stays
            return False
        return moment_s >= last.at_s + last.lasts_s
