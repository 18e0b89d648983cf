"""Appendix B: how often each way of failing was seen, by line and by site, category and difficulty."""

from collections.abc import Callable, Iterable, Sequence

from cutscore.benchmarks.videowebarena.analysis.category_tables import STRATA, strata_of
from cutscore.benchmarks.videowebarena.analysis.site_table import TOTAL, site_names
from cutscore.core.table import Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, SampleMark, plain_columns
from cutscore.results.tables.means import ColumnValue, mean_table

PREFIX = "diagnosis/"
Placed = Callable[[SampleMark], Iterable[str]]


def diagnosis_tables(lines: Sequence[CellLine]) -> list[Table]:
    """Return the share of samples in which each thing was seen, of all samples that were looked at for it."""
    by_site = "failure-modes", "Ways of failing, as shares of the samples"
    by_kind = "failure-modes-categories", "Ways of failing by category and difficulty"
    return [
        _table(*by_site, lines, _sites_of, what="site", strata=(*site_names(lines), TOTAL)),
        _table(*by_kind, lines, strata_of, what="tasks", strata=STRATA),
    ]


def _table(
    id: str, title: str, lines: Sequence[CellLine], placed: Placed, *, what: str, strata: Sequence[str]
) -> Table:
    seen: dict[str, bool] = {}
    for mark in (mark for line in lines for mark in line.marks if set(placed(mark)) & set(strata)):
        for name, value in mark.found.items():
            if name.startswith(PREFIX):
                seen[name] = seen.get(name, False) or value > 0
    names = [name for name in sorted(seen) if seen[name]]
    never = [_shown(name) for name in sorted(seen) if not seen[name]]
    body: list[tuple[TableCell, ...]] = []
    for stratum in strata:
        cells = {name: mean_table(lines, (name,), _reader(name, stratum, placed)).cells for name in names}
        for number, line in enumerate(lines):
            found = [cells[name].get((number, name)) for name in names]
            if any(each is not None for each in found):
                body.append((*line.who, stratum, *found))
    note = "each sample counts once for each way, however often it happened in it; 95% by video"
    return Table(
        id=id,
        title=title,
        columns=plain_columns(*WHO, what, *map(_shown, names)),
        rows=tuple(body),
        note=f"{note}; seen in no sample: {', '.join(never)}" if never else note,
        paper="Appendix B",
    )


def _sites_of(mark: SampleMark) -> tuple[str, ...]:
    return mark.groups.get("site", ""), TOTAL


def _shown(name: str) -> str:
    return name.removeprefix(PREFIX).replace("_", " ")


def _reader(name: str, stratum: str, placed: Placed) -> ColumnValue:
    def value(mark: SampleMark) -> tuple[str, float] | None:
        return (name, mark.found[name]) if name in mark.found and stratum in placed(mark) else None

    return value
