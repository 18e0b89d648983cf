"""Several runs of one judge → one judgement.

The verdict is what most of the valid runs say; runs that failed are missing, and at least half of all runs have to be
there. Weaknesses are those that more than half of the runs on the winning side named, and never none when the verdict
is that there are some. A tie is decided against the submission and flagged. Short answers are the same when they differ
in case and white space alone; without a majority, the earliest of those that most runs gave is flagged.
"""

from collections import Counter
from collections.abc import Sequence

from cutscore.core.judgement import Question, Weakness, fold_answer
from cutscore.core.matching import Matcher
from cutscore.core.timeline import Span
from cutscore.scoring.judges.reply import Answer, allowed_answers
from cutscore.scoring.matching.matchers import DEFAULT_MATCHER

# What a tie comes to: the side that does not flatter the submission, and for a preference none.
_TIED: dict[str, str] = {"yes_no": "no", "weaknesses": "yes", "pairwise": "neither"}


def quorum(votes: int) -> int:
    """Return how many of so many runs have to be readable.

    >>> quorum(1), quorum(3), quorum(5)
    (1, 2, 3)
    """
    return votes // 2 + 1


def is_settled(runs: Sequence[Answer | None], votes: int) -> bool:
    """Return whether no further run can change the verdict."""
    counts = Counter(fold_answer(run.answer) for run in runs if run is not None)
    return any(count >= quorum(votes) for count in counts.values())


def decide(
    question: Question,
    runs: Sequence[Answer | None],
    *,
    votes: int,
    matcher: Matcher = DEFAULT_MATCHER,
    why_not: str = "",
) -> Answer:
    """Fold the runs of one question, in order; a run without a readable answer is None, and `why_not` says why.

    There is no answer when too few runs could be read. The matcher tells which weaknesses of two runs are one.
    """
    valid = [run for run in runs if run is not None]
    if len(valid) < quorum(votes):
        lacking = f"{len(valid)} of {votes} runs could be read, at least {quorum(votes)} have to be"
        return Answer(None, "; ".join(filter(None, [why_not, lacking if votes > 1 else ""])) or lacking)
    if question.kind == "scale":
        return _middle(valid)
    if question.kind == "short":
        return _most_alike(valid)
    answer, flags = _most(question, [str(run.answer) for run in valid])
    side = [run for run in valid if str(run.answer) == answer] or valid
    found = (
        _common([run.weaknesses for run in side], matcher) if question.kind == "weaknesses" and answer == "yes" else ()
    )
    return Answer(answer, side[0].because, _place(side), found if votes > 1 else side[0].weaknesses, flags)


def _most(question: Question, answers: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    counts = Counter(answers)
    top = max(counts.values())
    leaders = [answer for answer in counts if counts[answer] == top]
    if len(leaders) == 1:
        return leaders[0], () if top * 2 > len(answers) else ("no majority",)
    if question.kind in _TIED:
        return _TIED[question.kind], ("tie",)
    return next(each for each in allowed_answers(question) if each in leaders), ("tie",)


def _most_alike(valid: Sequence[Answer]) -> Answer:
    """Return the first wording of what most runs say."""
    counts = Counter(fold_answer(run.answer) for run in valid)
    winner, top = counts.most_common(1)[0]  # of equals the one that came first
    side = [run for run in valid if fold_answer(run.answer) == winner]
    flags = () if top * 2 > len(valid) else ("no majority",)
    return Answer(side[0].answer, side[0].because, _place(side), flags=flags)


def _middle(valid: Sequence[Answer]) -> Answer:
    """Return the median run; of two middle ones the lower."""
    ordered = sorted(valid, key=lambda run: run.answer if isinstance(run.answer, int | float) else 0)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    side = [run for run in valid if run.answer == low.answer]
    return Answer(low.answer, side[0].because, _place(side), flags=("tie",) if low.answer != high.answer else ())


def _common(lists: Sequence[Sequence[Weakness]], matcher: Matcher) -> tuple[Weakness, ...]:
    """Return the weaknesses that more than half of the runs name, or the one that most do, with their support.

    Each run is matched with what the runs before it named, by its first wording; what is new is added.
    """
    named: list[Weakness] = []
    supports: list[int] = []
    for weaknesses in lists:
        partner = {mine: known for known, mine in matcher.pair(named, weaknesses).pairs}
        for number, each in enumerate(weaknesses):
            if number in partner:
                supports[partner[number]] += 1
            else:
                named.append(each)
                supports.append(1)
    kept = [place for place, support in enumerate(supports) if support * 2 > len(lists)]
    kept = kept or [supports.index(max(supports))]
    return tuple(named[place].model_copy(update={"support": supports[place]}) for place in kept)


def _place(runs: Sequence[Answer]) -> Span | None:
    return next((run.at for run in runs if run.at is not None), None)
