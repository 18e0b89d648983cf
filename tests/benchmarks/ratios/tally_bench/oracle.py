"""Deliverables whose marks are known."""

from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore
from tally_bench.dataset import CutClip


def perfect(item: CutClip, store: FileStore) -> Deliverable:
    """Give all cuts."""
    return Deliverable(text=" ".join(map(str, item.cuts)) or "none")


def empty(item: CutClip, store: FileStore) -> Deliverable:
    """Give nothing."""
    return Deliverable()


def near_miss(item: CutClip, store: FileStore) -> Deliverable:
    """Give all cuts but the last, and a second that is none."""
    return Deliverable(text=" ".join(map(str, (*item.cuts[:-1], 99))))
