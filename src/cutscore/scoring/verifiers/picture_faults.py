"""Where a film is blurred, black or still although its clips are not."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
_FLAT = 2.0  # levels of 255: a picture of less contrast is not stretched further
# A blurred edge rises more slowly; encoders leave edges and take texture. At a CRF of 18 to 38 none of twelve shots of
# three real films was below 0.76, and none of 60 staged clips below 0.67. With a blur of 1.5 pixels all were at 0.63 or
# less, with one of 1 pixel all staged ones and half of the real ones.
BLURRED, STEEPEST = 0.65, 0.995
BLACK_S, STILL_S = Fraction(1, 4), Fraction(1, 2)
# Levels of 255 by which the part of two small pictures differs that differs most: what an encoder leaves of a held
# picture (3 at the most at a CRF of 28), and what is seen (in 15 staged clips in which something moves 16 or more).
STILL, MOVED = 4, 6


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

    def lit_sharpness(self, first: int = 0, end: int | None = None) -> list[float]:
        """Return how steep edges are in those pictures that are not black."""
        return [sharp for sharp, black in zip(self.sharp[first:end], self.black[first:end], strict=True) if not black]

    def find_stills(self, within: int, least_s: Fraction) -> Iterator[Span]:
        """Return the stretches, so long or longer, that stay within so many levels of their first picture."""
        first = 0
        for number in range(1, len(self.small) + 1):
            if number == len(self.small) or int(np.abs(self.small[number] - self.small[first]).max()) > within:
                if Fraction(number - first, _RATE) >= least_s and not self.black[first]:
                    yield _span(first, number)
                first = number

    def find_blacks(self) -> Iterator[Span]:
        """Return the stretches that are black."""
        first = 0
        for number in range(1, len(self.black) + 1):
            if number == len(self.black) or self.black[number] != self.black[first]:
                if self.black[first]:
                    yield _span(first, number)
                first = number


def _edge_slope(grey: npt.NDArray[Any]) -> float:
    """Return how steep the steepest edges of a picture are, by its contrast: a darker one is no blurred one."""
    wide = grey.astype(np.float32)
    across, down = np.diff(wide, axis=1)[:-1], np.diff(wide, axis=0)[:, :-1]
    return float(np.quantile(np.hypot(across, down), STEEPEST)) / max(_FLAT, float(wide.std()))


def find_picture_faults(film: Path, runs: Sequence[ClipRun], clips: Mapping[str, Path]) -> Iterator[FilmFault]:
    """Return where pictures of a film are worse than those of the clips that it shows."""
    size = _common_size(film, next(iter(clips.values())))
    shown = PictureLook(size)
    one_pass(film, [shown])
    own = {name: _look_at_clip(path, size) for name, path in clips.items()}
    for run in runs:
        if run.clip is not None and (fault := _blurred(shown, run, own[run.clip])):
            yield fault
    own_black_s = max((_longest_s(look.find_blacks()) for look in own.values()), default=Fraction(0))
    for span in shown.find_blacks():
        if span.length_s >= own_black_s + BLACK_S:
            yield FilmFault("black", span, f"is black for {float(span.length_s):.2f} s, and no clip is for so long")
    for run in runs:
        if run.clip is not None and (fault := _frozen(shown, run, own[run.clip])):
            yield fault


def _frozen(shown: PictureLook, run: ClipRun, clip: PictureLook) -> FilmFault | None:
    """Return the longest still of a run in which more stands still than in its clip."""
    inside = Span(start_s=run.start_s, end_s=run.end_s)
    stills = [still for still in shown.find_stills(STILL, STILL_S) if 2 * still.overlap(inside) > still.length_s]
    # A clip may be shown more slowly, and its own stills then last longer.
    pace = max(Fraction(1), run.length_s * _RATE / len(clip.small))
    own_s = sum((still.length_s for still in clip.find_stills(MOVED, STILL_S - Fraction(1, _RATE))), Fraction(0))
    if sum((still.length_s for still in stills), Fraction(0)) <= own_s * pace + Fraction(1, 4):
        return None
    longest = max(stills, key=lambda still: still.length_s)
    because = f"stands still for {float(longest.length_s):.2f} s, {run.clip} does not for so long"
    return FilmFault("still", longest, because)


def _blurred(shown: PictureLook, run: ClipRun, clip: PictureLook) -> FilmFault | None:
    first, end = int(run.start_s * _RATE), max(int(run.end_s * _RATE), int(run.start_s * _RATE) + 1)
    inside, whole = shown.lit_sharpness(first, end), clip.lit_sharpness()
    known = float(np.median(whole)) if whole else 0.0
    if not inside or known == 0 or (share := float(np.median(inside)) / known) >= BLURRED:
        return None
    at = Span(start_s=run.start_s, end_s=run.end_s)
    because = f"is blurred: its edges are {share:.0%} as steep as those of {run.clip}, {BLURRED:.0%} would do"
    return FilmFault("blurred", at, because)


def _longest_s(spans: Iterable[Span]) -> Fraction:
    return max((span.length_s for span in spans), default=Fraction(0))


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
