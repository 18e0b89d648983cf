"""Subjects without a key: `blind` guesses from the words alone; the reader looks at the clip, and can judge, too."""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from random import Random

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileStore
from cutscore.core.judgement import Judgement, Question
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.media.frame_cache import read_cached_frames
from cutscore.media.frames import manifest
from cutscore.media.plan import FramePlan
from cutscore.perception.analysis import analyze_clip
from cutscore.perception.answers import colour_at, count
from cutscore.perception.colours import NAMES
from cutscore.perception.report import Report
from cutscore.scoring.verifiers.choice import read_choice

CLIPS = 64  # reports that are kept
ALL = FramePlan.parse("every@0-3600")
AT = re.compile(r"\bat (?P<at_s>\d+(\.\d+)?) seconds\?")
CHOICES = re.compile(r"Which of (?P<choices>.+?) is ")


def blind(ask: Ask, seed: int, store: FileStore) -> Deliverable:
    """Pick one of the choices without looking at the clip; equal seeds guess alike."""
    return Deliverable(text=Random(seed).choice(ask.choices))


def reader(ask: Ask, context: WorkContext) -> Deliverable:
    """Answer by the frames of the plan; what it cannot see or is not shown it guesses, as `blind` does."""
    if not ask.files:
        return blind(ask, context.seed, context.store)
    (clip,), moment, plan = ask.files, AT.search(ask.brief), FramePlan.parse(context.frames)
    path = context.store.path(clip)
    context.tally.add_frames(manifest(clip, plan, read_cached_frames(path, plan, sha256=clip.sha256)))
    at_s = moment["at_s"] if moment else None
    seen = answer_by_sight(_read_clip(path, clip.sha256, plan), Fraction(at_s), ask.choices) if at_s else None
    action = Action(tool="look", arguments={"clip": clip.name, "at_s": at_s})
    context.steps.add(did=action, saw=seen or "nothing that bears on the question, so the answer is a guess")
    return Deliverable(text=seen) if seen is not None else blind(ask, context.seed, context.store)


def answer_by_sight(report: Report, at_s: Fraction, choices: Sequence[str]) -> str | None:
    """Return the choice that the pixels bear out at a moment; None where the reader cannot tell.

    It sees colours and counts round things. It reads no letters, also where a reader of text is installed, so that its
    score is the same on every machine.
    """
    if all(choice.isdigit() for choice in choices):
        balls = count(report, shape="circle", at=at_s)
        return min(choices, key=lambda choice: abs(int(choice) - balls)) if balls else None
    if not set(choices) <= set(NAMES):
        return None
    colour = colour_at(report, at_s)
    return colour.name if colour is not None and colour.name in choices else None


def judge_by_reading(questions: Sequence[Question], evidence: Evidence) -> list[Judgement]:
    """Judge an answer by the pixels at the moment that the question names; the truth is not looked at."""
    return [_judge(question, evidence) for question in questions]


def _judge(question: Question, evidence: Evidence) -> Judgement:
    moment, offered = AT.search(question.text), CHOICES.search(question.text)
    if moment is None or offered is None:
        return Judgement(question=question.id, judge="reader", because="it does not understand the question")
    at_s, choices, clip = Fraction(moment["at_s"]), offered["choices"].split(", "), evidence.files[0]
    seen = answer_by_sight(_read_clip(evidence.path(clip.name), clip.sha256, ALL), at_s, choices)
    if seen is None:
        return Judgement(question=question.id, judge="reader", because=f"it cannot tell which of {', '.join(choices)}")
    answer = read_choice(Deliverable(text=str(evidence.facts.get("answer", ""))), evidence, choices)
    verdict = "yes" if answer.choice == seen else "no"
    because = f"{answer.message}; at {float(at_s):g} s it sees {seen}"
    return Judgement(question=question.id, judge="reader", answer=verdict, because=because, at=(at_s, at_s))


@lru_cache(maxsize=CLIPS)
def _read_clip(path: Path, sha256: str, plan: FramePlan) -> Report:
    """Look at a clip once for all questions about it. It is the item's own, so it may be decoded here."""
    return analyze_clip(read_cached_frames(path, plan, sha256=sha256))
