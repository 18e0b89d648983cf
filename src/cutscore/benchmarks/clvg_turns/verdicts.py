"""Verdicts on turns → the scores of a case. Pure: no judge, no film.

    case_passed   every judged turn passes; a case without one never does
    turnN         passes of those who reached turn N: every turn before it passed
    turnN_all     passes of all cases that have a turn N; whoever does not reach it has failed
    reached       judged turns that were reached, of all
    verdicts      passes of the reached turns on which a judge gave a verdict: a refusal is none

A turn ends as pass, fail or no verdict. Where one without a verdict could still change a score, that score is open.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cutscore.core.ending import ScoreGap
from cutscore.core.finding import Finding

Outcome = Literal["pass", "fail", "none"]
NAMED_TURNS = (2, 3, 4)  # whose rates the card lists; those of longer cases are findings without a place there


@dataclass(frozen=True)
class TurnVerdict:
    """How one judged turn ended.

    Args:
        cause: Why there is no verdict of a judge, in a few words to count by (`refused`, `not a video`, `judge`).
        file: The film.
        unreadable: Nobody can read what was handed over.
    """

    turn: int
    outcome: Outcome
    because: str
    cause: str = ""
    file: str | None = None
    unreadable: bool = False


def score_case(verdicts: Sequence[TurnVerdict], mode: str) -> Iterator[Finding | ScoreGap]:
    """Return all scores of a case in one mode, from the verdicts on its judged turns in order."""
    yield _score_whole(verdicts, mode)
    first = next((each for each in verdicts if each.outcome != "pass"), None)
    sure = verdicts[: verdicts.index(first) + 1] if first else verdicts  # up to the first that did not pass
    is_open = first is not None and first.outcome == "none"
    for turn in sorted({*NAMED_TURNS, *(each.turn for each in verdicts)}):
        verdict = next((each for each in verdicts if each.turn == turn), None)
        yield from _score_turn(turn, verdict, first, mode)
    if first is not None and is_open:
        for name in ("reached", "verdicts"):
            yield ScoreGap(name=name, status="unscored", because=f"turn {first.turn}: {first.because}", mode=mode)
        return
    real = [each for each in sure if not each.cause]
    passed = sum(each.outcome == "pass" for each in real)
    yield _share("reached", len(sure), len(verdicts), "judged turns were reached", mode)
    yield _share("verdicts", passed, len(real), "verdicts of the judge are a pass", mode)


def _share(name: str, part: int, whole: int, words: str, mode: str) -> Finding | ScoreGap:
    """Return a part of a whole; what has no whole is left out by rule, and nobody misses it."""
    because = f"{part} of {whole} {words}"
    if not whole:
        return ScoreGap(name=name, status="excluded", because=because, mode=mode)
    return Finding(name=name, value=part, whole=whole, because=because, mode=mode)


def _score_whole(verdicts: Sequence[TurnVerdict], mode: str) -> Finding | ScoreGap:
    if not verdicts:
        return Finding(name="case_passed", value=0.0, because="it has no turn to judge", mode=mode)
    failed = next((each for each in verdicts if each.outcome == "fail"), None)
    missing = next((each for each in verdicts if each.outcome == "none"), None)
    if failed is None and missing is not None:
        because = f"turn {missing.turn} has no verdict: {missing.because}"
        return ScoreGap(name="case_passed", status="unscored", because=because, mode=mode)
    because = f"turn {failed.turn}: {failed.because}" if failed else f"all {len(verdicts)} judged turns pass"
    return Finding(
        name="case_passed",
        value=float(failed is None),
        because=because,
        file=failed.file if failed else None,
        mode=mode,
        unreadable=failed is not None and failed.unreadable,
    )


def _score_turn(
    turn: int, verdict: TurnVerdict | None, first: TurnVerdict | None, mode: str
) -> Iterator[Finding | ScoreGap]:
    """Return the two rates of a turn: of those who reached it, and of all; `first` is the first that did not pass."""
    names = (f"turn{turn}", *((f"turn{turn}_all",) if turn > NAMED_TURNS[0] else ()))  # everybody reaches turn 2
    if verdict is None:
        for name in names:
            yield ScoreGap(name=name, status="excluded", because=f"it has no turn {turn}", mode=mode)
    elif first is not None and first.outcome == "none" and first.turn <= turn:
        for name in names:
            because = f"turn {first.turn} has no verdict: {first.because}"
            yield ScoreGap(name=name, status="unscored", because=because, mode=mode)
    elif first is not None and first.turn < turn:
        because = f"not reached: turn {first.turn} failed"
        yield ScoreGap(name=names[0], status="excluded", because=because, mode=mode)
        yield Finding(name=names[1], value=0, whole=1, because=because, file=first.file, mode=mode)
    else:
        for name in names:
            value, told = float(verdict.outcome == "pass"), verdict.because
            yield Finding(name=name, value=value, whole=1, because=told, file=verdict.file, mode=mode)
