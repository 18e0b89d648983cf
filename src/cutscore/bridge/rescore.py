"""Mark stored deliverables again, into a sibling cell: no subject is asked anything, and the original stays as it is.

What a judge has said already is in the run's journal, so only what is new is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.bridge.handover import KEY
from cutscore.bridge.inspect_output import quiet_inspect
from cutscore.bridge.known_secrets import keep_known_secrets
from cutscore.bridge.places import DATA, read_data_folder, write_data_folder
from cutscore.bridge.rows import (
    CELL_FILE,
    JOURNAL_FILE,
    LEDGER_FILE,
    PRICES_FILE,
    STORE_FOLDER,
    CellRecord,
    item_of,
    read_ask,
    read_cells,
    read_prices,
    samples_of,
)
from cutscore.bridge.run import NO_MODEL
from cutscore.bridge.score import CellMarker, make_scorer
from cutscore.bridge.task import META, OpenJudge, prompt_digests
from cutscore.cells.admission import AdmittedItems
from cutscore.cells.cell import Cell, data_digest
from cutscore.cells.inputs import make_asks
from cutscore.cells.judge_record import JudgesByRole
from cutscore.cells.lock import lock_folder
from cutscore.cells.record_file import write_record, write_text_record
from cutscore.cells.run_context import RunContext
from cutscore.cells.scoring_code import code_digest
from cutscore.core.errors import BadInput, OldRecord
from cutscore.core.item import Item
from cutscore.core.judgement import JUDGE_ROLE, JudgeSpec
from cutscore.ledger.prices import Prices, require_known_prices
from cutscore.ledger.spending import Ledger
from cutscore.prompts import load_prompts
from cutscore.redaction import redactor
from cutscore.registry import Benchmark
from cutscore.registry import benchmark as find_benchmark
from cutscore.settings import Settings, load_settings

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample


@dataclass(frozen=True)
class Rescored:
    """A cell that was marked again, perhaps with changed items, though every subject saw the same."""

    record: CellRecord
    data_changed: bool


@dataclass(frozen=True)
class JudgePanel:
    """Who judges when a cell is marked again: judge and votes of the cell where no name is given."""

    open_judge: OpenJudge
    judge: str = ""
    votes: int = 0
    prompts: Mapping[str, Path] = field(default_factory=dict)
    cost_limit_usd: float | None = None


def rescore(
    record: CellRecord,
    *,
    mode: str = "",
    data: Path | None = None,
    panel: JudgePanel | None = None,
    options: Mapping[str, str] | None = None,
) -> Rescored:
    """Mark all deliverables of a cell with today's code and today's truth.

    Mode and options that are not given are those of the cell; `data` is the folder of the user's own items where it has
    moved. Nobody judges without a panel.
    """
    from inspect_ai.log import write_eval_log

    if record.log is None:
        raise BadInput(f"cell '{record.cell.id}'", "has no log yet", "run it first")
    if (record.run / STORE_FOLDER).is_symlink():  # of a foreign run it may lead anywhere
        fact = "its store is a link, and marking again would write to where it leads"
        raise BadInput(f"run '{record.run}'", fact, "put the folder itself in its place")
    found, settings = find_benchmark(record.cell.benchmark), load_settings()
    log = _merged(record)
    folder_of_data = str(data) if data else _data_of(record, log)
    context = RunContext(run=record.run, redact=redactor(names=settings.secret_env))
    items = context.items(found, folder_of_data)
    items.check()
    log.samples = [sample for sample in log.samples or [] if str(sample.id) not in items.refused]
    _refuse_other_asks(found, items.items, log.samples or [], record.cell)
    cell_judge = _open_judges(record, panel, found, items, own_data=bool(folder_of_data)) if panel else None
    cell = _sibling(record.cell, found, items, mode or record.cell.mode, cell_judge)
    cell = cell.model_copy(update={"options": _chosen(found, {**record.cell.options, **(options or {})})})
    folder, prices = record.folder.parent / cell.id, _prices(record, cell, settings)
    if cell_judge and panel:
        require_known_prices(prices, cell_judge.models, panel.cost_limit_usd)
    limit_usd = panel.cost_limit_usd if panel else None
    context.ledger = Ledger(prices, record.run / LEDGER_FILE, limit_usd=limit_usd, cell=cell.id)
    marker = CellMarker(
        found, items, context, cell.mode, cell.options, cell_judge, subject=cell.subject, model=cell.model
    )
    keep_known_secrets(record.run, context.redact)
    with lock_folder(folder), quiet_inspect(context.redact):
        context.ledger.mark_lost()
        marked = _mark(log, cell, marker)
        write_record(folder / record.log.name, lambda draft: write_eval_log(marked, str(draft), format="eval"))
        if cell.models:
            write_text_record(folder / PRICES_FILE, prices.model_dump_json(indent=1) + "\n")
        write_text_record(folder / CELL_FILE, cell.to_json())
        write_data_folder(folder, folder_of_data)
    return Rescored(read_cells(folder)[0], data_changed=cell.data != record.cell.data)


def _data_of(record: CellRecord, log: EvalLog) -> str:
    """Return the folder of the items where the cell had items of the user's own; `inspect eval` notes it in its log.

    Raises:
        BadInput: They are not where they were, or the cell has come here from elsewhere.
    """
    said = (log.eval.metadata or {}).get(DATA) or (log.eval.task_args or {}).get(DATA)
    folder = read_data_folder(record.folder) or str(said or "")
    if folder and not Path(folder).is_dir():
        raise BadInput(
            f"cell '{record.cell.id}'", f"its items '{Path(folder).name}' are not here", "name them with --data"
        )
    return folder


def _open_judges(
    record: CellRecord, panel: JudgePanel, found: Benchmark, items: AdmittedItems, *, own_data: bool
) -> JudgesByRole | None:
    name, cell = panel.judge or record.cell.judge, record.cell
    named = {JUDGE_ROLE: name, **cell.judge_roles}
    before = int(cell.judging.get("votes", 0)) if name == cell.judge else 0
    spec = JudgeSpec("", panel.votes or before, panel.prompts, record.run / JOURNAL_FILE, own_data=own_data)
    opened = {role: panel.open_judge(spec.in_role(role, who), found, items.by_id) for role, who in named.items() if who}
    return JudgesByRole(opened) if opened else None


def _chosen(found: Benchmark, asked: Mapping[str, str]) -> dict[str, str]:
    try:
        return found.card.changed_options(asked)
    except ValueError as error:
        raise BadInput(f"benchmark '{found.name}'", str(error)) from None


def _prices(record: CellRecord, cell: Cell, settings: Settings) -> Prices:
    """Return the prices of the cell, and today's for whoever was not called before."""
    return (read_prices(record.folder) or Prices.snapshot([])).with_missing(cell.models, own=settings.prices)


