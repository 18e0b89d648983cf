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


PICKS: Mapping[str, Pick] = {
    "medoid": lambda group: min(group, key=lambda each: _distance_to_mean(each, group)),
    "odd one out": lambda group: max(group, key=lambda each: _distance_to_mean(each, group)),
    # What has the most fine structure has also the most noise of encoding.
    "sharpest": lambda group: max(group, key=_fine_structure),
    "softest": lambda group: min(group, key=_fine_structure),
    "largest file": lambda group: max(group, key=lambda each: each.clip.size_bytes),
    "smallest file": lambda group: min(group, key=lambda each: each.clip.size_bytes),
}


def _distance_to_mean(one: EndPictures, group: Sequence[EndPictures]) -> float:
    def pictures(each: EndPictures) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return np.stack([each.first, each.last]).astype(np.float32)

    mean = np.mean([pictures(each) for each in group], axis=0)
    return float(np.square(pictures(one) - mean).mean())


def _fine_structure(one: EndPictures) -> float:
    rises = np.gradient(np.stack([one.first, one.last]).mean(axis=3), axis=(1, 2))
    return float(sum(np.square(rise).mean() for rise in rises))
