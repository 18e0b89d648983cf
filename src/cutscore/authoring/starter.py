"""A benchmark's starter pack: items that its recipe makes once, shipped as data in the folder `starter`.

A recipe with a starter pack has in its `build.py` the function `starter(store)`, which makes the items and puts their
files into the store, and where fields are written to files of their own, their writers as `WRITERS` (see `write_pack`).
"""

import shutil
import tempfile
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from cutscore.authoring.clip_cache import put_pictures
from cutscore.authoring.pack_writer import write_pack
from cutscore.core.files import FileRef, FileStore
from cutscore.core.timeline import Span
from cutscore.media.sound import Sound
from cutscore.registry import Benchmark
from cutscore.stage.render import frames
from cutscore.stage.scene import Scene
from cutscore.stage.sound import sound
from cutscore.store import Store

STARTER = "starter"


def write_starter(found: Benchmark, folder: Path | None = None) -> Path:
    """Make a benchmark's starter pack anew and return its folder.

    Args:
        found: The benchmark; see `registry.benchmark`.
        folder: Where to write, replacing what is there; the benchmark's own `starter` when None.
    """
    folder, recipe = folder or found.folder / STARTER, found.part("build")
    with tempfile.TemporaryDirectory(prefix="cutscore-") as scratch:
        store = Store(Path(scratch))
        items = recipe.starter(store)
        shutil.rmtree(folder, ignore_errors=True)
        write_pack(folder, items, store, sidecars=getattr(recipe, "WRITERS", {}))
    return folder


def put_scene(store: FileStore, name: str, scene: Scene) -> FileRef:
    """Render a scene without its sound and put it into the store."""
    return put_pictures(store, name, frames(scene), rate=scene.rate)


def put_scene_part(
    store: FileStore, name: str, scene: Scene, first: int, end: int, *, edge_s: Fraction = Fraction(0)
) -> FileRef:
    """Render some frames of a scene, with the sound under them, and put them into the store.

    Args:
        store: Takes the clip in.
        name: Name of the clip.
        scene: The scene.
        first: Frame.
        end: The frame after the last.
        edge_s: Over so many seconds at either end the sound is faded.
    """
    under = Span(start_s=first / scene.rate, end_s=end / scene.rate)
    heard = _sound(scene).part(under).fade(edge_s)
    return put_pictures(store, name, frames(scene, first, end), rate=scene.rate, sound=heard)


@lru_cache(maxsize=1)
def _sound(scene: Scene) -> Sound:
    """Make the sound of a scene once for all of its parts, which are mostly asked for one after the other."""
    return sound(scene)
