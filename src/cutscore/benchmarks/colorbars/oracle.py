"""Deliverables whose marks we know beforehand, and a judge who knows the truth."""

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
    """Return the wrong choice that is on screen nearest to the moment, as if one had looked too early or too late."""

    def away_s(choice: str) -> float:
        cuts = [cut for each in item.segments if each.value == choice for cut in (each.start_s, each.end_s)]
        return min((float(abs(cut - item.at_s)) for cut in cuts), default=inf)

    return Deliverable(text=min((choice for choice in item.choices if choice != item.answer), key=away_s))


def chance(item: ColorbarsItem) -> dict[str, float]:
    """Return what guessing gets: one of the choices is right."""
    return {"accuracy": 1 / len(item.choices)}


def judge_by_truth(questions: Sequence[Question], evidence: Evidence, item: ColorbarsItem) -> list[Judgement]:
    """Judge the answer by the truth of the item."""
    answer = read_choice(Deliverable(text=str(evidence.facts.get("answer", ""))), evidence, item.choices)
    verdict = "yes" if answer.choice == item.answer else "no"
    because = f"{answer.message}; {item.truth}"
    at = (item.segment.start_s, item.segment.end_s)
    return [Judgement(question=each.id, judge="truth", answer=verdict, because=because, at=at) for each in questions]
