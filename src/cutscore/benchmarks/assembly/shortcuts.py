"""Solvers that see the ask alone and read no term of the storyboard: none of them may beat chance.

They are helped to the right three as far as colours go (`keyless`); then they take the one in the middle, the odd one
out, the sharpest, the largest file. The right clip stands on each step of its ladder equally often, so that whatever
they look at, they are right in a third of the slots.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from cutscore.benchmarks.assembly.keyless import Glimpse, glimpses, grouped_by_slot, manifest_of, storyboard
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore
from cutscore.media.frames import read_frames
from cutscore.media.plan import FramePlan

PLAN = "fps=8,max=16"

Pick = Callable[[Sequence[Glimpse]], Glimpse]


def shortcuts(ask: Ask, store: FileStore) -> Mapping[str, Deliverable]:
    """Return what each solver hands over."""
    plan = FramePlan.parse(PLAN)
    seen = glimpses((clip, read_frames(store.path(clip), plan)) for clip in ask.files)
    groups = grouped_by_slot(ask, seen)
    slots = [slot["slot"] for slot in storyboard(ask.brief)]
    made = {name: manifest_of(slots, [pick(group).clip for group in groups], store) for name, pick in PICKS.items()}
    made["brief only"] = manifest_of(slots, ask.files[: len(slots)], store)
    return {name: Deliverable(files=(file,)) for name, file in made.items()}


def medoid(group: Sequence[Glimpse]) -> Glimpse:
    """Take the clip that is nearest to the mean of all."""
    return min(group, key=lambda each: _far(each, group))


def odd_one(group: Sequence[Glimpse]) -> Glimpse:
    """Take the clip that is farthest from the mean of all."""
    return max(group, key=lambda each: _far(each, group))


def sharpest(group: Sequence[Glimpse]) -> Glimpse:
    """Take the clip with the most fine structure, which is also that with the most noise of encoding."""
    return max(group, key=_fine)


def softest(group: Sequence[Glimpse]) -> Glimpse:
    return min(group, key=_fine)


def largest(group: Sequence[Glimpse]) -> Glimpse:
    """Take the largest file."""
    return max(group, key=lambda each: each.clip.size_bytes)


def smallest(group: Sequence[Glimpse]) -> Glimpse:
    return min(group, key=lambda each: each.clip.size_bytes)


PICKS: Mapping[str, Pick] = {
    "medoid": medoid,
    "odd one out": odd_one,
    "sharpest": sharpest,
    "softest": softest,
    "largest file": largest,
    "smallest file": smallest,
}


def _far(one: Glimpse, group: Sequence[Glimpse]) -> float:
    def pictures(each: Glimpse) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return np.stack([each.first, each.last]).astype(np.float32)

    mean = np.mean([pictures(each) for each in group], axis=0)
    return float(np.square(pictures(one) - mean).mean())


def _fine(one: Glimpse) -> float:
    rises = np.gradient(np.stack([one.first, one.last]).mean(axis=3), axis=(1, 2))
    return float(sum(np.square(rise).mean() for rise in rises))
