"""Masks and mixing: the few operations on bytes that everything is painted with.

Corners are in sixteenths of a pixel, and polygons are filled and their edges smoothed in integers.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from cutscore.media.orientation import Pixels
from cutscore.stage.palette import Rgb
from cutscore.stage.text import Mask

FINE = 16  # positions in a pixel, each way
SHIFT = 4
MARGIN = 2  # pixels that a smoothed edge may reach beyond its corners
_LARGE = 20_000  # pixels from which it pays to look whether nothing has to be mixed

Corners = npt.NDArray[np.int32]


def fill(canvas: Pixels, points: Corners, top: Rgb, bottom: Rgb | None = None, *, alpha: int = 256) -> None:
    """Fill a polygon of a picture, from one colour above to another below; alpha 256 hides what was there."""
    seen = window(points, canvas.shape[1], canvas.shape[0])
    if seen is not None:
        x0, y0, x1, y1 = seen
        mask = outline(points - (x0 * FINE, y0 * FINE), x1 - x0, y1 - y0)
        over(canvas[y0:y1, x0:x1], mask, rows(top, bottom or top, extent(points), y0, y1), alpha)


def stamp(canvas: Pixels, mask: Mask, middle: tuple[int, int], ink: Rgb, *, within: Mask | None = None) -> None:
    """Ink a mask around a pixel of a picture, where `within` is covered; what does not fit is cut off."""
    height, width = mask.shape
    left, top = middle[0] - width // 2, middle[1] - height // 2
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(canvas.shape[1], left + width), min(canvas.shape[0], top + height)
    if x0 < x1 and y0 < y1:
        part = np.ascontiguousarray(mask[y0 - top : y1 - top, x0 - left : x1 - left])
        if within is not None:
            part = np.minimum(part, within[y0:y1, x0:x1])
        over(canvas[y0:y1, x0:x1], part, flat(ink))


def over(colours: Pixels, mask: Mask, paint: Pixels, alpha: int = 256, cover: Mask | None = None) -> None:
    """Paint over colours, and note how much is covered where that is kept.

    `mask` is how much of each pixel is painted, 0 to 255, and `cover` how much has been so far; `alpha` is how much the
    paint hides, up to 256. `paint` is one colour, or one for each row.
    """
    if alpha < 256:
        mask = (mask * np.uint16(alpha) >> 8).astype(np.uint8)
    elif cover is None and mask.size > _LARGE and int(mask.min()) == 255:
        colours[:] = paint
        return
    wide = threefold(mask)
    painted = np.empty_like(wide)
    painted[:] = paint
    colours[:] = cv2.add(scale_by_mask(colours, ~wide), scale_by_mask(painted, wide))
    if cover is not None:
        cover[:] = cv2.add(mask, scale_by_mask(cover, ~mask))


def scale_by_mask(colours: Pixels, mask: Pixels) -> Pixels:
    """Multiply by a mask as a share of 255, rounded.

    OpenCV multiplies in floats here. Products of two bytes over 255 are never nearer than 1/510 to a half, so that no
    order of its operations can round them otherwise.
    """
    return as_bytes(cv2.multiply(colours, mask, scale=1 / 255))


def outline(points: Corners, width: int, height: int) -> Mask:
    """Return how much of each pixel a polygon covers, 0 to 255."""
    # Four times as fine each way, then halved twice in integers. OpenCV's own smooth edges are a pixel too wide; here a
    # corner on a pixel's edge is on that edge, which is half a fine pixel before OpenCV's idea of its middle.
    fine = np.zeros((height * 4, width * 4), np.uint8)
    cv2.fillPoly(fine, [points - FINE // 8], (255,), cv2.LINE_8, SHIFT - 2)
    halved = cv2.resize(fine, (width * 2, height * 2), interpolation=cv2.INTER_AREA)
    return as_bytes(cv2.resize(halved, (width, height), interpolation=cv2.INTER_AREA))


def window(points: Corners, width: int, height: int) -> tuple[int, int, int, int] | None:
    """Return the pixels that a polygon may touch, within a picture: left, top, right, bottom."""
    (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    x0, y0 = max(0, left // FINE - MARGIN), max(0, top // FINE - MARGIN)
    x1, y1 = min(width, right // FINE + 1 + MARGIN), min(height, bottom // FINE + 1 + MARGIN)
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def extent(points: Corners) -> tuple[int, int]:
    """Return the rows of pixels between which a polygon lies."""
    return int(points[:, 1].min()) // FINE, int(points[:, 1].max()) // FINE + 1


def rows(top: Rgb, bottom: Rgb, between: tuple[int, int], y0: int, y1: int) -> Pixels:
    """Return the colour of each row from y0 to y1, where it changes evenly between two rows."""
    if top == bottom:
        return flat(top)
    first, last = between
    shares = np.clip((np.arange(y0, y1) - first) * 256 // max(1, last - first), 0, 256)
    start, end = np.array(top), np.array(bottom)
    return as_bytes(start + ((end - start) * shares[:, None] >> 8))[:, None]


@lru_cache(maxsize=256)
def flat(colour: Rgb) -> Pixels:
    """Return one colour for all rows."""
    return np.array(colour, np.uint8)[None, None]


def threefold(mask: Mask) -> Pixels:
    """Return a mask once for each of red, green and blue."""
    return as_bytes(cv2.merge([mask, mask, mask]))


def as_corners(points: Sequence[tuple[int, int]]) -> Corners:
    """Return points as the array that OpenCV fills."""
    return np.array(points, np.int32)


def as_bytes(values: Any) -> Pixels:
    """Return an array as bytes, which OpenCV's types leave open; other types are cut to bytes."""
    return np.asarray(values).astype(np.uint8, copy=False)
