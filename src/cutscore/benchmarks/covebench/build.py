"""The starter pack, staged tasks with their sources filmed and their checklists written; and packs from footage."""

from cutscore.authoring.starter import put_scene
from cutscore.benchmarks.covebench.construction.recipe import OPTIONS, ROLES, build
from cutscore.benchmarks.covebench.dataset import EditTask, complexity
from cutscore.benchmarks.covebench.staged.script import StagedTask, write_checklist
from cutscore.benchmarks.covebench.staged.scripts import TASKS
from cutscore.core.files import FileStore

__all__ = ["OPTIONS", "ROLES", "build", "starter"]


def starter(store: FileStore) -> list[EditTask]:
    """Film the sources of the starter pack, and return its tasks."""
    return [_make_item(task, store) for task in TASKS]


def _make_item(task: StagedTask, store: FileStore) -> EditTask:
    checklist = write_checklist(task)
    return EditTask(
        id=task.name,
        cluster=task.scene.name,
        groups=complexity(task.instruction, checklist),
        source=put_scene(store, f"{task.scene.name}.mp4", task.scene),
        instruction=task.instruction,
        edits=checklist.instructions,
        description=task.scene.title,
        target=" ".join(edit.after for edit in task.edits),
        checklist=checklist,
        staged=task.model_dump(mode="json"),
    )
