"""Deliverables whose marks we know beforehand."""

from cutscore.benchmarks.vidwork.answers.order import OPPOSITE
from cutscore.benchmarks.vidwork.dataset import AnyQuestion, ErrorQuestion, OrderQuestion, StepQuestion
from cutscore.benchmarks.vidwork.keyless import numbered_list
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore


def perfect(item: AnyQuestion, store: FileStore) -> Deliverable:
    """Return the reference."""
    if isinstance(item, StepQuestion):
        return Deliverable(text=numbered_list(item.steps))
    if isinstance(item, OrderQuestion):
        return Deliverable(text=f"ANSWER: {item.gold}")
    if isinstance(item, ErrorQuestion):
        return Deliverable(text="ANSWER: incorrect" if item.wrong else "ANSWER: correct")
    return Deliverable(text=item.reference)


def empty(item: AnyQuestion, store: FileStore) -> Deliverable:
    """Return nothing."""
    return Deliverable()


def near_miss(item: AnyQuestion, store: FileStore) -> Deliverable:
    """Return all steps but one, the other order, all terms but one, or a hedge."""
    if isinstance(item, StepQuestion):
        return Deliverable(text=numbered_list(item.steps[:-1]))
    if isinstance(item, OrderQuestion):
        return Deliverable(text=f"ANSWER: {OPPOSITE[item.gold]}")
    if isinstance(item, ErrorQuestion):
        return Deliverable(text="It is possible, but I cannot be sure.\nANSWER: unsure")
    return Deliverable(text=" ".join(sorted(item.terms.wanted)[1:]) or item.question)
