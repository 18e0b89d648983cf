"""A folder for model calls outside of any run: what a run folder keeps of a judge, in whatever roles are asked.

    FOLDER/journal.jsonl    every reply, by the digest of what was asked: nothing is paid for twice (`journal.py`)
    FOLDER/ledger.jsonl     a line when a call is sent and one when it ends; the cost limit counts in it

Judge, matcher and optimiser share the folder, and so one purse.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from cutscore.core.tally import Tally
from cutscore.ledger.call_book import CallBook, CallOrigin
from cutscore.ledger.prices import Prices, require_known_prices
from cutscore.ledger.spending import Ledger
from cutscore.redaction import redactor
from cutscore.scoring.judges.journal import Journal, shared_journal
from cutscore.scoring.judges.local_files import LocalFiles
from cutscore.settings import Settings, load_settings

JOURNAL_FILE, LEDGER_FILE = "journal.jsonl", "ledger.jsonl"


@dataclass(frozen=True)
class CallFolder:
    """Journal and purse of one folder, opened once for many calls, side by side.

    Args:
        keeps: Whether replies are kept; if not, the folder is a passing one.
        cost_limit_usd: What may be spent in the folder altogether, by whoever.
        files: Hashes of the files that judges were asked about.
    """

    path: Path
    keeps: bool = True
    cost_limit_usd: float | None = None
    files: LocalFiles = field(default_factory=LocalFiles)
    _ledgers: dict[str, Ledger] = field(default_factory=dict)

    @property
    def journal_file(self) -> Path | None:
        """Where replies are kept; None where they are not."""
        return self.path / JOURNAL_FILE if self.keeps else None

    @cached_property
    def journal(self) -> Journal:
        """The replies; whoever asks in this folder shares them, also while they are under way."""
        return shared_journal(self.journal_file)

    @cached_property
    def settings(self) -> Settings:
        """The user's settings, read once."""
        return load_settings()

    @cached_property
    def clean(self) -> Callable[[str], str]:
        """Takes secrets out of text that comes back."""
        return redactor(names=self.settings.secret_env).text

    def ledger(self, model: str) -> Ledger:
        """Return who books the calls of a model (empty: of nobody); a model without a price is refused under a limit.

        Raises:
            BadInput: There is a cost limit, and nobody knows what the model costs.
        """
        if model not in self._ledgers:
            models = [model] if model else []
            prices = Prices.snapshot(models, own=self.settings.prices)
            require_known_prices(prices, models, self.cost_limit_usd)
            self._ledgers[model] = Ledger(prices, self.path / LEDGER_FILE, limit_usd=self.cost_limit_usd)
        return self._ledgers[model]

    def tally(self, model: str, *, item: str = "") -> Tally:
        """Return an empty tally whose calls are paid here."""
        return Tally(purse=self.ledger(model).purse(item))


@contextmanager
def open_call_folder(
    folder: str | Path | CallFolder | None, *, cost_limit_usd: float | None = None
) -> Iterator[CallFolder]:
    """Open a folder, which is made where it is not there; None keeps nothing. One that is open stays as it is."""
    if isinstance(folder, CallFolder):
        yield folder
        return
    with ExitStack() as ends:
        path = Path(folder or ends.enter_context(tempfile.TemporaryDirectory(prefix="cutscore-")))
        path.mkdir(parents=True, exist_ok=True)
        yield CallFolder(path, keeps=folder is not None, cost_limit_usd=cost_limit_usd)


def unfinished_calls(folder: Path) -> Mapping[str, CallOrigin]:
    """Return the calls of a folder that were sent and did not end, by id: under way now, or at a kill."""
    book = CallBook(folder / LEDGER_FILE)
    book.catch_up()
    return book.under_way
