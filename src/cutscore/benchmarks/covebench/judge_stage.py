"""The judge `stage`: answers a checklist by the delivered pixels, measured against every film that was staged."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from cutscore.benchmarks.covebench.checklist import ChecklistQuestion
from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.benchmarks.covebench.staged.measure import EditSeen, VideoSeen, measure_video
from cutscore.benchmarks.covebench.staged.script import StagedTask
from cutscore.core.errors import Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Judgement, Question

VIDEOS = 64  # measurements that are kept


def staged_task(item: EditTask) -> StagedTask:
    """Return what was staged of an item; raise Unscored where nothing was."""
    if not item.staged:
        raise Unscored(f"item '{item.id}'", "nobody knows a perfect edit of footage that was not staged")
    return StagedTask.model_validate(item.staged)


def judge_by_truth(questions: Sequence[Question], evidence: Evidence, item: EditTask) -> list[Judgement]:
    """Answer by the delivered pixels, measured against every film that the staged edits can make."""
    ref = evidence.file(EDITED)
    if ref is None or not item.staged:
        why = "it was shown no video" if ref is None else "the footage was not staged; name another judge"
        return [Judgement(question=each.id, judge="stage", because=why) for each in questions]
    seen = _measure(evidence.path(EDITED), ref.sha256, staged_task(item))
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
    name = list(staged_task(item).kept)[kept.index(question)][0]
    if name not in seen.kept:
        return Judgement(question=question.id, judge="stage", answer=1, because=f"{name} is in none of the pictures")
    points, far = seen.kept[name]
    because = f"the {name} differs by {far:.1f} of 255 levels from what it should look like"
    return Judgement(question=question.id, judge="stage", answer=points, because=because)
