"""Why the samples of stored runs failed: people's labels where there are any, else a judge who reads the steps."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.api.judging import open_item_judges
from cutscore.core.judgement import JUDGE_ROLE, JudgeSpec
from cutscore.registry import benchmark
from cutscore.results.behaviour.failures import (
    PEOPLE,
    FailureReason,
    SampleKey,
    failure_evidence,
    failure_question,
    is_failure,
    reasons_of_people,
)
from cutscore.results.behaviour.reason_file import keep_reasons
from cutscore.results.stored_steps import read_stored_steps

if TYPE_CHECKING:
    from cutscore.core.judgement import Judgement
    from cutscore.core.label import Label
    from cutscore.core.row import Row
    from cutscore.core.trajectory import Step
    from cutscore.results.benchmark import BenchmarkResult
    from cutscore.results.cells import CellResult


def explain_failures(
    results: Sequence[BenchmarkResult],
    judge: str,
    labels: Iterable[Label] = (),
    *,
    below: float = 0.0,
    cost_limit_usd: float | None = None,
) -> list[FailureReason]:
    """Return why each failed sample that has steps failed.

    What the judge says is written into the journal of the run, so nothing is asked twice, and the reasons beside it.
    Without a judge only people are heard. The limit is of what is spent in a run folder.
    """
    explain = partial(_explain, said=reasons_of_people(labels), judge=judge, cost_limit_usd=cost_limit_usd)
    found = []
    for result in results:
        for cell in result.cells:
            failed = [row for row in cell.rows if is_failure(row, result.card, result.mode, below=below)]
            steps = ((row, read_stored_steps(row, cell.record.store)) for row in failed)
            told = [explain(row, cell, known) for row, known in steps if known]
            own = [each for each in told if each is not None]
            keep_reasons(cell.record.run, cell.record.cell.id, own)
            found += own
    return found


def _explain(
    row: Row,
    cell: CellResult,
    steps: Sequence[Step],
    *,
    said: Mapping[SampleKey, str | None],
    judge: str,
    cost_limit_usd: float | None,
) -> FailureReason | None:
    who = (row.benchmark, row.subject, row.model, row.item, row.epoch)
    key, own = (row.benchmark, row.subject, row.item, row.epoch), cell.record.cell.id
    if key in said:
        return FailureReason(*who, said[key], PEOPLE, cell=own)
    if not judge:
        return None
    heard = _ask(row, cell, steps, judge, cost_limit_usd)
    return FailureReason(*who, None if heard.answer is None else str(heard.answer), judge, heard.because, own)


def _ask(row: Row, cell: CellResult, steps: Sequence[Step], judge: str, cost_limit_usd: float | None) -> Judgement:
    specs, found = {JUDGE_ROLE: JudgeSpec(judge)}, benchmark(row.benchmark)
    with (
        tempfile.TemporaryDirectory(prefix="cutscore-") as scratch,
        open_item_judges(
            specs,
            found,
            [],
            item=row.item,
            epoch=row.epoch,
            scratch=Path(scratch),
            run=cell.record.run,
            cost_limit_usd=cost_limit_usd,
        ) as judges,
    ):
        assert judges is not None  # somebody was named
        return judges.judges[JUDGE_ROLE].ask([failure_question()], failure_evidence(row, steps))[0]
