"""How steep the edges of a film are beside those of its source, crop by crop: is it blurred?

Both are looked at in one scale, two pictures a second, in the pass that looks at everything else. A film that shows
the source larger is made smaller for it, so nobody loses by coming closer as far as the brief's shape asks for it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.repurpose.source_map.views import WHOLE, Box, between_bars
from cutscore.core.timeline import Span
from cutscore.media.plan import FramePlan
from cutscore.scoring.metrics.metric import Measurement, MetricFrame, Needs, frozen_array
from cutscore.scoring.verifiers.film_faults import FilmFault
from cutscore.scoring.verifiers.picture_faults import BLURRED, STEEPEST

Size = tuple[int, int]

_PLAN = FramePlan.parse("fps=2")
_LONGEST = 640
# Editors come closer to a detail, which is then softer: one stretch has to be more blurred than a film as a whole.
BLURRED_STRETCH = 0.5
# A picture that is moved out of focus for as long as a transition takes is none that is blurred.
_LEAST_S = Fraction(1)
_FLAT = 2.0  # levels of 255: a picture of less contrast has no edges to speak of
_NEAR_S = 0.3  # from a picture of the film to the one of the source that it is compared with


def common_sizes(film: Size, source: Size) -> tuple[Size, Size]:
    """Return in which sizes film and source are looked at, so that things are equally large in both.

    >>> common_sizes((1080, 1920), (1920, 1080))
    ((202, 360), (640, 360))
    """
    larger = max(film[0] / source[0], film[1] / source[1])
    shrunk = min(1.0, _LONGEST / (max(source) * min(1.0, larger)))
    one, other = shrunk * min(1.0, 1 / larger), shrunk * min(1.0, larger)
    return _scale(film, one), _scale(source, other)


def _scale(size: Size, by: float) -> Size:
    return max(2, round(size[0] * by)), max(2, round(size[1] * by))


@dataclass(eq=False)
class EdgeViews:
    """Keeps how steep the edges are in each crop of some pictures; of a film (no boxes) between its bars."""

    size: Size
    boxes: Sequence[Box] | None = None
    at_s: list[float] = field(default_factory=list, init=False)
    sharp: list[list[float]] = field(default_factory=list, init=False)

    @property
    def needs(self) -> Needs:
        """Return what it looks at."""
        return Needs(kind="grey", size=self.size, plan=_PLAN)

    def see(self, frame: MetricFrame) -> None:
        """Look at a picture."""
        self.at_s.append(float(frame.at_s))
        self.sharp.append(_edge_slopes(frame.pixels, self.boxes or (between_bars(frame.pixels),)))

    def result(self) -> Measurement:
        """Return an empty measurement: what was kept is read from the object itself."""
        return Measurement("edges", "edge_slope_crops.1", "", None, "", (), frozen_array(()))


def _edge_slopes(grey: npt.NDArray[Any], boxes: Sequence[Box]) -> list[float]:
    """Return how steep the steepest edges of each crop are, by its contrast; of every second pixel each way."""
    wide = grey[: len(grey) // 2 * 2, : grey.shape[1] // 2 * 2].astype(np.float32)
    here = wide[::2, ::2]
    slopes = np.hypot(wide[::2, 1::2] - here, wide[1::2, ::2] - here)
    height, width = here.shape
    found = []
    for left, top, right, bottom in boxes:
        rim = 0 if (left, top, right, bottom) == WHOLE else 1  # where bars begin
        crop = (
            slice(round(top * height) + rim, round(bottom * height) - rim),
            slice(round(left * width) + rim, round(right * width) - rim),
        )
        steep, level = slopes[crop].ravel(), here[crop]
        place = int(STEEPEST * (len(steep) - 1))
        found.append(float(np.partition(steep, place)[place]) / max(_FLAT, float(level.std())) if len(steep) else 0.0)
    return found


@dataclass(frozen=True)
class ShownStretch:
    """A stretch of a film, the second of the source that it begins with, how fast it goes on, and in which crop."""

    out: Span
    edges: EdgeViews
    start_s: float
    speed: float
    crop: int


def find_blur(film: EdgeViews, stretches: Sequence[ShownStretch], length_s: Fraction) -> Iterator[FilmFault]:
    """Return whether a film is blurred as a whole, or else in which stretches it is."""
    shares = [_steepness(film, each) for each in stretches]
    every = [share for inside in shares for share in inside]
    if every and (share := float(np.median(every))) < BLURRED:
        yield _tell_blur(Span(start_s=Fraction(0), end_s=length_s), share, BLURRED)
        return
    for each, inside in zip(stretches, shares, strict=True):
        if each.out.length_s > _LEAST_S and inside and (share := float(np.median(inside))) < BLURRED_STRETCH:
            yield _tell_blur(each.out, share, BLURRED_STRETCH)


def _tell_blur(at: Span, share: float, enough: float) -> FilmFault:
    because = f"is blurred: its edges are {share:.0%} as steep as those of the source, {enough:.0%} would do"
    return FilmFault("blurred", at, because)


def _steepness(film: EdgeViews, shown: ShownStretch) -> list[float]:
    """Return of each picture of a stretch how steep its edges are, as a share of the source's there."""
    known_s, found = np.array(shown.edges.at_s), []
    for at_s, (sharp, *_) in zip(film.at_s, film.sharp, strict=True):
        if shown.out.start_s <= at_s < shown.out.end_s:
            source_s = shown.start_s + shown.speed * (at_s - float(shown.out.start_s))
            nearest = int(np.abs(known_s - source_s).argmin())
            own = shown.edges.sharp[nearest][shown.crop]
            if own > 0 and sharp > 0 and abs(known_s[nearest] - source_s) <= _NEAR_S:
                found.append(sharp / own)
    return found
