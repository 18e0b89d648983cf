"""Run one cell, or finish one that was cut short.

A cell is an Inspect eval set of one task in a folder of its own. Inspect keeps finished samples through a kill;
we add the identity of the folder, the lock, the purse and the reconciliation of rows.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field, replace
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.bridge.cell import Cell, read_cell
from cutscore.bridge.draft import write_whole
from cutscore.bridge.lock import locked
from cutscore.bridge.logfile import is_intact, scrub
from cutscore.bridge.progress import Listener, nobody
from cutscore.bridge.rows import CELL_FILE, LEDGER_FILE, PRICES_FILE, CellRecord, read_cells, read_prices, rows_of
from cutscore.bridge.run_context import RunContext, at
from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.row import Row
from cutscore.ledger import Ledger, Prices
from cutscore.redaction import redactor
from cutscore.registry import benchmark as find_benchmark
from cutscore.settings import Settings, load_settings

if TYPE_CHECKING:
    from inspect_ai import Task

NO_MODEL = "none/none"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CellRequest:
    """One cell as somebody asks for it; `prepare` turns it into a cell with an identity.

    Args:
        subject: `[LABEL=]KIND[@VERSION][:SPEC]`.
        model: Inspect name, empty for subjects without a model.
        input: What of its input the subject is shown, one of `arms.inputs_of`; everything when empty.
        prompts: Prompt files by name.
        options: Choices in scoring, by name; the card's defaults for the others.
        judge: Who is asked for opinions, as the user named it; nobody when empty.
        votes: How often the judge is asked each question; what the card says when 0.
        made_of: Digest of what the model is made of, where we can know it.
    """

    benchmark: str
    subject: str
    model: str = ""
    mode: str = ""
    frames: str = ""
    input: str = ""
    data: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    judge: str = ""
    votes: int = 0
    made_of: str = ""


@dataclass(frozen=True)
class PreparedCell:
    """A cell that is ready to run: its identity, its task, the ids of its items in order, remarks of their gates."""

    cell: Cell
    task: Task
    items: tuple[str, ...]
    remarks: tuple[str, ...] = ()

    def planned(self, limit: int | None, epochs: int) -> set[tuple[str, int]]:
        """Name every sample that a run owes: items × epochs."""
        return {(item, epoch) for item in self.items[:limit] for epoch in range(1, epochs + 1)}


@dataclass(frozen=True)
class CellRun:
    """How a cell ended.

    Args:
        rows: The planned samples that have a row.
        missing: Planned samples that have none; the same command fills them.
        interrupted: Somebody pressed Ctrl-C.
    """

    record: CellRecord
    rows: tuple[Row, ...]
    missing: int
    interrupted: bool


def prepare(wish: CellRequest, place: RunContext) -> PreparedCell:
    """Build task and identity; nothing is asked yet and nothing but the items' media is written."""
    found = find_benchmark(wish.benchmark)
    maker = getattr(found.part("task"), wish.benchmark.replace("-", "_"), None)
    if maker is None:
        fact = f"task.py has no task '{wish.benchmark.replace('-', '_')}'"
        raise BrokenData(f"benchmark '{wish.benchmark}'", fact, "name the @task function after the benchmark")
    if wish.input and not _takes(maker, "input"):
        fact = "its task takes no 'input', so all of it is shown"
        raise BadInput(f"benchmark '{wish.benchmark}'", fact, "hand 'input' on to make_task in its task.py")
    with at(place):
        task: Task = maker(
            subject=wish.subject,
            mode=wish.mode,
            frames=wish.frames,
            data=wish.data,
            prompts=dict(wish.prompts) or None,
            # A task without anything to judge, to leave out or to choose need not know the word.
            **({"judge": wish.judge, "votes": wish.votes} if wish.judge else {}),
            **({"input": wish.input} if wish.input else {}),
            **({"options": dict(wish.options)} if wish.options else {}),
        )
    meta = task.metadata or {}
    said = read_cell(meta["cutscore"], where=f"task '{wish.benchmark}'")
    own = load_settings().models.get(wish.model)
    cell = said.model_copy(
        update={
            "model": wish.model or said.model,
            "roles": dict(wish.roles),
            "made_of": said.made_of or wish.made_of,
            "params": {"takes": own.takes} if own and own.takes else {},
        }
    )
    task.metadata = {**meta, "cutscore": cell.model_dump(mode="json", by_alias=True)}
    remarks = tuple(meta.get("gates", {}).get("remarks", ()))
    return PreparedCell(cell, task, tuple(str(sample.id) for sample in task.dataset), remarks)


def _takes(maker: Callable[..., Task], name: str) -> bool:
    """Return whether a task takes an argument of that name, by itself or among all that it hands on."""
    try:
        signature(maker).bind_partial(**{name: ""})
    except TypeError:
        return False
    return True


