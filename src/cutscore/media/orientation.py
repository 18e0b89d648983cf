"""Which way up a picture is: phones store it as the sensor lies and note how to turn it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from av.sidedata.sidedata import SideDataContainer
from av.video.frame import VideoFrame

Pixels = npt.NDArray[np.uint8]

# Signs of the first two numbers of the display matrix → degrees counterclockwise.
_TURNS = {(1, 0): 0, (0, -1): 90, (-1, 0): 180, (0, 1): 270}


@dataclass(frozen=True)
class Orientation:
    """How a stored picture becomes the shown one: turned counterclockwise first, then mirrored left to right."""

    turn: int = 0
    mirrored: bool = False

    def apply(self, pixels: Pixels) -> Pixels:
        """Return the pixels as they are shown."""
        turned = np.rot90(pixels, self.turn // 90)
        return turned[:, ::-1] if self.mirrored else turned


def orientation_of(picture: VideoFrame) -> Orientation:
    """Read the display matrix of a decoded picture; a tilt that is not a quarter turn is ignored."""
    # Not `picture.side_data`: it and the picture hold each other, and hundreds wait for the garbage collector.
    matrix: Any = SideDataContainer(picture).get("DISPLAYMATRIX")  # type: ignore[call-arg]  # its stub knows no frame
    if matrix is None:
        return Orientation()
    # The point (x, y) is shown at (a·x + c·y, b·x + d·y), y pointing down; the third column is for perspective.
    a, b, _, c, d = np.sign(np.frombuffer(matrix, dtype=np.int32)[:5]).tolist()
    mirrored = a * d < b * c
    turn = _TURNS.get((-a if mirrored else a, b))
    return Orientation() if turn is None else Orientation(turn, mirrored)
