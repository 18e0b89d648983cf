"""What `run`, `sweep` and `demo` say in the end, and what a dry run says instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING, Any

from cutscore.api.plans import CellPlan, RunOutcome, RunScope, run_plans
from cutscore.cli.output import CommandOutput, Interrupted
from cutscore.cli.price_text import check_json, check_line, price_lines, sum_text
from cutscore.cli.progress import progress_style
from cutscore.cli.run_progress import show_run
from cutscore.cli.standings import line_width, standings_text, wrap_lines
from cutscore.cli.text_tables import align_columns, estimate_words, results_table
from cutscore.core.errors import BudgetReached, CutscoreError
from cutscore.results.benchmark import BenchmarkResult, benchmark_results
from cutscore.results.calibration import JudgeCalibration, uncalibrated_judges
from cutscore.results.cells import CellResult
from cutscore.results.fitness import incomplete_run, mostly_failed, unfit
from cutscore.results.summary import as_json, cost_line, describe_answers
from cutscore.results.wording import count

if TYPE_CHECKING:
    from cutscore.ledger.call_book import CallBook
    from cutscore.settings import Settings


@dataclass(frozen=True)
class RunSummary:
    """What there is to say about cells that ran, and what keeps the run from being complete."""

    parts: list[BenchmarkResult]
    benchmarks: list[dict[str, Any]]
    text: str
    warnings: tuple[str, ...]
    error: CutscoreError | None


def run_and_summarise(
    plans: Sequence[CellPlan],
    scope: RunScope,
    settings: Settings,
    *,
    engine: str,
    everything: bool = False,
    with_references: bool = False,
) -> RunSummary:
    """Run cells with a line that says how far they are, and sum them up: the headline of contestants, or everything."""
    book = _open_ledger(scope) if any(plan.models for plan in plans) else None
    before = book.total().usd if book else 0

    def spent_usd() -> float | None:
        if book is None:
            return None
        book.catch_up()
        return float(book.total().usd - before)

    with show_run(plans, style=progress_style(), apart=engine != "inline", spent_usd=spent_usd) as (watch, on_end):
        outcome = run_plans(plans, scope, settings=settings, engine=engine, watch=watch, on_end=on_end)
    return summarise(outcome, scope, settings, everything=everything, with_references=with_references)


def _open_ledger(scope: RunScope) -> CallBook:
    from cutscore.bridge.rows import LEDGER_FILE
    from cutscore.ledger.call_book import CallBook

    book = CallBook(scope.run / LEDGER_FILE)
    book.catch_up()
    return book


def summarise(
    outcome: RunOutcome,
    scope: RunScope,
    settings: Settings,
    *,
    everything: bool = False,
    with_references: bool = False,
) -> RunSummary:
    """Sum up cells that ran."""
    parts = benchmark_results(outcome.results, with_references=with_references)
    width = line_width()
    opinions = [each for part in parts for each in part.calibrations]
    said = [*mostly_failed(parts), *(line for part in parts for line in describe_answers(part))]
    table = results_table(parts, everything=True) if everything else standings_text(parts, width=width)
    paid = [*cost_line(parts).splitlines(), check_line(outcome.prices)]
    lines = [table, *wrap_lines(said, width), calibration_text(opinions), *wrap_lines(paid, width)] if parts else paid
    others = tuple(str(error) for error in outcome.errors[1:])  # the first one is the error of the command
    warnings = (
        *others,
        *outcome.remarks,
        *unfit(parts, most=settings.unscored_max, with_stopped=False),
        *uncalibrated_judges(opinions),
        *_left_alone(parts),
    )
    remarks = {"remarks": list(outcome.remarks)} if outcome.remarks else {}
    plain = []
    for part in parts:
        judges = {"judges": [each.as_json() for each in part.calibrations]} if part.calibrations else {}
        prices = check_json([each for each in outcome.prices if each.benchmark == part.card.name])
        plain.append({**as_json(part, most=settings.unscored_max), **judges, **prices, **remarks})
    return RunSummary(parts, plain, "\n".join(filter(None, lines)), warnings, failure(outcome, scope))


def _left_alone(parts: Sequence[BenchmarkResult]) -> list[str]:
    """Warn of cells in which part of the items had nothing to leave out, so that they are not what their name says."""
    from cutscore.cells.inputs import UNCHANGED

    said = []
    for part in parts:
        for each in part.cells:
            cell, alone = each.record.cell, sum(UNCHANGED in row.warnings for row in each.rows)
            if alone:
                who = f"{part.card.name} {part.labels[cell.id]}, input '{cell.input}'"
                said.append(f"{who}: {alone:,} of {count(len(each.rows), 'sample')} had nothing to change")
    return said


def next_step(scope: RunScope, parts: Sequence[BenchmarkResult]) -> str:
    """Describe what to do with a run, after how much of it failed; what is unscored comes first."""
    rows = [row for part in parts for row in part.rows]
    failed, unscored = sum(row.failed for row in rows), sum(row.ending.status != "marked" for row in rows)
    head = f"{failed:,} of {count(len(rows), 'sample')} failed; " if failed else ""
    first = f"the same command, which asks {count(unscored, 'unscored sample')} again; then " if unscored else ""
    return f"{head}next: {first}cutscore report {quote(str(scope.run))} -o site"


def failure(outcome: RunOutcome, scope: RunScope) -> CutscoreError | None:
    """Describe what keeps a run from being complete, the most telling reason first."""
    if outcome.interrupted:
        return Interrupted("interrupted", "")
    if outcome.errors:
        return outcome.errors[0]
    return _over_budget(outcome.results, scope) or incomplete_run(outcome.results)


def _over_budget(results: Sequence[CellResult], scope: RunScope) -> BudgetReached | None:
    from cutscore.bridge.rows import LEDGER_FILE
    from cutscore.ledger.prices import Prices
    from cutscore.ledger.spending import Ledger

    if scope.cost_limit_usd is None or not any(each.missing or each.unscored for each in results):
        return None
    try:
        Ledger(Prices.snapshot([]), scope.run / LEDGER_FILE, limit_usd=scope.cost_limit_usd).check()
    except BudgetReached as reached:
        return reached
    return None


def dry_answer(plans: Sequence[CellPlan], scope: RunScope) -> CommandOutput:
    """Describe which cells would run, how far each is, and what the rest would cost."""
    totals = plan_totals(plans)
    plain = {
        "benchmark": plans[0].cell.benchmark,
        "version": plans[0].cell.version,
        "dry_run": True,
        "log_dir": str(scope.run),
        **selected(scope),
        **totals,
        "cells": [plan.as_json() for plan in plans],
    }
    return CommandOutput(plain, plan_text(plans, scope))


def plan_text(plans: Sequence[CellPlan], scope: RunScope) -> str:
    """Write a plan: a line for each cell, what there is to know of them, what they cost and why, and the sums."""
    lines = [plan_table(plans), *plan_notes(plans), *price_lines(plans), plan_line(plan_totals(plans), scope)]
    return "\n".join(lines)


def plan_totals(plans: Sequence[CellPlan]) -> dict[str, Any]:
    """Reconcile rows: planned = done + unscored + missing; the price is unknown when one of them is."""
    prices = [plan.forecast.rest_usd for plan in plans]
    reasons = list(dict.fromkeys(plan.forecast.because for plan in plans if plan.forecast.because))
    return {
        "planned": sum(plan.total for plan in plans),
        "done": sum(plan.done for plan in plans),
        "unscored": sum(plan.unscored for plan in plans),
        "missing": sum(plan.missing for plan in plans),
        "price_usd": None if None in prices else sum(each for each in prices if each is not None),
        "price_known_usd": sum(plan.forecast.known_usd or 0.0 for plan in plans),
        "price_because": "; ".join(reasons),
    }


def plan_table(plans: Sequence[CellPlan]) -> str:
    """Write one line a cell."""
    head = ("benchmark", "cell", "planned", "done", "unscored", "missing", "price of the rest")
    lines = [
        (
            f"{plan.cell.benchmark} v{plan.cell.version}",
            plan.cell.id,
            *(f"{each:,}" for each in (plan.total, plan.done, plan.unscored, plan.missing)),
            sum_text(plan.forecast.rest_usd, plan.forecast.known_usd),
        )
        for plan in plans
    ]
    return align_columns([head, *lines], right=(2, 3, 4, 5))


def plan_notes(plans: Sequence[CellPlan]) -> list[str]:
    """Write what is not in the plans of cells, and what else there is to know of them, each once."""
    left_out = [f"{plan.key}: {each}" for plan in plans for each in plan.left_out]
    return list(dict.fromkeys([*left_out, *(remark for plan in plans for remark in plan.remarks)]))


def plan_line(totals: dict[str, Any], scope: RunScope) -> str:
    """Write the sums."""
    rest = f"{totals['done']:,} done, {totals['unscored']:,} unscored, {totals['missing']:,} missing"
    sum_ = sum_text(totals["price_usd"], totals["price_known_usd"])
    price = f"; price of the rest: {sum_}" if totals["done"] < totals["planned"] else ""
    only = f" ({scope.selection.describe()})" if scope.selection.describe() else ""
    return f"{count(totals['planned'], 'sample')}{only} in {scope.run}: {rest}{price}"


def selected(scope: RunScope) -> dict[str, Any]:
    """Return which items were picked, where some were."""
    return {"selection": picked} if (picked := scope.selection.as_json()) else {}


def calibration_text(judged: Sequence[JudgeCalibration]) -> str:
    """Write corrected scores below the table; nothing where no judge is calibrated."""
    lines = []
    for each in judged:
        for score in each.scores:
            if (mended := score.score.corrected) is not None:
                lines.append(
                    (f"{score.subject} judged by {each.judge}, corrected", *estimate_words(mended), each.because)
                )
    return align_columns(lines, right=(1,)) if lines else ""
