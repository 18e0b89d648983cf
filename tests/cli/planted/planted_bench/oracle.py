"""Deliverables whose marks are known."""

from cutscore.core.deliverable import Deliverable
from cutscore.core.files import Shelf
from planted_bench.dataset import Word


def perfect(item: Word, shelf: Shelf) -> Deliverable:
    """Give the word."""
    return Deliverable(text=item.answer)


def empty(item: Word, shelf: Shelf) -> Deliverable:
    """Give nothing."""
    return Deliverable()
