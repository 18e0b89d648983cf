"""Deliverables whose marks we know beforehand."""

from collections.abc import Mapping
from statistics import fmean

from cutscore.authoring.clip_cache import splice_clips
from cutscore.benchmarks.assembly.dataset import DIMENSIONS, FILM, MANIFEST, AssemblyItem
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore
from cutscore.core.frozen import canonical_json


def perfect(item: AssemblyItem, store: FileStore) -> Deliverable:
    """Return the right clip for each slot, and the film of them."""
    return _deliver(item.golden, item, store)


def empty(item: AssemblyItem, store: FileStore) -> Deliverable:
    """Return nothing."""
    return Deliverable()


def near_miss(item: AssemblyItem, store: FileStore) -> Deliverable:
    """Return a distractor for the last slot, in the manifest and in the film."""
    last = item.slots[-1]
    return _deliver({**item.golden, last: item.candidates(last)[1]}, item, store)


def chance(item: AssemblyItem) -> dict[str, float]:
    """Return what choosing among the candidates of each slot gets; the score is corrected for it."""
    blind = {slot: 1 / len(item.candidates(slot)) for slot in item.slots}
    decided = {name: [blind[slot] for slot in item.slots if item.dimension(slot) == name] for name in DIMENSIONS}
    shares = {name: fmean(found) for name, found in decided.items() if found}
    return {"score": 0.0, "share": fmean(blind.values()), **shares}


def _deliver(chosen: Mapping[str, str], item: AssemblyItem, store: FileStore) -> Deliverable:
    manifest = store.put_bytes(canonical_json(dict(chosen)), name=MANIFEST, media_type="application/json")
    return Deliverable(files=(manifest, splice_clips(store, FILM, item.clips(list(chosen.values())))))
