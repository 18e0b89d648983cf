"""Cells that are planned, priced and run: what `run`, `sweep`, `demo` and the Python API share.

Everything is planned before anything is asked, so that a typing error in the last cell is said before the first one
has cost an hour.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.cells.progress import Listener
from cutscore.cells.selection import EVERY_ITEM, ItemSelection
from cutscore.core.errors import BadInput, BudgetReached, CutscoreError, OldRecord, RunBroken
from cutscore.core.subject import SubjectSpec
from cutscore.core.tally import ignore
from cutscore.ledger.forecast import CostForecast, ForecastCheck
from cutscore.registry import benchmark
from cutscore.results.cells import CellResult

if TYPE_CHECKING:
    from cutscore.bridge.run import CellRun, PreparedCell
    from cutscore.cells.admission import AdmittedItems
    from cutscore.cells.cell import Cell
    from cutscore.cells.eligibility import LeftOut
    from cutscore.cells.inputs import NothingToChange
    from cutscore.cells.request import CellRequest
    from cutscore.cells.run_context import RunContext
    from cutscore.core.row import Row
    from cutscore.engines.jobs import Outcome
    from cutscore.ledger.call_book import CallBook
    from cutscore.settings import Settings

    CellEnd = CellRun | CutscoreError  # how a cell ended, or why it could not be run


@dataclass(frozen=True)
class RunScope:
    """Which items of each cell, how often, where, and for how much money in that run folder.

    Without epochs, each item is asked as often as the card of its benchmark says (`repeats`).

    Args:
        in_turn: Every cell has its first repetition before any has its second; it takes epochs.
    """

    run: Path
    selection: ItemSelection = EVERY_ITEM
    epochs: int | None = 1
    cost_limit_usd: float | None = None
    in_turn: bool = False

    def epochs_of(self, name: str) -> int:
        """Return how often each item of a benchmark is asked."""
        return benchmark(name).card.repeats if self.epochs is None else self.epochs

    def rounds(self) -> list[RunScope]:
        """Return what is run one after the other: everything at once, or each repetition on top of those before."""
        if not self.in_turn or self.epochs is None:
            return [self]
        return [replace(self, epochs=number) for number in range(1, self.epochs + 1)]


@dataclass(frozen=True)
class CellPlan:
    """One cell before it runs.

    Args:
        planned: Every (item, epoch) that it is to have.
        done: Of these, how many are marked already.
        unscored: Of these, how many were tried and not marked; they are tried again.
        forecast: What it will cost, and what that stands on.
        remarks: What its items' gates and its subject have to say.
        left_out: Items that were asked for and are beyond the subject; they are not planned.
        prepared: Ready to run in this process; another one prepares it anew.
        models: Every model and service that is called.
        selection: Which items it was planned for.
    """

    request: CellRequest
    cell: Cell
    planned: frozenset[tuple[str, int]]
    done: int
    unscored: int
    forecast: CostForecast
    remarks: tuple[str, ...] = ()
    prepared: PreparedCell | None = None
    left_out: tuple[LeftOut, ...] = ()
    models: tuple[str, ...] = ()
    selection: ItemSelection = EVERY_ITEM

    @property
    def total(self) -> int:
        """How many samples it is to have."""
        return len(self.planned)

    @property
    def missing(self) -> int:
        """How many samples were never tried."""
        return self.total - self.done - self.unscored

    @property
    def key(self) -> str:
        """Name it among all cells of a run folder."""
        return f"{self.cell.benchmark}/{self.cell.id}"

    def as_json(self) -> dict[str, Any]:
        """Return the cell as `--dry-run --json` prints it."""
        who: dict[str, Any] = {"id": self.cell.id, "subject": self.cell.subject.label, "model": self.cell.model or None}
        who |= {"judge": self.cell.judge} if self.cell.judge else {}
        who |= {"input": self.cell.input} if self.cell.input else {}
        who |= {"conditions": self.cell.conditions} if self.cell.conditions else {}
        counts = {"planned": self.total, "done": self.done, "unscored": self.unscored, "missing": self.missing}
        left_out = {"left_out": [each.as_json() for each in self.left_out]} if self.left_out else {}
        remarks = {"remarks": list(self.remarks)} if self.remarks else {}
        price = {"price_usd": self.forecast.rest_usd, "price_because": self.forecast.because}
        details = {"price": self.forecast.as_json()} if self.models else {}
        return {**who, **counts, **left_out, **price, **details, **remarks}


# Gives whoever hears of the samples of a cell while it runs; a function at the top of a module, or a partial of one.
Watch = Callable[[CellPlan], AbstractContextManager[Listener]]


def watch_nothing(_plan: CellPlan) -> AbstractContextManager[Listener]:
    """Show no progress."""
    return nullcontext(ignore)


@dataclass(frozen=True)
class RunOutcome:
    """How all cells ended, in the order in which they were planned; those that never started are left out.

    Args:
        prices: Estimate beside cost of every cell that asks a model.
    """

    results: tuple[CellResult, ...]
    errors: tuple[CutscoreError, ...]
    interrupted: bool
    remarks: tuple[str, ...] = ()
    prices: tuple[ForecastCheck, ...] = ()


def make_plans(requests: Sequence[CellRequest], scope: RunScope, *, dry: bool = False) -> list[CellPlan]:
    """Settle identity, extent and price of every cell; a dry plan writes nothing into the run folder."""
    plans = [plan for _, plan in plan_each(requests, scope, dry=dry)]
    keys = [plan.key for plan in plans]
    if twice := next((key for key in keys if keys.count(key) > 1), None):
        raise BadInput(f"cell '{twice}'", "is asked for twice, all its settings are equal", "ask for it once")
    return plans


def plan_each(
    requests: Sequence[CellRequest],
    scope: RunScope,
    *,
    dry: bool,
    on_unchanged: Callable[[CellRequest, NothingToChange], None] | None = None,
) -> Iterator[tuple[CellRequest, CellPlan]]:
    """Plan cells one by one; items are loaded once for all of them.

    A cell whose input has nothing to change is left out where `on_unchanged` hears of it, else it is an error.
    """
    from cutscore.cells.inputs import NothingToChange

    with _context(scope.run, dry) as context:
        for request in requests:
            try:
                plan = _plan(request, scope, context)
            except NothingToChange as unchanged:
                if on_unchanged is None:
                    raise
                on_unchanged(request, unchanged)
                continue
            yield request, replace(plan, prepared=None) if dry else plan


@contextmanager
def _context(run: Path, dry: bool) -> Iterator[RunContext]:
    """Make one context for all cells, which share the items that it has loaded."""
    from cutscore.cells.run_context import RunContext
    from cutscore.redaction import redactor
    from cutscore.settings import load_settings

    redact = redactor(names=load_settings().secret_env)
    if not dry:
        yield RunContext(run, redact=redact)
        return
    with tempfile.TemporaryDirectory(prefix="cutscore-") as folder:
        yield RunContext(Path(folder), redact=redact)


def _plan(request: CellRequest, scope: RunScope, context: RunContext) -> CellPlan:
    from cutscore.api.forecasting import CellToPrice, forecast_cost
    from cutscore.bridge.run import prepare
    from cutscore.settings import load_settings

    prepared = prepare(request, context, selection=scope.selection)
    require_known_services(prepared, scope, load_settings())
    planned = prepared.planned(scope.epochs_of(request.benchmark))
    folder = scope.run / request.benchmark / prepared.cell.id
    known = _known_rows(folder)
    rows = [row for row in known if (row.item, row.epoch) in planned]
    done = sum(row.ending.status == "marked" for row in rows)
    to_price = CellToPrice(request, prepared, known, samples=len(planned), owed=len(planned) - done, folder=folder)
    return CellPlan(
        request,
        prepared.cell,
        planned,
        done,
        len(rows) - done,
        forecast_cost(to_price, load_settings()),
        prepared.remarks,
        prepared,
        prepared.left_out,
        prepared.models,
        scope.selection,
    )


def _known_rows(folder: Path) -> list[Row]:
    from cutscore.bridge.rows import CELL_FILE, read_cells, rows_of

    if not (folder / CELL_FILE).is_file():
        return []
    record = read_cells(folder)[0]
    for torn in (False, True):  # what is whole in a torn log will be kept; the run mends it and says so
        with suppress(OldRecord):
            return rows_of(record, torn=torn)
    return []


def require_affordable(plans: Sequence[CellPlan], scope: RunScope) -> None:
    """Raise when what is left of the limit cannot do for all cells, even at the low end of what they cost."""
    from cutscore.results.wording import usd

    if scope.cost_limit_usd is None:
        return
    spent = float(_read_ledger(scope).total().usd)
    left, least = scope.cost_limit_usd - spent, sum(plan.forecast.least_usd for plan in plans)
    if least <= left or spent >= scope.cost_limit_usd:  # what is spent already is said by the first call
        return
    rest = [plan.forecast.rest_usd for plan in plans]
    about = "" if None in rest else f"about {usd(sum(each or 0.0 for each in rest))}, "
    limit = f"--cost-limit {usd(scope.cost_limit_usd)}"
    fact = f"would cost {about}at least {usd(least)}, and {usd(left)} of {limit} is left"
    raise BudgetReached("run", fact, "raise --cost-limit, or ask less with --limit or --epochs")


def run_plans(
    plans: Sequence[CellPlan],
    scope: RunScope,
    *,
    settings: Settings,
    engine: str = "inline",
    watch: Watch = watch_nothing,
    on_end: Callable[[str], None] = lambda _key: None,
) -> RunOutcome:
    """Run all cells, or finish those that were cut short; `on_end` hears the key of every cell that has ended."""
    from cutscore.engines import Job, run_jobs

    require_affordable(plans, scope)
    before = _read_ledger(scope)
    # What is prepared holds open things of this process; another one prepares for itself.
    mine = plans if engine == "inline" else [replace(plan, prepared=None) for plan in plans]
    if engine != "inline" and any(plan.request.worker is not None for plan in plans):
        fact = "a subject that is an object of this process cannot be handed to another"
        raise BadInput(f"engine '{engine}'", fact, "use the engine inline, or name the subject python:pkg.mod:fn")
    ends: dict[str, CellEnd] = {}
    interrupted = False
    for part in scope.rounds():
        due = [_up_to(plan, part, ends.get(plan.key)) for plan in mine]
        jobs = [Job(key=plan.key, call=run_plan, args=(plan, part, watch)) for plan in due]
        outcomes = run_jobs(jobs, engine=engine, workers=settings.workers, address=settings.ray_address)
        interrupted = _collect_ends(outcomes, ends, on_end)
        if interrupted:
            break
    started = [(plan, ends[plan.key]) for plan in plans if plan.key in ends]
    runs = [(plan, end) for plan, end in started if not isinstance(end, CutscoreError)]
    return RunOutcome(
        results=tuple(
            CellResult(run.record, run.rows, missing=run.missing, left_out=plan.left_out) for plan, run in runs
        ),
        errors=tuple(fault for _, end in started if (fault := _fault_of(end)) is not None),
        interrupted=interrupted,
        remarks=tuple(dict.fromkeys(remark for plan, _ in started for remark in plan.remarks)),
        prices=_check_forecasts([plan for plan, _ in started], before, _read_ledger(scope)),
    )


def _up_to(plan: CellPlan, part: RunScope, before: CellEnd | None) -> CellPlan:
    """Return a cell as it is planned up to this round; after an earlier one, what that has done is known."""
    if part.epochs is None:
        return plan
    planned = frozenset(each for each in plan.planned if each[1] <= part.epochs)
    rows = before.rows if before is not None and not isinstance(before, CutscoreError) else None
    done = plan.done if rows is None else sum(row.ending.status == "marked" for row in rows)
    return replace(plan, planned=planned, done=min(done, len(planned)))


def _collect_ends(outcomes: Iterator[Outcome], ends: dict[str, CellEnd], on_end: Callable[[str], None]) -> bool:
    """Note how cells end; return whether somebody interrupted them."""
    try:
        for outcome in outcomes:
            ended: CellEnd = (
                RunBroken(f"cell '{outcome.key}'", outcome.error, "run the same command again")
                if outcome.error
                else outcome.value
            )
            ends[outcome.key] = ended
            on_end(outcome.key)
            if not isinstance(ended, CutscoreError) and ended.interrupted:
                return True
    except KeyboardInterrupt:  # with worker processes it arrives here, and leaving the loop ends them
        return True
    return False


def _fault_of(end: CellEnd) -> CutscoreError | None:
    """Return what kept a cell from running, or ended it early; None when nothing did."""
    return end if isinstance(end, CutscoreError) else end.fault


def _read_ledger(scope: RunScope) -> CallBook:
    from cutscore.bridge.rows import LEDGER_FILE
    from cutscore.ledger.call_book import CallBook

    book = CallBook(scope.run / LEDGER_FILE)
    book.catch_up()
    return book


def _check_forecasts(plans: Sequence[CellPlan], before: CallBook, after: CallBook) -> tuple[ForecastCheck, ...]:
    """Put the estimate of every cell that asked a model beside what its calls of this run cost."""
    made = []
    for plan in (plan for plan in plans if plan.models and plan.done < plan.total):
        then, now = (book.total(cells=[plan.cell.id]) for book in (before, after))
        spent = float(now.usd - then.usd) if now.unknown == then.unknown else None
        made.append(ForecastCheck(plan.cell.benchmark, plan.forecast.rest_usd, spent))
    return tuple(made)


def run_plan(plan: CellPlan, scope: RunScope, watch: Watch) -> CellEnd:
    """Run one cell, or return why it could not be run; the job that engines spread."""
    from cutscore.bridge.run import prepare, run_cell
    from cutscore.settings import load_settings

    try:
        with _context(scope.run, dry=False) as context, watch(plan) as listener:
            context.loaded = _loaded_here(scope.run, plan.request.benchmark, plan.request.data)
            return run_cell(
                plan.prepared or prepare(plan.request, context, selection=plan.selection),
                settings=load_settings(),
                epochs=scope.epochs_of(plan.request.benchmark),
                cost_limit_usd=scope.cost_limit_usd,
                listener=listener,
            )
    except CutscoreError as error:
        return error


@lru_cache(maxsize=1)
def _loaded_here(_run: Path, _benchmark: str, _data: str) -> dict[tuple[str, str], AdmittedItems]:
    """Return where a worker keeps items, from one cell to the next of the same benchmark and data."""
    return {}


def require_known_services(prepared: PreparedCell, scope: RunScope, settings: Settings) -> None:
    """Raise when there is a limit and a service whose price nobody says: such a limit could never be kept."""
    unknown = [name for name, price in prepared.services.items() if price is None and name not in settings.prices]
    if unknown and scope.cost_limit_usd is not None:
        fact = "has no known price, so --cost-limit cannot be kept"
        raise BadInput(f"service '{unknown[0]}'", fact, "set per_call_usd or per_second_usd in its profile; 0 is free")


def check_models(requests: Sequence[CellRequest], scope: RunScope, settings: Settings, *, dry: bool) -> None:
    """Raise when a model or an agent cannot be asked from here, or a budget cannot be kept for want of a price."""
    from cutscore.ledger.prices import Prices, require_known_prices
    from cutscore.models.provider import require_reachable
    from cutscore.scoring.judges.choose import asks_model
    from cutscore.subjects.harness.catalogue import require_agent

    judges = {who for request in requests for who in (request.judge, *request.roles.values()) if asks_model(who)}
    asked = {request.model for request in requests if request.model}
    models = sorted(asked | judges)
    if scope.cost_limit_usd is not None:
        require_known_prices(Prices.snapshot(models, own=settings.prices), models, scope.cost_limit_usd)
    if dry:
        return
    for model in models:
        require_reachable(model)
    for request in requests:
        require_agent(SubjectSpec.parse(request.subject), request.conditions)
