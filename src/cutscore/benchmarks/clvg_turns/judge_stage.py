"""The judge `stage`: knows every film of a staged case, and says by the delivered pixels which of them was made.

branch       its last picture is nearest to that of the right state, of all states and of the film before
focus        so it is where the right film changes anything
action       its pictures follow those of the right film in order, from the staged end of the film before on
continuity   its first picture is the last one that was handed over in the turn before
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.clvg_turns.dataset import InteractionCase
from cutscore.benchmarks.clvg_turns.questions import CONTINUITY, parse_question
from cutscore.benchmarks.clvg_turns.staged import HEIGHT, WIDTH, iter_turn, last_picture
from cutscore.benchmarks.clvg_turns.walked import recorded_film, walked_user
from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Judgement, Question
from cutscore.core.timeline import Span
from cutscore.media import deliverable as door
from cutscore.media.plan import Times

LOOKS = 9  # pictures of a delivered film, from the first to the last
SHOWS = 24  # levels of 255 by which a pixel must differ for two films to differ there
FEWEST = 12  # pixels that must, for two pictures to be two
NEARER = 0.8  # a film counts as nearer when it is at most this much of another's distance
UNLIKE = 20.0  # mean difference in levels from which on a picture shows something else
JUMP = 0.005  # share of a picture that may differ from the one before it, twice as much as shows, in one film
CASES = 16  # whose pictures are kept
HELD = "the film before, held"

Picture = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class StagedTurn:
    """What a turn can look like.

    Args:
        right: All pictures of the right film.
        before: The staged last picture of the film before.
        ends: Last pictures of other films, by what they are.
    """

    right: tuple[Picture, ...]
    before: Picture
    ends: Mapping[str, Picture]


@dataclass(frozen=True, eq=False)
class LookedAt:
    """Pictures of a delivered film in order, each with its time."""

    at_s: tuple[Fraction, ...]
    pictures: tuple[Picture, ...]

    def span(self, number: int) -> Span:
        """Return the moment of a picture."""
        return Span(start_s=self.at_s[number], end_s=self.at_s[number])


def judge_by_truth(questions: Sequence[Question], evidence: Evidence, item: InteractionCase) -> list[Judgement]:
    """Answer by the delivered pixels, measured against every film that was staged."""
    return [_answer(question, evidence, item) for question in questions]


def _answer(question: Question, evidence: Evidence, item: InteractionCase) -> Judgement:
    turn, dimension = parse_question(question.id)
    if not item.stage:
        why = "the case was not staged; name another judge"
        return Judgement(question=question.id, judge="stage", because=why)
    path = item.paths[walked_user(item, evidence)][:turn]
    staged, film = _stage_turn(item.model_dump_json(), path), _look(evidence, turn)
    if film is None:
        return Judgement(question=question.id, judge="stage", because="it was shown no film")
    if dimension == "branch":
        found = check_branch(film, staged, path[-1])
    elif dimension == "focus":
        found = check_focus(film, staged)
    elif dimension == CONTINUITY:
        last = _look(evidence, turn - 1)
        found = check_join(film, last.pictures[-1] if last else staged.before)
    else:
        found = check_action(film, staged)
    answer = "yes" if found.holds else "no"
    return Judgement(question=question.id, judge="stage", answer=answer, because=found.because, at=found.at)


@dataclass(frozen=True)
class Seen:
    """Whether something holds, why, and when that is seen."""

    holds: bool
    because: str
    at: Span


def check_branch(film: LookedAt, staged: StagedTurn, right: str) -> Seen:
    """Return which film's end the last picture shows, by the pixels in which the ends differ."""
    ends = {right: staged.right[-1], **staged.ends}
    where = _anywhere(_differs(ends[right], end) for end in staged.ends.values())
    far = {name: _distance(film.pictures[-1], end, where) for name, end in ends.items()}
    nearest = min(far, key=lambda name: far[name])
    other = min((each for name, each in far.items() if name != right), default=float("inf"))
    at = film.span(-1)
    if far[nearest] > UNLIKE:
        return Seen(False, f"it ends like none of the states: {far[nearest]:.0f} levels from the nearest", at)
    if nearest != right:
        what = "like the film before: nothing came of the answer" if nearest == HELD else f"like state '{nearest}'"
        return Seen(False, f"it ends {what}, and not like '{right}'", at)
    if far[right] > NEARER * other:
        return Seen(False, f"its end is as near to another state as to '{right}'", at)
    return Seen(True, f"it ends like state '{right}': {far[right]:.1f} levels away, the next {other:.0f}", at)


def check_focus(film: LookedAt, staged: StagedTurn) -> Seen:
    """Return whether what the right film changes looks as it should in the end."""
    where = _differs(staged.right[-1], staged.before)
    done, left = (_distance(film.pictures[-1], each, where) for each in (staged.right[-1], staged.before))
    holds = done <= UNLIKE and done <= NEARER * left
    because = f"what this turn is about looks {done:.1f} levels unlike the staged one, {left:.0f} unlike before"
    return Seen(holds, because, film.span(-1))


