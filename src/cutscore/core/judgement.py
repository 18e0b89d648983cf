"""Questions that need an opinion, and the opinions."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Protocol, Self

from pydantic import Field, JsonValue, SerializerFunctionWrapHandler, model_serializer, model_validator

from cutscore.core.evidence import Evidence
from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.subject import SubjectSpec
from cutscore.core.tally import Tally
from cutscore.core.timeline import At

QuestionKind = Literal["yes_no", "choice", "scale", "weaknesses", "pairwise", "short"]

JUDGE_ROLE = "judge"  # under which `mark` finds the judge; the card may name further roles


class Question(FrozenModel):
    """One typed question to a judge, model or person.

    Args:
        kind: `scale` is 1–10 with anchors; `weaknesses` is a list with spans; `pairwise` prefers A, B or neither;
            `short` is a few words of the judge's own.
        anchors: What a point of the scale means, by its number.
        points: Weight that a rubric gives to the item.
        max_chars: How long an answer in words may be.
    """

    id: str = Field(min_length=1)
    kind: QuestionKind
    text: str = Field(min_length=1)
    choices: tuple[str, ...] = ()
    anchors: dict[int, str] = Field(default_factory=dict)
    points: Finite = 1.0
    max_chars: int = Field(default=200, ge=1, le=2000)

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Self:
        if (self.kind == "choice") != bool(self.choices):
            raise ValueError(f"question '{self.id}': a choice has choices, and nothing else has")
        if self.anchors and self.kind != "scale":
            raise ValueError(f"question '{self.id}': only a scale has anchors")
        return self


class Weakness(FrozenModel):
    """A fault that a judge or a person named, with its place, and in how many of several runs it was named.

    Args:
        code: Which fault of a closed catalogue it is; empty where there is no catalogue, or none of it fits.
    """

    text: str = Field(min_length=1)
    at: At = None
    severity: int | None = Field(default=None, ge=1, le=10)
    support: int | None = Field(default=None, ge=1)
    code: str = Field(default="", max_length=80)

    @model_serializer(mode="wrap")
    def _without_empty_code(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out an empty code, so that rows of before there were codes keep their bytes."""
        plain: dict[str, Any] = write(self)
        if not self.code:
            plain.pop("code", None)
        return plain


# What a reader should know about a judgement, by its flag.
FLAGS = {
    "tie": "the votes are tied",
    "no majority": "no answer has more than half of the votes",
    "order": "the preference changes with the order",
    "addressed": "it says that the submission addresses the judge",
    "broken seal": "a reply came without the seal of its request",
    "self": "it judges its own work",
}


