"""Edits of one picture by plain arithmetic, for editors and generators without a model."""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from cutscore.media.orientation import Pixels
from cutscore.perception.colours import EXAMPLES, NAMES, Rgb, name_pixels

Mask = npt.NDArray[np.bool_]

LARGEST_PATCH = 0.35  # of the picture; what covers more is a background


def largest_patch(pixels: Pixels, colour: str) -> Mask | None:
    """Return the largest patch of a named colour that is no background; None where there is none."""
    mask = (name_pixels(pixels) == NAMES.index(colour)).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5))))
    areas = stats[1:, cv2.CC_STAT_AREA]
    small = np.where(areas <= LARGEST_PATCH * mask.size, areas, 0)
    return labels == 1 + int(small.argmax()) if small.any() else None


def recolour(pixels: Pixels, old: str, new: str) -> Pixels:
    """Paint the largest patch of a colour with another one; light and shade stay."""
    if (patch := largest_patch(pixels, old)) is None:
        return pixels
    made = pixels.copy()
    made[patch] = _shade(pixels[patch], EXAMPLES[old][0], EXAMPLES[new][0])
    return made


def _shade(pixels: Pixels, old: Rgb, new: Rgb) -> Pixels:
    """Return another colour as bright as each pixel is beside the pure old one."""
    light = pixels.max(axis=1, keepdims=True).astype(np.float32) / max(1, *old)
    made: Pixels = np.clip(np.asarray(new, np.float32) * np.clip(light, 0.3, 1.3), 0, 255).astype(np.uint8)
    return made


def tone(pixels: Pixels, name: str) -> Pixels:
    """Change light or tint of a whole picture."""
    levels = pixels.astype(np.float32)
    grey = levels @ np.array([0.299, 0.587, 0.114], np.float32)
    if name == "night":
        made = levels * (0.25, 0.3, 0.45)
    elif name == "dusk":
        made = levels * (0.85, 0.6, 0.6) + (20, 0, 15)
    elif name == "faded":
        made = 0.5 * levels + 0.5 * (0.4 * grey[..., None] + 110)
    else:
        made = grey[..., None] * ((1.0, 1.0, 1.0) if name == "grey" else (1.0, 0.82, 0.6))
    return np.clip(made, 0, 255).astype(np.uint8)  # type: ignore[no-any-return]


def reframe(pixels: Pixels, share: float, aside: float) -> Pixels:
    """Show a share of the picture around its middle, moved aside by a share of its width."""
    height, width = pixels.shape[:2]
    wide, high = round(width * share), round(height * share)
    left = min(max(0, round((width - wide) / 2 + aside * width)), width - wide)
    top = (height - high) // 2
    cut = pixels[top : top + high, left : left + wide]
    made: Any = cv2.resize(cut, (width, height), interpolation=cv2.INTER_LINEAR)
    return made  # type: ignore[no-any-return]
