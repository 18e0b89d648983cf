"""A cell of a run: its record with its rows, read from run folders, under a name that tells it from the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.core.row import RUN_SEPARATOR, short_cell_id

if TYPE_CHECKING:
    from cutscore.bridge.rows import CellRecord
    from cutscore.cells.eligibility import LeftOut
    from cutscore.core.row import Row


@dataclass(frozen=True)
class CellResult:
    """One cell with the rows that were asked for.

    Args:
        missing: Samples that were planned and have no row.
        left_out: Items that were asked for and are beyond the subject; they were not planned.
        run: Name of its run folder, where the same cell is there from another one, too.
    """

    record: CellRecord
    rows: tuple[Row, ...]
    missing: int = 0
    run: str = ""
    left_out: tuple[LeftOut, ...] = ()

    @property
    def id(self) -> str:
        """Name the cell as its rows do: two runs of one cell are two."""
        return f"{self.record.cell.id}{RUN_SEPARATOR}{self.run}" if self.run else self.record.cell.id

    def of_run(self, run: str) -> CellResult:
        """Return the cell as one of several runs of it."""
        named = replace(self, run=run)
        return replace(named, rows=tuple(row.model_copy(update={"cell": named.id}) for row in self.rows))

    @property
    def unscored(self) -> int:
        """Count the samples that are not marked."""
        return sum(row.ending.status != "marked" for row in self.rows)

    @property
    def stopped(self) -> int:
        """Count those of the unscored samples for which this machine lacked something."""
        return sum(row.ending.status == "stopped" for row in self.rows)

    @property
    def failures(self) -> dict[str, int]:
        """Count the samples in which the subject failed by its own doing, by class, the most frequent first."""
        return dict(Counter(row.ending.failure_class for row in self.rows if row.ending.failure_class).most_common())

    @property
    def failed(self) -> int:
        """Count the samples in which the subject failed by its own doing; they are marked."""
        return sum(self.failures.values())

    @property
    def label(self) -> str:
        """Name the subject as rows do, which tell when a cell was marked again."""
        cell = self.record.cell
        return cell.subject.label + (" (rescored)" if cell.rescored_from else "")


def read_run(run: Path) -> list[CellResult]:
    """Return every cell of a run folder, of a benchmark's folder in it, or of one cell's folder, with all its rows."""
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
        for each, name in zip(cells, _run_names([each.record.run for each in cells]), strict=True)
    )


def _run_names(runs: Sequence[Path]) -> list[str]:
    """Name run folders: by their last part where that tells them apart, else in full."""
    short = [run.resolve().name for run in runs]
    return short if len(set(short)) == len(short) else [str(run) for run in runs]


@dataclass(frozen=True)
class CellName:
    """A cell as people name it.

    Args:
        arm: What makes its input unlike the usual one, in words; empty when nothing does.
        tail: End of its id (`short_cell_id`) where all this does not tell two cells apart, else empty.
    """

    cell: str
    subject: str
    model: str = ""
    arm: str = ""
    tail: str = ""

    @property
    def label(self) -> str:
        """Name the cell in one line; the plain kind `model` goes by the model's own name.

        >>> CellName("model-3f", "model", "openai/x").label, CellName("video-3f", "video", "openai/x").label
        ('openai/x', 'video · openai/x')
        """
        words = [self.subject] if self.subject != "model" or not self.model else []
        name = " · ".join([*words, *filter(None, [self.model, self.tail])])
        return f"{name} ({self.arm})" if self.arm else name


def name_cells(cells: Iterable[tuple[str, str, str, str]]) -> dict[str, CellName]:
    """Name cells, given as (cell, subject, model, arm), so that no two names are equal.

    >>> runs = [("blind-3f@may", "blind", "", ""), ("blind-3f@june", "blind", "", "")]
    >>> [each.label for each in name_cells(runs).values()]
    ['blind · june', 'blind · may']
    """
    known = {cell: (subject, model, arm) for cell, subject, model, arm in cells}
    shared = Counter(known.values())
    return {
        cell: CellName(cell, *names, tail=short_cell_id(cell) if shared[names] > 1 else "")
        for cell, names in sorted(known.items())
    }
