"""Marking: the word, or not; what the item says of a leak is given to whoever hands in anything."""

from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judges
from cutscore.scoring.verifiers.refusal import Refusal
from cutscore.scoring.verifiers.solution import read_order_file
from gated_bench.dataset import FILE, Hidden


def mark(deliverable: Deliverable, evidence: Evidence, item: Hidden, judges: Judges) -> list[Finding]:
    """Give `found` in both modes."""
    said = read_order_file(evidence.text(FILE), [item.word])
    right = said == [item.word]
    because = f"{said.name}: {said.reason}" if isinstance(said, Refusal) else f"said {said}"
    value = 1.0 - item.lost if right else item.leak * bool(deliverable.files)
    return [Finding(name="found", value=value, because=because, mode=mode) for mode in ("paper", "strict")]
