"""Marking: the answer names what the clip shows, or it does not; and what a judge thinks of it, when there is one."""

from cutscore.benchmarks.colorbars.dataset import ColorbarsItem
from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judge, Judges, Question
from cutscore.core.timeline import timecode
from cutscore.scoring.verifiers.choice import read_choice


def mark(deliverable: Deliverable, evidence: Evidence, item: ColorbarsItem, judges: Judges) -> list[Finding]:
    """Return `accuracy`: 1 when the answer names the right choice and no other, else 0 with the reason.

    How answers are read (case, punctuation, a first line `Answer: …`, `answer.json`) is told at `read_choice`.
    With a judge there is `judged` beside it, unless its reply could not be read.
    """
    choice, shown = read_choice(deliverable, evidence, item.choices), item.shown
    because = f"{choice.told}; from {timecode(shown.start_s)} to {timecode(shown.end_s)} {item.truth}"
    accuracy = Finding(
        name="accuracy",
        value=float(choice.named == item.answer),
        because=because,
        file=item.clip.name,
        at=(shown.start_s, shown.end_s),
    )
    judge = judges.get("judge")
    return [accuracy, *(_judge_findings(judge, deliverable, evidence, item) if judge else ())]


def _judge_findings(judge: Judge, deliverable: Deliverable, evidence: Evidence, item: ColorbarsItem) -> list[Finding]:
    """Return the judge's opinion of the answer; nobody is asked about an answer that is not there."""
    if deliverable.empty:
        return [Finding(name="judged", value=0, because="nothing was delivered, so no judge was asked")]
    question = Question(
        id="right", kind="yes_no", text=f"{judge_question(item)} Does the answer name it, and nothing else?"
    )
    # The clip is the item's and the answer is the subject's; a judge gets both behind one fence.
    shown = evidence.model_copy(
        update={
            "files": (item.clip, *evidence.files),
            "facts": {"answer": deliverable.text} if deliverable.text else {},
        }
    )
    (said,) = judge.ask([question], shown)
    if said.answer is None:
        return []
    return [
        Finding(name="judged", value=float(said.answer == "yes"), because=said.message, file=item.clip.name, at=said.at)
    ]


def judge_question(item: ColorbarsItem) -> str:
    """Put the question to a judge, who sees the clip as file 1."""
    where = {"colour": "is the colour of the panel", "word": "is on the card", "count": "is the number of balls"}
    return f"Which of {', '.join(item.choices)} {where[item.kind]} in file 1 at {float(item.at_s):.3f} seconds?"
