"""Pictures of things, drawn from what is known of them: a red cup on a blue ground is just that."""

from functools import lru_cache

import cv2
import numpy as np

from cutscore.benchmarks.videowebarena.websites.picture_words import with_words
from cutscore.core.frozen import FrozenModel
from cutscore.stage.blend import FINE
from cutscore.stage.figures import FIGURES, KINDS
from cutscore.stage.figures.kind import Appearance
from cutscore.stage.paint import Pose, blit, shadow, sprite
from cutscore.stage.palette import RGB, Colour, lighten
from cutscore.stage.things import Material

_FILLED = 0.7  # of the picture's width or height


class DrawnPicture(FrozenModel):
    """What a picture shows: `count` things of one kind and colour, side by side on a plain ground.

    Args:
        kind: One of the stage's figures: `cup`, `book`, `dog`.
        text: Written on the thing, where its kind has a place for it.
    """

    kind: str
    colour: Colour = "grey"
    ground: Colour = "white"
    material: Material = "matte"
    count: int = 1
    text: str = ""

    @property
    def words(self) -> str:
        """What it shows, in words: for `alt`, and for whoever is asked about it.

        >>> DrawnPicture(kind="cup", colour="red", ground="blue", count=2).words
        '2 red cups on a blue background'
        """
        kind = self.kind.replace("-", " ")
        what = f"{self.count} {self.colour} {kind}s" if self.count > 1 else f"a {self.colour} {kind}"
        return f"{what} on a {self.ground} background"


@lru_cache(maxsize=512)
def draw_picture(picture: DrawnPicture, width: int = 400, height: int = 400) -> bytes:
    """Return a PNG; the same bytes for the same picture."""
    if picture.kind not in KINDS:
        raise ValueError(f"nobody can draw a '{picture.kind}'")
    canvas = np.empty((height, width, 3), np.uint8)
    canvas[:] = lighten(RGB[picture.ground], 90)
    kind = FIGURES[picture.kind]
    room = (width * _FILLED / picture.count, height * _FILLED)
    scale = min(room[0] / kind.width, room[1] / kind.height)
    wide, high = round(kind.width * scale * FINE), round(kind.height * scale * FINE)
    look = Appearance(fill=0.6)
    pose = Pose(
        picture.kind, look, RGB[picture.colour], RGB["brown"], picture.material, picture.text, wide, high, 0, (0, 0)
    )
    for number in range(picture.count):
        x = width * (2 * number + 1) // (2 * picture.count)
        blit(canvas, shadow(wide, high // 6 + FINE, 100, (0, 0)), x, height // 2 + high // FINE // 2)
        blit(canvas, sprite(pose), x, height // 2)
    made, png = cv2.imencode(".png", canvas[:, :, ::-1])
    assert made
    return with_words(png.tobytes(), picture.words)