class Judgement(FrozenModel):
    """What one judge said to one question, once.

    Args:
        judge: Who said it, with version: `openai/gpt-x`, `reader`, `person:ann`.
        answer: `"yes"`, a choice, a number, `"A"`; to a question for weaknesses `"yes"` when there are any; None when
            no reply could be read (then unscored).
        votes: Every answer when the judge was asked several times, in order; None for a run that failed.
        reasons: The reason of each vote, empty for a run that failed; left out with a single one.
        role: In which role it was asked, where not as the judge.
    """

    question: str
    judge: str
    answer: JsonValue = None
    weaknesses: tuple[Weakness, ...] = ()
    because: str = ""
    at: At = None
    votes: tuple[JsonValue, ...] = ()
    reasons: tuple[str, ...] = ()
    prompt: str = ""
    flags: tuple[str, ...] = ()
    role: str = ""

    @model_serializer(mode="wrap")
    def _without_empty_role(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out the role of a judge, so that rows of before there were others keep their bytes."""
        plain: dict[str, Any] = write(self)
        if not self.role:
            plain.pop("role", None)
        return plain

    @property
    def message(self) -> str:
        """The judgement as a sentence for a finding.

        >>> Judgement(question="q", judge="a/b", answer="no", because="It is red.", votes=("no", "no", "yes")).message
        "a/b says 'no', 2 of 3 votes: It is red."
        """
        if self.answer is None:
            return f"{self.judge} gave no answer: {self.because}"
        alike = sum(vote is not None and fold_answer(vote) == fold_answer(self.answer) for vote in self.votes)
        same = f", {alike} of {len(self.votes)} votes" if len(self.votes) > 1 else ""
        said = f"{self.judge} says {self.answer!r}{same}" + (f": {self.because}" if self.because else "")
        return f"{said} ({'; '.join(FLAGS[flag] for flag in self.flags)})" if self.flags else said


def fold_answer(answer: JsonValue) -> str:
    """Return what two equal answers in words have in common: case and white space do not count.

    >>> fold_answer(" Two  Dogs") == fold_answer("two dogs"), fold_answer("two dogs") == fold_answer("2 dogs")
    (True, False)
    """
    return " ".join(str(answer).casefold().split())


class Judge(Protocol):
    """Somebody with opinions."""

    @property
    def name(self) -> str:
        """Who judges, with version."""

    def ask(
        self, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
    ) -> Sequence[Judgement]:
        """Answer in the order of the questions. The view says what of the evidence is shown, and how."""


def ask_judge(judge: Judge, questions: Sequence[Question], evidence: Evidence, view: JudgeView) -> Sequence[Judgement]:
    """Ask a judge with a view; without one, a judge that knows of no views will do."""
    return judge.ask(questions, evidence) if view == WHOLE_VIEW else judge.ask(questions, evidence, view=view)


class AnswerQuestions(Protocol):
    """The function behind a judge's `ask`."""

    def __call__(
        self, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
    ) -> Sequence[Judgement]:
        """Answer in the order of the questions."""


@dataclass(frozen=True)
class SampleJudge:
    """A judge made of its name and the function that answers."""

    name: str
    ask: AnswerQuestions


Judges = Mapping[str, Judge]

# Runs a coroutine function to its end and gives what it returns.
Wait = Callable[[Callable[[], Coroutine[Any, Any, Any]]], Any]


@dataclass(frozen=True)
class JudgeSpec:
    """A judge by name, with its settings.

    Args:
        name: `openai/x`, `constant:yes`, `truth`, `reader`, `people:LABELS.jsonl`.
        votes: How often each question is asked; 0 for what the card says.
        journal: Where calls are written down and looked up; None keeps nothing.
        frames: Frame plan for judges that take frames; that of the card when empty.
        params: How a model is asked (`temperature`, `max_tokens` …), before what the card says.
        stop_early: Leave out votes that cannot change a verdict; None for what the card says.
    """

    name: str
    votes: int = 0
    prompts: Mapping[str, Path] = field(default_factory=dict)
    journal: Path | None = None
    own_data: bool = False
    frames: str = ""
    params: Mapping[str, JsonValue] = field(default_factory=dict)
    stop_early: bool | None = None

    def in_role(self, role: str, name: str) -> "JudgeSpec":
        """Return who sits in a role, with the same files; votes are the judge's alone."""
        return replace(self, name=name, votes=self.votes if role == JUDGE_ROLE else 1)


@dataclass(frozen=True)
class JudgeSession:
    """What a judge works with besides questions and evidence, for one sample. It holds no truth.

    Args:
        subject, model: Whose work it is; the model is empty for subjects without one.
        wait: Runs a coroutine function to its end, called from the thread in which marking works.
        clean: Takes secrets out of text that comes back; None when there are none to take out.
        role: In which role it is asked.
    """

    item: str
    subject: SubjectSpec
    wait: Wait
    model: str = ""
    epoch: int = 1
    tally: Tally = field(default_factory=Tally)
    clean: Callable[[str], str] | None = None
    role: str = JUDGE_ROLE


class CellJudge(Protocol):
    """A judge that is ready for the samples of one cell."""

    @property
    def name(self) -> str:
        """The judge's name as the user wrote it."""

    @property
    def model(self) -> str:
        """Whom it asks, by Inspect's name; empty when it asks no model."""

    @property
    def prompts(self) -> Mapping[str, str]:
        """Digest of each prompt file that it uses, by name."""

    @property
    def terms(self) -> Mapping[str, JsonValue]:
        """Whatever else can change its answers: votes, frame plan, labels, code."""

    def for_sample(self, session: JudgeSession) -> Judge:
        """Return the judge for one sample."""
