"""What a run has spent, call by call, and the limit that it keeps."""

import json
import os
import threading
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

from cutscore.core.errors import BadInput, BudgetReached
from cutscore.core.usage import Usage
from cutscore.ledger.prices import Prices


class Ledger:
    """What a run has spent: one line a call, written before the next call starts, and only ever added to.

    So it counts work that a kill threw away (that money is gone all the same), and all runners of one run folder share
    it. Safe for many threads and processes.
    """

    def __init__(self, prices: Prices, file: Path, *, limit_usd: float | None = None) -> None:
        if limit_usd is not None and not limit_usd >= 0:
            raise BadInput("--cost-limit", f"{limit_usd} is not a sum of money", "give US dollars, 0 or more")
        self._prices, self._file, self._limit_usd = prices, file, limit_usd
        # Decimals add up to the same sum in any order; floats do not.
        self._spent, self._unknown_calls, self._read_bytes = Decimal(0), 0, 0
        self._lock = threading.Lock()

    def add(self, model: str, usage: Usage | None) -> float | None:
        """Book one call and give its cost; None when it is unknown, which is counted."""
        price = self._prices.models.get(model)
        cost = price.cost_usd(usage) if price and usage else None
        line = {
            "model": model,
            "usage": usage.model_dump(exclude_none=True) if usage else None,
            "usd": None if cost is None else str(cost),
        }
        # One write of one line: appends of several runners do not mix.
        handle = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            os.write(handle, json.dumps(line).encode() + b"\n")
        finally:
            os.close(handle)
        return None if cost is None else float(cost)

    @property
    def spent_usd(self) -> float:
        """What is known to be spent by now, by anyone in the run folder; calls of unknown cost come on top."""
        self._catch_up()
        return float(self._spent)

    @property
    def unknown_calls(self) -> int:
        """How many calls in the run folder have no known cost."""
        self._catch_up()
        return self._unknown_calls

    def check(self) -> None:
        """Raise when the money is spent. Ask before every call: calls under way may still go beyond."""
        if self._limit_usd is not None and (spent := self.spent_usd) >= self._limit_usd:
            fact = f"spent {_dollars(spent)} of {_dollars(self._limit_usd)}"
            raise BudgetReached("run", fact, "raise --cost-limit and run the same command again")

    def _catch_up(self) -> None:
        """Read the lines that were added since the last look."""
        with self._lock, suppress(FileNotFoundError), self._file.open("rb") as lines:
            lines.seek(self._read_bytes)
            for line in lines:
                if not line.endswith(b"\n"):
                    return  # somebody is writing it right now
                self._read_bytes += len(line)
                cost = _read_cost(line)
                self._unknown_calls += cost is None
                self._spent += cost or 0


def _read_cost(line: bytes) -> Decimal | None:
    try:
        return Decimal(json.loads(line)["usd"])
    except (ValueError, KeyError, TypeError, ArithmeticError):
        return None  # unknown, or a line that a full disk cut short


def _dollars(usd: float) -> str:
    """Write a sum with cents, or with two digits where cents would hide it."""
    return f"${usd:.2f}" if usd >= 0.1 or usd == 0 else f"${usd:.2g}"
