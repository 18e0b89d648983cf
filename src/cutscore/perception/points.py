"""Points that are easy to follow, and where they went from one picture to the next."""

from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.media.opencv import opencv

Points = npt.NDArray[np.float32]

_WINDOW, _LEVELS = (21, 21), 3
# A point that does not come back to within a pixel was lost on the way.
BACK_PX = 1.0
# Corners: quality as a share of the best one, and how far apart.
_QUALITY, _APART_PX = 0.01, 7


def find_corners(grey: npt.NDArray[Any], count: int, *, avoid: Points) -> Points:
    """Find up to `count` corners that are easy to follow, none near the points to avoid; shape (found, 2)."""
    cv2 = opencv()
    mask = np.full(grey.shape, 255, np.uint8)
    for x, y in np.rint(avoid).astype(int).tolist():
        cv2.circle(mask, (x, y), _APART_PX, 0, -1)
    found = cv2.goodFeaturesToTrack(grey, count, _QUALITY, _APART_PX, mask=mask)
    return np.empty((0, 2), np.float32) if found is None else found.reshape(-1, 2)


def track_points(
    first: npt.NDArray[Any], second: npt.NDArray[Any], points: Points
) -> tuple[Points, npt.NDArray[np.bool_]]:
    """Follow points into the second picture and back; give where they went and which of them came back."""
    cv2 = opencv()
    options = {"winSize": _WINDOW, "maxLevel": _LEVELS}
    there, found, _ = cv2.calcOpticalFlowPyrLK(first, second, points.reshape(-1, 1, 2), None, **options)
    back, returned, _ = cv2.calcOpticalFlowPyrLK(second, first, there, None, **options)
    there, back = there.reshape(-1, 2), back.reshape(-1, 2)
    height, width = first.shape
    inside = (there >= 0).all(1) & (there < (width, height)).all(1)
    near = np.hypot(*(back - points).T) <= BACK_PX
    return there, found.ravel().astype(bool) & returned.ravel().astype(bool) & inside & near
