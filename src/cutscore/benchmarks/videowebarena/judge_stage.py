"""The judge `stage`, for tasks of our own: wordings that their author accepts, and what our pictures were drawn from.

It is no opinion: an answer is right where it holds one of the accepted wordings, and a picture shows what it was drawn
to show. Of other tasks it says nothing.
"""

from collections.abc import Sequence

from cutscore.benchmarks.videowebarena.dataset import WebItem
from cutscore.benchmarks.videowebarena.evaluators.judged import DIFFERENT, RIGHT, SAME, WRONG
from cutscore.benchmarks.videowebarena.websites.picture_words import read_words
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Judgement, Question

NAME = "stage"
# What is said of an answer with an accepted wording, and of any other, by the question.
_SAID = {"fuzzy": (RIGHT, WRONG), "unachievable": (SAME, DIFFERENT)}


def judge_by_truth(questions: Sequence[Question], evidence: Evidence, item: WebItem) -> list[Judgement]:
    """Answer questions about tasks of our own; about others there is no answer, so that they stay unscored."""
    return [
        _look(question, evidence) if question.id == "vqa" else _read(question, evidence, item) for question in questions
    ]


def _read(question: Question, evidence: Evidence, item: WebItem) -> Judgement:
    known = item.scripts.accepted if item.scripts else {}
    wordings = [each for reference, accepted in known.items() if reference in question.text for each in accepted]
    if not wordings:
        return Judgement(question=question.id, judge=NAME, because="nobody wrote down accepted wordings; name a judge")
    given = _fold(str(next(iter(evidence.facts.values()), "")))
    met = next((each for each in wordings if _fold(each) in given), None)
    yes, no = _SAID[question.id]
    because = f"it says '{met}'" if met else "it has none of the accepted wordings"
    return Judgement(question=question.id, judge=NAME, answer=yes if met else no, because=because)


def _look(question: Question, evidence: Evidence) -> Judgement:
    (image,) = evidence.files
    words = read_words(evidence.path(image.name).read_bytes())
    if not words:
        return Judgement(question=question.id, judge=NAME, because="it was not drawn here; name a judge")
    return Judgement(question=question.id, judge=NAME, answer=words, because="as it was drawn")


def _fold(text: str) -> str:
    return " ".join(text.lower().split())
