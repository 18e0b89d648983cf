"""Several pictures as one small one, for people to look at."""

from collections.abc import Sequence

import numpy as np

from cutscore.core.files import FileRef, FileStore
from cutscore.media.frames import jpeg
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels

HEIGHT = 90  # pixels of each picture in a still
QUALITY = 75
_GAP = 4  # pixels
_PAPER = 250


def still(store: FileStore, name: str, pictures: Sequence[Pixels], *, columns: int = 0) -> FileRef:
    """Put pictures on the shelf as one JPEG, side by side, all in the shape of the first.

    Args:
        store: Takes it in.
        name: Name of the file.
        pictures: At least one, row by row.
        columns: How many stand in a row; all of them when 0.
    """
    height, width = pictures[0].shape[:2]
    size, cv2 = (max(1, round(width * HEIGHT / height)), HEIGHT), opencv()
    small = [cv2.resize(np.ascontiguousarray(each), size, interpolation=cv2.INTER_AREA) for each in pictures]
    sheet = jpeg(tiled(small, columns=columns or len(small)), quality=QUALITY)
    return store.put_bytes(sheet, name=name, media_type="image/jpeg")


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
