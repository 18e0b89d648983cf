"""Asking a judge about deliverables, and what it said: the raw material of every audit."""

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from pydantic import Field, JsonValue

from cutscore.core.errors import BrokenData, Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.frozen import FrozenModel
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judge, Judgement, Question, QuestionKind, ask_judge, fold_answer
from cutscore.labels.files import HIGHEST, LOWEST, LabelKey, is_allowed_answer, read_lines

# Answers on a scale that differ by less than this are the same opinion: halves come from medians of votes.
ONE_POINT = 1.0
OPEN_ENDED: tuple[QuestionKind, ...] = ("choice", "short")  # kinds that any words can answer


class JudgedDeliverable(FrozenModel):
    """What a judge looks at.

    Args:
        benchmark, item, subject, epoch: As labels name it.
        cluster: What is not independent shares one; the item when empty.
        model: Of the subject, where it has one; says whether the judge is of its family.
        deliverable: Digest of what was judged, where known; epochs with the same one are repeated askings.
    """

    benchmark: str
    item: str
    subject: str = ""
    epoch: int = Field(default=1, ge=1)
    cluster: str = ""
    model: str = ""
    deliverable: str = ""


class JudgeVerdict(JudgedDeliverable):
    """What a judge said to one question about one deliverable."""

    kind: QuestionKind = "yes_no"
    judgement: Judgement

    @property
    def about(self) -> LabelKey:
        """The question and the deliverable, as labels name them."""
        return LabelKey(self.benchmark, self.item, self.subject, self.epoch, self.judgement.question)

    @property
    def unit(self) -> str:
        """The cluster, unique also among several benchmarks."""
        return f"{self.benchmark}/{self.cluster or self.item}"


class JudgeCase(JudgedDeliverable):
    """All that a judge is asked about one deliverable, and what it is shown.

    Args:
        evidence: Bound to a store where it has files.
        view: What of the evidence the judge is shown, and how.
        words: Facts of the evidence that hold the subject's own words; files are its own anyway.
    """

    questions: tuple[Question, ...]
    evidence: Evidence
    view: JudgeView = WHOLE_VIEW
    words: tuple[str, ...] = ("answer",)

    def keyed_questions(self) -> Iterator[tuple[LabelKey, Question]]:
        """Return every question with the key by which labels know it."""
        for each in self.questions:
            yield LabelKey(self.benchmark, self.item, self.subject, self.epoch, each.id), each


JudgeOf = Callable[[JudgeCase], Judge]


def ask(judge_of: JudgeOf, cases: Iterable[JudgeCase]) -> Iterator[JudgeVerdict]:
    """Ask a judge about every case, one verdict for each question.

    A judge that cannot be asked leaves its questions without an answer; that is counted, and never read as a no.
    """
    for case in cases:
        judge = judge_of(case)
        try:
            said = list(ask_judge(judge, case.questions, case.evidence, case.view))
        except Unscored as error:
            said = [Judgement(question=each.id, judge=judge.name, because=str(error)) for each in case.questions]
        if [each.question for each in said] != [each.id for each in case.questions]:
            fact = f"did not answer the {len(case.questions)} questions about item '{case.item}' in their order"
            raise BrokenData(f"judge '{judge.name}'", fact, "its `ask` gives one judgement for each question")
        about = {name: getattr(case, name) for name in JudgedDeliverable.model_fields}
        for question, judgement in zip(case.questions, said, strict=True):
            yield JudgeVerdict(**about, kind=question.kind, judgement=judgement)


def read_verdicts(file: Path) -> Iterator[JudgeVerdict]:
    """Read verdicts from JSON lines, for judges that were asked elsewhere."""
    for place, verdict in read_lines(file, JudgeVerdict, what="answers"):
        if not is_allowed_answer(verdict.kind, verdict.judgement.answer):
            fact = f"{verdict.judgement.answer!r:.60} cannot answer a question of kind '{verdict.kind}'"
            raise BrokenData(place, fact, "see docs/judge-card.md for the answers of each kind")
        yield verdict


def find_kind(kinds: Collection[QuestionKind], answer: JsonValue) -> QuestionKind | None:
    """Return which of several kinds of question an answer is to, where questions of several items share an id.

    Kinds that take any words come last; None where no kind takes it, or where it is no answer and they are several.

    >>> find_kind({"choice", "yes_no"}, "no"), find_kind({"choice", "yes_no"}, "A"), find_kind({"scale"}, None)
    ('yes_no', 'choice', 'scale')
    """
    if len(kinds) < 2:
        return next(iter(kinds), None)
    order = sorted(kinds, key=lambda kind: (kind in OPEN_ENDED, kind))
    fit = [kind for kind in order if answer is not None and is_allowed_answer(kind, answer)]
    return fit[0] if fit else None


def is_same_answer(kind: QuestionKind, one: JsonValue, other: JsonValue) -> bool:
    """Return whether two answers are the same opinion; on a scale, when they are less than a point apart.

    Words are the same in any case.

    >>> is_same_answer("yes_no", "yes", "no"), is_same_answer("scale", 7, 7.5)
    (False, True)
    """
    if isinstance(one, int | float) and isinstance(other, int | float) and kind == "scale":
        return abs(one - other) < ONE_POINT
    if kind == "short" and one is not None and other is not None:
        return fold_answer(one) == fold_answer(other)
    return one == other


def favour(kind: QuestionKind, answer: JsonValue, expected: JsonValue = None) -> float | None:
    """Return how well an answer speaks of the deliverable, from 0 to 1; None where an answer speaks for nobody.

    Where one answer is the right one, it alone speaks for the deliverable.

    >>> favour("yes_no", "yes"), favour("weaknesses", "yes"), favour("scale", 10), favour("choice", "red")
    (1.0, 0.0, 1.0, None)
    >>> favour("yes_no", "no", "no"), favour("choice", "A", "B")
    (1.0, 0.0)
    """
    if expected is not None and answer is not None:
        return float(is_same_answer(kind, answer, expected))
    if kind == "scale" and isinstance(answer, int | float):
        return (answer - LOWEST) / (HIGHEST - LOWEST)
    if kind in ("yes_no", "weaknesses") and answer is not None:
        return float((answer == "yes") == (kind == "yes_no"))
    return None
