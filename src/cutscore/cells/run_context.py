"""Where and how a cell runs: its folder, its purse, whoever listens, and the secrets that nobody may write down.

Whoever starts a cell makes one and hands it on. A task that is started by `inspect eval` gets one beside Inspect's own
logs, so that both ways leave the same kind of folder behind.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.cells.admission import AdmittedItems, load_admitted
from cutscore.cells.progress import Listener
from cutscore.cells.work_journal import WorkJournal
from cutscore.core.errors import CutscoreError, RunBroken
from cutscore.core.subject import MemoryNotes, WorkNotes
from cutscore.core.tally import NoPurse, Purse, ignore
from cutscore.ledger.spending import Ledger
from cutscore.redaction import Redactor, redactor
from cutscore.store import Store

if TYPE_CHECKING:
    from cutscore.registry import Benchmark

STORE_FOLDER = "store"


@dataclass
class RunContext:
    """The surroundings of a running cell. Its purse and its listener are known only when it starts.

    Args:
        ledger: Books every model call and keeps the budget; None where nobody pays.
        journal: What the cell has paid for or finished; None where nobody resumes.
        loaded: Items that were loaded for one cell and serve the others, by benchmark and data folder.
        find_lost_folder: Names a folder of the run that somebody has taken away meanwhile.
        fault: Why no further sample may begin: a disk that takes nothing more, or a folder that is gone.
    """

    run: Path
    ledger: Ledger | None = None
    listener: Listener = ignore
    redact: Redactor = field(default_factory=redactor)
    journal: WorkJournal | None = None
    loaded: dict[tuple[str, str], AdmittedItems] = field(default_factory=dict)
    find_lost_folder: Callable[[], Path | None] = lambda: None
    fault: CutscoreError | None = None

    @classmethod
    def beside_inspect_logs(cls) -> RunContext:
        """Return the context of a task that nobody but Inspect starts."""
        return cls(run=Path(os.environ.get("INSPECT_LOG_DIR", "logs")))

    @property
    def store(self) -> Store:
        """The store of the run folder."""
        return Store(self.run / STORE_FOLDER)

    def may_go_on(self) -> bool:
        """Return whether a sample may begin: nobody pays for what cannot be kept."""
        if self.fault is None and (lost := self.find_lost_folder()) is not None:
            self.fault = RunBroken(f"folder '{lost}'", "was deleted or moved while the run worked in it")
        return self.fault is None

    def notes(self, item: str, epoch: int) -> WorkNotes:
        """Return where a sample writes down what must survive a kill."""
        return self.journal.notes(item, epoch) if self.journal else MemoryNotes()

    def purse(self, item: str, epoch: int) -> Purse:
        """Return who pays for the model calls of a sample."""
        return self.ledger.purse(item, epoch) if self.ledger else NoPurse()

    def items(self, found: Benchmark, data: str) -> AdmittedItems:
        """Return the items of a benchmark or of a data pack that may be scored, loaded once for all cells."""
        key = (found.name, data)
        if key not in self.loaded:
            self.loaded[key] = load_admitted(found, self.store, found.data_folder(Path(data)) if data else None)
        return self.loaded[key]
