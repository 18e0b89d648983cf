"""Deliverables whose marks we know beforehand."""

from collections.abc import Sequence

from cutscore.authoring.clip_cache import splice_clips
from cutscore.benchmarks.sequencing.dataset import FILM, ORDER, SequencingItem
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import canonical_json


def perfect(item: SequencingItem, store: FileStore) -> Deliverable:
    """Return the order of the film, and the film."""
    return _deliver(item.clips_in_order, store)


def empty(item: SequencingItem, store: FileStore) -> Deliverable:
    """Return nothing."""
    return Deliverable()


def near_miss(item: SequencingItem, store: FileStore) -> Deliverable:
    """Return the film with its two middle clips swapped, in the order and in the film."""
    clips = list(item.clips_in_order)
    middle = len(clips) // 2
    clips[middle - 1], clips[middle] = clips[middle], clips[middle - 1]
    return _deliver(clips, store)


def _deliver(clips: Sequence[FileRef], store: FileStore) -> Deliverable:
    order = canonical_json([ref.name for ref in clips])
    json = store.put_bytes(order, name=ORDER, media_type="application/json")
    return Deliverable(files=(json, splice_clips(store, FILM, clips)))
