"""A film of a screen → where something was clicked, what was there before, and what came of it.

A click is a ring in a strong colour that pages hardly have, around the point; that is how our recorder shows it, and
recorders that people use have the like. What was clicked is cut out of a frame from before the pointer came.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from cutscore.media.frames import Frame
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels

# Lowest and highest red, green and blue of a ring; compression washes its colour out a little.
RING_RGB = (190, 0, 80), (255, 90, 190)
RING_PX = range(24, 72)  # its size across
LEAST_RING_PIXELS = 150
BEFORE_S = Fraction(11, 10)  # the pointer was elsewhere then
AGAIN_S = Fraction(1)  # rings within it are one click
AROUND_PX = 640, 60  # kept to the left and right, above and below: a field may be as wide as a page
CHANGED = 40  # levels of a pixel
TURNED = 0.03  # share of changed pixels from which on it is another page, or has moved
BANDS, SAME, FLAT = 6, 0.97, 12.0  # of a page that has moved: bands, their correlation; levels in which a band differs


@dataclass(frozen=True)
class ScreenPoint:
    """A place on a screen in pixels."""

    x: int
    y: int


@dataclass(frozen=True, eq=False)
class SeenClick:
    """One click.

    Args:
        target: What is around the point, without pointer and ring; `inside` is where the point is in it.
        later: The same stretch of the screen, as it was last on view before the next click or another page.
        turned_s: When another page followed, before anything else was clicked; None where none did.
    """

    at_s: Fraction
    point: ScreenPoint
    target: Pixels
    inside: ScreenPoint
    later: Pixels
    turned_s: Fraction | None


def find_ring(pixels: Pixels, before: Pixels | None = None) -> ScreenPoint | None:
    """Return the middle of the ring of a click; None where there is none.

    What has its colour in the picture before as well belongs to the page: a flower on a photo is no click.
    """
    cv2 = opencv()
    mask = cv2.inRange(pixels, *RING_RGB)
    if before is not None and before.shape == pixels.shape:
        mask &= ~cv2.inRange(before, *RING_RGB)
    if cv2.countNonZero(mask) < LEAST_RING_PIXELS:
        return None
    count, _, boxes, _ = cv2.connectedComponentsWithStats(cv2.dilate(mask, np.ones((3, 3), np.uint8)))
    for left, top, width, height, _ in sorted(boxes[1:count], key=lambda box: -box[4]):
        # Round, with a hole in it that only the pointer may fill; a ring at an edge of the screen is cut off.
        if max(width, height) in RING_PX and min(width, height) > max(width, height) // 2:
            return ScreenPoint(int(left + width // 2), int(top + height // 2))
    return None


def find_clicks(frames: Iterable[Frame]) -> Iterator[SeenClick]:
    """Return the clicks of a film in order; its frames have to be at most 0.4 s apart, or a ring may lie between."""
    earlier: deque[Frame] = deque()
    opened: _OpenClick | None = None
    for frame in frames:
        before = earlier[-1].pixels if earlier else frame.pixels
        point = find_ring(frame.pixels, before)
        if point and _has_changed(before, frame.pixels):  # it came with another page
            point = None
        if point and not (opened and frame.at_s - opened.at_s < AGAIN_S):
            if opened:
                yield opened.close()
            opened = _OpenClick(frame.at_s, point, _before(earlier, frame))
        elif opened and not find_ring(frame.pixels[opened.near]):
            opened.see(frame)
        earlier.append(frame)
        while frame.at_s - earlier[0].at_s > 2 * BEFORE_S:
            earlier.popleft()
    if opened:
        yield opened.close()


def _before(earlier: Iterable[Frame], frame: Frame) -> Pixels:
    """Return the page before the pointer came."""
    old = [each.pixels for each in earlier if frame.at_s - each.at_s >= BEFORE_S]
    return old[-1] if old else frame.pixels


class _OpenClick:
    """A click whose outcome is still being watched."""

    def __init__(self, at_s: Fraction, point: ScreenPoint, page: Pixels) -> None:
        self.at_s, self.point, self.page = at_s, point, page
        self.last, self.is_over = page, False
        self.turned_s: Fraction | None = None
        reach = RING_PX.stop
        self.near = slice(max(0, point.y - reach), point.y + reach), slice(max(0, point.x - reach), point.x + reach)

    def see(self, frame: Frame) -> None:
        """Look at the next frame; what follows another page, or the same one scrolled, is not looked at."""
        if self.is_over:
            return
        self.is_over = _has_changed(self.last, frame.pixels)
        if not self.is_over:
            self.last = frame.pixels
        elif not _has_scrolled(self.last, frame.pixels):
            self.turned_s = frame.at_s

    def close(self) -> SeenClick:
        """Return what came of it."""
        (wide, high), point = AROUND_PX, self.point
        left, top = max(0, point.x - wide), max(0, point.y - high)
        rows, columns = slice(top, point.y + high), slice(left, point.x + wide)
        inside = ScreenPoint(point.x - left, point.y - top)
        target, later = self.page[rows, columns].copy(), self.last[rows, columns].copy()
        return SeenClick(self.at_s, point, target, inside, later, self.turned_s)


def _has_changed(before: Pixels, after: Pixels) -> bool:
    """Return whether so much is another that it is not what was typed."""
    if before.shape != after.shape:
        return True
    return bool((np.abs(before[::4, ::4].astype(np.int16) - after[::4, ::4]).max(axis=2) > CHANGED).mean() > TURNED)


def _has_scrolled(before: Pixels, after: Pixels) -> bool:
    """Return whether some band of a page is on view again, higher or lower."""
    cv2 = opencv()
    old, new = (cv2.cvtColor(each, cv2.COLOR_RGB2GRAY)[::2, ::2] for each in (before, after))
    step = old.shape[0] // BANDS
    bands = (old[top : top + step] for top in range(0, step * BANDS, step))
    return any(
        band.std() > FLAT and float(cv2.matchTemplate(new, band, cv2.TM_CCOEFF_NORMED).max()) > SAME for band in bands
    )
