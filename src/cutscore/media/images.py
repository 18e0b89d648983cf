"""Still images: JPEG keyframes that are published instead of a video, and contact sheets for people to look at."""

from collections.abc import Sequence
from pathlib import Path

import av
import numpy as np
from av.packet import Packet

from cutscore.core.errors import BrokenData
from cutscore.core.files import FileRef, FileStore
from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.colour import rgb_of
from cutscore.media.frames import encode_jpeg
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.media.source import read_whole, shown_name

MOST_BYTES = 64 << 20
_STARTS, _ENDS = b"\xff\xd8\xff", b"\xff\xd9"
_TAIL = 4096  # bytes of notes that some cameras put behind the end
# Markers of a frame header, which holds the size; those in between are tables.
_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}

SHEET_HEIGHT = 90  # pixels of each picture in a still
_SHEET_QUALITY = 75
_GAP = 4  # pixels
_PAPER = 250


def read_picture(path: Path, *, budget: Budget = DEFAULT_BUDGET) -> Pixels:
    """Decode a JPEG picture of an item: uint8 RGB of shape (height, width, 3), read-only.

    It is decoded here and not in a child, so whoever calls knows who made it.
    """
    what = f"picture '{shown_name(path.name)}'"
    data = read_whole(path, what, most_bytes=MOST_BYTES)
    if not data.startswith(_STARTS):
        raise BrokenData(what, "is no JPEG")
    size = _size(data)
    if size is None:
        raise BrokenData(what, "does not say how large it is")
    budget.check_picture(what, *size)
    if _ENDS not in data[-_TAIL:]:  # the decoder would make up what is missing
        raise BrokenData(what, "is cut off")
    try:
        (picture,) = av.CodecContext.create("mjpeg", "r").decode(Packet(data))
    except (av.FFmpegError, ValueError) as error:
        raise BrokenData(what, f"cannot be decoded: {error}") from None
    return rgb_of(picture)


def _size(data: bytes) -> tuple[int, int] | None:
    """Return width and height by the first frame header; None when there is none."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        if data[at + 1] in _SIZES:
            return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        at += 1 if data[at + 1] == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4])
    return None


def put_contact_sheet(store: FileStore, name: str, pictures: Sequence[Pixels], *, columns: int = 0) -> FileRef:
    """Put pictures into the store as one JPEG, side by side, all in the shape of the first.

    There are `columns` pictures in a row, all of them when 0.
    """
    height, width = pictures[0].shape[:2]
    size, cv2 = (max(1, round(width * SHEET_HEIGHT / height)), SHEET_HEIGHT), opencv()
    small = [cv2.resize(np.ascontiguousarray(each), size, interpolation=cv2.INTER_AREA) for each in pictures]
    sheet = encode_jpeg(tile_pictures(small, columns=columns or len(small)), quality=_SHEET_QUALITY)
    return store.put_bytes(sheet, name=name, media_type="image/jpeg")


def tile_pictures(pictures: Sequence[Pixels], *, columns: int) -> Pixels:
    """Lay pictures of one size side by side, row by row, on white paper."""
    height, width = pictures[0].shape[:2]
    rows = -(-len(pictures) // columns)
    sheet = np.full((rows * (height + _GAP) + _GAP, columns * (width + _GAP) + _GAP, 3), _PAPER, np.uint8)
    for n, picture in enumerate(pictures):
        row, column = divmod(n, columns)
        top, left = _GAP + row * (height + _GAP), _GAP + column * (width + _GAP)
        sheet[top : top + height, left : left + width] = picture
    return sheet
