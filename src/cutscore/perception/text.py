"""Text on screen: what is written in a picture, and where.

The reader is PP-OCRv6, run by RapidOCR (the extra `ocr`, which brings the weights). It reads a blot or a chessboard as
a letter or two, with little confidence; below a limit we say that something is written and do not guess what.
"""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np

from cutscore.core.errors import MissingExtra
from cutscore.media.frames import check_pixels
from cutscore.media.orientation import Pixels

# Lines that are read right have 0.95 and more, whatever their size and contrast; a street without text reaches 0.77.
LEGIBLE = 0.9
# What has less is no text at all: a face has 0.4.
WRITTEN = 0.5


@dataclass(frozen=True)
class TextBox:
    """One line of text.

    Args:
        text: As read; None where something is written that could not be made out. Spaces are the reader's weak
            spot: it drops one now and then.
        box: Left, top, right and bottom in pixels, around the line: right and bottom lie outside of it.
        confidence: Of the reader, 0 to 1; also where it was too low to tell.
    """

    text: str | None
    box: tuple[int, int, int, int]
    confidence: float


def read_text(pixels: Pixels) -> list[TextBox]:
    """Read a picture, line by line from top to bottom and from left to right; an empty list when nothing is written.

    Args:
        pixels: uint8 RGB of shape (height, width, 3), as `read_frames` gives them. Sides of more than 2000 pixels
            are scaled down before reading.
    """
    height, width = check_pixels(pixels, "text on screen")
    bgr = np.ascontiguousarray(pixels[..., ::-1])
    found = _reader()(bgr)
    if found.boxes is None:
        return []
    return [
        TextBox(
            text=text if score >= LEGIBLE else None,
            box=_around(corners, width, height),
            confidence=round(float(score), 4),
        )
        for text, corners, score in zip(found.txts, found.boxes, found.scores, strict=True)
    ]


def reader() -> str:
    """Name what reads here, with its version: two runs may differ because of it."""
    _reader()
    return f"PP-OCRv6 small, RapidOCR {version('rapidocr')}"


def _around(corners: Any, width: int, height: int) -> tuple[int, int, int, int]:
    """Return the upright box around four corners, within the picture."""
    left, top = np.floor(corners.min(axis=0)).astype(int)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int)
    return max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom))


@cache
def _reader() -> Any:
    try:
        import_module("onnxruntime")
        library = import_module("rapidocr")
    except ModuleNotFoundError as error:
        raise MissingExtra.of("text on screen", "ocr") from error
    engine = "EngineConfig.onnxruntime."
    return library.RapidOCR(
        params={
            "Global.log_level": "critical",  # it would talk on our standard error
            "Global.text_score": WRITTEN,
            "Global.use_cls": False,  # lines upside down are not expected on a screen
            # Threads would add up in an order of their own.
            engine + "intra_op_num_threads": 1,
            engine + "inter_op_num_threads": 1,
        }
    )
