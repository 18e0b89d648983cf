"""Appendix B: how often each way of failing was seen, by line and by site."""

from collections.abc import Sequence

from cutscore.benchmarks.videowebarena.analysis.site_table import TOTAL
from cutscore.benchmarks.videowebarena.sites import WITH_TASKS
from cutscore.core.table import Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, SampleMark, plain_columns
from cutscore.results.tables.means import ColumnValue, mean_table

PREFIX = "diagnosis/"


def diagnosis_table(lines: Sequence[CellLine]) -> Table:
    """Return the share of samples in which each thing was seen, of all samples that were looked at for it."""
    names = sorted({name for line in lines for mark in line.marks for name in mark.found if name.startswith(PREFIX)})
    sites = (*WITH_TASKS, TOTAL)
    body: list[tuple[TableCell, ...]] = []
    for site in sites:
        cells = {name: mean_table(lines, (name,), _reader(name, site)).cells for name in names}
        for number, line in enumerate(lines):
            found = [cells[name].get((number, name)) for name in names]
            if any(each is not None for each in found):
                body.append((*line.who, site, *found))
    shown = [name.removeprefix(PREFIX).replace("_", " ") for name in names]
    return Table(
        id="failure-modes",
        title="Ways of failing, as shares of the samples",
        columns=plain_columns(*WHO, "site", *shown),
        rows=tuple(body),
        note="each sample counts once for each way, however often it happened in it; 95% by video",
        paper="Appendix B",
    )


def _reader(name: str, site: str) -> ColumnValue:
    def value(mark: SampleMark) -> tuple[str, float] | None:
        there = name in mark.found and site in (TOTAL, mark.groups.get("site"))
        return (name, mark.found[name]) if there else None

    return value
