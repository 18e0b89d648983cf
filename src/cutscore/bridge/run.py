"""Run one cell, or finish one that was cut short.

A cell is a folder of Inspect logs of one task. What is done is known from the rows of all of them and from the cell's
journal (`bridge.resume`); an evaluation has only the samples that are owed. We add the identity of the folder, the
lock, the purse and the reconciliation of rows.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from inspect import Parameter, signature, unwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.bridge.disk import describe_fault, disk_fault
from cutscore.bridge.handover import KEY
from cutscore.bridge.inspect_output import quiet_inspect
from cutscore.bridge.known_secrets import keep_known_secrets
from cutscore.bridge.logfile import is_intact, is_marked, kept_parts
from cutscore.bridge.places import DATA, write_data_folder
from cutscore.bridge.rows import (
    CELL_FILE,
    LEDGER_FILE,
    PRICES_FILE,
    CellRecord,
    logged_samples,
    merge_rows,
    read_cells,
    read_prices,
    rows_of,
)
from cutscore.bridge.torn_log import mend_log
from cutscore.cells.cell import Cell, read_cell
from cutscore.cells.eligibility import LeftOut
from cutscore.cells.lock import lock_folder, watch_folders
from cutscore.cells.progress import Listener
from cutscore.cells.record_file import write_text_record
from cutscore.cells.request import CellRequest
from cutscore.cells.run_context import RunContext
from cutscore.cells.selection import EVERY_ITEM, ItemSelection
from cutscore.cells.work_journal import WorkJournal
from cutscore.core.errors import BrokenData, CutscoreError
from cutscore.core.row import Row
from cutscore.core.tally import ignore
from cutscore.ledger.prices import Prices
from cutscore.ledger.spending import Ledger
from cutscore.registry import benchmark as find_benchmark
from cutscore.settings import OwnPrice, Settings, load_settings

if TYPE_CHECKING:
    from inspect_ai import Task

    from cutscore.core.ask import Ask

NO_MODEL = "none/none"
LOG_BUFFER = 50  # samples; all of the log is copied each time
BATCH = 1000  # samples of one evaluation, or more where many work at once: its last ones work with empty places beside
BATCH_ROUNDS = 40

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class PreparedCell:
    """A cell that is ready to run: the ids of its items in order, what readers should know, and what was left out.

    Args:
        data: Folder of the user's own items; the log has its name alone.
        services: What services cost that the subject asks, by their names; None where that is not known.
    """

    cell: Cell
    task: Task
    items: tuple[str, ...]
    context: RunContext
    remarks: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    data: str = ""
    services: Mapping[str, OwnPrice | None] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """Where its logs are."""
        return self.context.run / self.cell.benchmark / self.cell.id

    @property
    def models(self) -> tuple[str, ...]:
        """Name every model and every service that is called."""
        return (*self.cell.models, *sorted(self.services))

    def prices(self, folder: Path, settings: Settings) -> Prices:
        """Return its prices as its folder has them, of the day on which they were first known, else today's."""
        told = {name: price for name, price in self.services.items() if price is not None}
        kept = read_prices(folder) or Prices.snapshot([])
        return kept.with_missing(self.models, own={**told, **settings.prices})

    def asks(self, items: Collection[str]) -> list[Ask]:
        """Return what a subject gets of some items."""
        from cutscore.bridge.task import read_ask

        return [read_ask(sample) for sample in self.task.dataset if sample.id in items]

    def planned(self, epochs: int) -> frozenset[tuple[str, int]]:
        """Name every sample that a run owes: items × epochs."""
        return frozenset((item, epoch) for item in self.items for epoch in range(1, epochs + 1))


@dataclass(frozen=True)
class CellRun:
    """How a cell ended: the rows of planned samples, and how many are missing, which the same command fills.

    Args:
        fault: What ended it early: a disk that took nothing more, or a folder that was taken away.
    """

    record: CellRecord
    rows: tuple[Row, ...]
    missing: int
    interrupted: bool
    fault: CutscoreError | None = None


