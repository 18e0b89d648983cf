"""The pictures of a file in the forms that metrics ask for, and which of them a frame plan wants."""

from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.colour import Luma
from cutscore.media.opencv import opencv
from cutscore.media.packets import Extent
from cutscore.media.plan import Every, FramePlan, Released, Steps, Times
from cutscore.media.planes import Picture, iter_pictures
from cutscore.media.probe import extent_of
from cutscore.media.untrusted import Form, SentPicture
from cutscore.scoring.metrics.metric import MetricFrame, Needs, PixelForm

_FORMS: tuple[Form, ...] = ("luma", "rgb", "thumbnail")
_SENT_AS: Mapping[PixelForm, Form] = {
    "luma": "luma",
    "grey": "luma",
    "rgb": "rgb",
    "grey_of_rgb": "rgb",
    "thumbnail": "thumbnail",
}


@dataclass(frozen=True)
class MetricSource:
    """A file, and what the metrics need of its pictures."""

    path: Path
    needs: tuple[Needs, ...]
    trusted: bool = True
    budget: Budget = DEFAULT_BUDGET

    def pictures(self, numbers: Sequence[int] | None = None) -> Iterator[Picture | SentPicture]:
        """Decode the file, in the forms that are needed."""
        forms = {_SENT_AS[needs.kind] for needs in self.needs}
        wanted = tuple(form for form in _FORMS if form in forms)
        return iter_pictures(self.path, forms=wanted, numbers=numbers, trusted=self.trusted, budget=self.budget)

    @cached_property
    def extent(self) -> Extent:
        """Where the file begins and ends, and how many frames it has."""
        return extent_of(self.path, trusted=self.trusted, budget=self.budget)

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """All frames that anybody needs, where every plan counts them; None where one goes by time."""
        plans = [needs.plan for needs in self.needs]
        counted = [plan for plan in plans if isinstance(plan, Released)]
        if not plans or len(counted) < len(plans):
            return None
        return tuple(sorted({number for plan in counted for number in plan.numbers(self.extent.frames)}))


class ShownFrame:
    """A picture on screen, with the forms of it that were asked for."""

    def __init__(
        self, number: int, picture: Picture | SentPicture, until_s: Fraction | None, lasts_s: Fraction | None
    ) -> None:
        self.at_s, self.until_s, self.lasts_s = picture.at_s, until_s, lasts_s
        self.number, self.clock_s = number, picture.clock_s
        self._picture = picture
        self._forms: dict[tuple[object, ...], MetricFrame] = {}

    def form(self, needs: Needs) -> MetricFrame:
        """Return the picture in the form that a metric needs, made once for all who need it."""
        form = (needs.kind, needs.size, needs.longest)
        if form not in self._forms:
            self._forms[form] = _to_form(self._picture, needs)
        return self._forms[form]


def show_frames(source: MetricSource) -> Generator[ShownFrame]:
    """Return each picture when its successor is known, and with it the time until which it is shown."""
    before: Picture | SentPicture | None = None
    gap: Fraction | None = None
    number = -1
    for picture in source.pictures():
        if before is not None:
            gap = picture.at_s - before.at_s
            yield ShownFrame(number, before, picture.at_s, gap)
        number, before = number + 1, picture
    if before is not None:
        yield ShownFrame(number, before, None, gap)


def show_numbers(source: MetricSource, numbers: Sequence[int]) -> Generator[ShownFrame]:
    """Return the pictures with some numbers; how long each is shown is not known, and plans that count do not ask."""
    # Pictures first, so that they are read to their end: a child in the middle of a job would be ended.
    for picture, number in zip(source.pictures(numbers), numbers, strict=False):
        yield ShownFrame(number, picture, None, None)


def _to_form(picture: Picture | SentPicture, needs: Needs) -> MetricFrame:
    if needs.kind in ("rgb", "thumbnail"):
        return MetricFrame(picture.at_s, _scale(picture.rgb if needs.kind == "rgb" else picture.thumbnail, needs))
    if needs.kind == "grey_of_rgb":
        cv2 = opencv()
        return MetricFrame(picture.at_s, _scale(cv2.cvtColor(picture.rgb, cv2.COLOR_RGB2GRAY), needs))
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


class _EveryFrame:
    done = False

    def times_of(self, shown: ShownFrame) -> int:
        return 1


class _FramesWithin:
    def __init__(self, plan: Every) -> None:
        self._plan, self.done = plan, False

    def times_of(self, shown: ShownFrame) -> int:
        self.done = shown.until_s is None or shown.until_s >= self._plan.end_s
        return int(self._plan.start_s <= shown.at_s < self._plan.end_s)


class _FramesAtTimes:
    def __init__(self, plan: FramePlan, source: MetricSource) -> None:
        self._plan, self._source = plan, source
        self._left: deque[Fraction] | None = None  # until the first frame tells when the clip begins

    @property
    def done(self) -> bool:
        return self._left is not None and not self._left

    def times_of(self, shown: ShownFrame) -> int:
        if self._left is None:
            known = isinstance(self._plan, Times)  # whatever the duration, so the file need not be read for it
            duration_s = Fraction(0) if known else self._source.extent.end_s - shown.clock_s
            self._left = deque(self._plan.times(duration_s))
        due = 0
        while self._left and (shown.until_s is None or self._left[0] < shown.until_s):
            self._left.popleft()
            due += 1
        return due


class _FramesInSteps:
    """Steps without a cap: nobody needs to know how long the clip is."""

    done = False

    def __init__(self, plan: Steps) -> None:
        self._next_s, self._step_s = Fraction(0), 1 / plan.rate

    def times_of(self, shown: ShownFrame) -> int:
        until_s = shown.at_s + (shown.lasts_s or 0) if shown.until_s is None else shown.until_s
        due = 0
        while self._next_s < until_s or (not due and self._next_s <= shown.at_s):
            self._next_s += self._step_s
            due += 1
        return due


class _FramesByNumber:
    def __init__(self, plan: Released, source: MetricSource) -> None:
        self._left = deque(plan.numbers(source.extent.frames))

    @property
    def done(self) -> bool:
        return not self._left

    def times_of(self, shown: ShownFrame) -> int:
        due = bool(self._left) and self._left[0] == shown.number
        if due:
            self._left.popleft()
        return int(due)


FrameChoice = _EveryFrame | _FramesWithin | _FramesAtTimes | _FramesInSteps | _FramesByNumber


def choose_frames(plan: FramePlan | None, source: MetricSource) -> FrameChoice:
    """Return who counts how often a plan wants each frame (mostly 0 or 1), and knows when it wants no more."""
    if plan is None:
        return _EveryFrame()
    if isinstance(plan, Every):
        return _FramesWithin(plan)
    if isinstance(plan, Released):
        return _FramesByNumber(plan, source)
    if isinstance(plan, Steps) and plan.most is None:
        return _FramesInSteps(plan)
    return _FramesAtTimes(plan, source)
