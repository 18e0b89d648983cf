"""Deliverables whose marks are known."""

from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import Unscored
from cutscore.core.files import FileStore
from cutscore.core.frozen import canonical_json
from gated_bench.dataset import FILE, Hidden


def perfect(item: Hidden, store: FileStore) -> Deliverable:
    """Give the word, where somebody knows it."""
    if item.word == "unknown-to-all":
        raise Unscored(f"item '{item.id}'", "has no word that anybody knows", "tell one")
    return Deliverable(files=(store.put_bytes(canonical_json([item.word]), name=FILE),))


def empty(item: Hidden, store: FileStore) -> Deliverable:
    """Give nothing."""
    return Deliverable()


def near_miss(item: Hidden, store: FileStore) -> Deliverable:
    """Give another word."""
    return Deliverable(files=(store.put_bytes(b'["other"]', name=FILE),))