def _sibling(cell: Cell, found: Benchmark, items: AdmittedItems, mode: str, cell_judge: JudgesByRole | None) -> Cell:
    changed = {
        "version": found.card.version,
        "mode": mode,
        "data": data_digest(items.items),
        "chance": items.chance,
        "scoring": code_digest(found),
        "prompts": prompt_digests(cell.prompts, cell_judge),
        "judge": cell_judge.name if cell_judge else "",
        "judging": cell_judge.terms if cell_judge else {},
        "rescored_from": cell.id,
    }
    return cell.model_copy(update=changed)


def _merged(record: CellRecord) -> EvalLog:
    """Return one log with every sample that any log of the cell has, as rows are read: what was handed over counts."""
    from inspect_ai.log import EvalSample, read_eval_log

    best: dict[tuple[str, int], EvalSample] = {}
    try:
        head = read_eval_log(str(record.logs[0]), header_only=True)
        for plain in samples_of(record):
            sample = EvalSample.model_validate({**plain, "id": item_of(plain), "scores": None})
            kept = best.get((str(sample.id), sample.epoch))
            if kept is None or (KEY not in kept.store and KEY in sample.store):
                best[str(sample.id), sample.epoch] = sample
    except Exception as error:
        fact = f"a log cannot be read ({type(error).__name__}: {error})"
        raise OldRecord(f"cell '{record.cell.id}'", fact, "restore it from a copy, or run it again") from error
    if not best:
        raise BadInput(f"cell '{record.cell.id}'", "has no finished sample yet", "run it first")
    head.samples = [best[key] for key in sorted(best)]
    return head


def _refuse_other_asks(found: Benchmark, items: Sequence[Item], samples: Sequence[EvalSample], cell: Cell) -> None:
    """Raise when an item now asks about something else than its subject saw: such an answer cannot be marked."""
    prompts = load_prompts(found.folder / "prompts", benchmark=found.name)
    known = make_asks(found, items, prompts, frames=cell.frames, input=cell.input).asks
    for sample in samples:
        now, seen = known.get(str(sample.id)), sample.metadata.get("ask")
        if now is None or seen is None:
            continue
        asked = read_ask(seen, str(sample.input))
        if (asked.files, asked.choices, asked.wanted) != (now.files, now.choices, now.wanted):
            fact = "asks today for something else than the subject saw"
            raise BadInput(f"item '{now.item}'", fact, "run the cell again instead of marking it again")


def _mark(log: EvalLog, cell: Cell, marker: CellMarker) -> EvalLog:
    from inspect_ai import score

    roles, log.eval.model_roles = log.eval.model_roles, None
    # The subject's provider is not needed to mark again, so it is not started: it would ask for a key.
    made = score(log, make_scorer(marker), action="overwrite", model=NO_MODEL, display="none", copy=False)
    made.eval.model_roles = roles
    made.eval.metadata = {**(made.eval.metadata or {}), META: cell.model_dump(mode="json", by_alias=True)}
    made.status = "success"
    return made
