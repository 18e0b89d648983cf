"""Solvers that see the ask alone and read no term of the storyboard: none of them may beat chance.

They are helped to the right three as far as colours go (`keyless`); then they take the one in the middle, the odd one
out, the sharpest, the largest file. The right clip stands on each step of its ladder equally often, so that whatever
they look at, they are right in a third of the slots.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from cutscore.benchmarks.assembly.keyless import EndPictures, end_pictures, group_by_slot, put_manifest, storyboard
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore
from cutscore.media.frames import read_frames
from cutscore.media.plan import FramePlan

PLAN = "fps=8,max=16"

Pick = Callable[[Sequence[EndPictures]], EndPictures]


def shortcuts(ask: Ask, store: FileStore) -> Mapping[str, Deliverable]:
    """Return what each solver hands over."""
    plan = FramePlan.parse(PLAN)
    seen = end_pictures((clip, read_frames(store.path(clip), plan)) for clip in ask.files)
    groups = group_by_slot(ask, seen)
    slots = [slot["slot"] for slot in storyboard(ask.brief)]
    made = {name: put_manifest(slots, [pick(group).clip for group in groups], store) for name, pick in PICKS.items()}
    made["brief only"] = put_manifest(slots, ask.files[: len(slots)], store)
    return {name: Deliverable(files=(file,)) for name, file in made.items()}


def medoid(group: Sequence[EndPictures]) -> EndPictures:
    """Take the clip that is nearest to the mean of all."""
    return min(group, key=lambda each: _distance_to_mean(each, group))


def odd_one(group: Sequence[EndPictures]) -> EndPictures:
    """Take the clip that is farthest from the mean of all."""
    return max(group, key=lambda each: _distance_to_mean(each, group))


def sharpest(group: Sequence[EndPictures]) -> EndPictures:
    """Take the clip with the most fine structure, which is also that with the most noise of encoding."""
    return max(group, key=_fine_structure)


def softest(group: Sequence[EndPictures]) -> EndPictures:
    """Take the clip with the least fine structure."""
    return min(group, key=_fine_structure)


def largest(group: Sequence[EndPictures]) -> EndPictures:
    """Take the largest file."""
    return max(group, key=lambda each: each.clip.size_bytes)


def smallest(group: Sequence[EndPictures]) -> EndPictures:
    """Take the smallest file."""
    return min(group, key=lambda each: each.clip.size_bytes)


PICKS: Mapping[str, Pick] = {
    "medoid": medoid,
    "odd one out": odd_one,
    "sharpest": sharpest,
    "softest": softest,
    "largest file": largest,
    "smallest file": smallest,
}


def _distance_to_mean(one: EndPictures, group: Sequence[EndPictures]) -> float:
    def pictures(each: EndPictures) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return np.stack([each.first, each.last]).astype(np.float32)

    mean = np.mean([pictures(each) for each in group], axis=0)
    return float(np.square(pictures(one) - mean).mean())


def _fine_structure(one: EndPictures) -> float:
    rises = np.gradient(np.stack([one.first, one.last]).mean(axis=3), axis=(1, 2))
    return float(sum(np.square(rise).mean() for rise in rises))
