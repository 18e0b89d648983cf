"""A page as a subject is told it: lines of text, and a picture with numbered boxes. Which number is at a point?

The picture says it: each box and its number have one of ten colours, and the number stands at a corner of its box
(`environments/browser/mark_drawing.py`). Numbers are looked for near the point, and a box counts where its edges run
from the corner at which its number stands as far as the point.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby

import numpy as np
import numpy.typing as npt

from cutscore.environments.browser.mark_drawing import (
    BORDER_PX,
    DIGIT_PX,
    FONT_PX,
    PADDING_PX,
    colour_of,
    draw_label,
)
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.perception.clicks import ScreenPoint

_LINE = re.compile(r"^\[(\d+)\] \[(\w+)\] \[(.*)\]$", re.M)
REACH_PX = 500, 130  # of a number from the point, aside and above or below
NUMBER_ALIKE = 0.85
MOST_ALIKE = 6  # places for one number: a 2 is also the end of every 12
EDGE_SHARE = 0.4  # of the pixels between corner and point that have the box's colour; other numbers may cover some
COLOUR_OFF = 48  # levels by which a compressed line differs from its colour


@dataclass(frozen=True)
class ListedElement:
    """A line of a page that has a number."""

    number: str
    tag: str
    words: str


def read_elements(text: str) -> dict[str, ListedElement]:
    r"""Return the numbered elements of a page's text, by number.

    >>> read_elements("[1] [A] [Home]\n[] [StaticText] [Hello]")["1"].words
    'Home'
    """
    return {found[1]: ListedElement(found[1], found[2], found[3]) for found in _LINE.finditer(text)}


def number_at(picture: Pixels, point: ScreenPoint, numbers: Iterable[str]) -> str:
    """Return the number of the innermost box around a point, of those that a page lists; empty where none is seen."""
    wide, high = REACH_PX
    left, top = max(0, point.x - wide), max(0, point.y - high)
    near = np.ascontiguousarray(picture[top : point.y + high, left : point.x + wide])
    here = ScreenPoint(point.x - left, point.y - top)
    found: list[tuple[int, str]] = []
    for colour, alike in groupby(sorted(numbers, key=colour_of), key=colour_of):
        line = np.abs(near.astype(np.int16) - colour).max(axis=2) <= COLOUR_OFF
        if not (line[here.y].any() and line[:, here.x].any()):  # no box of this colour is around the point
            continue
        for number in alike:
            places = [corner for label in _find_labels(near, number) for corner in _corners(label, here)]
            corners = [corner for corner in places if _runs_to(line, corner, here)]
            found += [(abs(corner.x - here.x) + abs(corner.y - here.y), number) for corner in corners]
    return min(found)[1] if found else ""


@cache
def _label_picture(number: str) -> Pixels:
    """Return a number as it is drawn, as RGB."""
    width, height = DIGIT_PX * len(number) + 2 * PADDING_PX, FONT_PX + 2 * PADDING_PX
    drawn = np.zeros((height + 1, width + 1, 3), np.uint8)
    draw_label(drawn, number, (0, 0, width, height))
    return np.ascontiguousarray(drawn[:, :, ::-1])


def _find_labels(near: Pixels, number: str) -> Iterator[ScreenPoint]:
    """Return the upper left corners of the places that are most like a number."""
    cv2, tile = opencv(), _label_picture(number)
    if near.shape[0] < tile.shape[0] or near.shape[1] < tile.shape[1]:
        return
    # In grey: compression leaves it sharp, and colours not.
    screen, wanted = (cv2.cvtColor(each, cv2.COLOR_RGB2GRAY) for each in (near, tile))
    likeness = cv2.matchTemplate(screen, wanted, cv2.TM_CCOEFF_NORMED)
    for _ in range(MOST_ALIKE):
        _, best, _, (x, y) = cv2.minMaxLoc(likeness)
        if best < NUMBER_ALIKE:
            return
        yield ScreenPoint(x, y)
        likeness[max(0, y - FONT_PX) : y + FONT_PX, max(0, x - DIGIT_PX) : x + DIGIT_PX] = -1


def _corners(label: ScreenPoint, point: ScreenPoint) -> Iterator[ScreenPoint]:
    """Return where the corner of a box may be that has its number here and the point in it.

    It is the rule of `label_places`, turned round: a number stands above its box or below it, at either side.
    """
    x, y = label.x + PADDING_PX, label.y + PADDING_PX
    for across, is_left in ((x + FONT_PX, True), (x, True), (x, False), (x + FONT_PX + 2 * PADDING_PX, False)):
        for down, is_upper in ((y + FONT_PX, True), (y, False)):
            aside = point.x >= across if is_left else point.x <= across
            if aside and (point.y >= down if is_upper else point.y <= down):
                yield ScreenPoint(across, down)


def _runs_to(line: npt.NDArray[np.bool_], corner: ScreenPoint, point: ScreenPoint) -> bool:
    """Return whether a corner's two edges reach the column and the row of a point."""
    columns, rows = sorted((corner.x, point.x)), sorted((corner.y, point.y))
    if corner.y >= line.shape[0] or corner.x >= line.shape[1] or min(corner.x, corner.y) < 0:
        return False
    flat = _thick(line[:, columns[0] : columns[1] + 1], corner.y, axis=0)
    upright = _thick(line[rows[0] : rows[1] + 1], corner.x, axis=1)
    return flat >= EDGE_SHARE and upright >= EDGE_SHARE


def _thick(stretch: npt.NDArray[np.bool_], at: int, *, axis: int) -> float:
    """Return the share of a stretch along which a line lies, a pixel or two off."""
    lanes = range(max(0, at - BORDER_PX), min(stretch.shape[axis], at + BORDER_PX + 1))
    return float(stretch.take(list(lanes), axis=axis).any(axis=axis).mean())
