"""Marking: the answer names the colour on screen, or it does not."""

from cutscore.benchmarks.colorbars.dataset import Moment
from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judges
from cutscore.core.timeline import timecode
from cutscore.scoring.verifiers.choice import read_choice


def mark(deliverable: Deliverable, evidence: Evidence, item: Moment, judges: Judges) -> list[Finding]:
    """Give `accuracy`: 1 when the answer names the right colour and no other choice, else 0 with the reason.

    How answers are read (case, punctuation, a first line `Answer: …`, `answer.json`) is told at `read_choice`.
    """
    choice, shown = read_choice(deliverable, evidence, item.choices), item.shown
    because = f"{choice.told}; from {timecode(shown.start_s)} to {timecode(shown.end_s)} the screen is {shown.colour}"
    return [
        Finding(
            name="accuracy",
            value=float(choice.named == item.answer),
            because=because,
            file=item.clip.name,
            at=(shown.start_s, shown.end_s),
        )
    ]
