"""Contact sheets: a scene, or many, at a glance."""

from cutscore.media.images import tile_pictures
from cutscore.media.orientation import Pixels
from cutscore.stage.render import FrameRenderer
from cutscore.stage.scene import Scene


def contact_sheet(scene: Scene, *, columns: int = 4, rows: int = 2, width: int = 320) -> Pixels:
    """Return pictures of a scene side by side, at even times from the first frame to the last.

    `width` is that of each picture, in pixels; the height follows.
    """
    small = shrink(scene, width)
    studio, count = FrameRenderer(small), columns * rows
    numbers = [n * (small.frames - 1) // max(1, count - 1) for n in range(count)]
    return tile_pictures([studio.frame(number) for number in numbers], columns=columns)


def shrink(scene: Scene, width: int) -> Scene:
    """Return the scene in small: the same stage on fewer pixels."""
    height = max(32, width * scene.height // scene.width // 2 * 2)
    return scene.model_copy(update={"width": width, "height": height})
