"""What people said: one schema for every kind of question."""

from pydantic import Field, JsonValue

from cutscore.core.frozen import FrozenModel
from cutscore.core.judgement import QuestionKind, Weakness


class Label(FrozenModel):
    """One answer by one person to one question about one deliverable.

    Args:
        benchmark, item, question: What was asked; `question` may be empty for a label of the whole item.
        subject: Whose deliverable was looked at; empty when the label is about the item itself.
        person: Pseudonym; stable within a file, never a real name.
        expected: The right answer, where the question has one. Rates are then those of right answers, not of yes.
        groups: Named strata of the item (`{"axis": "causal_reasoning"}`), for tables.
        split: `train`, `dev` or `test`, so that a prompt is never tuned on what measures it.
    """

    benchmark: str
    item: str
    question: str = ""
    kind: QuestionKind = "yes_no"
    subject: str = ""
    epoch: int = Field(default=1, ge=1)
    person: str = Field(min_length=1)
    answer: JsonValue = None
    expected: JsonValue = None
    weaknesses: tuple[Weakness, ...] = ()
    because: str = ""
    groups: dict[str, str] = Field(default_factory=dict)
    split: str = ""
    seconds_spent: float | None = Field(default=None, ge=0)
