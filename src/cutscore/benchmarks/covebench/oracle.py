"""Editors whose marks we know beforehand; the judge who knows what was staged is in `judge_stage`."""

from collections.abc import Callable, Iterable, Mapping

from cutscore.authoring.starter import put_scene
from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.benchmarks.covebench.judge_stage import judge_by_truth, staged_task
from cutscore.benchmarks.covebench.staged.script import StagedTask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput
from cutscore.core.files import FileStore
from cutscore.stage.edits import Remove, apply
from cutscore.stage.scene import Scene

__all__ = ["PLANTED", "empty", "judge_by_truth", "near_miss", "perfect"]


def perfect(item: EditTask, store: FileStore) -> Deliverable:
    """Return the scene filmed with all of its edits."""
    return _film(item, store, lambda task: task.film(task.everything))


def empty(item: EditTask, store: FileStore) -> Deliverable:
    """Hand back the source as it is."""
    if item.source is None:
        return Deliverable()
    return Deliverable(files=(item.source.model_copy(update={"name": EDITED}),))


def near_miss(item: EditTask, store: FileStore) -> Deliverable:
    """Return the scene with all edits but the last."""
    return _film(item, store, lambda task: task.film(task.everything[:-1]))


def do_first(item: EditTask, store: FileStore, spec: str) -> Deliverable:
    """Return the scene with the first edits alone, as many as the spec says: `partial:1`."""
    if not spec.isdecimal():
        raise BadInput(f"subject 'partial:{spec}'", "does not say how many edits it does", "write partial:1")
    return _film(item, store, lambda task: task.film(task.everything[: int(spec)]))


def spoil(item: EditTask, store: FileStore, spec: str) -> Deliverable:
    """Return the scene with all edits, and without the first thing that was to stay."""
    return _film(item, store, lambda task: _without_kept(task.film(task.everything), (task.kept[0][0],)))


def judged_elsewhere(item: EditTask, store: FileStore, spec: str) -> Deliverable:
    """Hand over nothing but the word that its video was judged elsewhere."""
    return Deliverable(text="judged elsewhere")


# Editors with known faults, by the kinds that the card names; each takes what follows the colon.
PLANTED: Mapping[str, Callable[[EditTask, FileStore, str], Deliverable]] = {
    "partial": do_first,
    "collateral": spoil,
    "elsewhere": judged_elsewhere,
}


def _without_kept(scene: Scene, names: Iterable[str]) -> Scene:
    for name in names:
        scene = apply(scene, Remove(thing=name))
    return scene


def _film(item: EditTask, store: FileStore, make: Callable[[StagedTask], Scene]) -> Deliverable:
    return Deliverable(files=(put_scene(store, EDITED, make(staged_task(item))),))
