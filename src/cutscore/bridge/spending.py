"""Money across a whole run: every paid call is written down before the next one starts.

`RUN/spending.jsonl` has one line a call and is only appended to, so it counts work that a kill threw away (that money
is gone all the same) and is shared by all runners of one run folder.
"""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

from cutscore.core.errors import BudgetReached
from cutscore.core.usage import Usage
from cutscore.ledger import Prices

FILE = "spending.jsonl"


class Spending:
    """The run's purse.

    Args:
        run: The run folder.
        prices: Prices of the models of this cell.
        limit_usd: What may be spent by all runs in the folder together; None for no limit.
    """

    def __init__(self, run: Path, prices: Prices, *, limit_usd: float | None = None) -> None:
        self._file, self._prices, self._limit_usd = run / FILE, prices, limit_usd
        self._read_bytes, self._spent_usd = 0, 0.0
        self._lock = threading.Lock()

    def book(self, model: str, usage: Usage | None) -> None:
        """Write a call down. One write of one line: appends of several runners do not mix."""
        usd = None if usage is None else self._prices.cost_usd(model, usage)
        tokens = None if usage is None else usage.model_dump(exclude_none=True)
        line = json.dumps({"model": model, "usage": tokens, "usd": usd}) + "\n"
        handle = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            os.write(handle, line.encode())
        finally:
            os.close(handle)

    @property
    def spent_usd(self) -> float:
        """What is known to be spent by now, by anyone in this run folder."""
        with self._lock:
            try:
                with self._file.open("rb") as lines:
                    lines.seek(self._read_bytes)
                    for line in lines:
                        if not line.endswith(b"\n"):
                            break  # somebody is writing it right now
                        self._read_bytes += len(line)
                        self._spent_usd += _usd(line)
            except FileNotFoundError:
                pass
            return self._spent_usd

    def check(self) -> None:
        """Raise when the money is spent."""
        if self._limit_usd is not None and (spent := self.spent_usd) >= self._limit_usd:
            raise BudgetReached(
                "run",
                f"spent ${spent:.2f} of ${self._limit_usd:.2f}",
                "raise --cost-limit and run the same command again",
            )


def _usd(line: bytes) -> float:
    try:
        return float(json.loads(line)["usd"] or 0.0)
    except (ValueError, KeyError, TypeError):
        return 0.0  # a line that a full disk cut short
