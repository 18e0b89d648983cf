"""Run folder → cells and rows: what everyone above the bridge reads.

All logs of one cell have one identity, so they are read together with the journal of a run that has not ended: for
each (item, epoch) the newest marked sample counts, else the newest of any kind. A kill therefore loses nothing and
doubles nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from cutscore.bridge.handover import Handover, read_handover
from cutscore.bridge.logfile import (
    ENDING,
    LONGEST_FACT,
    MARKS,
    SECONDS,
    is_marked,
    read_eval_spec,
    read_samples,
    restore_carried,
)
from cutscore.bridge.torn_log import read_whole_samples
from cutscore.cells.cell import Cell, read_cell
from cutscore.cells.judge_record import read_judge_record
from cutscore.cells.work_journal import WorkJournal
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.errors import BadInput, BrokenData, CutscoreError, OldRecord
from cutscore.core.row import Row
from cutscore.core.strict_json import first_fault, read_json
from cutscore.ledger.prices import Prices
from cutscore.regular_file import open_regular
from cutscore.store import Store
from cutscore.submissions import walk_files

CELL_FILE, PRICES_FILE, LEDGER_FILE, STORE_FOLDER = "cell.json", "prices.json", "ledger.jsonl", "store"
MOST_CELL_BYTES = 64 << 20  # of a cell.json, which names files and versions
JOURNAL_FILE = "journal.jsonl"  # what judges said, beside what was spent
REASONS_FILE = "failure-reasons.jsonl"  # why samples failed, by whoever was asked last


@dataclass(frozen=True)
class CellRecord:
    """One cell on disk: the run folder holds its store, and its logs are newest first."""

    cell: Cell
    folder: Path
    run: Path
    logs: tuple[Path, ...]

    @property
    def store(self) -> Store:
        """The store of its run folder."""
        return Store(self.run / STORE_FOLDER)

    @property
    def log(self) -> Path | None:
        """Its newest log; None when it has none yet."""
        return self.logs[0] if self.logs else None


def read_cells(run: Path) -> list[CellRecord]:
    """Find every cell below a run folder, a benchmark's folder in it, or one cell's folder."""
    if not run.is_dir():
        raise BadInput(f"run '{run}'", "there is no such folder", "name the --log-dir of a run")
    files = walk_files(run, most=None)
    folders = sorted({path.parent for path in files if path.name == CELL_FILE or path.suffix == ".eval"})
    records = [record for folder in folders for record in _records(folder)]
    if not records:
        raise BadInput(f"run '{run}'", "holds no cell and no log", "name the --log-dir of a run")
    return records


def _records(folder: Path) -> list[CellRecord]:
    logs = tuple(sorted(folder.glob("*.eval"), key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True))
    file = folder / CELL_FILE
    if file.is_file():
        return [CellRecord(read_cell(_json(file), where=f"cell '{file}'"), folder, _run_of(folder), logs)]
    # Logs that `inspect eval` wrote tell their cell themselves; several cells may share the folder.
    by_id: dict[str, list[Path]] = {}
    cells: dict[str, Cell] = {}
    for log in logs:
        if (cell := _cell_in(log)) is not None:
            cells[cell.id] = cell
            by_id.setdefault(cell.id, []).append(log)
    return [CellRecord(cells[key], folder, _run_of(folder), tuple(by_id[key])) for key in sorted(cells)]


def _run_of(folder: Path) -> Path:
    """Find the run folder: the nearest one above that has a store, else the cell's grandparent."""
    for candidate in (folder, *folder.resolve().parents):
        if (candidate / STORE_FOLDER).is_dir():
            return candidate
    return folder.parent.parent


def read_prices(folder: Path) -> Prices | None:
    """Return the prices of the day a cell first ran; None when it has none."""
    file = folder / PRICES_FILE
    if not file.is_file():
        return None
    try:
        return Prices.model_validate_json(file.read_bytes())
    except ValidationError as error:
        fact = "is torn or was written by another version"
        raise OldRecord(f"file '{file}'", fact, "delete it: costs are kept in the log") from error


def _json(file: Path) -> dict[str, Any]:
    try:
        with open_regular(file) as stream:
            plain = read_json(stream.read(MOST_CELL_BYTES).decode())
    except (OSError, ValueError) as error:
        raise BrokenData(f"file '{file}'", f"cannot be read: {error}", "restore it or run again") from error
    if not isinstance(plain, dict):
        raise BrokenData(f"file '{file}'", "is not a JSON object", "restore it or run again")
    return plain


def _cell_in(log: Path) -> Cell | None:
    said = read_eval_spec(log)
    metadata = said.get("metadata")
    plain = metadata.get("cutscore") if isinstance(metadata, dict) else None
    if not isinstance(plain, dict):
        return None  # somebody else's log in the same folder
    cell = read_cell(plain, where=f"log '{log.name}'")
    model = "" if (name := str(said.get("model"))).startswith("none") else name
    return cell.model_copy(update={"model": model}) if model and cell.subject.kind == "model" else cell


def read_rows(run: Path) -> list[Row]:
    """Read all rows below a folder, sorted as canonical rows are."""
    return sorted((row for record in read_cells(run) for row in rows_of(record)), key=lambda row: row.key)


