"""A judge that always says the same: what a score is worth when the judge does not look."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judge, Judgement, JudgeSession, Question, Weakness
from cutscore.labels.files import HIGHEST, LOWEST
from cutscore.scoring.judges.reply import allowed_answers


@dataclass(frozen=True)
class ConstantJudge:
    """Always the same answer, whatever is shown.

    Args:
        answers: One for each kind of question that will come; the first that fits a question is its answer.
            To a question for weaknesses, `no` names none and `yes` names one. To one for a few words, any fits.
    """

    answers: tuple[str, ...]
    model: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """As a user writes it: `constant:yes,8`."""
        return f"constant:{','.join(self.answers)}"

    def for_sample(self, session: JudgeSession) -> Judge:
        """Return itself: every sample gets the same."""
        return self

    def ask(
        self, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
    ) -> list[Judgement]:
        """Return the first answer that fits each question; raise BadInput where none does."""
        return [self._judgement(question) for question in questions]

    def _judgement(self, question: Question) -> Judgement:
        answer = next((value for each in self.answers if (value := _fitting(each, question)) is not None), None)
        if answer is None:
            fact = f"none of its answers fits question '{question.id}', which is of kind {question.kind}"
            raise BadInput(f"judge '{self.name}'", fact, "add one after a comma, as in constant:yes,B,8")
        found = (Weakness(text="always named"),) if question.kind == "weaknesses" and answer == "yes" else ()
        said = "always the same answer"
        return Judgement(question=question.id, judge=self.name, answer=answer, weaknesses=found, because=said)


def _fitting(said: str, question: Question) -> JsonValue:
    if question.kind == "scale":
        return int(said) if said.isdecimal() and LOWEST <= int(said) <= HIGHEST else None
    if question.kind == "short":
        return said if len(said) <= question.max_chars else None
    allowed = ("yes", "no") if question.kind == "weaknesses" else allowed_answers(question)
    return next((each for each in allowed if each.casefold() == said.casefold()), None)
