"""Every set of tables that a run has: of each benchmark, across benchmarks, of suites, and costs at given prices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cutscore.registry import suites
from cutscore.results.tables.benchmark_tables import AcrossTables

if TYPE_CHECKING:
    from cutscore.ledger.price_file import PriceFile
    from cutscore.results.benchmark import BenchmarkResult

FEWEST = 2  # benchmarks of a suite from which it has tables: one alone has its own


def tables_over_benchmarks(results: Sequence[BenchmarkResult], prices: PriceFile | None = None) -> list[AcrossTables]:
    """Return the tables over several benchmarks, then those of suites, then costs where prices are given.

    A suite counts with the prices of its own paper unless others are given.
    """
    from cutscore.results.tables.standing import across_tables

    made = [across_tables(results), *(_suite_tables(results, prices))]
    if prices is not None:
        from cutscore.results.tables.costs import cost_tables

        made.append(cost_tables(results, prices))
    return [each for each in made if each.tables]


def _suite_tables(results: Sequence[BenchmarkResult], prices: PriceFile | None) -> list[AcrossTables]:
    from cutscore.ledger.price_file import read_price_file

    made = []
    for suite in suites().values():
        own = [each for each in results if each.card.name in suite.benchmarks]
        if len({each.card.name for each in own}) >= FEWEST:
            tables = suite.tables().tables(own, prices or read_price_file(suite.prices))
            made.append(AcrossTables(tuple(tables), title=suite.title, folder=suite.name, name=suite.name))
    return made