def prepare(request: CellRequest, context: RunContext, *, selection: ItemSelection = EVERY_ITEM) -> PreparedCell:
    """Build task and identity; nothing is asked yet and nothing but the items' media is written."""
    # Cells share what was loaded, and each has a purse and a listener of its own.
    context = replace(context)
    task = _make_task(request, context, selection)
    meta = task.metadata or {}
    read = read_cell(meta["cutscore"], where=f"task '{request.benchmark}'")
    own = load_settings().models.get(request.model)
    cell = read.model_copy(
        update={
            "model": request.model or read.model,
            "roles": {role: who for role, who in request.roles.items() if role not in read.judge_roles},
            "source_digest": read.source_digest or request.source_digest,
            "params": {"takes": own.takes} if own and own.takes else {},
        }
    )
    named = {DATA: Path(request.data).resolve().name} if request.data else {}
    task.metadata = {**meta, "cutscore": cell.model_dump(mode="json", by_alias=True), **named}
    remarks = (*meta.get("gates", {}).get("remarks", ()), *meta.get("remarks", ()))
    left_out = tuple(LeftOut(**each) for each in meta.get("left_out", ()))
    items = tuple(str(sample.id) for sample in task.dataset)
    services = {name: price and OwnPrice(**price) for name, price in meta.get("services", {}).items()}
    return PreparedCell(cell, task, items, context, remarks, left_out, data=request.data, services=services)


def _make_task(request: CellRequest, context: RunContext, selection: ItemSelection) -> Task:
    """Call the benchmark's task function itself: Inspect's wrapper would write every argument into the log."""
    from inspect_ai._util.registry import RegistryInfo, set_registry_info, set_registry_params

    what, name = f"benchmark '{request.benchmark}'", request.benchmark.replace("-", "_")
    maker = getattr(find_benchmark(request.benchmark).part("task"), name, None)
    if maker is None:
        raise BrokenData(what, f"task.py has no task '{name}'", "name the @task function after the benchmark")
    make = unwrap(maker)
    if not any(each.kind is Parameter.VAR_KEYWORD for each in signature(make).parameters.values()):
        raise BrokenData(what, "its task takes no **settings", "hand **settings on to make_task in its task.py")
    task: Task = make(request=request, context=context, selection=selection)
    # What its wrapper would have noted of them, for Inspect's viewer to tell cells apart by.
    set_registry_info(task, RegistryInfo(type="task", name=request.benchmark))
    set_registry_params(task, request.noted_settings())
    return task


def run_cell(
    prepared: PreparedCell,
    *,
    settings: Settings,
    epochs: int = 1,
    cost_limit_usd: float | None = None,
    listener: Listener = ignore,
) -> CellRun:
    """Run a cell to its end, or take it up where it was left."""
    folder, context, cell = prepared.folder, prepared.context, prepared.cell
    planned = prepared.planned(epochs)
    interrupted = False
    with lock_folder(folder), watch_folders(folder, context.store.root) as context.find_lost_folder:
        _mend_torn(folder)
        prices = _write_identity(prepared, settings)
        context.ledger = Ledger(prices, context.run / LEDGER_FILE, limit_usd=cost_limit_usd, cell=cell.id)
        context.ledger.mark_lost()
        context.listener = listener
        context.journal = WorkJournal(folder)
        if owed := planned - _logged(folder, context.journal):
            keep_known_secrets(context.run, context.redact)
            with quiet_inspect(context.redact):
                interrupted = _evaluate_all(prepared, owed, settings)
            if context.find_lost_folder():
                _write_identity(prepared, settings)  # Inspect has made it again, for its log alone
        record = read_cells(folder)[0]
        rows = _read_back(record, context.journal)
    # An earlier run may have left more than was asked for today.
    rows = tuple(row for row in rows if (row.item, row.epoch) in planned)
    fault = describe_fault(context.fault, rows, len(planned)) if context.fault else None
    return CellRun(record, rows, missing=len(planned) - len(rows), interrupted=interrupted, fault=fault)


def _write_identity(prepared: PreparedCell, settings: Settings) -> Prices:
    """Write whose folder it is and what its models cost, and return the prices."""
    folder = prepared.folder
    folder.mkdir(parents=True, exist_ok=True)
    write_text_record(folder / CELL_FILE, prepared.cell.to_json())
    write_data_folder(folder, prepared.data)
    prices = prepared.prices(folder, settings)
    if prepared.models:
        write_text_record(folder / PRICES_FILE, prices.model_dump_json(indent=1) + "\n")
    return prices


def _evaluate_all(prepared: PreparedCell, owed: Collection[tuple[str, int]], settings: Settings) -> bool:
    """Run what is owed in batches, as long as it can be kept; say whether somebody interrupted it."""
    for batch in _batches(prepared, owed):
        if _evaluate(prepared, batch, settings):
            return True
        if not prepared.context.may_go_on():
            return False
    return False


