"""Nobody guesses a film, and nobody reads a brief well enough to make one: there is no subject without a model here."""

from collections.abc import Sequence

from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Judgement, Question

SILENT = (
    "the reader does not judge conversations, as pixels do not say what a brief makes of an answer; name another judge"
)


def judge_by_reading(questions: Sequence[Question], evidence: Evidence) -> list[Judgement]:
    """Return no answer to any question, with the reason: such turns have no verdict."""
    return [Judgement(question=each.id, judge="reader", because=SILENT) for each in questions]
