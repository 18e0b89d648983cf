"""What the scores of a judge are worth: the same checklist answered without looking, with less to see, vote by vote.

    constant/B/Yes/Yes   the same answer to every question of a format (AB-MCQ, Single-TF, Dual-TF); no judge is asked
    audit/no_video       the judge gets the questions alone
    audit/source_as_b    it is shown the source as Video B
    audit/no_instruction it is not told what was to be edited
    vote/1               the first vote alone, where there were several
    judge/…              how its answers are those of the control, by kind of question

Each has its `uas`, `ifs`, `vrs` and `sem` as the released code counts them. They explain, and enter no score.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from pydantic import JsonValue

from cutscore.benchmarks.covebench.checklist import Checklist, Format
from cutscore.benchmarks.covebench.scores import PERCENT, Answers, ScoreName, score_checklist
from cutscore.benchmarks.covebench.video_names import EDITED, VIDEO_A
from cutscore.core.ending import ScoreGap
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judge, Judgement, Question, SampleJudge, fold_answer

AUDITED: tuple[ScoreName, ...] = ("uas", "ifs", "vrs", "sem")
OBJECTIVE: tuple[Format, ...] = ("AB-MCQ", "Single-TF", "Dual-TF")
CONSTANTS = tuple(product(("A", "B"), ("Yes", "No"), ("Yes", "No")))  # in the order of OBJECTIVE
POINTS = 8  # that a constant gives to all that was to stay
CONTROL = "control"  # the role of a second judge that the first is held against
RIGHT, ANSWERED = "judge_right", "judge_answered"
NO_CONTROL = ScoreGap(name=RIGHT, status="excluded", because=f"nobody sits in the role '{CONTROL}'")
NEAR = 1  # points by which a score of preservation may be off and still fit

Presentation = tuple[Evidence, JudgeView]


def name_constant(answers: tuple[str, str, str]) -> str:
    """Name the finding of somebody who always says the same.

    >>> name_constant(("B", "Yes", "No"))
    'constant/B/Yes/No'
    """
    return "/".join(("constant", *answers))


def answer_constantly(checklist: Checklist, answers: tuple[str, str, str], points: int = POINTS) -> Answers:
    """Return the answers of somebody who says the same to all questions of a format."""
    by_format: dict[str, JsonValue] = {**dict(zip(OBJECTIVE, answers, strict=True)), "Score-MCQ": points}
    return {each.id: by_format[each.format] for each in checklist.questions}


def score_constants(checklist: Checklist) -> Iterator[Finding]:
    """Return the scores of every constant: no video is needed for it, and nobody is asked."""
    for each in CONSTANTS:
        said = f"always {', '.join(each)} and {POINTS}"
        yield from _name_scores(name_constant(each), checklist, answer_constantly(checklist, each), said)


def _withhold_video(evidence: Evidence, view: JudgeView) -> Presentation:
    nothing = evidence.model_copy(update={"files": (), "facts": {}})
    return nothing, view.model_copy(update={"shown": ()})


def _show_source_twice(evidence: Evidence, view: JudgeView) -> Presentation:
    source = evidence.file(VIDEO_A)
    twice = () if source is None else (source, source.model_copy(update={"name": EDITED}))
    return evidence.model_copy(update={"files": twice}), view


def _withhold_instruction(evidence: Evidence, view: JudgeView) -> Presentation:
    shown = tuple(each for each in view.shown if not each.fact)
    return evidence.model_copy(update={"facts": {}}), view.model_copy(update={"shown": shown})


AUDITS: Mapping[str, Callable[[Evidence, JudgeView], Presentation]] = {
    "no_video": _withhold_video,
    "source_as_b": _show_source_twice,
    "no_instruction": _withhold_instruction,
}


def change_what_is_shown(judge: Judge, change: Callable[[Evidence, JudgeView], Presentation]) -> Judge:
    """Return a judge that is shown something else than what it is asked about."""

    def ask(questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW) -> list[Judgement]:
        other, seen = change(evidence, view)
        return list(judge.ask(questions, other, view=seen))

    return SampleJudge(judge.name, ask)


def audit_judge(
    judge: Judge, checklist: Checklist, ask: Callable[[Judge], Mapping[str, Judgement]]
) -> Iterator[Finding]:
    """Ask a judge the whole checklist again, once for each audit; `ask` puts all questions to a judge."""
    for name, change in AUDITS.items():
        said = ask(change_what_is_shown(judge, change))
        answers = {id: each.answer for id, each in said.items()}
        given = sum(answer is not None for answer in answers.values())
        told = f"{judge.name}, {name.replace('_', ' ')}: {given} of {len(checklist.questions)} questions answered"
        yield from _name_scores(f"audit/{name}", checklist, answers, told)
        yield Finding(name=f"audit/{name}/answered", value=given, whole=len(checklist.questions), because=told)


def score_votes(checklist: Checklist, said: Mapping[str, Judgement]) -> Iterator[Finding]:
    """Return the scores of each vote alone, and on how many questions votes differ; nothing of a single vote."""
    count = max((len(each.votes) for each in said.values()), default=0)
    if count < 2:
        return
    for number in range(count):
        alone = {id: each.votes[number] for id, each in said.items() if number < len(each.votes)}
        yield from _name_scores(f"vote/{number + 1}", checklist, alone, f"vote {number + 1} of {count} alone")
    split = sum(len({fold_answer(vote) for vote in each.votes if vote is not None}) > 1 for each in said.values())
    because = f"votes differ on {split} of {len(said)} questions"
    yield Finding(name="votes_differ", value=PERCENT * split, whole=len(said), because=because)


def compare_with_control(
    checklist: Checklist, said: Mapping[str, Judgement], control: Mapping[str, Judgement]
) -> Iterator[Finding]:
    """Return how many answers are those of a second judge, and how many there are, in all and by kind of question."""
    kinds: dict[str, list[str]] = {}
    for each in checklist.questions:
        kinds.setdefault(f"{each.format} {each.measure}", []).append(each.id)
    for kind, asked in {"": [each.id for each in checklist.questions], **kinds}.items():
        given = [id for id in asked if id in said and said[id].answer is not None]
        both = [id for id in given if id in control and control[id].answer is not None]
        right = sum(_fits(said[id].answer, control[id].answer) for id in both)
        told = f"{right} of {len(both)} answers are those of the control; {len(asked) - len(given)} questions have none"
        right_name, answered_name = (f"{name}/{kind}" if kind else name for name in (RIGHT, ANSWERED))
        yield Finding(name=right_name, value=PERCENT * right, whole=len(both), because=told)
        yield Finding(name=answered_name, value=PERCENT * len(given), whole=len(asked), because=told)


def _fits(answer: JsonValue, control: JsonValue) -> bool:
    if isinstance(control, int | float):
        return isinstance(answer, int | float) and abs(answer - control) <= NEAR
    return fold_answer(answer) == fold_answer(control)


def _name_scores(prefix: str, checklist: Checklist, answers: Answers, because: str) -> Iterator[Finding]:
    totals = score_checklist(checklist, answers, "reference")
    for name in AUDITED:
        yield Finding(name=f"{prefix}/{name}", value=totals[name].part, whole=totals[name].whole, because=because)
