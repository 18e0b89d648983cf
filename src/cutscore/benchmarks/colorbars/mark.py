"""Marking: whether the answer names what the clip shows, and what a judge thinks of it, when there is one."""

from cutscore.benchmarks.colorbars.dataset import ColorbarsItem
from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judge, Judges, Question
from cutscore.core.timeline import timecode
from cutscore.scoring.verifiers.choice import read_choice


def mark(deliverable: Deliverable, evidence: Evidence, item: ColorbarsItem, judges: Judges) -> list[Finding]:
    """Return `accuracy`: 1 when the answer names the right choice and no other, else 0 with the reason.

    `read_choice` says how answers are read: case, punctuation, a first line `Answer: …`, `answer.json`. With a judge
    there is a second finding, `judged`, unless its reply could not be read.
    """
    answer, segment = read_choice(deliverable, evidence, item.choices), item.segment
    accuracy = Finding(
        name="accuracy",
        value=float(answer.choice == item.answer),
        because=f"{answer.message}; from {timecode(segment.start_s)} to {timecode(segment.end_s)} {item.truth}",
        file=item.clip.name,
        at=(segment.start_s, segment.end_s),
        unreadable=answer.unreadable,
    )
    judge = judges.get("judge")
    return [accuracy, *(_ask_judge(judge, deliverable, evidence, item) if judge else ())]


def _ask_judge(judge: Judge, deliverable: Deliverable, evidence: Evidence, item: ColorbarsItem) -> list[Finding]:
    """Return the judge's opinion of the answer; without an answer there is nothing to ask."""
    if deliverable.empty:
        return [Finding(name="judged", value=0, because="nothing was delivered, so no judge was asked")]
    text = f"{judge_question(item)} Does the answer name it, and nothing else?"
    # The clip is the item's and the answer is the subject's; a judge gets both behind one fence.
    facts = {"answer": deliverable.text} if deliverable.text else {}
    shown = evidence.model_copy(update={"files": (item.clip, *evidence.files), "facts": facts})
    (opinion,) = judge.ask([Question(id="right", kind="yes_no", text=text)], shown)
    if opinion.answer is None:
        return []
    value = float(opinion.answer == "yes")
    return [Finding(name="judged", value=value, because=opinion.message, file=item.clip.name, at=opinion.at)]


def judge_question(item: ColorbarsItem) -> str:
    """Return the question for a judge, who sees the clip as file 1."""
    what = {"colour": "is the colour of the panel", "word": "is on the card", "count": "is the number of balls"}
    return f"Which of {', '.join(item.choices)} {what[item.kind]} in file 1 at {float(item.at_s):.3f} seconds?"
