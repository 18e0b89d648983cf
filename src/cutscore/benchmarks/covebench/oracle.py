"""Editors whose marks we know beforehand, and the judge who measures what was staged."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from cutscore.authoring.starter import put_scene
from cutscore.benchmarks.covebench.checklist import ChecklistQuestion
from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.benchmarks.covebench.staged.measure import EditSeen, VideoSeen, measure_video
from cutscore.benchmarks.covebench.staged.script import StagedTask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput, Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileStore
from cutscore.core.judgement import Judgement, Question
from cutscore.stage.edits import Remove, apply
from cutscore.stage.scene import Scene

VIDEOS = 64  # measurements that are kept


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
    return Deliverable(files=(put_scene(store, EDITED, make(_staged(item))),))


def _staged(item: EditTask) -> StagedTask:
    if not item.staged:
        raise Unscored(f"item '{item.id}'", "nobody knows a perfect edit of footage that was not staged")
    return StagedTask.model_validate(item.staged)


def judge_by_truth(questions: Sequence[Question], evidence: Evidence, item: EditTask) -> list[Judgement]:
    """Answer by the delivered pixels, measured against every film that the staged edits can make."""
    ref = evidence.file(EDITED)
    seen = _measure(evidence.path(EDITED), ref.sha256 if ref else "", _staged(item))
    asked = {each.id: each for each in item.checklist.questions}
    return [_answer(asked[question.id], item, seen) for question in questions]


@lru_cache(maxsize=VIDEOS)
def _measure(path: Path, sha256: str, task: StagedTask) -> VideoSeen:
    """Measure a video once for all four formats of its questions."""
    return measure_video(path, task)


def _answer(question: ChecklistQuestion, item: EditTask, seen: VideoSeen) -> Judgement:
    if question.measure == "sem":
        return _score_kept(question, item, seen)
    number = next(n for n, point in enumerate(item.checklist.edit_points) if question in point.questions)
    edit = seen.edits[number]
    right = edit.is_done if question.measure == "ifs" else edit.is_steady
    answer = question.expected if right else _other_answer(question)
    return Judgement(
        question=question.id,
        judge="stage",
        answer=answer.lower() if len(answer) > 1 else answer,
        because=_tell(edit),
        at=edit.first,
    )


def _other_answer(question: ChecklistQuestion) -> str:
    return {"A": "B", "B": "A", "Yes": "No", "No": "Yes"}[question.expected]


def _tell(edit: EditSeen) -> str:
    if not edit.looked:
        return "the edit could be seen in none of the pictures"
    return f"the edit is done in {edit.done} of {edit.looked} pictures in which it can be seen"


def _score_kept(question: ChecklistQuestion, item: EditTask, seen: VideoSeen) -> Judgement:
    kept = [each for each in item.checklist.questions if each.measure == "sem"]
    name = list(_staged(item).kept)[kept.index(question)][0]
    if name not in seen.kept:
        return Judgement(question=question.id, judge="stage", answer=1, because=f"{name} is in none of the pictures")
    points, far = seen.kept[name]
    because = f"the {name} differs by {far:.1f} of 255 levels from what it should look like"
    return Judgement(question=question.id, judge="stage", answer=points, because=because)
