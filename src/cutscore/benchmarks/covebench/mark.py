"""Marking: a judge answers the checklist, four calls at most; the answers become scores in three modes."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from cutscore.benchmarks.covebench.analysis.audits import (
    CONTROL,
    NO_CONTROL,
    audit_judge,
    compare_with_control,
    score_constants,
    score_votes,
)
from cutscore.benchmarks.covebench.analysis.coverage import describe_coverage
from cutscore.benchmarks.covebench.analysis.errors import find_errors
from cutscore.benchmarks.covebench.analysis.forensics import ROLE, find_flaws
from cutscore.benchmarks.covebench.analysis.lengths import measure_lengths
from cutscore.benchmarks.covebench.checklist import COMPARES, FORMATS, Checklist, ChecklistQuestion, Format
from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.benchmarks.covebench.metrics.mark_metrics import measure_pixels
from cutscore.benchmarks.covebench.scores import (
    LOWEST,
    MODES,
    PERCENT,
    SCORES,
    Mode,
    ScoreName,
    ScoreSum,
    is_right,
    preservation_points,
    score_category,
    score_checklist,
    score_point,
    sum_sums,
)
from cutscore.benchmarks.covebench.video_names import VIDEO_A
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import ScoreGap
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judge_view import JudgeView, Shown
from cutscore.core.judgement import Judge, Judgement, Judges, Question
from cutscore.scoring.verifiers.refusal import Refusal
from cutscore.scoring.verifiers.video_file import refuse_video

PROMPTS: Mapping[Format, str] = {
    "AB-MCQ": "judge_ab",
    "Single-TF": "judge_single",
    "Dual-TF": "judge_dual",
    "Score-MCQ": "judge_score",
}
BOTH = "A and B"
ELSEWHERE = "answers"  # the judge whose answers were given before


def mark(
    deliverable: Deliverable, evidence: Evidence, item: EditTask, judges: Judges, *, options: Mapping[str, str]
) -> list[Finding | ScoreGap]:
    """Return six scores in three modes, every answer, how often each type of edit was done, and the pixel metrics.

    Without a video there is nothing to answer: the released code leaves such a task out of all sums, and so do
    `reference` and `paper`; in `strict` every question is wrong. Without a judge nobody has an answer. Answers that
    were given elsewhere need no video.
    """
    judge = judges.get("judge")
    elsewhere = judge is not None and judge.name.startswith(f"{ELSEWHERE}:")
    refusal = None if elsewhere else refuse_video(evidence, EDITED, failure=deliverable.failure)
    if refusal is not None:
        return _mark_nothing(item, refusal)
    said = ask_checklist(judge, evidence, item, everywhere=options["protocol"] == "reference")
    answers = {id: each.answer for id, each in said.items()}
    return [
        *(finding for mode in MODES for finding in _scores(item, answers, mode)),
        *(
            _describe_answer(question, said[question.id])
            for question in item.checklist.questions
            if question.id in said
        ),
        *describe_types(item.checklist, answers),
        *describe_coverage(item.checklist, answers, elsewhere=elsewhere),
        *find_errors(item.checklist, answers),
        *find_flaws(judges.get(ROLE), evidence, item),
        *measure_lengths(evidence, item),
        *_weigh_judge(judges, evidence, item, said, options),
        *(() if elsewhere or options["metrics"] == "none" else measure_pixels(evidence, item, options["hub"])),
    ]


def _weigh_judge(
    judges: Judges, evidence: Evidence, item: EditTask, said: Mapping[str, Judgement], options: Mapping[str, str]
) -> Iterator[Finding | ScoreGap]:
    """Return what the answers of a judge are worth: vote by vote, beside a second judge, and by audits if wanted."""
    judge, control = judges.get("judge"), judges.get(CONTROL)
    if judge is None:
        return
    ask = partial(ask_checklist, evidence=evidence, item=item, everywhere=options["protocol"] == "reference")
    yield from score_votes(item.checklist, said)
    yield from [NO_CONTROL] if control is None else compare_with_control(item.checklist, said, ask(control))
    if options["audits"] == "all":
        yield from score_constants(item.checklist)
        yield from () if judge.name.startswith(f"{ELSEWHERE}:") else audit_judge(judge, item.checklist, ask)


def ask_checklist(judge: Judge | None, evidence: Evidence, item: EditTask, *, everywhere: bool) -> dict[str, Judgement]:
    """Ask a judge all questions, those of a format at once, each format with what it may see.

    Group, dimension, difficulty and expected answer are left out of every question. With `everywhere` the instruction
    is shown in every call, as the released code does; else with scores alone, as the paper says.
    """
    if judge is None:
        return {}
    source = (item.source.model_copy(update={"name": VIDEO_A}),) if item.source else ()
    shown = evidence.model_copy(
        update={"files": (*source, *evidence.files), "facts": {"instruction": item.instruction}}
    )
    said: dict[str, Judgement] = {}
    for form in FORMATS:
        asked = [each for each in item.checklist.questions if each.format == form]
        if asked:
            view = view_of(form, instruction=everywhere or form == "Score-MCQ")
            answers = judge.ask([judge_question(each) for each in asked], shown, view=view)
            said |= {each.question: each for each in answers}
    return said


def view_of(form: Format, *, instruction: bool) -> JudgeView:
    """Return what a call about one format shows: the edited video, the source where it compares, the instruction."""
    shown = [Shown(label="Video B", file=EDITED, sound=False)]
    if form in COMPARES:
        shown.insert(0, Shown(label="Video A", file=VIDEO_A, sound=False))
    if instruction:
        shown.append(Shown(label="editing instruction", fact="instruction"))
    return JudgeView(prompt=PROMPTS[form], shown=tuple(shown))


def judge_question(question: ChecklistQuestion) -> Question:
    """Return a question as a judge reads it."""
    if question.format == "AB-MCQ":
        text = f"{question.text} A: {question.options['A']} B: {question.options['B']}"
        return Question(id=question.id, kind="choice", text=text, choices=("A", "B", BOTH))
    if question.format == "Score-MCQ":
        anchors = {int(points): words for points, words in question.options.items() if points.isdecimal()}
        return Question(id=question.id, kind="scale", text=question.text, anchors=anchors)
    return Question(id=question.id, kind="yes_no", text=question.text)


def _scores(item: EditTask, answers: Mapping[str, object], mode: Mode) -> list[Finding | ScoreGap]:
    found: list[Finding | ScoreGap] = []
    for name, total in score_checklist(item.checklist, answers, mode).items():
        because = _because(name, total, mode)
        if mode == "strict" and total.open:
            found.append(ScoreGap(name=name, status="unscored", because=because, mode=mode))
        else:
            found.append(
                Finding(name=name, value=total.part, whole=total.whole, because=because, file=EDITED, mode=mode)
            )
    return found


def _because(name: ScoreName, total: ScoreSum, mode: Mode) -> str:
    what = {"uas": "edit points", "uas_task": "task", "sem": "scores"}.get(name, "questions")
    told = f"{total.part / PERCENT:g} of {total.whole} {what} right" if name != "sem" else _mean_of(total)
    if not total.open:
        return told
    bounds = total.bounds(PERCENT / 10 * LOWEST if name == "sem" else 0.0)
    between = f", which leaves it between {bounds[0]:.1f} and {bounds[1]:.1f}" if bounds and mode != "reference" else ""
    return f"{told}; {total.open} without an answer{between}"


def _mean_of(total: ScoreSum) -> str:
    return "no score" if total.value is None else f"mean {total.value / 10:.2f} of {total.whole} scores from 1 to 10"


def _mark_nothing(item: EditTask, refusal: Refusal) -> list[Finding | ScoreGap]:
    """Return the scores of a task without a video: left out of the sums, in `strict` all wrong."""
    because = f"{refusal.name}: {refusal.reason}"
    wrong = score_checklist(item.checklist, _wrong_answers(item.checklist.questions), "reference")
    scores = [
        Finding(
            name=name,
            value=0,
            whole=wrong[name].whole if mode == "strict" else 0,
            because=because,
            file=EDITED,
            mode=mode,
            unreadable=refusal.unreadable,
        )
        for mode in MODES
        for name in SCORES
    ]
    return [*scores, NO_CONTROL, *describe_coverage(item.checklist, {}, no_video=because)]


def _wrong_answers(questions: Sequence[ChecklistQuestion]) -> dict[str, object]:
    return {each.id: 0 if each.measure == "sem" else "none" for each in questions}


def _describe_answer(question: ChecklistQuestion, said: Judgement) -> Finding:
    """Return one answer of the judge, whether it is the expected one, and where it can be seen."""
    name = f"{question.measure}/{question.id}"
    if question.measure == "sem":
        points = preservation_points(said.answer, "paper")
        value = (points or 0) / 10
        because = f"{question.text} {said.message}"
    else:
        value = float(bool(is_right(question, said.answer)))
        because = f"{question.text} Expected '{question.expected}': {said.message}"
    return Finding(name=name, value=value, because=because, file=EDITED, at=said.at)


def describe_types(checklist: Checklist, answers: Mapping[str, object]) -> list[Finding]:
    """Return how many edits of each type are done, by two units: the questions of a category, and its whole point."""
    sums: dict[str, list[ScoreSum]] = {}
    for point in checklist.edit_points:
        for category in point.categories:
            own = score_category(category, point, answers, "reference")
            sums.setdefault(f"entry/{category.bucket}", []).append(own)
        for bucket in dict.fromkeys(category.bucket for category in point.categories):
            sums.setdefault(f"union/{bucket}", []).append(score_point(point, answers, "reference"))
    found = []
    for name, each in sums.items():
        total = sum_sums(each)
        because = f"{total.part / PERCENT:g} of {total.whole} edits of this type are done"
        found.append(Finding(name=name, value=total.part, whole=total.whole, because=because, file=EDITED))
    return found
