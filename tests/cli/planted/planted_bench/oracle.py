"""Deliverables whose marks are known."""

from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore
from planted_bench.dataset import WORDS, Word


def perfect(item: Word, store: FileStore) -> Deliverable:
    """Give the word."""
    return Deliverable(text=item.answer)


def empty(item: Word, store: FileStore) -> Deliverable:
    """Give nothing."""
    return Deliverable()


def chance(item: Word) -> dict[str, float]:
    """Say what guessing gets, on whatever items."""
    return {"accuracy": 1 / len(WORDS)}
