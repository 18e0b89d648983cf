"""Making the files of staged cases: small films and pictures of scenes, in one size and rate for all kinds."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import cv2

from cutscore.authoring.clip_cache import put_clip
from cutscore.benchmarks.clvg.dataset import ContextPart
from cutscore.benchmarks.clvg.staged.kind import StagedContext
from cutscore.core.files import FileRef, FileStore
from cutscore.media.footage import Footage, write_footage
from cutscore.media.orientation import Pixels
from cutscore.stage.render import frame, frames
from cutscore.stage.scene import Scene

WIDTH, HEIGHT, RATE = 320, 180, Fraction(10)


def make_scene(name: str, length_s: Fraction | float, **fields: Any) -> Scene:
    """Return a scene in the size and at the rate of staged cases."""
    return Scene(name=name, title=name, width=WIDTH, height=HEIGHT, rate=RATE, length_s=length_s, **fields)


def film_scene(scene: Scene, first: int = 0, end: int | None = None) -> Footage:
    """Return the silent pictures of a scene, from the first to before the end."""
    last = scene.frames if end is None else min(end, scene.frames)

    def pictures() -> Iterator[Pixels]:
        return frames(scene, first, last)

    return Footage(pictures, last - first, scene.rate, None, scene.name)


def film_pictures(pictures: Sequence[Pixels]) -> Footage:
    """Return pictures as silent footage."""
    return Footage(lambda: iter(pictures), len(pictures), RATE, None, "pictures")


def map_pictures(footage: Footage, change: Callable[[Pixels, int], Pixels]) -> Footage:
    """Return footage with every picture changed, by its pixels and its number."""

    def pictures() -> Iterator[Pixels]:
        return (change(pixels, number) for number, pixels in enumerate(footage.pictures()))

    return replace(footage, pictures=pictures)


def put_film(store: FileStore, name: str, footage: Footage) -> FileRef:
    """Encode footage and put it into the store."""
    return put_clip(store, name, lambda path: write_footage(footage, path))


def put_picture(store: FileStore, name: str, pixels: Pixels) -> FileRef:
    """Put a picture into the store as a PNG."""
    _, data = cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))
    return store.put_bytes(data.tobytes(), name=name, media_type="image/png")


def put_scene_picture(store: FileStore, name: str, scene: Scene, number: int = 0) -> FileRef:
    """Put one frame of a scene into the store."""
    return put_picture(store, name, frame(scene, number))


def begin_with(scene: Scene, store: FileStore) -> StagedContext:
    """Return the context of a film that begins with the first picture of a scene."""
    picture = put_scene_picture(store, "first_frame.png", scene)
    return StagedContext(files=(picture,), parts=(ContextPart(role="first_frame", file=picture.name),))
