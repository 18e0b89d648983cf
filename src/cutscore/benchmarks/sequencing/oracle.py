"""Deliverables whose marks we know beforehand."""

from collections.abc import Sequence

from cutscore.authoring.clip_cache import splice_clips
from cutscore.benchmarks.sequencing.dataset import FILM, SequencingItem
from cutscore.benchmarks.sequencing.keyless import put_order
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, FileStore


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
    return Deliverable(files=(put_order(clips, store), splice_clips(store, FILM, clips)))
