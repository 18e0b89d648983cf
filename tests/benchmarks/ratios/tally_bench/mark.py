"""Marking: which of the cuts were named, which named seconds are cuts, and how near they are."""

from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judges
from tally_bench.dataset import CutClip


def mark(deliverable: Deliverable, evidence: Evidence, item: CutClip, judges: Judges) -> list[Finding]:
    """Give `recall` and `precision` as parts of wholes, and `likeness`, which tops out at 96."""
    named, cuts = {int(word) for word in deliverable.text.split() if word.isdigit()}, set(item.cuts)
    hits, many = len(named & cuts), len(named | cuts)
    likeness = 96.0 * (hits / many if many else 1.0)
    return [
        Finding(name="recall", value=hits, whole=len(cuts), because=f"named {hits} of {len(cuts)} cuts"),
        Finding(name="precision", value=hits, whole=len(named), because=f"{hits} of {len(named)} seconds are cuts"),
        Finding(name="likeness", value=likeness, because=f"{hits} of {many} seconds agree"),
    ]
