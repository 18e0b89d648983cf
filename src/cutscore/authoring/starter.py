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
    """Make a benchmark's starter pack anew, in its own folder or in another one that is replaced; return the folder."""
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
    """Render frames of a scene, from the first to before the end, with their sound, and put them into the store.

    Over `edge_s` seconds at either end the sound is faded.
    """
    under = Span(start_s=first / scene.rate, end_s=end / scene.rate)
    heard = _sound(scene).part(under).fade(edge_s)
    return put_pictures(store, name, frames(scene, first, end), rate=scene.rate, sound=heard)


@lru_cache(maxsize=1)
def _sound(scene: Scene) -> Sound:
    """Make the sound of a scene once for all of its parts, which are mostly asked for one after the other."""
    return sound(scene)
