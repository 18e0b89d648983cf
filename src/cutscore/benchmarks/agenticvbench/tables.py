"""Results of two families or more → the figures and tables of the paper that are about all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cutscore.benchmarks.agenticvbench.case_tables import case_tables
from cutscore.benchmarks.agenticvbench.failure_tables import failure_reasons_table
from cutscore.benchmarks.agenticvbench.families import find_families
from cutscore.benchmarks.agenticvbench.published import conflicts_table, published, published_table
from cutscore.benchmarks.agenticvbench.score_tables import (
    harness_spread_table,
    overall_table,
    top_lift_table,
    variance_table,
)
from cutscore.benchmarks.agenticvbench.setup_tables import (
    harnesses_table,
    replication_table,
    settings_table,
    tasks_table,
)
from cutscore.benchmarks.agenticvbench.spending_tables import (
    audit_table,
    effort_table,
    family_cost_table,
    signature_table,
    whole_costs,
)
from cutscore.core.table import Table

if TYPE_CHECKING:
    from cutscore.ledger.price_file import PriceFile
    from cutscore.results.benchmark import BenchmarkResult


def tables(results: Sequence[BenchmarkResult], prices: PriceFile) -> list[Table]:
    """Return the tables over families: scores, how they were made, what was spent, and the paper's numbers beside."""
    families = find_families(results)
    costs, told = whole_costs(families, prices), published()
    made = [
        overall_table(families),
        harness_spread_table(families),
        top_lift_table(families),
        failure_reasons_table(families, told.numbers),
        variance_table(families),
        signature_table(families),
        effort_table(families, costs),
        tasks_table(families, told.tasks),
        harnesses_table(families, told.versions),
        settings_table(families, told.settings),
        replication_table(families),
        audit_table(costs, prices),
        family_cost_table(costs, prices),
    ]
    cases = case_tables(families, [each for own in costs.values() for each in own])
    return [*made, *cases, published_table(made), conflicts_table()]
