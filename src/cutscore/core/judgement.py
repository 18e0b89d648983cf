"""Questions that need an opinion, and the opinions."""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, Self

from pydantic import Field, JsonValue, model_validator

from cutscore.core.evidence import Evidence
from cutscore.core.noun import Finite, Noun
from cutscore.core.timeline import At

QuestionKind = Literal["yes_no", "choice", "scale", "weaknesses", "pairwise"]


class Question(Noun):
    """One typed question to a judge, model or person.

    Args:
        id: Unique within the item.
        kind: `scale` is 1–10 with anchors; `weaknesses` is a list with spans; `pairwise` prefers A, B or neither.
        text: The words.
        choices: Allowed answers of a `choice`.
        anchors: What a point of the scale means, by its number.
        points: Weight that a rubric gives to the item.
    """

    id: str = Field(min_length=1)
    kind: QuestionKind
    text: str = Field(min_length=1)
    choices: tuple[str, ...] = ()
    anchors: dict[int, str] = Field(default_factory=dict)
    points: Finite = 1.0

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Self:
        if (self.kind == "choice") != bool(self.choices):
            raise ValueError(f"question '{self.id}': a choice has choices, and nothing else has")
        if self.anchors and self.kind != "scale":
            raise ValueError(f"question '{self.id}': only a scale has anchors")
        return self


class Weakness(Noun):
    """A fault that a judge or a person named, with its place."""

    text: str = Field(min_length=1)
    at: At = None
    severity: int | None = Field(default=None, ge=1, le=10)


class Judgement(Noun):
    """What one judge said to one question, once.

    Args:
        question: Id of the question.
        judge: Who said it, with version: `openai/gpt-x`, `reader`, `person:ann`.
        answer: `"yes"`, a choice, a number, `"A"`; None when the reply could not be read (then unscored).
        weaknesses: For questions of that kind.
        because: The judge's reason.
        at: The stretch of evidence that it points to.
        votes: Every answer when the judge was asked several times, in order.
        prompt: Digest of the prompt file that was used.
    """

    question: str
    judge: str
    answer: JsonValue = None
    weaknesses: tuple[Weakness, ...] = ()
    because: str = ""
    at: At = None
    votes: tuple[JsonValue, ...] = ()
    prompt: str = ""


class Judge(Protocol):
    """Somebody with opinions."""

    name: str

    def ask(self, questions: Sequence[Question], evidence: Evidence) -> Sequence[Judgement]:
        """Answer in the order of the questions."""
        ...


Judges = Mapping[str, Judge]
