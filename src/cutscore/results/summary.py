"""A benchmark's results as the object that `run` prints, with what tokens and money add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from math import fsum, isclose
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.core.usage import TOKEN_BUCKETS, ZERO_USAGE, Usage
from cutscore.ledger.call_book import Spending, read_spending
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
    ended = Counter(result.row_status(row) for row in rows)  # of the headline: other scores may be there without it
    return {
        "benchmark": result.card.name,
        "version": result.version,
        "mode": result.mode,
        "subject": single.subject.label if single else None,
        "model": (single.model or None) if single else None,
        "chance": result.card.scores[result.card.headline].chance,
        "n": ended["marked"],
        "failed": sum(row.failed for row in rows),
        "unscored": ended["unscored"] + ended["stopped"],
        "stopped": ended["stopped"],
        "mostly_failed": list(mostly_failed([result])),
        "unfit": list(unfit([result], most=most)),
        "estimates": _estimates(result, bare=single is not None),
        "cells": [_cell(each, result.role(each)) for each in result.cells],
        "differences": [each.comparison.as_json() for each in result.differences],
        **({"human": human} if human else {}),
        "usage": total_usage(row.usage for row in rows),
        **({"judge_usage": total_usage(row.judge_usage for row in judged)} if judged else {}),
        "cost_usd": total_cost(rows),
        **_told(rows),
        **({"spent": spent.as_json()} if (spent := spending(result.cells)) and (spent.calls or spent.failed) else {}),
    }


def _estimates(result: BenchmarkResult, *, bare: bool) -> list[dict[str, Any]]:
    made = []
    for each in result.cells:
        cell = each.record.cell
        who = {} if bare else {"subject": cell.subject.label, "model": cell.model or None, "cell": cell.id}
        made += [{**estimate.as_json(), **who} for estimate in result.estimates[each.id]]
    return made


def _cell(each: CellResult, role: str) -> dict[str, Any]:
    cell, log = each.record.cell, each.record.log
    return {
        "id": cell.id,
        "subject": cell.subject.label,
        "model": cell.model or None,
        **({"role": role} if role else {}),
        **({"judge": cell.judge} if cell.judge else {}),
        **({"input": cell.input} if cell.input else {}),
        **({"conditions": cell.conditions} if cell.conditions else {}),
        "failed": each.failed,
        **({"failures": each.failures} if each.failed else {}),
        "unscored": each.unscored,
        "stopped": each.stopped,
        **({"left_out": [one.as_json() for one in each.left_out]} if each.left_out else {}),
        "log": str(log) if log else None,
    }


def describe_answers(result: BenchmarkResult) -> list[str]:
    """Write where a judge left questions open and scores are ratios: their sums would lose them silently."""
    if not any(score.judged and score.ratio for score in result.card.scores.values()):
        return []
    lines = []
    for each in result.cells:
        said = [[one for one in row.judgements if not one.role] for row in each.rows]
        asked, answered = sum(map(len, said)), sum(one.answer is not None for those in said for one in those)
        if answered < asked:
            who = f"{result.card.name} {result.labels[each.id]}: {each.record.cell.judge}"
            lines.append(f"{who} answered {answered:,} of {count(asked, 'question')}; sums are over those")
    return lines


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
    """Write what was paid for models, below a table, and what subjects say of it; nothing when no model was asked."""
    cells = [each for result in results for each in result.cells]
    rows = [row for each in cells for row in each.rows]
    asked, spent = [each for each in cells if each.record.cell.models], spending(cells)
    if spent is None:
        paid = _cost_of_rows([row for each in asked for row in each.rows])
    else:
        paid = describe_spending(spent) if asked or spent.calls or spent.failed else ""
    return "\n".join(filter(None, [paid, describe_retries(spent) if spent else "", _told_line(rows)]))


def spending(cells: Iterable[CellResult]) -> Spending | None:
    """Return what cells spent by the ledgers of their run folders; None where there is none that tells cells apart."""
    from cutscore.bridge.rows import LEDGER_FILE

    ids: dict[Path, set[str]] = {}
    for each in cells:
        ids.setdefault(each.record.run / LEDGER_FILE, set()).add(each.record.cell.id)
    made = Spending()
    for file, names in ids.items():
        if not file.exists() or read_spending(file, [""]).answered:  # none, or of an earlier version
            return None
        made.add(read_spending(file, names))
    return made


def describe_spending(spent: Spending) -> str:
    """Write what was paid, and what is not known of it.

    >>> from decimal import Decimal
    >>> describe_spending(Spending(usd=Decimal("0.12"), answered=120, lost=2))
    'cost: $0.12 for 122 calls, 2 of them lost when a run was killed, their cost is unknown'
    """
    known = spent.answered - spent.unknown
    words = [
        f"cost: {usd(float(spent.usd)) if known or not spent.answered else 'unknown'} for {count(spent.calls, 'call')}"
    ]
    if known and spent.unknown:
        words.append(f"unknown for {spent.unknown:,} of them")
    if spent.lost:
        words.append(f"{spent.lost:,} of them lost when a run was killed, their cost is unknown")
    return ", ".join(words)


def describe_retries(spent: Spending) -> str:
    """Write how many attempts failed, by fault; each was repeated, or its sample is unscored. Nothing without any.

    >>> from collections import Counter
    >>> describe_retries(Spending(failed=Counter({"503": 9, "unreadable": 3})))
    'retries: 12 calls failed (503: 9, unreadable: 3)'
    """
    faults = ", ".join(f"{fault}: {number:,}" for fault, number in sorted(spent.failed.items()))
    return f"retries: {count(spent.failed.total(), 'call')} failed ({faults})" if spent.failed else ""


def _cost_of_rows(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    priced = [row for row in rows if row.cost_usd is not None]
    unknown = len(rows) - len(priced)
    known = usd(total_cost(priced)) if priced else "unknown"
    return f"cost: {known} for {count(len(priced) or len(rows), 'sample')}" + (
        f", unknown for {unknown:,}" if priced and unknown else ""
    )


def _told(rows: Sequence[Row]) -> dict[str, Any]:
    """Return what subjects say that they took, of those rows in which they do."""
    usages = [row.told_usage for row in rows if row.told_usage is not None]
    costs = [row.told_cost_usd for row in rows if row.told_cost_usd is not None]
    return {
        **({"told_usage": total_usage(usages)} if usages else {}),
        **({"told_cost_usd": fsum(costs)} if costs else {}),
    }


def _told_line(rows: Sequence[Row]) -> str:
    """Write where subjects tell another cost than we saw, or other tokens; nothing where both agree."""
    told = [row for row in rows if row.told_usage is not None or row.told_cost_usd is not None]
    differ = sum(_tells_otherwise(row) for row in told)
    if not differ:
        return ""
    said, seen = (
        (usd(_told(told)["told_cost_usd"]), usd(total_cost(told)))
        if any(row.told_cost_usd is not None for row in told)
        else (_tokens(row.told_usage for row in told), _tokens(row.usage for row in told))
    )
    head, share = f"subjects say {said} for {count(len(told), 'sample')}", f"{differ:,} of {len(told):,}"
    return f"{head}, as we saw; {share} in other buckets" if said == seen else f"{head}, we saw {seen}; {share} differ"


def _tells_otherwise(row: Row) -> bool:
    """Return whether a subject tells something else than we saw; a bucket that one side does not know is no difference.

    The cost of a row holds that of its judge, so it is compared only where nobody was paid for judging.
    """
    judged = row.judge_usage is not None and row.judge_usage != ZERO_USAGE
    if row.told_cost_usd is not None and not judged:
        return row.cost_usd is None or not isclose(row.told_cost_usd, row.cost_usd, rel_tol=1e-6, abs_tol=1e-9)
    told, seen = ((usage or Usage()).model_dump(exclude_none=True) for usage in (row.told_usage, row.usage))
    return any(told[bucket] != seen[bucket] for bucket in told.keys() & seen.keys())


def _tokens(usages: Iterable[Usage | None]) -> str:
    known = [getattr(usage, bucket) or 0 for usage in usages if usage for bucket in TOKEN_BUCKETS]
    return count(sum(known), "token")
