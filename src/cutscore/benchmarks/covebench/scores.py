"""Answers to a checklist → the six scores of a task, in three modes. Pure: no judge, no video.

    ifs   right / answered, questions of Execution Accuracy        uas       edit points all of whose answers are right
    vrs   right / answered, questions of Physical Logic            uas_task  tasks all of whose answers are right
    acc   right / answered, both                                   sem       mean score of preservation, times ten

All are ratios of sums over tasks, on 0 … 100. How a mode treats what nobody answered, or what cannot be an answer:

    reference  leaves it out of both sums; a point is judged by the answers it has; a score is any number
    paper      the same, but a score is a whole number from 1 to 10, and bounds are told
    strict     the score of the task is open while an answer that could change it is missing
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from cutscore.benchmarks.covebench.checklist import Category, Checklist, ChecklistQuestion, EditPoint

Mode = Literal["reference", "paper", "strict"]
MODES: tuple[Mode, ...] = ("reference", "paper", "strict")
ScoreName = Literal["uas", "ifs", "vrs", "sem", "acc", "uas_task"]
SCORES: tuple[ScoreName, ...] = ("uas", "ifs", "vrs", "sem", "acc", "uas_task")
PERCENT = 100.0
LOWEST, HIGHEST = 1, 10

Answers = Mapping[str, Any]


@dataclass(frozen=True)
class ScoreSum:
    """A part and its whole, and how much of the whole nobody could count.

    Args:
        part: On the scale of the score: 100 for each that is right, ten times each score of preservation.
        whole: How many were counted.
        open: How many were not, for want of an answer.
    """

    part: float
    whole: int
    open: int = 0

    @property
    def value(self) -> float | None:
        """Return the score; None where nothing was counted."""
        return self.part / self.whole if self.whole else None

    def bounds(self, lowest: float = 0.0) -> tuple[float, float] | None:
        """Return between what the score lies, whatever the missing answers are; None where there is nothing to ask."""
        total = self.whole + self.open
        if not total:
            return None
        return (self.part + lowest * self.open) / total, (self.part + PERCENT * self.open) / total


def is_right(question: ChecklistQuestion, answer: Any) -> bool | None:
    """Return whether an answer is the expected one, as the released code compares them; None without an answer.

    Case and white space around it do not count, all else does: `B.` and `A and B` are wrong where B is expected.
    """
    if answer is None:
        return None
    said = str(answer).strip().lower()
    return said == question.expected.strip().lower() if said else None


def preservation_points(answer: Any, mode: Mode) -> float | None:
    """Return a score of preservation as a number; None for what is no score in this mode."""
    try:
        points = float(answer)
    except (TypeError, ValueError):
        return None
    if not isfinite(points):
        return None
    if mode != "reference" and not (points.is_integer() and LOWEST <= points <= HIGHEST):
        return None
    return points


def score_checklist(checklist: Checklist, answers: Answers, mode: Mode) -> dict[ScoreName, ScoreSum]:
    """Return the six scores of a task."""
    objective = [each for each in checklist.questions if each.measure != "sem"]
    return {
        "uas": sum_sums([score_point(point, answers, mode) for point in checklist.edit_points]),
        "ifs": _count_right([each for each in objective if each.measure == "ifs"], answers),
        "vrs": _count_right([each for each in objective if each.measure == "vrs"], answers),
        "sem": _sum_preservation([each for each in checklist.questions if each.measure == "sem"], answers, mode),
        "acc": _count_right(objective, answers),
        "uas_task": _score_union(objective, answers, mode),
    }


def score_point(point: EditPoint, answers: Answers, mode: Mode) -> ScoreSum:
    """Return whether an edit point is done: all of its questions are right, those on physics included."""
    return _score_union(point.objective, answers, mode)


def score_category(category: Category, point: EditPoint, answers: Answers, mode: Mode) -> ScoreSum:
    """Return whether what a category names is done: by its own questions alone, which are those on execution."""
    asked = [each for each in point.objective if each.id in category.questions]
    return _score_union(asked, answers, mode)


def sum_sums(sums: Sequence[ScoreSum]) -> ScoreSum:
    """Add up several sums."""
    return ScoreSum(sum(each.part for each in sums), sum(each.whole for each in sums), sum(each.open for each in sums))


def _score_union(asked: Sequence[ChecklistQuestion], answers: Answers, mode: Mode) -> ScoreSum:
    """Return 100 of 1 where all are right, 0 of 1 where one is wrong.

    Where an answer is missing and none is wrong, `strict` cannot tell; the others go by the answers that are there.
    """
    if not asked:
        return ScoreSum(0, 0)
    right = [is_right(each, answers.get(each.id)) for each in asked]
    if False in right:
        return ScoreSum(0, 1)
    undecided = None in right if mode == "strict" else True not in right
    return ScoreSum(0, 0, 1) if undecided else ScoreSum(PERCENT, 1)


def _count_right(asked: Sequence[ChecklistQuestion], answers: Answers) -> ScoreSum:
    right = [is_right(each, answers.get(each.id)) for each in asked]
    return ScoreSum(PERCENT * right.count(True), len(right) - right.count(None), right.count(None))


def _sum_preservation(asked: Sequence[ChecklistQuestion], answers: Answers, mode: Mode) -> ScoreSum:
    points = [preservation_points(answers.get(each.id), mode) for each in asked]
    given = [each for each in points if each is not None]
    return ScoreSum(PERCENT / HIGHEST * sum(given), len(given), points.count(None))
