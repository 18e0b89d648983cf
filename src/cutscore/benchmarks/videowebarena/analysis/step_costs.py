"""What a step costs: tokens and money by the number of actions."""

from collections import defaultdict
from collections.abc import Sequence

from cutscore.benchmarks.videowebarena.analysis.step_lines import STEPS
from cutscore.core.row import Row
from cutscore.core.table import Column, Table, TableCell
from cutscore.core.usage import Usage
from cutscore.results.tables.lines import WHO, plain_columns


def step_costs_table(rows: Sequence[Row]) -> Table:
    """Return tokens and US dollars of each cell, per action; blank where a usage or a price is unknown."""
    cells: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        cells[row.subject, row.model, row.cell].append(row)
    body: list[tuple[TableCell, ...]] = []
    for (subject, model, _), mine in sorted(cells.items()):
        counted = [row for row in mine if isinstance(row.environment.get(STEPS), int)]
        steps = sum(int(str(row.environment[STEPS])) for row in counted)
        if steps and any(row.usage for row in counted):
            body.append((subject, model, mine[0].input, len(counted), steps, *_per_step(counted, steps)))
    return Table(
        id="step-costs",
        title="Tokens and money per step",
        columns=(
            *plain_columns(*WHO, "samples", "steps"),
            *(Column(name=name, digits=0) for name in ("tokens in / step", "tokens out / step")),
            Column(name="USD / step", digits=4),
        ),
        rows=tuple(body),
        note="all calls of a sample, the question about the tutorial included, over its actions in the browser",
    )


def _per_step(rows: Sequence[Row], steps: int) -> list[float | None]:
    taken = [_sum(row.usage, ("input", "cached", "cache_write")) for row in rows]
    given = [_sum(row.usage, ("output", "reasoning")) for row in rows]
    return [_share(each, steps) for each in (taken, given, [row.cost_usd for row in rows])]


def _sum(usage: Usage | None, buckets: Sequence[str]) -> int | None:
    """Return the tokens of some buckets; None where the provider tells none of them."""
    told = [each for name in buckets if usage is not None and (each := getattr(usage, name)) is not None]
    return sum(told) if told else None


def _share(values: Sequence[float | None], steps: int) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / steps if len(known) == len(values) else None
