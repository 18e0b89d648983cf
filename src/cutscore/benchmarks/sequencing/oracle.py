"""Deliverables whose marks we know beforehand."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from random import Random
from statistics import fmean

from cutscore.authoring.clip_cache import splice_clips
from cutscore.benchmarks.sequencing.dataset import FILM, SequencingItem
from cutscore.benchmarks.sequencing.keyless import put_order
from cutscore.benchmarks.sequencing.order_score import order_score
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, FileStore

MOST_ORDERED = 7  # clips of which all orders are tried; of more, so many are drawn
DRAWN = 5_000


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


def chance(item: SequencingItem) -> dict[str, float]:
    """Return what any order of the clips gets on average."""
    return _mean_of_orders(len(item.clips_in_order))


@lru_cache
def _mean_of_orders(clips: int) -> dict[str, float]:
    truth = [str(number) for number in range(clips)]
    draw = Random(clips)
    orders = permutations(truth) if clips <= MOST_ORDERED else (draw.sample(truth, clips) for _ in range(DRAWN))
    found = [order_score(order, truth) for order in orders]
    return {
        "score": fmean((1 - each.nd) * each.lis * each.adj for each in found),
        "nd": fmean(1 - each.nd for each in found),
        "lis": fmean(each.lis for each in found),
        "adj": fmean(each.adj for each in found),
        "exact": fmean(each.strict for each in found),
    }


def _deliver(clips: Sequence[FileRef], store: FileStore) -> Deliverable:
    return Deliverable(files=(put_order(clips, store), splice_clips(store, FILM, clips)))
