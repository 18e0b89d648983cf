"""Find the thing of a picture in other pictures: its pixels laid over them, at several sizes, where they fit best.

It is found in the pose and the colours that the picture shows; turned around or in other light it is not.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels

Mask = npt.NDArray[np.bool_]

WIDTH = 160  # pixels to which pictures are made small before anything is laid over them
SHARES = tuple(0.08 * 1.12**step for step in range(14))  # of the picture's width that a thing may have
FINER = 2  # pixels around the best of these that are tried one by one
STANDS_OUT = 24.0  # levels from the colour of the border
LARGEST = 0.95  # of the height or width


@dataclass(frozen=True, eq=False)
class CutOut:
    """A thing without its background: the pixels of its box, and which of them are its own."""

    pixels: Pixels
    mask: Mask


@dataclass(frozen=True)
class SubjectSight:
    """Where a thing fits best: its middle and width in pixels of the picture, and by how many levels it is off."""

    x: float
    y: float
    width: float
    off: float


NOWHERE = SubjectSight(0.0, 0.0, 0.0, 255.0)


def cut_out(picture: Pixels) -> CutOut:
    """Return the largest piece that stands out from the border of a picture; all of it where nothing does."""
    cv2 = opencv()
    border = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    far = np.abs(picture.astype(np.int16) - np.median(border, axis=0)).mean(axis=2)
    closed = cv2.morphologyEx((far > STANDS_OUT).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5)))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
    if count < 2:
        return CutOut(picture, np.ones(picture.shape[:2], bool))
    best = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    left, top, wide, high, _ = stats[best].tolist()
    box = np.s_[top : top + high, left : left + wide]
    return CutOut(np.ascontiguousarray(picture[box]), (labels[box] == best) & (far[box] > STANDS_OUT))


def find_subject(picture: Pixels, subject: CutOut) -> SubjectSight:
    """Return where a thing fits best in a picture; `off` is 255 where it fits nowhere."""
    cv2 = opencv()
    scale = WIDTH / picture.shape[1]
    small = cv2.resize(picture, (WIDTH, max(2, round(scale * picture.shape[0]))), interpolation=cv2.INTER_AREA)
    best = NOWHERE
    for share in SHARES:
        best = min(best, _lay_over(small, subject, round(share * WIDTH)), key=lambda seen: seen.off)
    for wide in {round(best.width) + step for step in range(-FINER, FINER + 1)}:
        best = min(best, _lay_over(small, subject, wide), key=lambda seen: seen.off)
    return SubjectSight(best.x / scale, best.y / scale, best.width / scale, best.off)


def _lay_over(small: Pixels, subject: CutOut, wide: int) -> SubjectSight:
    cv2 = opencv()
    high = max(2, round(wide * subject.mask.shape[0] / subject.mask.shape[1]))
    if wide < 4 or high > LARGEST * small.shape[0] or wide > LARGEST * small.shape[1]:
        return NOWHERE
    size = (wide, high)
    pixels = cv2.resize(subject.pixels, size, interpolation=cv2.INTER_AREA)
    mask = cv2.resize(subject.mask.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0.9
    if mask.sum() < 12:
        return NOWHERE
    weights = np.repeat(mask.astype(np.float32)[..., None], 3, axis=2)
    squares: Any = cv2.matchTemplate(small.astype(np.float32), pixels.astype(np.float32), cv2.TM_SQDIFF, mask=weights)
    least, _, (left, top), _ = cv2.minMaxLoc(squares)
    off = float(np.sqrt(max(0.0, least) / (3 * mask.sum())))
    return SubjectSight(left + wide / 2, top + high / 2, float(wide), off)
