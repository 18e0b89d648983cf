"""Prints of every picture of a film, in several crops: what can be found again after reframing and letterboxing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.media.opencv import opencv
from cutscore.scoring.metrics.letterbox import bars_of
from cutscore.scoring.metrics.light import BLACK_LEVEL, BLACK_SHARE
from cutscore.scoring.metrics.metric import Measurement, MetricFrame, Needs, frozen_array
from cutscore.scoring.metrics.phash import Hashes, phash

ACROSS = 9  # places of a crop that is narrower than the picture
FLAT = 2.0  # levels of 255: a picture of less contrast is of one colour
_SIDE, _SMALL = 32, 16

Grey = npt.NDArray[Any]
Box = tuple[float, float, float, float]  # left, top, right, bottom as shares of the picture
WHOLE: Box = (0.0, 0.0, 1.0, 1.0)


@dataclass(eq=False)
class Views:
    """Keeps a hash and a small picture of each crop of each picture.

    A film is seen whole and, where it has bars, between them. A source is seen in the crops that a film of another
    shape may show. An hour at 25 pictures a second in two crops takes 50 MB.
    """

    boxes: Sequence[Box] | None = None  # of a film None: the whole, and between the bars of each picture
    needs: Needs = field(default=Needs(kind="grey", longest=160), init=False)
    at_s: list[Fraction] = field(default_factory=list, init=False)
    aspect: float = field(default=0.0, init=False)
    blank: list[bool] = field(default_factory=list, init=False)
    barred: list[float] = field(default_factory=list, init=False)
    aspects: set[float] = field(default_factory=set, init=False)
    _hashes: list[list[int]] = field(default_factory=list, init=False)
    _small: list[Grey] = field(default_factory=list, init=False)

    @property
    def hashes(self) -> Hashes:
        """Of shape (picture, crop)."""
        return np.array(self._hashes, np.uint64)

    @property
    def small(self) -> npt.NDArray[np.uint8]:
        """Of shape (picture, crop, 16, 16)."""
        return np.array(self._small, np.uint8)

    @property
    def length_s(self) -> Fraction:
        """Until when pictures are shown: the last one as long as the one before it."""
        return self.at_s[-1] + (self.at_s[-1] - self.at_s[-2] if len(self.at_s) > 1 else 0)

    def see(self, frame: MetricFrame) -> None:
        height, width = frame.pixels.shape
        self.aspect = width / height
        self.at_s.append(frame.at_s)
        black = np.count_nonzero(frame.pixels <= int(BLACK_LEVEL * 255)) >= BLACK_SHARE * frame.pixels.size
        self.blank.append(bool(black) or float(frame.pixels.std()) < FLAT)
        between = between_bars(frame.pixels)
        self.barred.append(1 - (between[2] - between[0]) * (between[3] - between[1]))
        self.aspects.add(round(self.aspect * (between[2] - between[0]) / (between[3] - between[1]), 2))
        seen = [_square(frame.pixels, box) for box in self.boxes or (WHOLE, between)]
        self._hashes.append([phash(each) for each in seen])
        self._small.append(np.stack([each.reshape(_SMALL, 2, _SMALL, 2).mean(axis=(1, 3)) for each in seen]))

    def result(self) -> Measurement:
        """Return an empty measurement: what was kept is read from the object itself."""
        return Measurement("views", "phash64_crops.1", "", None, "", (), frozen_array(()))


def crops_for(aspect: float, wanted: set[float]) -> list[Box]:
    """Return the crops of a source that a film of another shape may show.

    Always the whole (also squeezed) and the middle four fifths; and for each wanted shape that is narrower or wider
    by 3% or more, places from side to side.
    """
    boxes = [WHOLE, (0.1, 0.1, 0.9, 0.9)]
    for shape in sorted(wanted):
        across, down = min(1.0, shape / aspect), min(1.0, aspect / shape)
        if across < 0.97:
            boxes += [(left, 0.0, left + across, 1.0) for left in np.linspace(0, 1 - across, ACROSS)]
        elif down < 0.97:
            boxes += [(0.0, top, 1.0, top + down) for top in np.linspace(0, 1 - down, 3)]
    return boxes


def between_bars(grey: Grey) -> Box:
    """Return what of a picture lies between its bars."""
    height, width = grey.shape
    bars = bars_of(grey)
    if bars is None:
        return WHOLE
    return bars.left / width, bars.top / height, 1 - bars.right / width, 1 - bars.bottom / height


def _square(grey: Grey, box: Box) -> npt.NDArray[np.uint8]:
    height, width = grey.shape
    left, top, right, bottom = box
    part = grey[round(top * height) : round(bottom * height), round(left * width) : round(right * width)]
    cv2 = opencv()
    square: npt.NDArray[np.uint8] = cv2.resize(part, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    return square
