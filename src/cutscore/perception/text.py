"""Text on screen: what is written in a picture and where, and the lines of a clip from when to when.

The reader is PP-OCRv6, run by RapidOCR (the extra `ocr`, which brings the weights). It reads a blot or a chessboard as
a letter or two, with little confidence; below a limit we say that something is written and do not guess what.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np

from cutscore.core.errors import MissingExtra
from cutscore.core.timeline import Span
from cutscore.media.frames import check_pixels
from cutscore.media.orientation import Pixels
from cutscore.perception.report import TextLine

# Lines that are read right have 0.95 and more, whatever their size and contrast; a street without text reaches 0.77.
LEGIBLE = 0.9
# What has less is no text at all: a face has 0.4.
WRITTEN = 0.5
# Share of two boxes in common from which on a line stays in its place.
_SAME_PLACE = 0.4


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

    Pixels are uint8 RGB of shape (height, width, 3); sides of more than 2000 are scaled down before reading.
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


def reader_version() -> str:
    """Return the name and version of what reads here: two runs may differ because of it."""
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


@dataclass(eq=False)
class TextTracker:
    """Puts readings of single pictures together to lines with times.

    A line is there from the reading that first shows it up to the first one that does not. Spaces and case do not make
    another line, since the reader is not sure of them; of two readings the surer one counts.
    """

    _ended: list[TextLine] = field(default_factory=list)
    _current: list[TextLine] = field(default_factory=list)

    def see(self, at_s: Fraction, boxes: Iterable[TextBox]) -> None:
        """Take the reading of one picture; readings come in order of time."""
        before, self._current = self._current, []
        for box in boxes:
            new = TextLine(Span(start_s=at_s, end_s=at_s), box.text, box.box, box.confidence)
            same = next((each for each in before if _same(each, new)), None)
            if same is not None:
                before.remove(same)
                surer = max(same, new, key=lambda each: each.confidence)
                new = replace(surer, span=same.span)
            self._current.append(new)
        self._ended += [_until(each, at_s) for each in before]

    def result(self, end_s: Fraction) -> tuple[TextLine, ...]:
        """Return all lines in order of time; those that are still there last until `end_s`."""
        found = [*self._ended, *(_until(each, end_s) for each in self._current)]
        return tuple(sorted(found, key=lambda each: (each.span.start_s, each.box[1], each.box[0])))


def _until(line: TextLine, at_s: Fraction) -> TextLine:
    return replace(line, span=Span(start_s=line.span.start_s, end_s=at_s))


def _same(one: TextLine, other: TextLine) -> bool:
    if _plain(one.text) != _plain(other.text):
        return False
    left, top = max(one.box[0], other.box[0]), max(one.box[1], other.box[1])
    right, bottom = min(one.box[2], other.box[2]), min(one.box[3], other.box[3])
    shared = max(0, right - left) * max(0, bottom - top)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one.box, other.box)]
    return shared > _SAME_PLACE * (sum(areas) - shared)


def _plain(text: str | None) -> str | None:
    return None if text is None else "".join(text.split()).casefold()
