"""Who needs no key: `blind` guesses from the words alone, and a judge that looks for itself."""

import re
from collections.abc import Sequence
from random import Random

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.files import Shelf
from cutscore.core.judgement import Judgement, Question
from cutscore.scoring.verifiers.choice import read_choice

# The colours that a looker has names for.
NAMES = {
    "black": (0, 0, 0),
    "blue": (0, 0, 255),
    "cyan": (0, 255, 255),
    "green": (0, 255, 0),
    "magenta": (255, 0, 255),
    "red": (255, 0, 0),
    "white": (255, 255, 255),
    "yellow": (255, 255, 0),
}
ASKED = re.compile(r"Which of (?P<choices>.+) fills the screen in file 1 at (?P<at_s>[\d.]+) seconds\?")


def blind(ask: Ask, seed: int, shelf: Shelf) -> Deliverable:
    """Pick one of the choices without looking at the clip; equal seeds guess alike."""
    return Deliverable(text=Random(seed).choice(ask.choices))


def judge_by_reading(questions: Sequence[Question], evidence: Evidence) -> list[Judgement]:
    """Judge an answer by the pixels at the moment that the question names; it never sees the truth."""
    return [_read(question, evidence) for question in questions]


def _read(question: Question, evidence: Evidence) -> Judgement:
    from cutscore.media.frames import read_frames
    from cutscore.media.plan import FramePlan

    asked = ASKED.match(question.text)
    choices = asked["choices"].split(", ") if asked else []
    if asked is None or not set(choices) <= set(NAMES):
        return Judgement(question=question.id, judge="reader", because="it has no name for one of the colours")
    (frame,) = read_frames(evidence.path(evidence.files[0].name), FramePlan.parse(f"times={asked['at_s']}"))
    seen = frame.pixels.mean(axis=(0, 1))
    nearest = min(choices, key=lambda name: sum((float(a) - b) ** 2 for a, b in zip(seen, NAMES[name], strict=True)))
    named = read_choice(Deliverable(text=str(evidence.facts.get("answer", ""))), evidence, choices)
    because = f"{named.told}; at {asked['at_s']} s the screen looks {nearest}"
    at = (frame.at_s, frame.at_s)
    answer = "yes" if named.named == nearest else "no"
    return Judgement(question=question.id, judge="reader", answer=answer, because=because, at=at)
