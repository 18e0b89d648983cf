"""A scene as frames, and as a clip.

Equal scenes give equal bytes, frame by frame, on every machine. Frames are made one by one; nothing but the backdrop
and recent sprites is kept, so memory does not grow with the length.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from cutscore.media.orientation import Pixels
from cutscore.media.render import write_clip
from cutscore.stage.backdrops import backdrop
from cutscore.stage.blend import as_corners, fill
from cutscore.stage.captions import draw_caption
from cutscore.stage.layout import Figure, Layout, Shadow, layout
from cutscore.stage.paint import blit, shadow, sprite
from cutscore.stage.scene import Scene
from cutscore.stage.sound import sound
from cutscore.stage.states import Animation
from cutscore.stage.style import apply_style
from cutscore.stage.weather import apply_light, draw_precipitation


def frames(scene: Scene, first: int = 0, end: int | None = None) -> Iterator[Pixels]:
    """Return the frames of a scene in order, read-only.

    Those from `first` to before `end` are the same as in the whole.
    """
    studio = FrameRenderer(scene)
    for number in range(first, scene.frames if end is None else min(end, scene.frames)):
        yield studio.frame(number)


def frame(scene: Scene, number: int) -> Pixels:
    """Return one frame of a scene."""
    return FrameRenderer(scene).frame(number)


def write(scene: Scene, path: Path, *, crf: int = 18) -> None:
    """Write a scene with its sound as an MP4 that appears whole or not at all."""
    write_clip(path, frames(scene), rate=scene.rate, crf=crf, sound=sound(scene))


class FrameRenderer:
    """Paints the frames of one scene, keeping what the next frame can use again."""

    def __init__(self, scene: Scene) -> None:
        self._scene, self._performance = scene, Animation(scene)
        self._behind: tuple[object, Pixels] | None = None
        self._last: tuple[object, Pixels] | None = None

    def frame(self, number: int) -> Pixels:
        """Paint frame `number`."""
        picture = layout(self._performance, number)
        key = picture.key(self._scene)
        if self._last is None or self._last[0] != key:
            pixels = self._paint(picture)
            pixels.flags.writeable = False
            self._last = (key, pixels)
        return self._last[1]

    def _paint(self, picture: Layout) -> Pixels:
        scene = self._scene
        canvas = self._backdrop(picture).copy()
        for each in picture.drawn:
            if isinstance(each, Figure):
                blit(canvas, sprite(each.pose), each.x, each.y, presence=each.state.presence)
            elif isinstance(each, Shadow):
                blit(canvas, shadow(each.width, each.height, each.strength, each.phase), each.x, each.y)
            else:
                fill(canvas, as_corners(each.points), each.rgb, alpha=each.alpha)
        canvas = apply_light(canvas, picture.place)
        draw_precipitation(canvas, picture.place, picture.at_s, scene.seed)
        canvas = apply_style(canvas, scene, picture.number)
        for words in picture.captions:
            draw_caption(canvas, words)
        return np.ascontiguousarray(canvas)

    def _backdrop(self, picture: Layout) -> Pixels:
        key = (picture.view, picture.place)
        if self._behind is None or self._behind[0] != key:
            self._behind = (key, backdrop(picture.place, picture.view, self._scene.width, self._scene.height))
        return self._behind[1]
