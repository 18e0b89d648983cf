"""How difficult a task is, by the paper's rules (Appendix C.2), counted from its script and its tutorial's log."""

from collections.abc import Sequence

from cutscore.benchmarks.videowebarena.scripts import TaskScripts
from cutscore.benchmarks.videowebarena.tutorials.action_log import SpanS, TutorialLog

MOST_EASY_STEPS, MOST_MEDIUM_STEPS = 3, 9
MOST_EASY_PIECES, MOST_MEDIUM_PIECES = 1, 3


def overall_difficulty(script: TaskScripts) -> str:
    """Return how difficult it is to do: up to three actions are easy, up to nine medium, more are hard."""
    steps = len(script.perfect.actions)
    return "easy" if steps <= MOST_EASY_STEPS else "medium" if steps <= MOST_MEDIUM_STEPS else "hard"


def intermediate_difficulty(script: TaskScripts, log: TutorialLog) -> str:
    """Return how difficult it is to see: by pieces of information, and by how much of the video they stand in.

    One piece is easy. More than three are hard when they are spread over more than half of the video; the paper leaves
    open what more than three in less than half are, and we call them medium.
    """
    if script.pieces <= MOST_EASY_PIECES:
        return "easy"
    wide = 2 * _extent_s([log.marks[mark] for mark in script.needs]) > log.seconds
    return "hard" if script.pieces > MOST_MEDIUM_PIECES and wide else "medium"


def _extent_s(spans: Sequence[SpanS]) -> float:
    """Return the time from the beginning of the first span to the end of the last."""
    return max((end for _, end in spans), default=0.0) - min((start for start, _ in spans), default=0.0)
