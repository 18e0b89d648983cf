"""A benchmark's results → its own tables, as its `tables.py` makes them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cutscore.core.errors import BadInput, UnknownName

if TYPE_CHECKING:
    from cutscore.core.table import Table
    from cutscore.results.benchmark import BenchmarkResult


@dataclass(frozen=True)
class BenchmarkTables:
    """The tables of one benchmark in one scoring mode, in the order in which they are shown.

    None where something went wrong, and then `fault` says what.
    """

    result: BenchmarkResult
    tables: tuple[Table, ...] = ()
    fault: str = ""

    @property
    def title(self) -> str:
        """Name benchmark, version and mode."""
        return self.result.title + (f" @{self.result.mode}" if self.result.mode else "")

    def as_json(self) -> dict[str, Any]:
        """Return the tables as `tables` prints them."""
        return {
            "benchmark": self.result.card.name,
            "version": self.result.version,
            "mode": self.result.mode,
            "cells": [each.id for each in self.result.cells],
            "tables": [table.model_dump(mode="json") for table in self.tables],
        }


def make_tables(result: BenchmarkResult, *, min_coverage: float | None = None) -> BenchmarkTables:
    """Make the tables of one benchmark's cells, its own and, where agents worked, those of what they did.

    A `tables.py` may have `listings(result)` beside `tables(rows, card)`: tables of single samples, from stored steps.

    Raises:
        BadInput: No table of the benchmark depends on coverage.
        Stopped: This machine lacks something that a table needs.
    """
    from cutscore.registry import benchmark
    from cutscore.results.tables.agent_tables import agent_tables

    part = benchmark(result.card.name).part("tables")
    make = part.tables
    if min_coverage is None:
        listed = part.listings(result) if hasattr(part, "listings") else ()
        return BenchmarkTables(result, (*make(result.rows, result.card), *agent_tables(result), *listed))
    if "min_coverage" not in inspect.signature(make).parameters:
        fact = f"no table of '{result.card.name}' depends on coverage"
        raise BadInput(f"--min-coverage {min_coverage:g}", fact, "leave it out, or name cells of other benchmarks")
    return BenchmarkTables(result, tuple(make(result.rows, result.card, min_coverage=min_coverage)))


@dataclass(frozen=True)
class AcrossTables:
    """Tables over several benchmarks, or over a suite of them, whose `name` they have."""

    tables: tuple[Table, ...]
    title: str = "across benchmarks"
    folder: str = "across"
    name: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the tables as those of one benchmark are, with the name of the suite or none."""
        plain = [table.model_dump(mode="json") for table in self.tables]
        return {"benchmark": self.name, "version": "", "mode": "", "cells": [], "tables": plain}


TableSet = BenchmarkTables | AcrossTables


def select_tables(made: Sequence[TableSet], only: Sequence[str]) -> list[TableSet]:
    """Keep the tables that were asked for by id, wherever there are any of that id; all when none was asked for.

    Raises:
        UnknownName: There is no table of that id.
    """
    known = {table.id for each in made for table in each.tables}
    for name in only:
        if name not in known:
            raise UnknownName.among("table", name, known)
    kept = [replace(each, tables=tuple(t for t in each.tables if not only or t.id in only)) for each in made]
    return [each for each in kept if each.tables or not only]
