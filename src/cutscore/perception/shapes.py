"""The shape of a region by its outline: how well a circle, a rectangle or a triangle would fit it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.media.opencv import opencv

SHAPES = ("circle", "ellipse", "square", "rectangle", "bar", "triangle", "star", "cross", "ring", "blob")

# Below so many pixels an outline is mostly corners of pixels.
LEAST_PX = 30
# Longer than wide by this: no circle and no square; a bar.
_LONG, _BAR = 1.22, 2.5
# Share of its convex hull that a solid shape fills; a star of five rays fills about half.
_SOLID = 0.87
# Steps of pixels are notches, too, when there are few of them.
_STEPPED_PX, _SOLID_STEPPED = 150, 0.78
# Depth of a notch between two rays, as a share of the square root of the area.
_NOTCH = 0.1
# How well the best shape must fit to be named, and how much better than the next one to be certain.
_FITS, _CERTAIN = 0.84, 0.12
# Share of the filled outline that a ring leaves open.
_OPEN = 0.08
# The spread of a square's outline around an ellipse is 0.1 of its radius: as bad a fit as a disc in a square (0.79).
_SPREAD = 2.2


@dataclass(frozen=True)
class OutlineShape:
    """A shape by name, or None when the outline fits none well enough to tell; with the confidence of the name."""

    name: str | None
    confidence: float


UNKNOWN_SHAPE = OutlineShape(None, 0.0)


def classify_shape(mask: npt.NDArray[np.bool_]) -> OutlineShape:
    """Name the shape of a region; a shape with notches that has no name of its own is a `blob`.

    >>> y, x = np.mgrid[-20:21, -20:21]
    >>> [classify_shape(mask).name for mask in (x**2 + y**2 <= 400, abs(x) + y <= 0, abs(x) + abs(y) <= 20)]
    ['circle', 'triangle', 'square']
    """
    cv2 = opencv()
    if int(mask.sum()) < LEAST_PX:
        return UNKNOWN_SHAPE
    padded = np.pad(mask.astype(np.uint8), 1)
    outlines, _ = cv2.findContours(padded, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea)
    area = float(cv2.contourArea(outline))
    if area < LEAST_PX / 2 or min(mask.shape) < 4:
        return UNKNOWN_SHAPE
    hull = cv2.convexHull(outline)
    solid = area / float(cv2.contourArea(hull))
    if solid < (_SOLID if area >= _STEPPED_PX else _SOLID_STEPPED):
        return _classify_rays(outline, area, solid)
    filled = cv2.drawContours(np.zeros_like(padded), [outline], -1, 1, -1)
    return _solid(outline, area, open_share=1 - float(mask.sum()) / float(filled.sum()))


def _solid(outline: npt.NDArray[Any], area: float, *, open_share: float) -> OutlineShape:
    cv2 = opencv()
    spread, long = _against_ellipse(outline)
    (_, sides, _) = cv2.minAreaRect(outline)
    triangle, _ = cv2.minEnclosingTriangle(outline)
    ratio = max(sides) / max(1.0, min(sides))
    fits = {
        "round": 1 - _SPREAD * spread,
        "straight": area / max(1.0, sides[0] * sides[1]),
        "triangle": area / max(1.0, float(triangle)),
    }
    best, next_best = sorted(fits, key=lambda name: fits[name])[:-3:-1]
    if fits[best] < _FITS:
        return UNKNOWN_SHAPE
    confidence = min(1.0, (fits[best] - fits[next_best]) / _CERTAIN)
    if best == "triangle":
        return OutlineShape("triangle", confidence)
    if best == "straight":
        return OutlineShape("bar" if ratio >= _BAR else "rectangle" if ratio >= _LONG else "square", confidence)
    if open_share > _OPEN:
        return OutlineShape("ring", confidence)
    return OutlineShape("ellipse" if long >= _LONG else "circle", confidence)


def _against_ellipse(outline: npt.NDArray[Any]) -> tuple[float, float]:
    """Return the outline's spread around the ellipse of equal moments, relative to its radius, and how long that is."""
    cv2 = opencv()
    moments = cv2.moments(outline)
    mass = moments["m00"]
    spread = np.array([[moments["mu20"], moments["mu11"]], [moments["mu11"], moments["mu02"]]]) / mass
    values, vectors = np.linalg.eigh(spread)
    values = np.maximum(values, 0.1)
    points = outline.reshape(-1, 2) - (moments["m10"] / mass, moments["m01"] / mass)
    radii = np.linalg.norm(points @ vectors / np.sqrt(values), axis=1)
    return float(radii.std() / radii.mean()), float(np.sqrt(values[1] / values[0]))


def _classify_rays(outline: npt.NDArray[Any], area: float, solid: float) -> OutlineShape:
    """Count the notches: five make a star, four a cross."""
    cv2 = opencv()
    corners = cv2.approxPolyDP(outline, 0.02 * cv2.arcLength(outline, True), True)  # without the steps of pixels
    hull = cv2.convexHull(corners)
    depths = np.array([cv2.pointPolygonTest(hull, corner[0].astype(float).tolist(), True) for corner in corners])
    inward = depths >= _NOTCH * np.sqrt(area)
    deep = int((inward & ~np.roll(inward, 1)).sum())  # neighbouring corners are one notch
    confidence = min(1.0, (1 - solid) / 0.3)
    if deep in (5, 6) and len(corners) >= 9:
        return OutlineShape("star", confidence)
    if deep == 4 and len(corners) >= 8:
        return OutlineShape("star" if solid < 0.6 else "cross", confidence)
    return OutlineShape("blob", confidence / 2)
