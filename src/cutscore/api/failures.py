"""Why the samples of stored runs failed: people's labels where there are any, else a judge who reads the steps."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.api.judging import open_item_judges
from cutscore.core.judgement import JUDGE_ROLE, JudgeSpec
from cutscore.registry import benchmark
from cutscore.results.behaviour.failures import (
    PEOPLE,
    FailureReason,
    failure_evidence,
    failure_question,
    is_failure,
    reasons_of_people,
)
from cutscore.results.stored_steps import read_stored_steps

if TYPE_CHECKING:
    from cutscore.core.judgement import Judgement
    from cutscore.core.label import Label
    from cutscore.core.row import Row
    from cutscore.core.trajectory import Step
    from cutscore.results.benchmark import BenchmarkResult
    from cutscore.results.cells import CellResult


def explain_failures(
    results: Sequence[BenchmarkResult], judge: str, labels: Iterable[Label] = (), *, below: float = 0.0
) -> list[FailureReason]:
    """Return why each failed sample that has steps failed.

    What the judge says is written into the journal of the run, so nothing is asked twice. Without a judge only people
    are heard.
    """
    said = reasons_of_people(labels)
    found = []
    for result in results:
        for cell in result.cells:
            for row in cell.rows:
                steps = read_stored_steps(row, cell.record.store)
                if steps and is_failure(row, result.card, result.mode, below=below):
                    found.append(_explain(row, cell, steps, judge, said))
    return [each for each in found if each is not None]


def _explain(
    row: Row, cell: CellResult, steps: Sequence[Step], judge: str, said: dict[tuple[str, str, str, int], str | None]
) -> FailureReason | None:
    who = (row.benchmark, row.subject, row.model, row.item, row.epoch)
    key = (row.benchmark, row.subject, row.item, row.epoch)
    if key in said:
        return FailureReason(*who, said[key], PEOPLE)
    if not judge:
        return None
    heard = _ask(row, cell, steps, judge)
    return FailureReason(*who, None if heard.answer is None else str(heard.answer), judge, heard.because)


def _ask(row: Row, cell: CellResult, steps: Sequence[Step], judge: str) -> Judgement:
    specs, found = {JUDGE_ROLE: JudgeSpec(judge)}, benchmark(row.benchmark)
    with (
        tempfile.TemporaryDirectory(prefix="cutscore-") as scratch,
        open_item_judges(
            specs, found, [], item=row.item, epoch=row.epoch, scratch=Path(scratch), run=cell.record.run
        ) as judges,
    ):
        assert judges is not None  # somebody was named
        return judges.judges[JUDGE_ROLE].ask([failure_question()], failure_evidence(row, steps))[0]
