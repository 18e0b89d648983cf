"""Deliverables whose marks we know beforehand."""

from math import inf

from cutscore.benchmarks.colorbars.dataset import Moment
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import Shelf
from cutscore.core.noun import canonical_json


def perfect(item: Moment, shelf: Shelf) -> Deliverable:
    """Give the right colour, as a file."""
    answer = canonical_json({"answer": item.answer})
    return Deliverable(files=(shelf.put_bytes(answer, name="answer.json", media_type="application/json"),))


def empty(item: Moment, shelf: Shelf) -> Deliverable:
    """Give nothing."""
    return Deliverable()


def near_miss(item: Moment, shelf: Shelf) -> Deliverable:
    """Give the wrong choice that is on screen nearest to the moment, as one does who looked too early or too late."""

    def away_s(colour: str) -> float:
        cuts = [cut for each in item.segments if each.colour == colour for cut in (each.start_s, each.end_s)]
        return min((float(abs(cut - item.at_s)) for cut in cuts), default=inf)

    return Deliverable(text=min((choice for choice in item.choices if choice != item.answer), key=away_s))
