"""Run folders → what a judge said there, and what it can be asked again about."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from cutscore.bridge.rows import CellRecord, rows_of
from cutscore.cells.marking import mark_one
from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.item import Item
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import JUDGE_ROLE, Judge, Judgement, Question, QuestionKind, SampleJudge
from cutscore.core.label import Label
from cutscore.core.row import Row
from cutscore.registry import Benchmark
from cutscore.results.judge_card.verdicts import JudgeCase, JudgeVerdict, ask, find_kind


@dataclass(frozen=True)
class LabelIndex:
    """What labels are about: names of subjects by benchmark, item and epoch, and kinds, which no log of a run tells.

    Args:
        kinds: By benchmark, item and question.
        shared: By benchmark and question: those of all items, since questions of several may share an id.
    """

    subjects: Mapping[tuple[str, str, int], set[str]]
    kinds: Mapping[tuple[str, str, str], QuestionKind]
    shared: Mapping[tuple[str, str], set[QuestionKind]]

    @classmethod
    def of(cls, labels: Iterable[Label]) -> "LabelIndex":
        """Return what some labels are about."""
        subjects: dict[tuple[str, str, int], set[str]] = {}
        kinds: dict[tuple[str, str, str], QuestionKind] = {}
        shared: dict[tuple[str, str], set[QuestionKind]] = {}
        for label in labels:
            subjects.setdefault((label.benchmark, label.item, label.epoch), set()).add(label.subject)
            kinds[label.benchmark, label.item, label.question] = label.kind
            shared.setdefault((label.benchmark, label.question), set()).add(label.kind)
        return cls(subjects, kinds, shared)

    def kind_of(self, row: Row, said: Judgement) -> QuestionKind | None:
        """Return the kind of the question that a judge answered, as far as labels tell it."""
        if exact := self.kinds.get((row.benchmark, row.item, said.question)):
            return exact
        # A label without a question is about the only one.
        kinds = self.shared.get((row.benchmark, said.question)) or self.shared.get((row.benchmark, ""), set())
        return find_kind(kinds, said.answer)

    def subject_of(self, row: Row) -> str | None:
        """Return the name by which labels know a row's subject: its label, its model, or none; None without labels."""
        names = self.subjects.get((row.benchmark, row.item, row.epoch), set())
        return next((name for name in (row.subject, row.model, "") if name in names), None)


@dataclass(frozen=True)
class JudgeAnswers:
    """What a judge was asked about, and what it said."""

    cases: list[JudgeCase] = field(default_factory=list)
    verdicts: list[JudgeVerdict] = field(default_factory=list)


def recorded_verdicts(record: CellRecord, known: LabelIndex) -> list[JudgeVerdict]:
    """Return what the judge of a cell said, as far as labels tell the kind of a question."""
    rows = rows_of(record)
    # A cell goes by one name, also where some of its items have no labels.
    name = next((called for row in rows if (called := known.subject_of(row)) is not None), None)
    return [
        JudgeVerdict(**_about(row, row.subject if name is None else name), kind=kind, judgement=judgement)
        for row in rows
        for judgement in row.judgements
        if not judgement.role and (kind := known.kind_of(row, judgement))
    ]


def ask_about_cell(
    record: CellRecord, found: Benchmark, items: Sequence[Item], known: LabelIndex, judge_of: Callable[[Row], Judge]
) -> JudgeAnswers:
    """Let a judge be asked about every labelled deliverable of a cell, by the benchmark's own marking.

    Marking decides what is asked and what is shown, so this works for every benchmark that asks a judge. Its scores
    are not used and nothing is written.
    """
    by_id = {item.id: item for item in items}
    heard, reasons = JudgeAnswers(), Counter[str]()
    for row in rows_of(record):
        subject = known.subject_of(row)
        if subject is None or row.item not in by_id:
            continue
        judge = judge_of(row)
        clerk = SampleJudge(judge.name, partial(_transcribe, judge=judge, row=row, subject=subject, heard=heard))
        ending = mark_one(
            found,
            row.deliverable,
            row.evidence,
            by_id[row.item],
            store=record.store,
            judges={JUDGE_ROLE: clerk},
            mode=record.cell.mode,
        )
        reasons[ending.because or "its marking asks no judge about it"] += 1
    if reasons and not heard.cases:
        raise BadInput(f"cell '{record.cell.id}'", f"no judge was asked: {reasons.most_common(1)[0][0]}")
    return heard


def _transcribe(
    questions: Sequence[Question],
    evidence: Evidence,
    *,
    view: JudgeView = WHOLE_VIEW,
    judge: Judge,
    row: Row,
    subject: str,
    heard: JudgeAnswers,
) -> list[Judgement]:
    """Ask a judge, and write down what it is asked, what it is shown and what it says."""
    case = JudgeCase(
        **_about(row, subject),
        questions=tuple(questions),
        evidence=evidence,
        view=view,
        words=tuple(name for name, value in evidence.facts.items() if _is_own_text(value, row.deliverable.text)),
    )
    said = list(ask(lambda _: judge, [case]))
    heard.cases.append(case)
    heard.verdicts.extend(said)
    return [each.judgement for each in said]


def _about(row: Row, subject: str) -> dict[str, Any]:
    """Return what a judge looks at in a row; what was handed in counts, however it came about."""
    handed_in = row.deliverable.model_copy(update={"trajectory": None}).digest()
    same = {name: getattr(row, name) for name in ("benchmark", "item", "epoch", "cluster", "model")}
    return {**same, "subject": subject, "deliverable": handed_in}


def _is_own_text(fact: object, words: str) -> bool:
    """Return whether a fact holds words of the subject, which it may have written to please."""
    return isinstance(fact, str) and bool(fact.strip()) and fact.strip() in words
