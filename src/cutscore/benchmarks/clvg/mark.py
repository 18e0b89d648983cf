"""Marking: a judge names the weaknesses of a video, in the question of its family; a video without any passes.

Who judges is part of what a verdict is: `stage` is the verifier, which knows the truth of staged cases and looks at the
pixels; `reader` looks at context and video alone; a model, or people, have opinions. Tables never mix them.
"""

from collections.abc import Mapping

from cutscore.benchmarks.clvg.ask import describe_context
from cutscore.benchmarks.clvg.ask_parts import GENERATED
from cutscore.benchmarks.clvg.dataset import GenerationCase
from cutscore.benchmarks.clvg.taxonomy import FAMILIES, Family
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import ScoreGap
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judge_view import JudgeView, Shown
from cutscore.core.judgement import Judgement, Judges, Question, Weakness
from cutscore.scoring.verifiers.refusal import Refusal
from cutscore.scoring.verifiers.video_file import refuse_video

QUESTION = "weaknesses"
CONTROL = "control"
# How densely a judge that takes frames looks: as the paper says, and twice as often where moments decide.
FRAMES: Mapping[Family, str] = {
    "prompt_following": "fps=2,max=32",
    "reasoning": "fps=4,max=64",
    "perception": "fps=2,max=32",
}
NO_CONTROL = [
    ScoreGap(name=name, status="excluded", because="nobody else judged (--role control=stage)")
    for name in ("judge_agrees", "judge_recall")
]


def mark(
    deliverable: Deliverable, evidence: Evidence, item: GenerationCase, judges: Judges
) -> list[Finding | ScoreGap]:
    """Return whether the video passes, over all cases and over those with a video, and each weakness with its place.

    No video is a fail without a question to anybody; its cause says whether the generator refused.
    """
    refusal = refuse_video(evidence, GENERATED, failure=deliverable.failure)
    if refusal is not None:
        return [*_fail_without_video(refusal), *NO_CONTROL]
    if (judge := judges.get("judge")) is None:
        return [
            *(ScoreGap(name=name, status="unscored", because="nobody judged it; name a --judge") for name in PASSES),
            *NO_CONTROL,
        ]
    shown, view = show_context(evidence, item), view_of(item)
    said = judge.ask([question_of(item)], shown, view=view)[0]
    if (control := judges.get(CONTROL)) is None:
        return [*_verdict(said), *NO_CONTROL]
    return [*_verdict(said), *compare(said, control.ask([question_of(item)], shown, view=view)[0])]


PASSES = ("passed", "passed_of_videos")


def question_of(item: GenerationCase) -> Question:
    """Return the question of the item's family."""
    text = f"Which weaknesses does the video have, judged for {FAMILIES[item.kind.family].partition(' (')[0]}?"
    return Question(id=QUESTION, kind="weaknesses", text=text)


def show_context(evidence: Evidence, item: GenerationCase) -> Evidence:
    """Return the evidence together with what the generator was given: request and context, without any truth."""
    given = tuple(file.model_copy(update={"name": f"context/{file.name}"}) for file in item.files)
    facts = {**evidence.facts, "request": item.instruction, "pieces": describe_context(item.whole_context)}
    return evidence.model_copy(update={"files": (*given, *evidence.files), "facts": facts})


def view_of(item: GenerationCase) -> JudgeView:
    """Return what a judge is shown: the request, the pieces by their role, then the video."""
    pieces = [part for part in item.whole_context if part.file]
    shown = (
        Shown(label="request", fact="request"),
        Shown(label="list of pieces", fact="pieces"),
        *(
            Shown(label=f"piece {number}: {part.role.replace('_', ' ')}", file=f"context/{part.file}")
            for number, part in enumerate(pieces, start=1)
        ),
        Shown(label="the video", file=GENERATED),
    )
    family = item.kind.family
    return JudgeView(prompt=f"judge_{family}", shown=shown, frames=FRAMES[family])


def _verdict(said: Judgement) -> list[Finding | ScoreGap]:
    if said.answer is None:
        return [ScoreGap(name=name, status="unscored", because=said.message) for name in PASSES]
    passed = float(not said.weaknesses and said.answer != "yes")
    because = "no weakness was named" if passed else f"{len(said.weaknesses)} named: {said.message}"
    first = said.weaknesses[0].at if said.weaknesses else None
    return [
        Finding(name="passed", value=passed, because=because, file=GENERATED, at=first),
        Finding(name="passed_of_videos", value=passed, whole=1, because=because, file=GENERATED, at=first),
        *(describe_weakness(each) for each in said.weaknesses),
    ]


def describe_weakness(weakness: Weakness) -> Finding:
    """Return a weakness as a finding at its place, under its code where it has one."""
    name = f"weakness/{weakness.code or 'other'}"
    return Finding(name=name, value=0.0, because=weakness.text, file=GENERATED, at=weakness.at)


def _fail_without_video(refusal: Refusal) -> list[Finding | ScoreGap]:
    because = f"{refusal.name}: {refusal.reason}"
    return [
        Finding(name="passed", value=0.0, because=because, file=GENERATED, unreadable=refusal.unreadable),
        ScoreGap(name="passed_of_videos", status="excluded", because=because),
    ]


def compare(said: Judgement, known: Judgement) -> list[Finding | ScoreGap]:
    """Return how far a judge says what a second one says: the same verdict, and how many of its weaknesses by code."""
    if said.answer is None or known.answer is None:
        because = said.message if said.answer is None else known.message
        names = ("judge_agrees", "judge_recall")
        return [ScoreGap(name=name, status="unscored", because=because) for name in names]
    same = float(bool(said.weaknesses) == bool(known.weaknesses))
    words = {True: "fail", False: "pass"}
    because = f"the judge says {words[bool(said.weaknesses)]}, {known.judge} says {words[bool(known.weaknesses)]}"
    wanted, named = {each.code for each in known.weaknesses}, {each.code for each in said.weaknesses}
    if not wanted:
        nothing = ScoreGap(name="judge_recall", status="excluded", because=f"{known.judge} names no weakness")
        return [Finding(name="judge_agrees", value=same, because=because), nothing]
    return [
        Finding(name="judge_agrees", value=same, because=because),
        Finding(
            name="judge_recall",
            value=len(wanted & named),
            whole=len(wanted),
            because=f"{len(wanted & named)} of {len(wanted)} kinds of weakness are named by both",
        ),
        *(
            Finding(name=f"recall/{code}", value=float(code in named), whole=1, because=f"{code} was there")
            for code in sorted(wanted)
        ),
    ]
