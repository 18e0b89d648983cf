"""Book what a run spends, call by call, and keep its limit."""

import datetime
import secrets
import threading
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from pydantic import JsonValue

from cutscore.core.errors import BadInput, BudgetReached
from cutscore.core.usage import Usage
from cutscore.journal import append_line
from cutscore.ledger.call_book import CallBook
from cutscore.ledger.prices import Prices


class Ledger:
    """What a run has spent: a line when a call is sent and one when it ends, and only ever added to.

    So it counts work that a kill threw away (that money is gone all the same), and all runners of one run folder share
    it. Safe for many threads and processes.

    Args:
        cell: Id of the cell whose calls are booked; empty outside of a cell.
    """

    def __init__(self, prices: Prices, file: Path, *, limit_usd: float | None = None, cell: str = "") -> None:
        if limit_usd is not None and not limit_usd >= 0:
            raise BadInput("--cost-limit", f"{limit_usd} is not a sum of money", "give US dollars, 0 or more")
        self._prices, self._limit_usd, self._cell = prices, limit_usd, cell
        self._book = CallBook(file, prices)
        self._lock = threading.RLock()
        self._run, self._numbers = secrets.token_hex(6), count(1)
        self._mine: set[str] = set()

    def purse(self, item: str = "", epoch: int = 0) -> "SamplePurse":
        """Return who pays for the calls of one sample."""
        return SamplePurse(self, item, epoch)

    @property
    def spent_usd(self) -> float:
        """What is known to be spent by now, by anyone in the run folder; calls of unknown cost come on top."""
        with self._lock:
            self._book.catch_up()
            return float(self._book.total().usd)

    @property
    def unknown_calls(self) -> int:
        """How many answered calls in the run folder have no known cost."""
        with self._lock:
            self._book.catch_up()
            return self._book.total().unknown

    def check(self) -> None:
        """Raise when the money is spent."""
        if self._limit_usd is not None and (spent := self.spent_usd) >= self._limit_usd:
            fact = f"spent {_dollars(spent)} of {_dollars(self._limit_usd)}"
            raise BudgetReached("run", fact, "raise --cost-limit and run the same command again")

    def send(self, model: str, *, role: str, item: str = "", epoch: int = 0) -> str | None:
        """Book that a call is sent, and return its id; None when it must wait for calls under way to end.

        Raises:
            BudgetReached: The money is spent.
        """
        with self._lock:
            self.check()
            return None if self._must_wait(model) else self._write_sent(model, role, item, epoch)

    def pay(self, call: str, model: str, usage: Usage | None) -> float | None:
        """Book an answered call unless it is booked already, and give its cost; None when that is unknown."""
        price = self._prices.models.get(model)
        cost = price.cost_usd(usage) if price else None
        plain = usage.model_dump(mode="json", exclude_none=True) if usage else None
        self._end(call, {"state": "done", "usage": plain, "usd": None if cost is None else str(cost)})
        return None if cost is None else float(cost)

    def fail(self, call: str, fault: str) -> None:
        """Book that a call ended without an answer."""
        self._end(call, {"state": "failed", "fault": fault})

    def lose(self, call: str) -> None:
        """Book that nobody knows how a call ended."""
        self._end(call, {"state": "lost"})

    def add(self, model: str, usage: Usage | None, *, role: str = "", item: str = "", epoch: int = 0) -> float | None:
        """Book a call that nobody asked us about before it was made."""
        with self._lock:
            call = self._write_sent(model, role, item, epoch)
        return self.pay(call, model, usage)

    def mark_lost(self) -> None:
        """Call those calls of the cell lost that an earlier process did not end. Ask with the cell locked."""
        with self._lock:
            self._book.catch_up()
            for call, origin in list(self._book.under_way.items()):
                if origin.cell == self._cell and not call.startswith(f"{self._run}-"):
                    self._end(call, {"state": "lost"})

    def _must_wait(self, model: str) -> bool:
        """Return whether calls under way, at the mean cost of their models, leave no money for one more.

        As long as nothing is known of a model, one of its calls goes first. Who has no call under way never waits, so
        that calls of a process that was killed hold up nobody.
        """
        if self._limit_usd is None or not self._mine:
            return False
        origins = self._book.under_way.values()
        if not self._book.total(model=model).answered:
            return any(call in self._mine for call, origin in self._book.under_way.items() if origin.model == model)
        reserved = sum(self._book.total(model=origin.model).mean_usd for origin in origins)
        spent, mean = self._book.total().usd, self._book.total(model=model).mean_usd
        return float(spent + reserved + mean) > self._limit_usd

    def _write_sent(self, model: str, role: str, item: str, epoch: int) -> str:
        call = f"{self._run}-{next(self._numbers)}"
        at = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
        whose: dict[str, JsonValue] = {"cell": self._cell, "item": item, "epoch": epoch, "role": role, "model": model}
        append_line(self._book.file, {"call": call, "state": "sent", **whose, "at": at})
        self._mine.add(call)
        return call

    def _end(self, call: str, line: dict[str, JsonValue]) -> None:
        with self._lock:
            if call in self._mine:
                self._mine.remove(call)
            else:  # of an earlier process; perhaps it booked the end as well
                self._book.catch_up()
                if self._book.has_ended(call):
                    return
            append_line(self._book.file, {"call": call, **line})


@dataclass(frozen=True)
class SamplePurse:
    """Who pays for the calls of one sample (`core.tally.Purse`)."""

    ledger: Ledger
    item: str = ""
    epoch: int = 0

    def check(self) -> None:
        """Raise when the money is spent."""
        self.ledger.check()

    def send(self, model: str, role: str) -> str | None:
        """Book that a call is sent, and return its id; None when it must wait."""
        return self.ledger.send(model, role=role, item=self.item, epoch=self.epoch)

    def pay(self, call: str, model: str, usage: Usage | None) -> float | None:
        """Book an answered call, and give its cost."""
        return self.ledger.pay(call, model, usage)

    def fail(self, call: str, fault: str) -> None:
        """Book that a call ended without an answer."""
        self.ledger.fail(call, fault)

    def lose(self, call: str) -> None:
        """Book that nobody knows how a call ended."""
        self.ledger.lose(call)

    def add(self, model: str, role: str, usage: Usage | None) -> float | None:
        """Book a call that was made already, and give its cost."""
        return self.ledger.add(model, usage, role=role, item=self.item, epoch=self.epoch)


def _dollars(usd: float) -> str:
    """Write a sum with cents, or with two digits where cents would hide it."""
    return f"${usd:.2f}" if usd >= 0.1 or usd == 0 else f"${usd:.2g}"
