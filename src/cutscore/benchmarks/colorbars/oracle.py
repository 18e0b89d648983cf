"""Deliverables whose marks we know beforehand, and the judge who knows as much."""

from collections.abc import Sequence
from math import inf

from cutscore.benchmarks.colorbars.dataset import ColorbarsItem
from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileStore
from cutscore.core.frozen import canonical_json
from cutscore.core.judgement import Judgement, Question
from cutscore.scoring.verifiers.choice import read_choice


def perfect(item: ColorbarsItem, store: FileStore) -> Deliverable:
    """Return the right answer, as a file."""
    answer = canonical_json({"answer": item.answer})
    return Deliverable(files=(store.put_bytes(answer, name="answer.json", media_type="application/json"),))


def empty(item: ColorbarsItem, store: FileStore) -> Deliverable:
    """Return nothing."""
    return Deliverable()


def near_miss(item: ColorbarsItem, store: FileStore) -> Deliverable:
    """Return the wrong choice that is on screen nearest to the moment, as one does who looked too early or too late."""

    def away_s(value: str) -> float:
        cuts = [cut for each in item.segments if each.value == value for cut in (each.start_s, each.end_s)]
        return min((float(abs(cut - item.at_s)) for cut in cuts), default=inf)

    return Deliverable(text=min((choice for choice in item.choices if choice != item.answer), key=away_s))


def judge_by_truth(questions: Sequence[Question], evidence: Evidence, item: ColorbarsItem) -> list[Judgement]:
    """Judge the answer by what was staged."""
    answer = Deliverable(text=str(evidence.facts.get("answer", "")))
    choice, shown = read_choice(answer, evidence, item.choices), item.shown
    verdict = "yes" if choice.named == item.answer else "no"
    because = f"{choice.told}; {item.truth}"
    at = (shown.start_s, shown.end_s)
    return [Judgement(question=each.id, judge="truth", answer=verdict, because=because, at=at) for each in questions]
