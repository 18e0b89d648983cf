"""The checklist of a task: edit points with their questions, as CoVEBench releases them and as items carry them."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from cutscore.core.frozen import FrozenModel

Format = Literal["AB-MCQ", "Single-TF", "Dual-TF", "Score-MCQ"]
Measure = Literal["ifs", "vrs", "sem"]

# The four formats in the order in which a judge is asked; whoever compares sees the source, too.
FORMATS: tuple[Format, ...] = ("AB-MCQ", "Single-TF", "Dual-TF", "Score-MCQ")
COMPARES: tuple[Format, ...] = ("Dual-TF", "Score-MCQ")
MEASURE_OF_DIMENSION: Mapping[str, Measure] = {
    "execution accuracy": "ifs",
    "physical logic": "vrs",
    "semantic preservation": "sem",
}


class Category(FrozenModel):
    """Which type of edit some questions of a group are about; those of a whole task name no questions."""

    level_1: str
    level_2: str
    level_3: str = ""
    questions: tuple[str, ...] = ()

    @property
    def bucket(self) -> str:
        """Return the column of Table 8: subjects by their type, all else by dimension.

        >>> Category(level_1="Subject", level_2="Subject Removal").bucket
        'Subject Removal'
        >>> Category(level_1="Camera", level_2="Shot Scale").bucket
        'Camera'
        """
        return self.level_2 if self.level_1 == "Subject" else self.level_1


class ChecklistQuestion(FrozenModel):
    """One question about the edited video.

    Args:
        dimension: As written; `measure` says which score it goes to.
        options: What A and B stand for; of a score, what its points mean.
        expected: The right answer. Of a score it is noise: nobody compares with it.
    """

    id: str = Field(min_length=1)
    format: Format
    dimension: str = ""
    text: str = Field(min_length=1)
    options: dict[str, str] = Field(default_factory=dict)
    expected: str = ""
    difficulty: str = ""

    @model_validator(mode="after")
    def _can_be_answered(self) -> Self:
        if self.format == "AB-MCQ" and set(self.options) != {"A", "B"}:
            raise ValueError(f"question {self.id}: a choice has options A and B, and no others")
        if self.format != "Score-MCQ" and not self.expected.strip():
            raise ValueError(f"question {self.id} has no expected answer")
        return self

    @property
    def measure(self) -> Measure:
        """Return the score that it goes to: by its dimension; without one a score preserves, all else executes."""
        known = MEASURE_OF_DIMENSION.get(self.dimension.strip().lower())
        return known or ("sem" if self.format == "Score-MCQ" else "ifs")


class EditPoint(FrozenModel):
    """A group of questions: one atomic edit, or what is to be preserved.

    Args:
        instruction: What asks for this edit alone, where somebody wrote it; no judge is shown it.
    """

    target: str
    about: str = ""
    instruction: str = ""
    questions: tuple[ChecklistQuestion, ...] = Field(min_length=1)
    categories: tuple[Category, ...] = ()

    @property
    def objective(self) -> tuple[ChecklistQuestion, ...]:
        """The questions that are right or wrong; none in a group about preservation."""
        return tuple(each for each in self.questions if each.measure != "sem")


class Checklist(FrozenModel):
    """All questions of a task, by edit point, and the categories of the whole task."""

    points: tuple[EditPoint, ...] = Field(min_length=1)
    categories: tuple[Category, ...] = ()

    @model_validator(mode="after")
    def _tells_questions_apart(self) -> Self:
        ids = [question.id for question in self.questions]
        if twice := next((id for id in ids if ids.count(id) > 1), None):
            raise ValueError(f"two questions are called {twice}")
        return self

    @property
    def questions(self) -> tuple[ChecklistQuestion, ...]:
        """Every question, in published order."""
        return tuple(question for point in self.points for question in point.questions)

    @property
    def edit_points(self) -> tuple[EditPoint, ...]:
        """Groups that ask whether something was done: all but those about preservation."""
        return tuple(point for point in self.points if point.objective)

    @property
    def instructions(self) -> tuple[str, ...]:
        """What asks for each edit alone, in order; nothing where somebody has not written all of them."""
        said = tuple(point.instruction.strip() for point in self.edit_points)
        return said if all(said) else ()


@cache
def taxonomy() -> Mapping[str, tuple[str, ...]]:
    """Return the types of each dimension (Table 9)."""
    with (Path(__file__).parent / "taxonomy.toml").open("rb") as stream:
        return {name: tuple(types) for name, types in tomllib.load(stream)["types"].items()}
