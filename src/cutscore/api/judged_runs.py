"""Labelled deliverables of runs, or plain files, as a judge would be asked about them; nobody is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.api.items import load_items
from cutscore.core.errors import BadInput
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judgement, Question, SampleJudge
from cutscore.optimize.proposer import QUESTIONS
from cutscore.prompts import load_prompt

if TYPE_CHECKING:
    from cutscore.core.evidence import Evidence
    from cutscore.core.item import Item
    from cutscore.core.label import Label
    from cutscore.core.subject import SubjectSpec
    from cutscore.registry import Benchmark
    from cutscore.results.judge_card.verdicts import JudgeCase


@dataclass(frozen=True)
class JudgedRuns:
    """Deliverables with labels, all of one benchmark; subjects are by the names that labels have for them.

    Args:
        benchmark: None where labels are of plain files that no benchmark knows.
    """

    name: str
    benchmark: Benchmark | None
    items: Mapping[str, Item]
    cases: tuple[JudgeCase, ...]
    subjects: Mapping[str, SubjectSpec]


def judged_runs(labels: Sequence[Label], runs: Sequence[Path], *, data: Path | None = None) -> JudgedRuns:
    """Return what a judge would be asked about the labelled deliverables of some runs, by the benchmark's marking."""
    from cutscore.bridge.rows import read_cells
    from cutscore.registry import benchmark
    from cutscore.results.judge_card.gather import LabelIndex, ask_about_cell

    known = LabelIndex.of(labels)
    records = [record for run in runs for record in read_cells(run)]
    names = sorted({record.cell.benchmark for record in records} & {label.benchmark for label in labels})
    if len(names) != 1:
        fact = f"are of {', '.join(names)}" if names else "are about nothing in these runs"
        raise BadInput("labels", fact, "give labels and runs of one benchmark")
    found = benchmark(names[0])
    cases: list[JudgeCase] = []
    subjects: dict[str, SubjectSpec] = {}
    items: dict[str, Item] = {}
    for record in (each for each in records if each.cell.benchmark == found.name):
        here = load_items(found, record.store, data)
        items |= {item.id: item for item in here}
        heard = ask_about_cell(record, found, here, known, lambda row: SampleJudge("nobody", _say_nothing))
        cases += heard.cases
        subjects |= {case.subject: record.cell.subject for case in heard.cases}
    return JudgedRuns(found.name, found, items, tuple(cases), subjects)


def judged_files(labels: Sequence[Label], folder: Path) -> JudgedRuns:
    """Return what a judge is asked about the videos that labels name, in a folder: which weaknesses they have."""
    from cutscore.registry import benchmark, benchmarks
    from cutscore.results.judge_card.plain_files import file_cases
    from cutscore.scoring.judges.local_files import LocalFiles

    about = [label for label in labels if label.files is not None]
    names, asked = {label.benchmark for label in about}, {(label.question, label.kind) for label in about}
    if len(names) != 1 or len(asked) != 1 or {kind for _, kind in asked} != {"weaknesses"}:
        fact = "name no files" if not about else "are not all of one benchmark and of one question for weaknesses"
        raise BadInput("labels", fact, "name a run with --run, or label the weaknesses of videos")
    ((question, _),) = asked
    text = load_prompt("weaknesses", folder=QUESTIONS).fill().strip()
    asks = [Question(id=question or "weaknesses", kind="weaknesses", text=text)]
    (name,) = names
    found = benchmark(name) if name in benchmarks() else None
    return JudgedRuns(name, found, {}, tuple(file_cases(about, asks, root=folder, store=LocalFiles())), {})


def _say_nothing(questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW) -> list[Judgement]:
    """Stand in for a judge where only its questions are wanted."""
    return [Judgement(question=each.id, judge="nobody", because="nobody was asked") for each in questions]
