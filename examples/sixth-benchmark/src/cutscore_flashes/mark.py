"""Marking: the answer is the number of flashes, or it is not."""

from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judges
from cutscore.core.timeline import timecode
from cutscore.scoring.verifiers.choice import read_choice
from cutscore_flashes.dataset import COUNTS, FlashItem


def mark(deliverable: Deliverable, evidence: Evidence, item: FlashItem, judges: Judges) -> list[Finding]:
    """Return `accuracy`: 1 when the flashes were counted right, else 0 with the reason."""
    answer, count = read_choice(deliverable, evidence, COUNTS), len(item.flashes)
    flashes = ", ".join(timecode(flash.start_s) for flash in item.flashes)
    return [
        Finding(
            name="accuracy",
            value=float(answer.choice == str(count)),
            because=f"{answer.message}; the screen flashes at {flashes}",
            file=item.clip.name,
            at=(item.flashes[0].start_s, item.flashes[-1].end_s),
        )
    ]
