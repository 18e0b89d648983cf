"""Table 5 as the paper makes it: differences paired by question, plain percentiles by item, called by the interval."""

from collections.abc import Mapping, Sequence

from cutscore.core.table import Table, TableCell
from cutscore.results.tables.differences import HOLDS_ZERO, arm_pairs, significance
from cutscore.results.tables.lines import WHO, CellLine, plain_columns
from cutscore.stats.intervals import item_estimate

ABLATION_RESAMPLES = 1_000  # as the paper has it


def ablation_by_item(lines: Sequence[CellLine], axes: Mapping[str, str]) -> Table:
    """Return arm minus whole on every axis, where `axes` has the shown name of each, with the paper's calls."""
    body: list[tuple[TableCell, ...]] = []
    for arm, whole in arm_pairs(lines):
        for axis, shown in axes.items():
            one, other = arm.by_item(axis), whole.by_item(axis)
            gaps = [one[item] - other[item] for item in sorted(one.keys() & other.keys())]
            if gaps:
                found = item_estimate(gaps, name=axis, scale=(-1.0, 1.0), resamples=ABLATION_RESAMPLES)
                body.append((*arm.who, shown, len(gaps), found, significance(found.low, found.high)))
    called = sum(row[-1] != HOLDS_ZERO for row in body)
    return Table(
        id="ablation-by-item",
        title=f"{called} of {len(body)} comparisons with the whole input are called significant by the paper's rule",
        columns=plain_columns(*WHO, "axis", "n", "arm − whole", "call"),
        rows=tuple(body),
        note=f"paired by question; 95% by item, plain percentiles of {ABLATION_RESAMPLES:,} resamples, seed 42, as in"
        " the paper; no test, nothing adjusted for many comparisons: the table `ablation` does both",
        paper="Table 5",
    )
