"""What stored tokens cost at any prices: by benchmark and stack, by harness, and for each minute of material.

Tokens are there twice, as we saw them and as the subject tells them, and so are costs. A sample whose tokens or price
are unknown is counted, and is part of no sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

from cutscore.core.table import Column, Table, TableCell
from cutscore.results.material_minutes import material_minutes
from cutscore.results.tables.benchmark_tables import AcrossTables
from cutscore.results.tables.lines import plain_columns
from cutscore.results.wording import count, usd

if TYPE_CHECKING:
    from cutscore.core.row import Row
    from cutscore.core.usage import Usage
    from cutscore.ledger.price_file import PriceFile
    from cutscore.results.benchmark import BenchmarkResult

IN_BUCKETS, OUT_BUCKETS = ("input", "cached", "cache_write"), ("output", "reasoning")


@dataclass(frozen=True)
class SampleCost:
    """One sample at some prices.

    Args:
        seen_usd, told_usd: By the tokens that we saw, and by those that the subject tells; None where unknown.
        minutes: Of film among its materials; None where unknown.
    """

    row: Row
    seen_usd: float | None
    told_usd: float | None
    minutes: float | None


def sample_costs(result: BenchmarkResult, prices: PriceFile) -> list[SampleCost]:
    """Return what each sample of a model cost, in all cells of a benchmark."""
    return [
        SampleCost(
            row,
            prices.cost_usd(row.model, row.usage),
            prices.cost_usd(row.model, row.told_usage),
            material_minutes(row, cell.record.store),
        )
        for cell in result.cells
        if cell.record.cell.model
        for row in cell.rows
    ]


def count_tokens(usage: Usage | None, buckets: Iterable[str]) -> int | None:
    """Return the tokens of some buckets that are known; None where none is."""
    known = [getattr(usage, bucket) for bucket in buckets if usage and getattr(usage, bucket) is not None]
    return sum(known) if known else None


def cost_tables(results: Sequence[BenchmarkResult], prices: PriceFile) -> AcrossTables:
    """Return costs by benchmark and stack, and by subject over all benchmarks; none where no model was asked."""
    costs = [(result.card.name, each) for result in results for each in sample_costs(result, prices)]
    if not costs:
        return AcrossTables(())
    stacks = sorted({(name, each.row.subject, each.row.model) for name, each in costs})
    subjects = sorted({each.row.subject for _, each in costs})
    by_stack = [
        (*who, *_figures([each for name, each in costs if (name, each.row.subject, each.row.model) == who]))
        for who in stacks
    ]
    by_subject = [(who, *_figures([each for _, each in costs if each.row.subject == who])) for who in subjects]
    unpriced = sorted({each.row.model for _, each in costs if prices.price(each.row.model) is None})
    said = f"; no price for {', '.join(unpriced)}" if unpriced else ""
    note = (
        f"prices: {prices.title}{said}; cost: over the samples whose cost is known, by the tokens that we saw; an"
        " unknown bucket or price leaves a sample out; told: by what a subject says of itself; a minute: of film among"
        " the materials; judges are left out"
    )
    return AcrossTables(
        (
            _table("costs", ("benchmark", "subject", "model"), by_stack, costs, note),
            _table("harness-costs", ("subject",), by_subject, costs, note),
        ),
        title="costs",
        folder="costs",
    )


COLUMNS = (
    *(Column(name="samples"), Column(name="known"), Column(name="cost", digits=2, unit="USD")),
    *(Column(name="a sample", digits=4, unit="USD"), Column(name="a minute", digits=4, unit="USD")),
    *(Column(name="told known"), Column(name="told cost", digits=2, unit="USD")),
)


def _figures(costs: Sequence[SampleCost]) -> tuple[TableCell, ...]:
    seen = [each.seen_usd for each in costs if each.seen_usd is not None]
    told = [each.told_usd for each in costs if each.told_usd is not None]
    return (
        len(costs),
        len(seen),
        fsum(seen) if seen else None,
        fsum(seen) / len(seen) if seen else None,
        cost_per_minute(costs),
        len(told),
        fsum(told) if told else None,
    )


def cost_per_minute(costs: Sequence[SampleCost]) -> float | None:
    """Return dollars for each minute of material, over the samples of which both are known."""
    known = [(each.seen_usd, each.minutes) for each in costs if each.seen_usd is not None and each.minutes]
    minutes = fsum(each for _, each in known)
    return fsum(cost for cost, _ in known) / minutes if minutes else None


def _table(
    id: str,
    who: tuple[str, ...],
    body: Sequence[tuple[TableCell, ...]],
    costs: Sequence[tuple[str, SampleCost]],
    note: str,
) -> Table:
    known = [each.seen_usd for _, each in costs if each.seen_usd is not None]
    missing = len(costs) - len(known)
    rest = f", and {count(missing, 'sample')} of unknown cost" if missing else ""
    title = f"{usd(fsum(known))} for {count(len(known), 'sample')}{rest}" if known else "No cost is known"
    return Table(id=id, title=title, columns=(*plain_columns(*who), *COLUMNS), rows=tuple(body), note=note)
