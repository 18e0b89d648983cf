"""Items: one source video, one instruction with several edits, one checklist."""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated

from pydantic import Field, JsonValue

from cutscore.authoring.packs import read_fields, read_pack
from cutscore.benchmarks.covebench import video_names
from cutscore.benchmarks.covebench.checklist import Checklist
from cutscore.benchmarks.covebench.construction.record import ConstructionRecord
from cutscore.benchmarks.covebench.construction.review import ChecklistReview, left_out_by_review, read_review
from cutscore.benchmarks.covebench.released import CHECKLIST_FILE, ReleasedTask, parse_tasks, read_checklist
from cutscore.core.files import FileRef, FileStore, media_type_of
from cutscore.core.item import TRUTH, Item

STARTER = Path(__file__).parent / "starter"
MOST_NAMED = 5  # tasks that are left out for one reason
EDITED = video_names.EDITED


class EditTask(Item):
    """Edit a video as an instruction says, and nothing else.

    Args:
        source: None where the video is not at hand: such a task can be marked by answers from elsewhere alone.
        edits: What asks for each edit alone, where somebody wrote it: the instruction once more, in parts.
        description, target: The source and the wanted video in words.
        staged: The scene and its edits, where the footage is ours (`staged.script.StagedTask`).
        construction: Who wrote it, where models did (`cutscore build covebench`).
    """

    source: FileRef | None = None
    instruction: str = Field(min_length=1)
    edits: tuple[str, ...] = ()
    description: Annotated[str, TRUTH] = ""
    target: Annotated[str, TRUTH] = ""
    checklist: Annotated[Checklist, TRUTH]
    staged: Annotated[dict[str, JsonValue], TRUTH] = Field(default_factory=dict)
    construction: Annotated[ConstructionRecord | None, TRUTH] = None


def items(store: FileStore, data: Path | None = None) -> list[EditTask]:
    """Return all items in published order: of the starter pack, of a data pack, or of a released checklist."""
    if data is None:
        return read_pack(STARTER, EditTask, store, files=("source",))
    released = (data / CHECKLIST_FILE).is_file()
    found = _released_items(data, store) if released else read_pack(data, EditTask, store, files=("source",))
    return _apply_review(found, read_review(data))


def read_drafts(data: Path) -> dict[str, Checklist]:
    """Return the checklists of a folder by task, as they were before anybody reviewed them."""
    if (data / CHECKLIST_FILE).is_file():
        return {task.id: task.checklist for task in read_checklist(data / CHECKLIST_FILE).tasks}
    return {str(line["id"]): Checklist.model_validate(line["checklist"]) for line in read_fields(data)}


def _apply_review(found: Sequence[EditTask], review: ChecklistReview) -> list[EditTask]:
    """Return the tasks that reviewers did not drop, without the questions that they dropped."""
    if not review.lines:
        return list(found)
    kept = [item for item in found if not review.drops_task(item.id)]
    return [item.model_copy(update={"checklist": review.apply(item.id, item.checklist)}) for item in kept]


def find_left_out(data: Path | None = None) -> tuple[str, ...]:
    """Return what a reader should know of a folder: which tasks are left out, and why."""
    if data is None:
        return ()
    return (*_left_out_of_release(data), *left_out_by_review(read_review(data)))


def _left_out_of_release(data: Path) -> tuple[str, ...]:
    if not (data / CHECKLIST_FILE).is_file():
        return ()
    read = read_checklist(data / CHECKLIST_FILE)
    lost = [task for task in read.tasks if find_source(task.source, data) is None]
    unread = tuple(f"task {name} cannot be read and is left out: {fault}" for name, fault in read.faults.items())
    if len(lost) == len(read.tasks):
        return (*unread, "none of the sources is in the folder: only answers from elsewhere can be marked")
    named = [f"task {task.id} is left out: its source '{task.source}' is not in the folder" for task in lost]
    more = ", ".join(task.id for task in lost[MOST_NAMED:])
    return (*unread, *named[:MOST_NAMED], *([f"so are tasks {more}, for want of their sources"] if more else ()))


def read_answers(plain: JsonValue) -> dict[str, dict[str, JsonValue]] | None:
    """Return the answers of a released checklist that a judge has gone through; None where it is another file."""
    if not isinstance(plain, list):
        return None
    return {task.id: dict(task.answers) for task in parse_tasks(plain).tasks}


def _released_items(folder: Path, store: FileStore) -> list[EditTask]:
    """Return the tasks of a released checklist whose source lies beside it, or all of them where no source does."""
    taken: dict[Path, FileRef] = {}
    tasks = read_checklist(folder / CHECKLIST_FILE).tasks
    places = {task.id: find_source(task.source, folder) for task in tasks}
    for place in dict.fromkeys(each for each in places.values() if each is not None):
        taken[place] = store.put(place, name=f"source{place.suffix.lower()}", media_type=media_type_of(place.name))
    if not taken:
        return [_make_item(task, None) for task in tasks]
    return [_make_item(task, taken[path]) for task in tasks if (path := places[task.id]) is not None]


def find_source(written: str, folder: Path) -> Path | None:
    """Return where the source of a task lies: at its path inside the folder, or in the folder itself."""
    pure = PurePosixPath(written)
    for place in (folder / pure, folder / pure.name):
        if place.resolve().is_relative_to(folder.resolve()) and place.is_file() and not place.is_symlink():
            return place
    return None


def _make_item(task: ReleasedTask, source: FileRef | None) -> EditTask:
    return EditTask(
        id=task.id,
        cluster=task.source,  # several tasks edit one video
        groups=complexity(task.instruction, task.checklist),
        source=source,
        instruction=task.instruction,
        edits=task.checklist.instructions,
        description=task.description,
        target=task.target,
        checklist=task.checklist,
    )


def complexity(instruction: str, checklist: Checklist) -> dict[str, str]:
    """Return the strata of Figure 4 that words and checklist give: number of edit points, length of the instruction.

    The paper does not tell its bounds; ours are every number of points, and steps of 15 words.
    """
    words = len(instruction.split())
    first = words // 15 * 15
    return {"edit_points": str(len(checklist.edit_points)), "words": f"{first}–{first + 14}"}