def run_cell(
    wish: CellRequest,
    *,
    run: Path,
    settings: Settings,
    limit: int | None = None,
    epochs: int = 1,
    cost_limit_usd: float | None = None,
    listener: Listener = nobody,
) -> CellRun:
    """Run a cell to its end, or take it up where it was left."""
    place = RunContext(run=run, redact=redactor(names=settings.secret_env))
    prepared = prepare(wish, place)
    folder = run / wish.benchmark / prepared.cell.id
    planned = prepared.planned(limit, epochs)
    with locked(folder):
        _set_torn_aside(folder)
        write_whole(folder / CELL_FILE, lambda draft: draft.write_text(prepared.cell.to_json(), encoding="utf-8"))
        ledger = Ledger(_prices(folder, prepared.cell, settings), run / LEDGER_FILE, limit_usd=cost_limit_usd)
        place = replace(place, before_call=ledger.check, on_call=ledger.add, tell=listener)
        interrupted = False
        if sum(row.ending.status == "marked" for row in _rows(folder, planned)) < len(planned):
            with at(place), hushed():
                interrupted = _evaluate(prepared, folder, settings, limit=limit, epochs=epochs)
            for log in folder.glob("*.eval"):
                scrub(log, place.redact)
    rows = _rows(folder, planned)
    return CellRun(read_cells(folder)[0], rows, missing=len(planned) - len(rows), interrupted=interrupted)


def _rows(folder: Path, planned: Collection[tuple[str, int]]) -> tuple[Row, ...]:
    """Read the rows of a cell that are part of the plan; an earlier run may have left more."""
    return tuple(row for row in rows_of(read_cells(folder)[0]) if (row.item, row.epoch) in planned)


@contextmanager
def hushed() -> Iterator[None]:
    """Keep standard output for results: Inspect's notices are dropped, and what a subject prints goes to stderr."""
    import rich

    console = rich.get_console()
    quiet, console.quiet = console.quiet, True
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        console.quiet = quiet


def _evaluate(prepared: PreparedCell, folder: Path, settings: Settings, *, limit: int | None, epochs: int) -> bool:
    """Run the eval set; say whether it was interrupted."""
    from inspect_ai import eval_set
    from inspect_ai.model import GenerateConfigArgs

    cell = prepared.cell
    patience: GenerateConfigArgs = {"max_retries": settings.max_retries, "attempt_timeout": settings.timeout_s}
    if (own := settings.models.get(cell.called)) and own.max_connections:
        patience["max_connections"] = own.max_connections
    try:
        _, logs = eval_set(
            prepared.task,
            log_dir=str(folder),
            model=cell.called or NO_MODEL,
            model_roles=dict(cell.roles) or None,
            limit=limit,
            epochs=max(epochs, _epochs_before(folder)),
            # A sample that failed leaves the log "in error", which is what makes the same command try it again.
            fail_on_error=True,
            continue_on_fail=True,
            retry_attempts=0,
            retry_immediate=False,
            # Older logs of the cell stay: rows are read from all of them, and nothing is ever lost to a clean-up.
            retry_cleanup=False,
            log_images=False,
            log_model_api=False,
            display="none",
            # No doors into the running evaluation: nobody asked for them.
            acp_server=False,
            ctl_server=False,
            **patience,
        )
    except KeyboardInterrupt:
        return True
    # An interrupt that reaches Inspect's loop comes back as no logs at all.
    return not logs or any(log.status == "cancelled" for log in logs)


def _set_torn_aside(folder: Path) -> None:
    """Rename logs that a failing disk has torn: what they held is asked again, and nothing is thrown away."""
    for log in folder.glob("*.eval"):
        if not is_intact(log):
            logger.warning("log '%s' is torn; it is kept as *.torn and its samples are run again", log.name)
            log.rename(log.with_name(f"{log.name}.torn"))


def _epochs_before(folder: Path) -> int:
    """Return the repeats of the newest log, so that asking for fewer never drops any."""
    from inspect_ai.log import read_eval_log

    logs: Sequence[Path] = sorted(folder.glob("*.eval"), key=lambda path: path.stat().st_mtime_ns)
    return (read_eval_log(str(logs[-1]), header_only=True).eval.config.epochs or 1) if logs else 1


def _prices(folder: Path, cell: Cell, settings: Settings) -> Prices:
    """Return the cell's prices: those of the day it first ran, kept beside its logs."""
    if (kept := read_prices(folder)) is not None:
        return kept
    prices = Prices.snapshot(cell.models, own=settings.prices)
    if cell.models:
        text = prices.model_dump_json(indent=1) + "\n"
        write_whole(folder / PRICES_FILE, lambda draft: draft.write_text(text, encoding="utf-8"))
    return prices
