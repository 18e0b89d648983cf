"""A staged case: every walk through its states is one scene, and a turn is a stretch of it.

So the film of a turn begins with the very picture with which the one before has ended, whichever way led there.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from pydantic import JsonValue

from cutscore.authoring.clip_cache import put_clip_once
from cutscore.benchmarks.clvg_turns.dataset import InteractionCase
from cutscore.core.errors import Unscored
from cutscore.core.files import FileRef, FileStore
from cutscore.media.orientation import Pixels
from cutscore.media.render import write_clip
from cutscore.stage.render import frames
from cutscore.stage.scene import Scene
from cutscore.stage.things import exact

WIDTH, HEIGHT, RATE = 320, 180, Fraction(10)
LENGTH_S = Fraction(2)  # of a turn
FRAMES = int(LENGTH_S * RATE)


def stage_walk(item: InteractionCase, path: Sequence[str]) -> Scene:
    """Return the scene of a walk from the first state on; raise Unscored where nothing was staged."""
    if not item.stage:
        raise Unscored(f"item '{item.id}'", "was not staged: nobody knows its right films")
    changes = [
        {**change, "at_s": str(turn * LENGTH_S + exact(change["at_s"]))}
        for turn, state in enumerate(path)
        for change in item.state(state).stage
    ]
    whole: dict[str, JsonValue] = {
        **item.stage,
        "name": item.id,
        "title": item.id,
        "width": WIDTH,
        "height": HEIGHT,
        "rate": str(RATE),
        "length_s": str(len(path) * LENGTH_S),
        "changes": list(changes),
    }
    return Scene.model_validate(whole)


def iter_turn(item: InteractionCase, path: Sequence[str]) -> Iterator[Pixels]:
    """Return the pictures of the last turn of a walk."""
    return frames(stage_walk(item, path), (len(path) - 1) * FRAMES)


def put_turn(store: FileStore, name: str, item: InteractionCase, path: Sequence[str]) -> FileRef:
    """Film the last turn of a walk, once on a machine."""
    scene = stage_walk(item, path)
    first = (len(path) - 1) * FRAMES
    return put_clip_once(
        store, name, lambda out: write_clip(out, frames(scene, first), rate=RATE), key=f"{scene.item_id} {first}"
    )


def last_picture(item: InteractionCase, path: Sequence[str]) -> Pixels:
    """Return the picture with which a walk ends."""
    scene = stage_walk(item, path)
    return next(frames(scene, scene.frames - 1))


def put_still(store: FileStore, name: str, item: InteractionCase, path: Sequence[str]) -> FileRef:
    """Film the last picture of a walk, held for a turn."""
    held, key = last_picture(item, path), f"{stage_walk(item, path).item_id} held"
    return put_clip_once(store, name, lambda out: write_clip(out, [held] * FRAMES, rate=RATE), key=key)
