"""Where a film is blurred, black or still although its clips are not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.media.opencv import opencv
from cutscore.media.plan import FramePlan
from cutscore.scoring.metrics.light import BLACK_LEVEL, BLACK_SHARE
from cutscore.scoring.metrics.metric import Measurement, MetricFrame, Needs, frozen_array
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.verifiers.film_faults import FilmFault
from cutscore.scoring.verifiers.rendered import ClipRun

Size = tuple[int, int]

_RATE = 8
_PLAN = FramePlan.parse(f"fps={_RATE},max=4000")
_LONGEST, _SMALL = 640, (16, 16)
_CLIPS = 256  # that are kept
# A blurred edge rises more slowly; encoders leave edges and take texture. No shot of two real films and six staged ones
# fell below this at a CRF of 23 to 38; with a blur of 1.5 pixels all did of three staged films, and six of eight real.
BLURRED = 0.6
BLACK_S, STILL_S = Fraction(1, 4), Fraction(1, 2)
# Mean difference of two small pictures in levels of 255: what an encoder leaves of a held picture, and what is seen.
STILL, MOVED = 0.5, 1.5


@dataclass(eq=False)
class PictureLook:
    """Keeps of eight pictures a second how steep their edges are, whether they are black, and a small copy."""

    size: Size
    sharp: list[float] = field(default_factory=list, init=False)
    black: list[bool] = field(default_factory=list, init=False)
    small: list[npt.NDArray[np.int16]] = field(default_factory=list, init=False)

    @property
    def needs(self) -> Needs:
        """Return what it looks at: grey pictures of one size, so that two films can be compared."""
        return Needs(kind="grey", size=self.size, plan=_PLAN)

    def see(self, frame: MetricFrame) -> None:
        """Look at a picture."""
        grey = frame.pixels
        dark = np.count_nonzero(grey <= int(BLACK_LEVEL * 255))
        self.black.append(bool(dark >= BLACK_SHARE * grey.size))
        self.sharp.append(_edge_slope(grey))
        cv2 = opencv()
        self.small.append(cv2.resize(grey, _SMALL, interpolation=cv2.INTER_AREA).astype(np.int16))

    def result(self) -> Measurement:
        """Return an empty measurement: what was kept is read from the object itself."""
        return Measurement("look", "edge_slope.1", "", None, "", (), frozen_array(()))

    def longest_still_s(self, within: float) -> Fraction:
        """Return for how long the picture stays within so many levels at the most."""
        return max((Fraction(end - first, _RATE) for first, end in self.stills(within)), default=Fraction(0))

    def stills(self, within: float) -> Iterator[tuple[int, int]]:
        """Return the stretches that stay within so many levels of their first picture, by numbers of pictures."""
        first = 0
        for number in range(1, len(self.small) + 1):
            if number == len(self.small) or float(np.abs(self.small[number] - self.small[first]).mean()) > within:
                yield first, number
                first = number


def _edge_slope(grey: npt.NDArray[Any]) -> float:
    """Return the steepness of the steepest hundredth of a picture, in levels a pixel."""
    wide = grey.astype(np.float32)
    across, down = np.diff(wide, axis=1)[:-1], np.diff(wide, axis=0)[:, :-1]
    return float(np.quantile(np.hypot(across, down), 0.99))


def find_picture_faults(film: Path, runs: Sequence[ClipRun], clips: Mapping[str, Path]) -> Iterator[FilmFault]:
    """Return where pictures of a film are worse than those of the clips that it shows."""
    size = _common_size(film, next(iter(clips.values())))
    shown = PictureLook(size)
    one_pass(film, [shown])
    own = {name: _look_at_clip(path, size) for name, path in clips.items()}
    for run in runs:
        if run.clip is not None and (fault := _blurred(shown, run, own[run.clip])):
            yield fault
    if not any(any(look.black) for look in own.values()):
        yield from _black(shown)
    for first, end in shown.stills(STILL):
        span = _span(first, end)
        clip = max(runs, key=lambda run: span.overlap(Span(start_s=run.start_s, end_s=run.end_s))).clip
        if clip is None or span.length_s < STILL_S or shown.black[first]:
            continue
        # A clip may be shown more slowly, and its own stills then last longer.
        natural_s = own[clip].longest_still_s(MOVED)
        if span.length_s > natural_s * Fraction(3, 2) + Fraction(1, 4):
            yield FilmFault("still", span, f"stands still for {float(span.length_s):.2f} s, {clip} does not")


def _blurred(shown: PictureLook, run: ClipRun, clip: PictureLook) -> FilmFault | None:
    inside = shown.sharp[int(run.start_s * _RATE) : max(int(run.end_s * _RATE), int(run.start_s * _RATE) + 1)]
    known = float(np.median(clip.sharp))
    if not inside or known == 0 or (share := float(np.median(inside)) / known) >= BLURRED:
        return None
    at = Span(start_s=run.start_s, end_s=run.end_s)
    because = f"is blurred: its edges are {share:.0%} as steep as those of {run.clip}, {BLURRED:.0%} would do"
    return FilmFault("blurred", at, because)


def _black(shown: PictureLook) -> Iterator[FilmFault]:
    first = 0
    for number in range(1, len(shown.black) + 1):
        if number == len(shown.black) or shown.black[number] != shown.black[first]:
            span = _span(first, number)
            if shown.black[first] and span.length_s >= BLACK_S:
                yield FilmFault("black", span, f"is black for {float(span.length_s):.2f} s, and no clip is")
            first = number


def _span(first: int, end: int) -> Span:
    return Span(start_s=Fraction(first, _RATE), end_s=Fraction(end, _RATE))


def _common_size(film: Path, clip: Path) -> Size:
    """Return the smaller of two sizes, and not above what is looked at: a film may be delivered in another one."""
    one, other = deliverable.probe(film, scan=False), deliverable.probe(clip, scan=False)
    width, height = min((one.width, one.height), (other.width, other.height))
    scale = min(1.0, _LONGEST / max(width, height))
    return max(2, round(width * scale)), max(2, round(height * scale))


@lru_cache(maxsize=_CLIPS)
def _look_at_clip(path: Path, size: Size) -> PictureLook:
    """Look at a clip of ours once; files in a store never change."""
    look = PictureLook(size)
    one_pass(path, [look])
    return look
