"""What a reader looked at, as one small picture for whoever reads its steps."""

from collections.abc import Sequence

import numpy as np

from cutscore.core.files import FileRef, Shelf
from cutscore.media.frames import jpeg
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.stage.sheet import tiled

HEIGHT = 90  # pixels of each picture; as the clips of the starter packs, so that these are not scaled
QUALITY = 75


def still(shelf: Shelf, name: str, pictures: Sequence[Pixels], *, columns: int = 0) -> FileRef:
    """Put pictures on the shelf as one JPEG, side by side, all in the shape of the first.

    Args:
        shelf: Takes it in.
        name: Name of the file.
        pictures: At least one, row by row.
        columns: How many stand in a row; all of them when 0.
    """
    height, width = pictures[0].shape[:2]
    size, cv2 = (max(1, round(width * HEIGHT / height)), HEIGHT), opencv()
    small = [cv2.resize(np.ascontiguousarray(each), size, interpolation=cv2.INTER_AREA) for each in pictures]
    sheet = jpeg(tiled(small, columns=columns or len(small)), quality=QUALITY)
    return shelf.put_bytes(sheet, name=name, media_type="image/jpeg")
