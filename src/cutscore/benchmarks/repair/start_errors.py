"""How far off a report begins: the table of Δstart, in seconds (AgenticVBench, §3.2).

The paper reads from it that repairs fail by temporal reasoning: medians of 15 to over 100 seconds.
"""

from collections.abc import Iterable, Sequence
from statistics import median

from cutscore.core.ending import Ending
from cutscore.core.estimate import Estimate
from cutscore.core.finding import Finding
from cutscore.core.row import Row
from cutscore.core.table import Column, Plot, Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, SampleMark, cell_lines, item_means
from cutscore.results.tables.means import mean_table
from cutscore.stats.medians import median_estimate

START_ERROR = "start_error_s"  # one finding for each true range that has a reported one to be measured by
DELTA, NEAR, NONE = "median Δstart", "within 1 s", "no range"
NEAR_S = 1.0
LONGEST_S = 86_400.0  # a day: no clip is longer
_OFF = "start_off_s"


def start_error_table(rows: Sequence[Row], *, plan: str) -> Table:
    """Return for each cell the median of how far reported ranges begin from the true ones, whichever way.

    Of a task with several ranges it is the median of them, and of several epochs the mean. Who reports no range that a
    true one could be measured by has no Δstart there, and is counted as such.
    """
    lines = cell_lines([row.model_copy(update={"ending": _with_distance(row.ending)}) for row in rows], plan=plan)
    shares = {**mean_table(lines, (NEAR,), _near).cells, **mean_table(lines, (NONE,), _none).cells}
    body: list[tuple[TableCell, ...]] = [
        (*line.who, _median(line), shares.get((number, NEAR)), shares.get((number, NONE)))
        for number, line in enumerate(lines)
    ]
    return Table(
        id="start-errors",
        title=_title(lines, body),
        columns=(
            *(Column(name=name) for name in WHO),
            Column(name=DELTA, unit="s", digits=2),
            *(Column(name=name) for name in (NEAR, NONE)),
        ),
        rows=tuple(body),
        note=f"Δstart: seconds between the start of a true range and of the reported one beside it; '{NEAR}' and"
        f" '{NONE}': shares of all tasks; 95% by clip",
        paper="§3.2",
        plot=Plot(values=(DELTA,), labels=WHO, level=0.0, level_name="on time", tight=True),
    )


def _with_distance(ending: Ending) -> Ending:
    """Return an ending with one finding more: how far off its ranges begin."""
    errors = [abs(each.value) for each in ending.findings if each.name == START_ERROR]
    if not errors:
        return ending
    more = Finding(name=_OFF, value=median(errors), because=f"median of {len(errors)}")
    return ending.model_copy(update={"findings": (*ending.findings, more)})


def _median(line: CellLine) -> Estimate | None:
    found = item_means(line.marks, lambda mark: mark.found.get(_OFF))
    if not found:
        return None
    values, clusters = zip(*found.values(), strict=True)
    return median_estimate(values, clusters, name=DELTA, scale=(0.0, LONGEST_S))


def _near(mark: SampleMark) -> tuple[str, float] | None:
    return (NEAR, float(mark.found.get(_OFF, LONGEST_S) <= NEAR_S)) if mark.scores else None


def _none(mark: SampleMark) -> tuple[str, float] | None:
    return (NONE, float(_OFF not in mark.found)) if mark.scores else None


def _title(lines: Iterable[CellLine], body: Sequence[tuple[TableCell, ...]]) -> str:
    cells = [row[len(WHO)] for line, row in zip(lines, body, strict=True) if line.competes]
    medians = [each.value for each in cells if isinstance(each, Estimate) and each.value is not None]
    if not medians:
        return "No Δstart: nobody reported a range"
    if len(medians) == 1:
        return f"Reported ranges begin {medians[0]:.2f} s off, by the median"
    return f"Reported ranges begin {min(medians):.2f} to {max(medians):.2f} s off, by the median of each"
