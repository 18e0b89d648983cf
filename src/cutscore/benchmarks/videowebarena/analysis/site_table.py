"""Table 6: final and intermediate score and steps of factual tasks, by site."""

from collections.abc import Iterator, Sequence

from cutscore.benchmarks.videowebarena.analysis.step_lines import share_by, steps_by
from cutscore.benchmarks.videowebarena.sites import WITH_TASKS
from cutscore.core.finding import score_key
from cutscore.core.table import Column, Plot, Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, SampleMark, plain_columns

TOTAL = "total"


def site_names(lines: Sequence[CellLine]) -> list[str]:
    """Name the sites of all marks: those of the released tasks first, in their order, then others."""
    there = {mark.groups.get("site", "") for line in lines for mark in line.marks}
    return [site for site in (*WITH_TASKS, *sorted(there - {*WITH_TASKS, ""})) if site in there]


def site_table(lines: Sequence[CellLine], mode: str) -> Table:
    """Return a row for each line and site, and one for all sites together; people are lines like others."""

    def placed(mark: SampleMark) -> tuple[str, ...]:
        return (mark.groups.get("site", ""), TOTAL) if mark.groups.get("set") == "factual" else ()

    sites = [*site_names(lines), TOTAL]
    final = share_by(lines, sites, placed, score_key("final", mode))
    asked = share_by(lines, sites, placed, score_key("intermediate", mode))
    steps = steps_by(lines, sites, placed)

    def body() -> Iterator[tuple[TableCell, ...]]:
        for number, line in enumerate(lines):
            for site in sites:
                if (number, site) in final or (number, site) in asked:
                    yield (*line.who, site, *(each.get((number, site)) for each in (final, asked, steps)))

    rows = tuple(body())
    return Table(
        id="factual-sites",
        title="Factual tasks by site: what was done, what was known, and in how many steps",
        columns=(*plain_columns(*WHO, "site", "final", "intermediate"), Column(name="steps", digits=1)),
        rows=rows,
        note=f"factual tasks, {mode}; steps: actions in the browser; 95% by video",
        paper="Table 6",
        plot=Plot(values=("final", "intermediate"), labels=("subject", "model", "site")) if rows else None,
    )
