"""How long the source of a task is and how many frames were delivered: the temporal half of Figure 4."""

from collections.abc import Iterator

from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.media import deliverable as door

SECONDS, FRAMES = "source seconds", "delivered frames"


def measure_lengths(evidence: Evidence, item: EditTask) -> Iterator[Finding]:
    """Return seconds of the source and frames of the delivered video, of those that are at hand and can be read."""
    if item.source is not None:
        try:
            seconds = door.probe(evidence.store.path(item.source)).duration_s
        except BadInput:  # whoever measures the source says what is wrong with it
            seconds = None
        if seconds:
            yield Finding(name=SECONDS, value=float(seconds), because=f"the source lasts {float(seconds):.2f} s")
    if evidence.file(EDITED) is not None:
        frames = door.probe(evidence.path(EDITED)).frames
        if frames:
            yield Finding(name=FRAMES, value=frames, because=f"{EDITED} has {frames} frames", file=EDITED)
