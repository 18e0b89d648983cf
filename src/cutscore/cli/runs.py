"""RUN arguments → cells: a run folder, a benchmark's folder in it, or one cell's folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cutscore.cli.progress import waiting
from cutscore.cli.results import CellResult


@dataclass(frozen=True)
class Read:
    """Cells with all their rows.

    Args:
        warnings: What a reader should know about cells that were left out.
    """

    cells: tuple[CellResult, ...]
    warnings: tuple[str, ...] = ()


def read_run(run: Path) -> list[CellResult]:
    """Give every cell of a run with all its rows."""
    from cutscore.bridge.rows import read_cells, rows_of

    return [CellResult(record, tuple(rows_of(record))) for record in read_cells(run)]


def read_runs(runs: Sequence[Path]) -> Read:
    """Give the cells of several runs, each once.

    One cell in two run folders is the same measurement made twice; the one with more rows is kept, and it is said.
    """
    kept: dict[tuple[str, str], CellResult] = {}
    warnings = []
    with waiting("reading logs"):
        cells = [cell for run in runs for cell in read_run(run)]
    for each in cells:
        key = (each.record.cell.benchmark, each.record.cell.id)
        other = kept.get(key)
        if other is not None and other.record.folder.resolve() != each.record.folder.resolve():
            fuller, left = sorted((other, each), key=lambda cell: -len(cell.rows))
            kept[key] = fuller
            warnings.append(f"cell '{key[1]}' is there twice; '{left.record.folder}' is left out")
        else:
            kept[key] = each
    return Read(tuple(kept.values()), tuple(warnings))
