"""Scenes of the stage as clips in a store: what recipes of starter packs are made of."""

from fractions import Fraction
from functools import lru_cache

from cutscore.authoring.clip_cache import put_pictures
from cutscore.core.files import FileRef, FileStore
from cutscore.core.timeline import Span
from cutscore.media.sound import Sound
from cutscore.stage.render import frames
from cutscore.stage.scene import Scene
from cutscore.stage.sound import sound


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
    heard = _sound(scene).part(under).faded(edge_s)
    return put_pictures(store, name, frames(scene, first, end), rate=scene.rate, sound=heard)


@lru_cache(maxsize=1)
def _sound(scene: Scene) -> Sound:
    """Make the sound of a scene once for all of its parts, which are mostly asked for one after the other."""
    return sound(scene)
