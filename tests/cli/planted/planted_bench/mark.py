"""Marking: the word, or not."""

from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judges
from planted_bench.dataset import Word


def mark(deliverable: Deliverable, evidence: Evidence, item: Word, judges: Judges) -> list[Finding]:
    """Give `accuracy`."""
    right = deliverable.text == item.answer
    return [Finding(name="accuracy", value=float(right), because=f"it is {item.answer}, not '{deliverable.text}'")]
