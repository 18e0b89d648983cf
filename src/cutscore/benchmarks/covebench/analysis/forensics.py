"""The forensic judge of G.4 and I.5: flaws of a delivered video, each with its second and what it takes off a score.

It sees the edited video and the instruction, in a call of its own, and sits in a role of its own:
`--role forensics=PROVIDER/NAME`. Where nobody does, physics and degradation are not known. The score that counts is
recomputed from the deductions; one that the judge adds up otherwise is flagged.
"""

from collections.abc import Iterator, Sequence

from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.core.ending import ScoreGap
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judge_view import JudgeView, Shown
from cutscore.core.judgement import Judge, Judgement, Question, Weakness

ROLE = "forensics"
KINDS = {
    "physics": "What in Video B breaks a law of nature, though the instruction does not ask for it?",
    "degradation": "What in Video B betrays that it was generated, though the instruction does not ask for it?",
}
START, SLIGHT, GRAVE = 10, 1, 2  # points at the outset, and what a flaw takes off
GRAVE_FROM = 6  # of a severity from 1 to 10
# Judges of a benchmark's own know checklists, and nothing of flaws.
KNOW_NO_FLAWS = ("truth", "stage", "reader", "answers")
VIEW = JudgeView(
    prompt="judge_forensics",
    shown=(
        Shown(label="Video B", file=EDITED, sound=False),
        Shown(label="editing instruction", fact="instruction"),
    ),
)


def find_flaws(judge: Judge | None, evidence: Evidence, item: EditTask) -> list[Finding | ScoreGap]:
    """Ask the forensic judge about a video; nothing where nobody sits in its role, or there is no video."""
    if judge is None or evidence.file(EDITED) is None:
        return []
    if judge.name.partition(":")[0] in KNOW_NO_FLAWS:
        because = f"'{judge.name}' knows nothing of flaws; seat a model: --role {ROLE}=PROVIDER/NAME"
        return [ScoreGap(name=f"error/{kind}", status="stopped", because=because) for kind in KINDS]
    shown = evidence.model_copy(update={"facts": {"instruction": item.instruction}})
    said = {each.question: each for each in judge.ask(forensic_questions(), shown, view=VIEW)}
    return [each for kind in KINDS for each in describe_flaws(kind, said[kind], said[f"{kind}_score"])]


def forensic_questions() -> list[Question]:
    """Return a question for the flaws of each kind, and one for the score that they leave."""
    points = tuple(str(each) for each in range(START + 1))
    return [
        question
        for kind, text in KINDS.items()
        for question in (
            Question(id=kind, kind="weaknesses", text=text),
            Question(id=f"{kind}_score", kind="choice", text=f"Which score do the {kind} flaws leave?", choices=points),
        )
    ]


def deduction(flaw: Weakness) -> int:
    """Return what a flaw takes off; one without a severity counts as slight.

    >>> deduction(Weakness(text="a ghost", severity=3)), deduction(Weakness(text="a third arm", severity=9))
    (1, 2)
    """
    return GRAVE if (flaw.severity or 0) >= GRAVE_FROM else SLIGHT


def forensic_score(flaws: Sequence[Weakness]) -> int:
    """Return the score that flaws leave, from 10 down to 0.

    >>> forensic_score([Weakness(text="no shadow", severity=8), Weakness(text="floats a little", severity=2)])
    7
    """
    return max(0, START - sum(map(deduction, flaws)))


def describe_flaws(kind: str, said: Judgement, told: Judgement) -> Iterator[Finding | ScoreGap]:
    """Return whether a video has flaws of a kind, its score, every flaw with its second, and a sum that is wrong."""
    if said.answer is None:
        yield ScoreGap(name=f"error/{kind}", status="unscored", because=said.message)
        return
    flaws = said.weaknesses
    score = forensic_score(flaws)
    sum_text = " ".join([str(START), *(f"- {deduction(flaw)}" for flaw in flaws)])
    noun = "flaw" if len(flaws) == 1 else "flaws"
    counted = f"{said.judge} names {len(flaws) or 'no'} {noun} of {kind}"
    yield Finding(name=f"error/{kind}", value=float(bool(flaws)), whole=1, because=counted, file=EDITED, at=said.at)
    yield Finding(name=f"forensic/{kind}", value=score, whole=START, because=f"{sum_text} leaves {score}", file=EDITED)
    for number, flaw in enumerate(flaws, start=1):
        because = f"{flaw.text} (-{deduction(flaw)})"
        yield Finding(name=f"flaw/{kind}/{number}", value=deduction(flaw), because=because, file=EDITED, at=flaw.at)
    if told.answer is not None and str(told.answer) != str(score):
        because = f"{said.judge} says {told.answer}, and its own deductions leave {score}: {score} counts"
        yield Finding(name=f"mismatch/{kind}", value=1.0, because=because, file=EDITED)
