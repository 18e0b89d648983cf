"""Which small crop or shift makes one picture of another.

Whoever wants a copy to look like new work cuts a pixel off or moves it by one. Each side of the picture is moved by a
few whole pixels, inwards or outwards, and what lies between is stretched: that is a crop which was scaled up again, a
border that was scaled down, and a shift, in either direction.
"""

from dataclasses import astuple, dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.media.opencv import opencv

MOST_PIXELS = 2
_REACH = range(-MOST_PIXELS, MOST_PIXELS + 1)
_MARGIN = MOST_PIXELS + 1


@dataclass(frozen=True, order=True)
class Warp:
    """Where the sides of a picture lie in another, in its pixels from its own sides; all 0 when nothing moved."""

    left: int = 0
    right: int = 0
    top: int = 0
    bottom: int = 0

    def applied(self, pixels: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the picture as it is seen between these sides, in its own size."""
        if self == Warp():
            return pixels
        height, width = pixels.shape[:2]
        across, down = 1 + (self.right - self.left) / (width - 1), 1 + (self.bottom - self.top) / (height - 1)
        cv2 = opencv()
        how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        place = np.array([[across, 0, self.left], [0, down, self.top]], np.float32)
        seen: npt.NDArray[Any] = cv2.warpAffine(
            pixels, place, (width, height), flags=how, borderMode=cv2.BORDER_REPLICATE
        )
        return seen


def find_warp(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> Warp:
    """Find the warp of the first picture that is nearest to the second; both have one size.

    First across, then down, and once more: sides that face each other belong together, the others hardly do.
    """
    best = (_squared_error(one, other), Warp())
    for vertical in (False, True, False, True):
        for first, second in product(_REACH, _REACH):
            left, right, top, bottom = astuple(best[1])
            warp = Warp(left, right, first, second) if vertical else Warp(first, second, top, bottom)
            best = min(best, (_squared_error(warp.applied(one), other), warp))
    return best[1]


def without_border(pixels: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Return a picture without its border, which no warp knows, as numbers to reckon with."""
    return pixels[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN].astype(np.float32)


def resize_like(pixels: npt.NDArray[Any], like: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a picture in the size of another."""
    height, width = like.shape[:2]
    if pixels.shape[:2] == (height, width):
        return pixels
    cv2 = opencv()
    how = cv2.INTER_AREA if pixels.shape[0] > height else cv2.INTER_LINEAR
    scaled: npt.NDArray[Any] = cv2.resize(pixels, (width, height), interpolation=how)
    return scaled


def _squared_error(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> float:
    apart = without_border(one) - without_border(other)
    return float(np.mean(apart * apart))
