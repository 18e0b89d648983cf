"""Why agents failed: the reasons of the paper's Table 1, by a judge who reads the steps; people's labels go before."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cutscore.core.card import Card
from cutscore.core.evidence import Evidence
from cutscore.core.finding import score_key
from cutscore.core.judgement import Question
from cutscore.core.label import Label
from cutscore.core.row import Row
from cutscore.core.table import Column, Table, TableCell
from cutscore.core.trajectory import Step
from cutscore.prompts import load_prompt

QUESTION = "failure_reason"
OTHER = "other"
REASONS = {
    "long_context_loss": "Long-context information loss",
    "temporal_reasoning": "Temporal reasoning",
    "modality_misalignment": "Modality misalignment",
    "hallucinated_grounding": "Hallucinated grounding",
    OTHER: "Another reason",
}
PEOPLE = "people"
COUNT = "n failures"  # the line below the reasons
FIRST_STEPS, LAST_STEPS, MOST_CHARS = 150, 100, 600  # of a listing, and of each text in it
SampleKey = tuple[str, str, str, int]  # benchmark, subject, item, epoch


@dataclass(frozen=True)
class FailureReason:
    """Why one sample failed: the reason, None where nobody could say, by whom, in which words, and of which cell."""

    benchmark: str
    subject: str
    model: str
    item: str
    epoch: int
    reason: str | None
    by: str
    because: str = ""
    cell: str = ""


def failure_question() -> Question:
    """Return what a judge is asked."""
    text = load_prompt(QUESTION, folder=Path(__file__).parent / "prompts").text
    return Question(id=QUESTION, kind="choice", text=text, choices=tuple(REASONS))


def is_failure(row: Row, card: Card, mode: str, *, below: float) -> bool:
    """Return whether a sample failed: by its own doing, or with a headline of at most `below`."""
    if row.ending.status != "marked":
        return False
    score = row.ending.scores.get(score_key(card.headline, mode))
    return row.failed or (score is not None and score <= below)


def failure_evidence(row: Row, steps: Sequence[Step]) -> Evidence:
    """Return what a judge reads of a sample: the task, the steps, and what the verifier found."""
    found = [f"{each.name}: {each.because}" for each in row.ending.findings if each.because]
    ended = [f"it ended with: {row.deliverable.failure}"] if row.deliverable.failure else []
    task = row.ask.brief if row.ask else ""
    return Evidence(facts={"task": task, "steps": list_steps(steps), "verifier": "\n".join([*ended, *found])})


def list_steps(steps: Sequence[Step]) -> str:
    """Return steps as an abridged listing, like those of the paper's Appendix B; of many the first and the last.

    >>> from cutscore.core.trajectory import Action
    >>> print(list_steps([Step(n=1, did=(Action(tool="Bash", arguments={"command": "ls"}),)), Step(n=2, saw="a.mp4")]))
    [#1] Bash ls
    [#2] saw: a.mp4
    """
    if len(steps) > FIRST_STEPS + LAST_STEPS:
        left = len(steps) - FIRST_STEPS - LAST_STEPS
        return f"{list_steps(steps[:FIRST_STEPS])}\n… {left} steps left out\n{list_steps(steps[-LAST_STEPS:])}"
    return "\n".join(line for step in steps for line in _step_lines(step))


def _step_lines(step: Step) -> Iterable[str]:
    who = f"[#{step.n}]" if step.parent is None else f"[#{step.n}, sub-agent of #{step.parent}]"
    if step.said:
        yield f"{who} {'says' if step.by == 'model' else step.by}: {_shorten(step.said)}"
    for call in step.did:
        yield f"{who} {call.tool} {_shorten(' '.join(str(value) for value in call.arguments.values()))}"
    for name, text in (("saw", step.saw), ("error", step.error)):
        if text:
            yield f"{who} {name}: {_shorten(text)}"


def _shorten(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= MOST_CHARS else f"{plain[:MOST_CHARS]}…"


def reasons_of_people(labels: Iterable[Label]) -> dict[SampleKey, str | None]:
    """Return what people say of each sample that they labelled: the reason that most of them give; None of a tie."""
    votes: dict[SampleKey, Counter[str]] = {}
    for label in labels:
        if label.question == QUESTION and label.answer in REASONS:
            key = (label.benchmark, label.subject, label.item, label.epoch)
            votes.setdefault(key, Counter())[str(label.answer)] += 1
    return {key: _winner(counted) for key, counted in votes.items()}


def _winner(counted: Counter[str]) -> str | None:
    (best, most), *others = counted.most_common()
    return None if any(number == most for _, number in others) else best


def failure_table(found: Sequence[FailureReason], names: Sequence[str] = ()) -> Table:
    """Return the share of each reason among the failures of each benchmark, in percent, and how many those are.

    `names` are the benchmarks in their order; those that have a failure when left out.
    """
    names = names or sorted({each.benchmark for each in found})
    known = {name: Counter(each.reason for each in found if each.benchmark == name and each.reason) for name in names}
    body: list[tuple[TableCell, ...]] = [
        (words, *(_percent(known[name], reason) for name in names)) for reason, words in REASONS.items()
    ]
    body.append((COUNT, *(float(sum(each.benchmark == name for each in found)) for name in names)))
    unsaid, by = sum(each.reason is None for each in found), Counter(each.by for each in found)
    judged = ", ".join(f"{number} by {who}" for who, number in sorted(by.items()))
    return Table(
        id="failure-reasons",
        title=_title(known),
        columns=(Column(name="reason"), *(Column(name=name, digits=0) for name in names)),
        rows=tuple(body),
        note=f"percent of the failures with a reason; {judged or 'nobody was asked'}; {unsaid} without one",
        paper="Table 1",
    )


def _percent(counted: Mapping[str, int], reason: str) -> float | None:
    total = sum(counted.values())
    return 100 * counted.get(reason, 0) / total if total else None


def _title(known: Mapping[str, Counter[str]]) -> str:
    most = {name: REASONS[each.most_common(1)[0][0]].lower() for name, each in known.items() if each}
    return "; ".join(f"{name} fails most by {reason}" for name, reason in most.items()) or "No failure has a reason"
