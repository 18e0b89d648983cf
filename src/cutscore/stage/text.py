"""Words as pixels: the font that OpenCV carries, so that a caption looks the same everywhere."""

import threading
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.uint8]

_BOLD = 600
# Glyphs are rasterised in floats, whose last digit may differ between processors: sixteen steps hide it.
_STEP = 17
# A face is set to the size that is drawn: two threads at once would draw in each other's sizes.
_DRAWING = threading.Lock()


@lru_cache(maxsize=1)
def _face() -> Any:
    return cv2.FontFace("sans")


@lru_cache(maxsize=256)
def render_text(text: str, height: int) -> Mask:
    """Return how much of each pixel a line of text covers, 0 to 255; `height` is that of the line in pixels."""
    size = max(4, height * 3 // 4)
    canvas = np.zeros((height * 2, (len(text) + 2) * height), np.uint8)
    with _DRAWING:
        cv2.putText(canvas, text, (height // 2, height * 3 // 2), (255,), _face(), size, _BOLD)
    canvas = (canvas // _STEP * _STEP).astype(np.uint8)
    across = np.flatnonzero(canvas.any(axis=0))
    if not len(across):
        return np.zeros((height, 1), np.uint8)
    # Rows are kept as they are, so that lines with and without descenders share a base line.
    top = height * 3 // 2 - height * 7 // 8
    return np.ascontiguousarray(canvas[top : top + height + height // 4, across[0] : across[-1] + 1])


def wrap_text(text: str, height: int, width: int) -> list[str]:
    """Break a text into lines that are at most `width` pixels wide where words allow."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and render_text(longer, height).shape[1] <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
