"""A staged task as data: a scene, its edits with the words about each, and what is to stay."""

from collections.abc import Iterable, Sequence
from functools import reduce
from random import Random

from cutscore.benchmarks.covebench.checklist import Category, Checklist, ChecklistQuestion, EditPoint, Format
from cutscore.core.frozen import FrozenModel
from cutscore.stage.edits import Edit, apply
from cutscore.stage.scene import Scene
from cutscore.stage.things import Id

ANCHORS = {
    "1": "It is gone, or something else stands in its place.",
    "3": "Several of its properties are wrong; it can hardly be recognised.",
    "5": "Anybody sees at once that its look has changed.",
    "7": "Its form bends or trembles while the video plays.",
    "10": "It is the same.",
}


class StagedEdit(FrozenModel):
    """One edit point: what is done to the scene, and every word about it.

    Args:
        clause: Its part of the instruction.
        question, before, after: A question whose answer changes with the edit, and the two answers.
        gone: Names what must not be seen any more (`a red ball`); empty where nothing goes.
        there: A sentence that is true of the edited video alone, as a question.
        differs: The same as a comparison, after `Comparing Video A and Video B, `.
        plausible: A question on how believable it is, with yes as the right answer.
        flawed: The same, with no as the right answer.
    """

    category: Category
    edits: tuple[Edit, ...]
    target: str
    clause: str
    question: str
    before: str
    after: str
    there: str
    differs: str
    plausible: str
    flawed: str
    gone: str = ""


class StagedTask(FrozenModel):
    """A scene, its edits, and things that are to stay, each by the words for it."""

    name: Id
    scene: Scene
    edits: tuple[StagedEdit, ...]
    kept: tuple[tuple[Id, str], ...]

    @property
    def instruction(self) -> str:
        """All clauses, as one request."""
        return " ".join([*(edit.clause for edit in self.edits), "Leave everything else as it is."])

    def film(self, done: Iterable[int]) -> Scene:
        """Return the scene with some of the edits done, by their number."""
        chosen = [edit for number in sorted(done) for edit in self.edits[number].edits]
        return reduce(apply, chosen, self.scene)

    @property
    def everything(self) -> range:
        """The numbers of all edits."""
        return range(len(self.edits))


def write_checklist(task: StagedTask) -> Checklist:
    """Write the questions of a task; which option is right, and where, is drawn by its name."""
    draw, numbers = Random(f"covebench {task.name}"), iter(range(1, 1000))

    def question(form: Format, dimension: str, text: str, expected: str, **more: dict[str, str]) -> ChecklistQuestion:
        return ChecklistQuestion(
            id=f"Q{next(numbers)}", format=form, dimension=dimension, text=text, expected=expected, **more
        )

    points = []
    for edit in task.edits:
        first = draw.random() < 0.5
        options = {"A": edit.after, "B": edit.before} if first else {"A": edit.before, "B": edit.after}
        done, physics = "Execution Accuracy", "Physical Logic"
        asked = [question("AB-MCQ", done, edit.question, "A" if first else "B", options=options)]
        if edit.gone:
            asked.append(question("Single-TF", done, f"Is {edit.gone} visible anywhere in Video B?", "No"))
        asked.append(question("Single-TF", done, edit.there, "Yes"))
        asked.append(question("Dual-TF", done, f"Comparing Video A and Video B, {edit.differs}", "Yes"))
        own = tuple(each.id for each in asked)
        asked.append(question("Single-TF", physics, edit.plausible, "Yes"))
        asked.append(question("Single-TF", physics, edit.flawed, "No"))
        category = edit.category.model_copy(update={"questions": own})
        point = EditPoint(target=edit.target, instruction=edit.clause, questions=tuple(asked), categories=(category,))
        points.append(point)
    stays = [
        question(
            "Score-MCQ",
            "Semantic Preservation",
            f"Comparing Video A and Video B, how well is {words} kept?",
            "10",
            options=ANCHORS,
        )
        for _, words in task.kept
    ]
    points.append(EditPoint(target="What is to stay", questions=tuple(stays)))
    return Checklist(points=tuple(points), categories=_without_questions(points))


def _without_questions(points: Sequence[EditPoint]) -> tuple[Category, ...]:
    every = [entry.model_copy(update={"questions": ()}) for point in points for entry in point.categories]
    return tuple(dict.fromkeys(every))
