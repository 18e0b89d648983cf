"""Pictures of things, drawn from what is known of them: a red cup on a blue ground is just that."""

import zlib
from functools import lru_cache

import cv2
import numpy as np

from cutscore.core.frozen import FrozenModel
from cutscore.stage.blend import FINE
from cutscore.stage.figures import FIGURES, KINDS
from cutscore.stage.figures.kind import Appearance
from cutscore.stage.paint import Pose, blit, shadow, sprite
from cutscore.stage.palette import RGB, Colour, lighten
from cutscore.stage.things import Material

_FILLED = 0.7  # of the picture's width or height
_SIGNATURE, _KEY = b"\x89PNG\r\n\x1a\n", b"Description\0"
_IHDR_BYTES = 4 + 4 + 13 + 4


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
    return _with_words(png.tobytes(), picture.words)


def read_words(png: bytes) -> str:
    """Return what one of our pictures was drawn to show; nothing of any other file."""
    at = len(_SIGNATURE) + _IHDR_BYTES
    found = png[at + 4 : at + 8 + len(_KEY)] == b"tEXt" + _KEY
    size = int.from_bytes(png[at : at + 4]) - len(_KEY)
    return png[at + 8 + len(_KEY) :][:size].decode("latin-1") if found and png.startswith(_SIGNATURE) else ""


def _with_words(png: bytes, words: str) -> bytes:
    """Return a PNG with a description, as a text chunk behind its head."""
    body = b"tEXt" + _KEY + words.encode("latin-1")
    chunk = (len(body) - 4).to_bytes(4) + body + zlib.crc32(body).to_bytes(4)
    at = len(_SIGNATURE) + _IHDR_BYTES
    return png[:at] + chunk + png[at:]