def _logged(folder: Path, journal: WorkJournal) -> set[tuple[str, int]]:
    """Name the samples that a log has marked: nobody owes them any more.

    One that is not marked but was handed over is kept in the journal, so that it is marked without being worked again.
    """
    marked: set[tuple[str, int]] = set()
    handed_over: dict[tuple[str, int], dict[str, Any]] = {}
    for sample in logged_samples(read_cells(folder)[0]):
        key = (str(sample["id"]), sample["epoch"])
        if is_marked(sample):
            marked.add(key)
        elif KEY in (sample.get("store") or {}):
            handed_over.setdefault(key, sample)
    for (item, epoch), sample in handed_over.items():
        if (item, epoch) not in marked and journal.ended(item, epoch) is None:
            journal.end_sample(item, epoch, kept_parts(sample))
    return marked


def _read_back(record: CellRecord, journal: WorkJournal) -> Sequence[Row]:
    """Return the rows of a cell. When its logs have all of them, the journal has served and is dropped."""
    rows = merge_rows(record.cell, logged_samples(record))
    if journal.begun_samples() <= {(row.item, row.epoch) for row in rows if row.ending.status == "marked"}:
        journal.drop()
        return rows
    return rows_of(record)


def _evaluate(prepared: PreparedCell, owed: Collection[tuple[str, int]], settings: Settings) -> bool:
    """Run the samples that are owed; say whether somebody interrupted it."""
    from inspect_ai import eval
    from inspect_ai.model import GenerateConfigArgs

    cell, folder = prepared.cell, prepared.folder
    calling: GenerateConfigArgs = {"max_retries": settings.max_retries, "attempt_timeout": settings.timeout_s}
    if (own := settings.models.get(cell.called)) and own.max_connections:
        calling["max_connections"] = own.max_connections
    try:
        logs = eval(
            _owed_task(prepared, owed),
            log_dir=str(folder),
            model=cell.called or NO_MODEL,
            model_roles=dict(cell.roles) or None,
            epochs=max(epoch for _, epoch in owed),
            max_samples=(prepared.task.metadata or {}).get("at_once"),
            # One sample that fails leaves the others alone, and the log "in error".
            fail_on_error=True,
            continue_on_fail=True,
            log_header_only=True,
            # Ended samples are in the journal already, so the log need not be written after every few of them.
            log_buffer=LOG_BUFFER,
            log_images=False,
            log_model_api=False,
            # The cell's own journal keeps what has ended; Inspect's would be a database in the user's home.
            log_realtime=False,
            display="none",
            # No doors into the running evaluation: nobody asked for them.
            acp_server=False,
            ctl_server=False,
            **calling,
        )
    except KeyboardInterrupt:
        return True
    if logs and logs[0].error and (full := disk_fault(logs[0].error.message, prepared.context.run)):
        prepared.context.fault = prepared.context.fault or full
    # An interrupt that reaches Inspect's loop comes back as no logs at all.
    return not logs or logs[0].status == "cancelled"


def _batches(prepared: PreparedCell, owed: Collection[tuple[str, int]]) -> Iterator[frozenset[tuple[str, int]]]:
    """Part what is owed into evaluations, whole items at a time.

    Inspect holds all samples of an evaluation in memory, and copies all of its log with every batch of samples.
    """
    at_once = (prepared.task.metadata or {}).get("at_once") or 0
    most, batch = max(BATCH, BATCH_ROUNDS * at_once), set[tuple[str, int]]()
    epochs: dict[str, set[tuple[str, int]]] = {}
    for sample in owed:
        epochs.setdefault(sample[0], set()).add(sample)
    for item in prepared.items:
        of_item = epochs.get(item, set())
        if batch and len(batch) + len(of_item) > most:
            yield frozenset(batch)
            batch = set()
        batch |= of_item
    if batch:
        yield frozenset(batch)


def _owed_task(prepared: PreparedCell, owed: Collection[tuple[str, int]]) -> Task:
    """Return a task of the items that owe something, without the epochs of them that do not."""
    from inspect_ai.dataset import MemoryDataset

    from cutscore.bridge.resume import OwedSamples

    task, items = prepared.task, {item for item, _ in owed}
    rest = copy(task)
    rest.dataset = MemoryDataset([sample for sample in task.dataset if sample.id in items], name=task.dataset.name)
    rest.early_stopping = OwedSamples(frozenset(owed), prepared.context.may_go_on)
    return rest


def _mend_torn(folder: Path) -> None:
    """Save what is whole in logs that a failing disk has torn; the rest is asked again, and nothing is thrown away."""
    for log in folder.glob("*.eval"):
        if not is_intact(log):
            whole = mend_log(log)
            logger.warning("log '%s' is torn: %d samples in it are kept; it stays as *.torn", log.name, whole)