def check_action(film: LookedAt, staged: StagedTurn) -> Seen:
    """Return whether the pictures follow those of the right film in order, at any pace, from its first one on."""
    join = check_join(film, staged.before)
    if not join.holds:
        return join
    where = _anywhere(_differs(each, staged.before) for each in staged.right)
    mine, right = (np.stack([each[where] for each in every], dtype=np.int16) for every in (film.pictures, staged.right))
    far = np.array([np.abs(right - each).mean(axis=(1, 2)) if where.any() else np.zeros(len(right)) for each in mine])
    steps = follow(far)
    worst = int(np.argmax(steps))
    because = f"its pictures follow the staged action within {steps[worst]:.1f} levels"
    if steps[worst] > UNLIKE:
        because = f"a picture is {steps[worst]:.0f} levels from the staged action, wherever in time that is looked for"
    return Seen(bool(steps[worst] <= UNLIKE), because, film.span(worst))


def check_join(film: LookedAt, before: Picture) -> Seen:
    """Return whether the first picture is that with which the film before has ended."""
    moved = int(_differs(film.pictures[0], before, shows=2 * SHOWS).sum())
    share = moved / (WIDTH * HEIGHT)
    holds = share <= JUMP
    because = f"{share:.1%} of the first picture is unlike the end of the film before" + ("" if holds else ": a jump")
    return Seen(holds, because, film.span(0))


def follow(far: Picture) -> Picture:
    """Return how far each picture is from the action where both are followed in order, begin to begin and end to end.

    >>> follow(np.array([[0.0, 9.0, 9.0], [9.0, 9.0, 1.0]])).tolist()
    [0.0, 1.0]
    """
    mine, right = far.shape
    total, came = np.full((mine, right), np.inf), np.zeros((mine, right), int)
    total[0, 0] = far[0, 0]
    for row in range(1, mine):
        for column in range(right):
            came[row, column] = int(np.argmin(total[row - 1, : column + 1]))
            total[row, column] = total[row - 1, came[row, column]] + far[row, column]
    column, steps = right - 1, np.zeros(mine)
    for row in range(mine - 1, -1, -1):
        steps[row], column = far[row, column], came[row, column]
    return steps


@lru_cache(maxsize=CASES)
def _stage_turn(plain: str, path: tuple[str, ...]) -> StagedTurn:
    """Render what the last turn of a walk can look like, once for all questions; the item comes as JSON."""
    item = InteractionCase.model_validate_json(plain)
    right, before = tuple(iter_turn(item, path)), last_picture(item, path[:-1])
    others = [state.state_id for state in item.states if state.state_id not in path]
    ends = {HELD: before, **{other: last_picture(item, (*path[:-1], other)) for other in others}}
    unlike = {name: end for name, end in ends.items() if _differs(right[-1], end).sum() >= FEWEST}
    return StagedTurn(right, before, unlike)


def _look(evidence: Evidence, turn: int) -> LookedAt | None:
    name = recorded_film(evidence, turn)
    ref = evidence.file(name)
    return None if ref is None else _look_at(evidence.path(name), ref.sha256)


@lru_cache(maxsize=CASES)
def _look_at(path: Path, sha256: str) -> LookedAt | None:
    """Look at a delivered film once for all questions; None where it is none."""
    try:
        seen = door.probe(path)
        length_s = seen.duration_s or Fraction(0)
        times = [length_s * number / (LOOKS - 1) for number in range(LOOKS)]
        frames = list(door.iter_frames(path, Times(tuple(times))))
    except BadInput:
        return None
    return LookedAt(tuple(each.at_s for each in frames), tuple(_fit(each.pixels) for each in frames))


def _fit(pixels: Picture) -> Picture:
    if pixels.shape[:2] == (HEIGHT, WIDTH):
        return pixels
    made: Picture = cv2.resize(pixels, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return made


def _difference(one: Picture, other: Picture) -> Picture:
    red, green, blue = cv2.split(cv2.absdiff(one, other))  # a mean over the last axis takes six times as long
    levels: Picture = (np.add(red, green, dtype=np.uint16) + blue).astype(np.float32) / np.float32(3)
    return levels


def _differs(one: Picture, other: Picture, *, shows: int = SHOWS) -> Picture:
    return _difference(one, other) >= shows


def _anywhere(masks: Iterator[Picture]) -> Picture:
    every: Picture = np.logical_or.reduce([np.zeros((HEIGHT, WIDTH), bool), *masks])
    return every


def _distance(one: Picture, other: Picture, where: Picture) -> float:
    return float(_difference(one, other)[where].mean()) if where.any() else 0.0
