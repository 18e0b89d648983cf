"""Cells that are planned, priced and run: what `run`, `sweep` and `demo` share.

Everything is planned before anything is asked, so that a typing error in the last cell is said before the first one
has cost an hour.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.cli.output import Screen
from cutscore.cli.progress import Style, style, watching
from cutscore.core.errors import BadInput, CutscoreError, OldRecord, RunBroken
from cutscore.results.sections import CellResult

if TYPE_CHECKING:
    from cutscore.bridge.cell import Cell
    from cutscore.bridge.run import CellRequest
    from cutscore.core.row import Row
    from cutscore.engines import Outcome
    from cutscore.settings import Settings


@dataclass(frozen=True)
class Extent:
    """How much of each cell, and where.

    Args:
        run: The run folder.
        limit: Only the first items.
        epochs: Repeats of each item.
        cost_limit_usd: What may be spent in the run folder.
    """

    run: Path
    limit: int | None = None
    epochs: int = 1
    cost_limit_usd: float | None = None


@dataclass(frozen=True)
class Plan:
    """One cell before it runs.

    Args:
        owed: Every (item, epoch) that it is to have.
        done: Of these, how many are marked already.
        unscored: Of these, how many were tried and not marked; they are tried again.
        price_usd: What the rest will cost by what was spent so far; None when that is not known.
        because: Why the price is not known.
        remarks: What its items' gates have to say.
    """

    wish: CellRequest
    cell: Cell
    owed: frozenset[tuple[str, int]]
    done: int
    unscored: int
    price_usd: float | None
    because: str
    remarks: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return len(self.owed)

    @property
    def missing(self) -> int:
        return self.total - self.done - self.unscored

    @property
    def key(self) -> str:
        return f"{self.cell.benchmark}/{self.cell.id}"

    def as_json(self) -> dict[str, Any]:
        who: dict[str, Any] = {"id": self.cell.id, "subject": self.cell.subject.label, "model": self.cell.model or None}
        who |= {"judge": self.cell.judge} if self.cell.judge else {}
        who |= {"input": self.cell.input} if self.cell.input else {}
        counts = {"planned": self.total, "done": self.done, "unscored": self.unscored, "missing": self.missing}
        said = {"remarks": list(self.remarks)} if self.remarks else {}
        return {**who, **counts, "price_usd": self.price_usd, "price_because": self.because, **said}


@dataclass(frozen=True)
class CellEnd:
    """How one cell ended, small enough to come back from another process."""

    cell: str
    missing: int = 0
    interrupted: bool = False
    error: CutscoreError | None = None


@dataclass(frozen=True)
class Finished:
    """How all cells ended, in the order in which they were planned; those that never started are left out.

    Args:
        remarks: What gates have to say about the items, each once.
    """

    results: tuple[CellResult, ...]
    errors: tuple[CutscoreError, ...]
    interrupted: bool
    remarks: tuple[str, ...] = ()


def make_plans(wishes: Sequence[CellRequest], extent: Extent, *, dry: bool = False) -> list[Plan]:
    """Settle identity, extent and price of every cell.

    Args:
        wishes: Cells as they were asked for.
        extent: How much of each.
        dry: Write nothing into the run folder: media of items go to a folder that is gone afterwards.
    """
    with _place(extent.run, dry) as place:
        plans = [_plan(wish, extent, place) for wish in wishes]
    keys = [plan.key for plan in plans]
    if twice := next((key for key in keys if keys.count(key) > 1), None):
        raise BadInput(f"cell '{twice}'", "is asked for twice, all its settings are equal", "ask for it once")
    return plans


@contextmanager
def _place(run: Path, dry: bool) -> Iterator[Path]:
    if not dry:
        yield run
        return
    with tempfile.TemporaryDirectory(prefix="cutscore-") as folder:
        yield Path(folder)


def _plan(wish: CellRequest, extent: Extent, place: Path) -> Plan:
    from cutscore.bridge.run import prepare
    from cutscore.bridge.run_context import RunContext

    prepared = prepare(wish, RunContext(run=place))
    owed = frozenset(prepared.planned(extent.limit, extent.epochs))
    known = _known_rows(extent.run / wish.benchmark / prepared.cell.id)
    rows = [row for row in known if (row.item, row.epoch) in owed]
    done = sum(row.ending.status == "marked" for row in rows)
    price, because = _price(prepared.cell, known, len(owed) - done)
    return Plan(wish, prepared.cell, owed, done, len(rows) - done, price, because, prepared.remarks)


def _known_rows(folder: Path) -> list[Row]:
    from cutscore.bridge.rows import CELL_FILE, read_cells, rows_of

    try:
        return rows_of(read_cells(folder)[0]) if (folder / CELL_FILE).is_file() else []
    except OldRecord:  # a torn log: the run will set it aside and say so
        return []


def _price(cell: Cell, rows: Sequence[Row], missing: int) -> tuple[float | None, str]:
    """Estimate what the missing samples will cost, by what the finished ones did."""
    if not cell.models or not missing:
        return 0.0, ""
    costs = [row.cost_usd for row in rows if row.cost_usd is not None]
    if not rows:
        return None, "no sample of this cell was run yet; run a few with --limit and ask again"
    if not costs:
        asked = " or ".join(f"'{model}'" for model in cell.models)
        return None, f"the price of {asked} or its tokens are not known"
    return missing * sum(costs) / len(costs), ""


def run_plans(plans: Sequence[Plan], extent: Extent, *, settings: Settings, engine: str = "inline") -> Finished:
    """Run all cells, or finish those that were cut short."""
    from cutscore.engines import Job, run_jobs

    how: Style = style() if engine == "inline" else ("lines" if style() == "lines" else "none")
    jobs = [Job(key=plan.key, call=run_one, args=(plan, extent, how)) for plan in plans]
    ends: dict[str, CellEnd] = {}
    outcomes, interrupted = run_jobs(jobs, engine=engine, workers=settings.workers), False
    try:
        for outcome in outcomes:
            ends[outcome.key] = _end(outcome)
            if how == "none":
                Screen("run").tell(f"{len(ends)} of {len(jobs)} cells ended: {outcome.key}")
            if ends[outcome.key].interrupted:
                break
    except KeyboardInterrupt:  # with worker processes it arrives here, and leaving the loop ends them
        interrupted = True
    started = [(plan, ends[plan.key]) for plan in plans if plan.key in ends]
    return Finished(
        results=tuple(_result(plan, end, extent) for plan, end in started if end.error is None),
        errors=tuple(end.error for _, end in started if end.error is not None),
        interrupted=interrupted or any(end.interrupted for _, end in started),
        remarks=tuple(dict.fromkeys(remark for plan, _ in started for remark in plan.remarks)),
    )


def _end(outcome: Outcome) -> CellEnd:
    if outcome.error:
        broken = RunBroken(f"cell '{outcome.key}'", outcome.error, "run the same command again")
        return CellEnd(outcome.key, error=broken)
    end: CellEnd = outcome.value
    return end


def run_one(plan: Plan, extent: Extent, how: Style) -> CellEnd:
    """Run one cell; the job that engines spread."""
    from cutscore.bridge.run import run_cell
    from cutscore.settings import load_settings

    try:
        with watching(plan.cell.id, total=plan.total, done=plan.done, style=how) as listener:
            made = run_cell(
                plan.wish,
                run=extent.run,
                settings=load_settings(),
                limit=extent.limit,
                epochs=extent.epochs,
                cost_limit_usd=extent.cost_limit_usd,
                listener=listener,
            )
    except CutscoreError as error:
        return CellEnd(plan.cell.id, error=error)
    except KeyboardInterrupt:
        return CellEnd(plan.cell.id, interrupted=True)
    return CellEnd(plan.cell.id, missing=made.missing, interrupted=made.interrupted)


def _result(plan: Plan, end: CellEnd, extent: Extent) -> CellResult:
    from cutscore.bridge.rows import read_cells, rows_of

    folder = extent.run / plan.cell.benchmark / plan.cell.id
    record = read_cells(folder)[0]
    rows = tuple(row for row in rows_of(record) if (row.item, row.epoch) in plan.owed)
    return CellResult(record, rows, missing=end.missing)


def refuse(wishes: Sequence[CellRequest], extent: Extent, settings: Settings, *, dry: bool) -> None:
    """Raise when a model cannot be asked from here, or a budget cannot be kept because a price is unknown."""
    from cutscore.ledger import Prices, refuse_unknown
    from cutscore.models.provider import refuse_unreachable
    from cutscore.scoring.judges.choose import asks_model

    judges = {wish.judge for wish in wishes if asks_model(wish.judge)}
    models = sorted({model for wish in wishes for model in (wish.model, *wish.roles.values()) if model} | judges)
    if extent.cost_limit_usd is not None:
        refuse_unknown(Prices.snapshot(models, own=settings.prices), models, extent.cost_limit_usd)
    for model in () if dry else models:
        refuse_unreachable(model)
