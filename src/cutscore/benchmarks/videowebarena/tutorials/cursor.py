"""The pointer and the ring of a click, drawn onto pictures of a page.

They are drawn on pixels and not in the page: the page stays as its site made it, and equal pictures stay equal.
"""

from collections.abc import Iterator

import numpy as np

from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels

Point = tuple[int, int]
# An arrow of 17 × 25 pixels; its tip is the point that it points at.
ARROW = ((0, 0), (0, 22), (5, 17), (9, 25), (12, 23), (9, 16), (16, 16))
FILL, OUTLINE = (20, 20, 20), (255, 255, 255)
# A colour that pages hardly have, and that half resolution of colour leaves as it is when the line is thick.
RING_RGB = (255, 0, 140)
RING_PX, RING_RADII_PX = 4, (14, 18, 22, 26, 30)  # a radius for each frame of a click


def draw_cursor(page: Pixels, at: Point, *, ring_px: int = 0) -> Pixels:
    """Return a picture of a page with the pointer at a point, and a ring of some radius around it."""
    cv2, drawn = opencv(), np.array(page)
    if ring_px:
        cv2.circle(drawn, at, ring_px, RING_RGB, RING_PX, cv2.LINE_AA)
    outline = np.array([(at[0] + x, at[1] + y) for x, y in ARROW], np.int32)
    cv2.fillPoly(drawn, [outline], FILL, cv2.LINE_AA)
    cv2.polylines(drawn, [outline], True, OUTLINE, 2, cv2.LINE_AA)
    return drawn


def path(start: Point, end: Point, steps: int) -> Iterator[Point]:
    """Return the points of a way, slow at both ends; the last is the end, and the start is not among them.

    >>> list(path((0, 0), (100, 50), 4))
    [(16, 8), (50, 25), (84, 42), (100, 50)]
    """
    for step in range(1, steps + 1):
        done = (share := step / steps) * share * (3 - 2 * share)
        yield round(start[0] + (end[0] - start[0]) * done), round(start[1] + (end[1] - start[1]) * done)
