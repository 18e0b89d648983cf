"""Contact sheets: a scene, or many, at a glance."""

from collections.abc import Sequence

import numpy as np

from cutscore.media.orientation import Pixels
from cutscore.stage.render import Studio
from cutscore.stage.scene import Scene

_GAP = 4  # pixels
_PAPER = 250


def contact_sheet(scene: Scene, *, columns: int = 4, rows: int = 2, width: int = 320) -> Pixels:
    """Give pictures of a scene side by side, at even times from the first frame to the last.

    Args:
        scene: What to show.
        columns: How many pictures side by side.
        rows: How many one below the other.
        width: Of each picture, in pixels; the height follows.
    """
    small = shrunk(scene, width)
    studio, count = Studio(small), columns * rows
    numbers = [n * (small.frames - 1) // max(1, count - 1) for n in range(count)]
    return tiled([studio.frame(number) for number in numbers], columns=columns)


def shrunk(scene: Scene, width: int) -> Scene:
    """Give the scene in small: the same stage on fewer pixels."""
    height = max(32, width * scene.height // scene.width // 2 * 2)
    return scene.model_copy(update={"width": width, "height": height})


def tiled(pictures: Sequence[Pixels], *, columns: int) -> Pixels:
    """Lay pictures of one size side by side, row by row, on white paper."""
    height, width = pictures[0].shape[:2]
    rows = -(-len(pictures) // columns)
    sheet = np.full((rows * (height + _GAP) + _GAP, columns * (width + _GAP) + _GAP, 3), _PAPER, np.uint8)
    for n, picture in enumerate(pictures):
        row, column = divmod(n, columns)
        top, left = _GAP + row * (height + _GAP), _GAP + column * (width + _GAP)
        sheet[top : top + height, left : left + width] = picture
    return sheet
