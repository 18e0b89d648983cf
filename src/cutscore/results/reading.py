"""RUN arguments → cells: a run folder, a benchmark's folder in it, or one cell's folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cutscore.results.sections import CellResult


def read_run(run: Path) -> list[CellResult]:
    """Return every cell of a run with all its rows."""
    from cutscore.bridge.rows import read_cells, rows_of

    return [CellResult(record, tuple(rows_of(record))) for record in read_cells(run)]


def read_runs(runs: Sequence[Path]) -> tuple[CellResult, ...]:
    """Return the cells of several runs, each folder's once.

    One cell in two run folders is the same measurement made twice: both are there, each named by its run.
    """
    found = {(each.record.folder.resolve(), each.id): each for run in runs for each in read_run(run)}
    same: dict[tuple[str, str], list[CellResult]] = {}
    for each in found.values():
        same.setdefault((each.record.cell.benchmark, each.record.cell.id), []).append(each)
    return tuple(
        each.of_run(name) if len(cells) > 1 else each
        for cells in same.values()
        for each, name in zip(cells, _names([each.record.run for each in cells]), strict=True)
    )


def _names(runs: Sequence[Path]) -> list[str]:
    """Name run folders: by their last part where that tells them apart, else in full."""
    short = [run.resolve().name for run in runs]
    return short if len(set(short)) == len(short) else [str(run) for run in runs]
