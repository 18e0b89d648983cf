"""Deliverables whose marks are known."""

from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore
from planted_bench.dataset import Word


def perfect(item: Word, store: FileStore) -> Deliverable:
    """Give the word."""
    return Deliverable(text=item.answer)


def empty(item: Word, store: FileStore) -> Deliverable:
    """Give nothing."""
    return Deliverable()
