"""Deliverables whose marks we know beforehand."""

from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore
from cutscore_flashes.dataset import FlashItem


def perfect(item: FlashItem, store: FileStore) -> Deliverable:
    """Return the right number."""
    return Deliverable(text=str(len(item.flashes)))


def empty(item: FlashItem, store: FileStore) -> Deliverable:
    """Return nothing."""
    return Deliverable()


def near_miss(item: FlashItem, store: FileStore) -> Deliverable:
    """Count one too few or, when there is only one, one too many."""
    count = len(item.flashes)
    return Deliverable(text=str(count - 1 or 2))
