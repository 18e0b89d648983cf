"""Words over the picture: captions below, notes above, titles in the middle."""

from dataclasses import dataclass

from cutscore.media.orientation import Pixels
from cutscore.stage.blend import FINE, as_corners, fill, stamp
from cutscore.stage.figures.kind import box
from cutscore.stage.palette import Rgb
from cutscore.stage.setting import Caption
from cutscore.stage.text import Mask, render_text, wrap_text

_PANEL: Rgb = (30, 30, 44)
_INK: Rgb = (252, 250, 242)


@dataclass(frozen=True, eq=False)
class CaptionPanel:
    """Where a caption stands, in pixels: its lines, and the box of its letters."""

    lines: tuple[Mask, ...]
    size: int
    left: int
    top: int
    right: int
    bottom: int


def caption_panel(words: Caption, width: int, height: int) -> CaptionPanel:
    """Break a caption into lines and find its place in a picture."""
    size = max(8, height // (11 if words.at == "title" else 17))
    lines = tuple(render_text(line, size) for line in wrap_text(words.text, size, width * 17 // 20))
    tall, wide = size * 5 // 4 * len(lines), max(line.shape[1] for line in lines)
    top = {"bottom": height - tall - height // 14, "top": height // 16, "title": (height - tall) // 2}[words.at]
    left = (width - wide) // 2
    return CaptionPanel(lines, size, left, top, left + wide, top + tall)


def draw_caption(canvas: Pixels, words: Caption) -> None:
    """Write a caption on a picture, on a dark panel with round corners."""
    place = caption_panel(words, canvas.shape[1], canvas.shape[0])
    pad = place.size // 2
    width, height = place.right - place.left + 2 * pad, place.bottom - place.top + pad
    edge = box(place.left - pad, place.top - pad // 2, width, height, round_by=pad)
    fill(canvas, as_corners([(round(x * FINE), round(y * FINE)) for x, y in edge]), _PANEL, alpha=190)
    for n, line in enumerate(place.lines):
        stamp(canvas, line, (canvas.shape[1] // 2, place.top + n * place.size * 5 // 4 + line.shape[0] // 2), _INK)