def rows_of(record: CellRecord, *, torn: bool = False) -> list[Row]:
    """Read one cell's rows: one for each (item, epoch) that was ever finished; of torn logs what is whole, or none."""
    return merge_rows(record.cell, samples_of(record, torn=torn))


def merge_rows(cell: Cell, samples: Iterable[dict[str, Any]]) -> list[Row]:
    """Return one row for each (item, epoch) among samples that come newest first."""
    best: dict[tuple[str, int], Row] = {}
    of_cell = _common(cell)
    for sample in samples:
        try:
            kept = best.get(key := (item_of(sample), sample["epoch"]))
            if kept is None or (kept.ending.status != "marked" and is_marked(sample)):
                best[key] = to_row(sample, of_cell)
        except CutscoreError:
            raise
        except Exception as error:  # a stranger's sample may have anything in place of what we look for
            raise _broken_sample(sample, error) from error
    return sorted(best.values(), key=lambda row: row.key)


def item_of(sample: Mapping[str, Any]) -> str:
    """Return the id of a sample's item; raise ValueError where it is no text that could be written again."""
    item = str(sample["id"])
    item.encode()
    return item


def _broken_sample(sample: Mapping[str, Any], error: Exception) -> OldRecord:
    fact = first_fault(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
    what = f"sample '{str(sample.get('id'))[:LONGEST_FACT]}' of a log"
    return OldRecord(what, f"is none of ours ({fact[:LONGEST_FACT]})", "restore the log from a copy, or run it again")


def samples_of(record: CellRecord, *, torn: bool = False) -> Iterator[dict[str, Any]]:
    """Return every sample of a cell that has ended, the newest of each (item, epoch) first; some come twice."""
    for sample in WorkJournal(record.folder).ended_samples():
        yield restore_carried(sample)
    yield from logged_samples(record, torn=torn)


def logged_samples(record: CellRecord, *, torn: bool = False) -> Iterator[dict[str, Any]]:
    """Return every sample that a log of the cell has, those of the newest log first."""
    for log in record.logs:
        samples = map(restore_carried, read_whole_samples(log)) if torn else read_samples(log)
        yield from (sample for sample in samples if not _cut_short(sample))


def _cut_short(sample: Mapping[str, Any]) -> bool:
    """Return whether somebody pressed Ctrl-C in the middle of a sample: it has no ending, so it has no row."""
    error = sample.get("error")
    return isinstance(error, dict) and str(error.get("message", "")).startswith("CancelledError")


def _common(cell: Cell) -> dict[str, Any]:
    """Return what all rows of a cell share; its id is a digest, so it is made once."""
    return {
        "benchmark": cell.benchmark,
        "version": cell.version,
        "cell": cell.id,
        "subject": cell.subject.label + (" (rescored)" if cell.rescored_from else ""),
        "model": cell.model,
        "frames": cell.frames,
        "input": cell.input,
        "conditions": cell.conditions,
        "judge": cell.judge,
    }


def to_row(sample: Mapping[str, Any], of_cell: Mapping[str, Any]) -> Row:
    """Return the row of a logged sample."""
    item, metadata = str(sample["id"]), sample["metadata"]
    made = read_handover(sample.get("store") or {}, where=f"sample '{item}' of a log") or Handover(
        deliverable=Deliverable()
    )
    judged = read_judge_record(_marks(sample))
    return Row(
        **of_cell,
        item=item,
        epoch=sample["epoch"],
        cluster=metadata["cluster"],
        groups=metadata.get("groups", {}),
        ask=read_ask(metadata["ask"], sample["input"]) if "ask" in metadata else None,
        ending=_ending(sample),
        deliverable=made.deliverable,
        evidence=made.evidence,
        seen=made.seen,
        judgements=judged.judgements,
        judge_seen=judged.seen,
        usage=made.usage,
        told_usage=made.told_usage,
        told_cost_usd=made.told_cost_usd,
        environment=made.environment,
        judge_usage=judged.usage,
        cost_usd=_sum(made.cost_usd, judged.cost_usd) if of_cell.get("judge") or judged.judgements else made.cost_usd,
        retries={**made.retries, **{f"judge {fault}": times for fault, times in judged.retries.items()}},
        warnings=(*made.warnings, *judged.warnings),
        seconds=(_marks(sample).get("metadata") or {}).get(SECONDS, sample.get("total_time")),
    )


def read_ask(rest: str, brief: str) -> Ask:
    """Put an ask together again from what a sample's metadata and its input hold."""
    return Ask.model_validate({**json.loads(rest), "brief": brief})


def _marks(sample: Mapping[str, Any]) -> Mapping[str, Any]:
    return (sample.get("scores") or {}).get(MARKS) or {}


def _sum(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other


def _ending(sample: Mapping[str, Any]) -> Ending:
    if error := sample.get("error"):
        return Ending(status="unscored", because=error.get("message") or "the sample failed")
    plain = (_marks(sample).get("metadata") or {}).get(ENDING)
    if plain is None:
        return Ending(status="unscored", because="the sample was not marked")
    return Ending.model_validate(plain)
