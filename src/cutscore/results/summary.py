"""A benchmark's results as the object that `run` prints, with what tokens and money add up to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from math import fsum
from operator import add
from typing import TYPE_CHECKING, Any

from cutscore.core.usage import ZERO_USAGE, Usage
from cutscore.results.fitness import mostly_failed, unfit
from cutscore.results.wording import count, usd

if TYPE_CHECKING:
    from cutscore.core.row import Row
    from cutscore.results.benchmark import BenchmarkResult
    from cutscore.results.cells import CellResult


def as_json(result: BenchmarkResult, *, most: float) -> dict[str, Any]:
    """Return the object that `run` prints for one benchmark; above the share `most` of unscored a cell is unfit."""
    rows = result.rows
    judged = [row for row in rows if row.judge]
    people = result.people
    human = people and {"editors": people.editors, "estimates": [estimate.as_json() for estimate in result.human]}
    single = result.cells[0].record.cell if len(result.cells) == 1 else None
    return {
        "benchmark": result.card.name,
        "version": result.version,
        "mode": result.mode,
        "subject": single.subject.label if single else None,
        "model": (single.model or None) if single else None,
        "n": sum(row.ending.status == "marked" for row in rows),
        "failed": sum(row.failed for row in rows),
        "unscored": sum(row.ending.status != "marked" for row in rows),
        "stopped": sum(row.ending.status == "stopped" for row in rows),
        "mostly_failed": list(mostly_failed([result])),
        "unfit": list(unfit([result], most=most)),
        "estimates": _estimates(result, bare=single is not None),
        "cells": [_cell(each) for each in result.cells],
        "differences": [each.comparison.as_json() for each in result.differences],
        **({"human": human} if human else {}),
        "usage": total_usage(row.usage for row in rows),
        **({"judge_usage": total_usage(row.judge_usage for row in judged)} if judged else {}),
        "cost_usd": total_cost(rows),
    }


def _estimates(result: BenchmarkResult, *, bare: bool) -> list[dict[str, Any]]:
    made = []
    for each in result.cells:
        cell = each.record.cell
        who = {} if bare else {"subject": cell.subject.label, "model": cell.model or None, "cell": cell.id}
        made += [{**estimate.as_json(), **who} for estimate in result.estimates[each.id]]
    return made


def _cell(each: CellResult) -> dict[str, Any]:
    cell, log = each.record.cell, each.record.log
    return {
        "id": cell.id,
        "subject": cell.subject.label,
        "model": cell.model or None,
        **({"judge": cell.judge} if cell.judge else {}),
        **({"input": cell.input} if cell.input else {}),
        "failed": each.failed,
        **({"failures": each.failures} if each.failed else {}),
        "unscored": each.unscored,
        "stopped": each.stopped,
        "log": str(log) if log else None,
    }


def total_usage(usages: Iterable[Usage | None]) -> dict[str, Any] | None:
    """Add up tokens; one that is unknown makes the sum unknown."""
    known = list(usages)
    return None if None in known else reduce(add, filter(None, known), ZERO_USAGE).model_dump(mode="json")


def total_cost(rows: Iterable[Row]) -> float | None:
    """Add up money; one row that does not know makes the sum unknown."""
    known = [row.cost_usd for row in rows]
    return None if None in known else fsum(each for each in known if each is not None)


def describe_cost(rows: Iterable[Row]) -> str:
    """Write what rows cost. Unknown is said, never added as 0; a subject without a model has no cost to know."""
    rows = list(rows)
    known = [row.cost_usd for row in rows if row.cost_usd is not None]
    unknown = len(rows) - len(known)
    if not known:
        return "unknown" if any(row.model or row.usage or row.judge_usage for row in rows) else "–"
    return f"{usd(sum(known))} + {unknown:,} unknown" if unknown else usd(sum(known))


def cost_line(results: Iterable[BenchmarkResult]) -> str:
    """Write what models cost, below a table; nothing when no model was asked."""
    rows = [row for result in results for each in result.cells for row in each.rows if each.record.cell.models]
    if not rows:
        return ""
    priced = [row for row in rows if row.cost_usd is not None]
    unknown = len(rows) - len(priced)
    known = usd(total_cost(priced)) if priced else "unknown"
    return f"cost: {known} for {count(len(priced) or len(rows), 'sample')}" + (
        f", unknown for {unknown:,}" if priced and unknown else ""
    )
