"""Checklists as models write them (I.3): read strictly, linted, told once what is wrong, then left without it.

What cannot be mended by leaving a question out costs the item: an edit that nobody checks would be a gap in its score.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from pydantic import Field, JsonValue

from cutscore.benchmarks.covebench.checklist import Category, Checklist, ChecklistQuestion, EditPoint
from cutscore.benchmarks.covebench.construction.instructions import EditDraft, InstructionDraft, PlainText
from cutscore.benchmarks.covebench.construction.lint import LEAST_SHARE, LintFault, lint_checklist
from cutscore.core.frozen import FrozenModel

PRESERVED = "What is to stay"
MOST_FAULTS_TOLD, LONGEST_QUOTE = 3, 60  # a writer is told the first ones
OTHER = {"A": "B", "B": "A"}

Difficulty = Literal["Simple", "Moderate", "Hard"]


class _QuestionDraft(FrozenModel):
    format: Literal["AB-MCQ", "Single-TF", "Dual-TF"]
    dimension: Literal["Execution Accuracy", "Physical Logic"]
    difficulty: Difficulty
    text: PlainText = Field(min_length=10, max_length=500)
    options: dict[str, PlainText] = Field(default_factory=dict)
    expected: Literal["A", "B", "Yes", "No"]


class _GroupDraft(FrozenModel):
    edit: int
    target: PlainText = Field(min_length=3, max_length=120)
    questions: tuple[_QuestionDraft, ...] = Field(min_length=3, max_length=20)


class _PreservedDraft(FrozenModel):
    difficulty: Difficulty
    text: PlainText = Field(min_length=10, max_length=500)
    options: dict[str, PlainText] = Field(default_factory=dict)


class _ChecklistDraft(FrozenModel):
    groups: tuple[_GroupDraft, ...] = Field(min_length=1)
    preserved: tuple[_PreservedDraft, ...] = Field(min_length=2, max_length=12)


def list_edits(edits: Sequence[EditDraft]) -> str:
    """Write the edits as a numbered list, each with its type."""
    return "\n".join(f"{number}. {edit.instruction} ({edit.type})" for number, edit in enumerate(edits, start=1))


@dataclass
class ChecklistReader:
    """Reads the replies of one writer about one instruction: rules that are broken are told once.

    In a later reply, questions that break a rule are left out (`dropped`, with the fault of each); what the rest lacks
    is a fault that the writer is told again.
    """

    draft: InstructionDraft
    dropped: tuple[LintFault, ...] = ()
    _told: bool = False

    def __call__(self, reply: JsonValue) -> Checklist:
        """Return the checklist of a reply; raise a ValueError with what is wrong."""
        checklist = parse_checklist(reply, self.draft)
        if not self._told:
            self._told = True
            _require_none([*_lint(self.draft, checklist), *_uneven_answers(checklist)], checklist)
            return checklist
        faults = _lint(self.draft, checklist)
        self.dropped = tuple(fault for fault in faults if fault.question)
        left = drop_questions(checklist, {fault.question for fault in self.dropped})
        _require_none(self.dropped if left is None else _lint(self.draft, left), left or checklist)
        return left or checklist


def parse_checklist(reply: JsonValue, draft: InstructionDraft) -> Checklist:
    """Make a checklist of a reply: one group for each edit, in the order of the edits, then what is to stay."""
    written = _ChecklistDraft.model_validate(reply)
    groups = {group.edit: group for group in written.groups}
    wanted = range(1, len(draft.edits) + 1)
    if len(groups) < len(written.groups) or set(groups) != set(wanted):
        raise ValueError(f"there has to be one group for each of the edits 1 to {len(draft.edits)}, and no other")
    points = [_make_point(groups[number], draft.edits[number - 1]) for number in wanted]
    stays = [
        ChecklistQuestion(id=f"P{n}", format="Score-MCQ", dimension="Semantic Preservation", expected="10", **each)
        for n, each in enumerate((dict(one) for one in written.preserved), start=1)
    ]
    return renumber_questions([*points, EditPoint(target=PRESERVED, questions=tuple(stays))])


def _make_point(group: _GroupDraft, edit: EditDraft) -> EditPoint:
    asked = tuple(
        ChecklistQuestion(id=f"{n} of edit {group.edit}", **dict(each))
        for n, each in enumerate(group.questions, start=1)
    )
    own = tuple(each.id for each in asked if each.measure == "ifs")
    category = Category(level_1=edit.dimension, level_2=edit.type, questions=own)
    return EditPoint(target=group.target, instruction=edit.instruction, questions=asked, categories=(category,))


def renumber_questions(points: Sequence[EditPoint]) -> Checklist:
    """Return a checklist whose questions are Q1, Q2 … in their order; categories name those that are left."""
    asked = [question.id for point in points for question in point.questions]
    names = {old: f"Q{number}" for number, old in enumerate(asked, start=1)}
    made = [
        point.model_copy(
            update={
                "questions": tuple(each.model_copy(update={"id": names[each.id]}) for each in point.questions),
                "categories": tuple(
                    entry.model_copy(update={"questions": tuple(names[id] for id in entry.questions if id in names)})
                    for entry in point.categories
                ),
            }
        )
        for point in points
    ]
    every = [entry.model_copy(update={"questions": ()}) for point in made for entry in point.categories]
    return Checklist(points=tuple(made), categories=tuple(dict.fromkeys(every)))


def drop_questions(checklist: Checklist, ids: Collection[str]) -> Checklist | None:
    """Return a checklist without some questions; None where a group would lose all that tell whether it was done."""
    points = []
    for point in checklist.points:
        left = tuple(question for question in point.questions if question.id not in ids)
        if not left or (point.objective and not any(question.measure == "ifs" for question in left)):
            return None
        points.append(point.model_copy(update={"questions": left}))
    return renumber_questions(points)


def shuffle_options(checklist: Checklist, seed: str) -> Checklist:
    """Draw where the right option of each choice stands: A as often as B, but for one where their number is odd."""
    draw = Random(f"covebench options {seed}")
    number = sum(question.format == "AB-MCQ" for question in checklist.questions)
    places = [*"AB" * (number // 2), *draw.sample("AB", number % 2)]
    draw.shuffle(places)
    points = [
        point.model_copy(update={"questions": tuple(_place_right_option(each, places) for each in point.questions)})
        for point in checklist.points
    ]
    return checklist.model_copy(update={"points": tuple(points)})


def _place_right_option(question: ChecklistQuestion, places: list[str]) -> ChecklistQuestion:
    if question.format != "AB-MCQ":
        return question
    right = places.pop()
    options = {right: question.options[question.expected], OTHER[right]: question.options[OTHER[question.expected]]}
    return question.model_copy(update={"options": dict(sorted(options.items())), "expected": right})


def _require_none(faults: Sequence[LintFault], checklist: Checklist) -> None:
    """Raise with the first faults, each with its question: a writer does not know our numbers."""
    texts = {question.id: f"'{question.text[:LONGEST_QUOTE]}'" for question in checklist.questions}
    told = [f"{texts.get(fault.question, '')} {fault.fact}".strip() for fault in faults[:MOST_FAULTS_TOLD]]
    if told:
        raise ValueError("; ".join(told))


def _lint(draft: InstructionDraft, checklist: Checklist) -> list[LintFault]:
    return list(lint_checklist(draft.instruction, checklist))


def _uneven_answers(checklist: Checklist) -> list[LintFault]:
    """Return that a checklist expects one answer too often; one question more of either kind is never too many."""
    answers = [question.expected for question in checklist.questions if question.format.endswith("TF")]
    yes = answers.count("Yes")
    fewer = min(yes, len(answers) - yes)
    if fewer >= LEAST_SHARE * len(answers) or len(answers) - 2 * fewer <= 1:
        return []
    fact = f"{yes} of {len(answers)} yes-or-no questions expect Yes; write as many that expect No"
    return [LintFault("balance", "", fact)]
