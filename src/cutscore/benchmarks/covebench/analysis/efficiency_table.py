"""Rows → how fast editors are and what memory they take, as in Table 5. What nobody measured is blank, never 0."""

from collections.abc import Sequence
from itertools import groupby

from cutscore.core.arm import describe_arm
from cutscore.core.row import Row
from cutscore.core.table import Column, Table, TableCell
from cutscore.core.work_facts import WORK, WorkFacts

MIB = 1 << 20
COLUMNS = (
    Column(name="subject"),
    Column(name="conditions"),
    Column(name="videos"),
    Column(name="frames"),
    Column(name="size"),
    Column(name="s/frame"),
    Column(name="s/frame, loading included"),
    Column(name="load", digits=1, unit="s"),
    Column(name="memory", digits=1, unit="MiB"),
    Column(name="GPU memory", digits=1, unit="MiB"),
)
NOTE = (
    "seconds of all videos over their frames; peaks of all processes of an editor; blank is unknown: only a worker "
    "that says when it is ready tells loading from work, and a service does not tell its memory. The paper's input is "
    "input_rule=efficiency"
)


def efficiency_table(rows: Sequence[Row]) -> Table:
    """Return what the work of each editor took, where it was measured."""
    measured = [(row, WorkFacts.model_validate(row.environment[WORK])) for row in rows if WORK in row.environment]
    measured = [(row, facts) for row, facts in measured if facts.frames and not row.failed]
    by_cell = groupby(sorted(measured, key=lambda pair: pair[0].cell), key=lambda pair: pair[0].cell)
    body = []
    for _, pairs in by_cell:
        kept = list(pairs)
        who, conditions = kept[0][0].subject, describe_arm(kept[0][0].conditions, "")
        body.append((who, conditions, *summarise_work([facts for _, facts in kept])))
    return Table(
        id="efficiency",
        title="Time and memory" if body else "No editor was measured at work",
        columns=COLUMNS,
        rows=tuple(body),
        note=NOTE,
        paper="Table 5",
    )


def summarise_work(work: Sequence[WorkFacts]) -> tuple[TableCell, ...]:
    """Return videos, frames of each, their size, seconds per frame without and with loading, load, and peaks.

    >>> first = WorkFacts(wall_s=10, work_s=4, load_s=6, frames=4, width=8, height=6, peak_bytes=MIB)
    >>> later = WorkFacts(wall_s=2, work_s=2, load_s=0, frames=4, width=8, height=6, peak_bytes=3 * MIB)
    >>> summarise_work([first, later])
    (2, '4', '8×6', 0.75, 1.5, 6.0, 3.0, None)
    >>> summarise_work([WorkFacts(wall_s=10, frames=4, width=8, height=6)])
    (1, '4', '8×6', None, 2.5, None, None, None)
    """
    frames, sizes = {str(each.frames) for each in work}, {f"{each.width}×{each.height}" for each in work}
    loads = [each.load_s for each in work if each.load_s]
    return (
        len(work),
        _only(frames),
        _only(sizes),
        _per_frame([(each.work_s, each.frames) for each in work]),
        _per_frame([(each.wall_s, each.frames) for each in work]),
        max(loads, default=None),
        _peak([each.peak_bytes for each in work]),
        _peak([each.gpu_peak_bytes for each in work]),
    )


def _only(words: set[str]) -> str:
    return words.pop() if len(words) == 1 else "several"


def _per_frame(pairs: Sequence[tuple[float | None, int | None]]) -> float | None:
    known = [(seconds, frames) for seconds, frames in pairs if seconds is not None and frames]
    return sum(seconds for seconds, _ in known) / sum(frames for _, frames in known) if known else None


def _peak(peaks: Sequence[int | None]) -> float | None:
    """Return the largest peak in MiB; None unless some are known."""
    known = [each for each in peaks if each]
    return max(known) / MIB if known else None
