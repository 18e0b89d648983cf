"""The same shot in another framing: closer, from another angle, through another lens, with a moving camera.

Pictures are reframed by one map from places in the new picture to places in the old one, so that whatever is done,
each picture is resampled exactly once and in the same way: nothing in a file tells which of several framings is the
original one. Places are in half widths of the picture, from its middle, to the right and down.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput
from cutscore.media.footage import Footage
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels

Places = npt.NDArray[np.float64]

# Share by which every framing is closer than the footage: room for a camera that tilts, bends or moves.
ROOM = 1.25
# From the middle, in half widths: nearer than the first all is sharp, farther than the second as soft as it gets.
_SHARP, _SOFT = 0.35, 0.8


@dataclass(frozen=True)
class Reframing:
    """How footage is filmed anew; the default is as it was, only closer by `ROOM`.

    Args:
        zoom: Times as close.
        roll: Degrees by which the camera leans to the right, so that things lean to the left.
        tilt: Share by which things at the upper edge are smaller than in the middle, as when one looks up; below 0
            those at the lower edge, as when one looks down.
        bend: Barrel distortion of a wide lens; below 0 the cushion of a long one.
        blur: Softness away from the middle, in thousandths of the width.
        pan: Widths by which the camera goes to the right from the first picture to the last, around the middle.
        push: Times as close at the end as at the beginning, around `zoom`.
    """

    zoom: float = 1.0
    roll: float = 0.0
    tilt: float = 0.0
    bend: float = 0.0
    blur: float = 0.0
    pan: float = 0.0
    push: float = 1.0

    def at(self, progress: float) -> "Reframing":
        """Return what the camera does at a moment, from −1/2 at the first picture to 1/2 at the last.

        `pan` is then a shift from the middle.
        """
        return replace(self, zoom=self.zoom * self.push**progress, pan=self.pan * progress, push=1.0)


def grid(width: int, height: int) -> tuple[Places, Places]:
    """Return the places of all pixels of a picture: across and down."""
    across = (2 * np.arange(width) + 1 - width) / width
    down = (2 * np.arange(height) + 1 - height) / width
    return np.meshgrid(across, down)


def map_places(across: Places, down: Places, framing: Reframing, *, aspect: float) -> tuple[Places, Places]:
    """Return where in the old picture lies what a framing without motion (`Reframing.at`) shows at these places.

    The aspect is height over width. A bent picture keeps its mean scale, which depends on it.
    """
    bent = 1 + framing.bend * (across**2 + down**2 - (1 + aspect**2) / 3)
    across, down = across * bent, down * bent
    depth = 1 + framing.tilt / aspect * down
    across, down = across / depth, down / depth
    turn = np.radians(framing.roll)
    across, down = across * np.cos(turn) - down * np.sin(turn), across * np.sin(turn) + down * np.cos(turn)
    return across / framing.zoom + 2 * framing.pan / framing.zoom, down / framing.zoom


def frame_footage(footage: Footage, framing: Reframing, *, size: tuple[int, int]) -> Footage:
    """Return footage filmed anew, without its sound.

    Pictures at least twice as large as `size` (width and height) lose nothing by coming closer. Its aspect should be
    theirs, or the sides are cut off.

    Raises:
        BadInput: When it is written: the camera would look past the edge of the footage.
    """

    def pictures() -> Iterator[Pixels]:
        for number, pixels in enumerate(footage.pictures()):
            progress = number / (footage.count - 1) - 0.5 if footage.count > 1 else 0.0
            yield frame_picture(pixels, framing.at(progress), size=size, what=footage.name)

    return replace(footage, pictures=pictures, sound=None)


def sample(picture: npt.NDArray[Any], x: Places, y: Places) -> npt.NDArray[Any]:
    """Return what a picture shows at places, between pixels too; beyond its edges, what the edge shows."""
    cv2: Any = opencv()
    height, width = picture.shape[:2]
    columns, rows = ((x + 1) * width - 1) / 2, (y * width + height - 1) / 2
    found: npt.NDArray[Any] = cv2.remap(
        picture, columns.astype(np.float32), rows.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return found


def frame_picture(pixels: Pixels, framing: Reframing, *, size: tuple[int, int], what: str = "picture") -> Pixels:
    """Return one picture filmed anew."""
    cv2: Any = opencv()
    (height, width), (across, down) = pixels.shape[:2], grid(*size)
    x, y = (each / ROOM for each in map_places(across, down, framing, aspect=size[1] / size[0]))
    if max(float(np.abs(x).max()), float(np.abs(y).max()) * width / height) > 1:
        raise BadInput(f"framing of '{what}'", "looks past the edge of the footage", "film it less boldly")
    # Where the new picture is smaller than what it shows, each of its pixels is an average, as in a camera.
    shrinks = width / ROOM / framing.zoom / size[0]
    if shrinks > 1:
        pixels = cv2.GaussianBlur(pixels, (0, 0), 0.4 * shrinks)
    made: Pixels = sample(pixels, x, y)
    if framing.blur <= 0:
        return made
    soft = cv2.GaussianBlur(made, (0, 0), framing.blur / 1000 * size[0])
    share = np.clip((np.hypot(across, down) - _SHARP) / (_SOFT - _SHARP), 0, 1)[..., None]
    mixed: Pixels = np.rint(made * (1 - share) + soft * share).astype(np.uint8)
    return mixed
