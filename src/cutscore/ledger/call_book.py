"""What the lines of a ledger add up to, by cell, role and model.

    {"call": "5f0c…-1", "state": "sent", "cell": …, "item": …, "epoch": 1, "role": "subject", "model": …, "at": …}
    {"call": "5f0c…-1", "state": "done", "usage": {…}, "usd": "0.0012"}       or "failed" with its "fault", or "lost"

A call that was sent and has no other line is under way, or was when its process was killed. Whoever runs the cell
again calls it lost. Lines of earlier versions have no state: each is a call that was answered.
"""

import json
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from pydantic import ValidationError

from cutscore.core.errors import BrokenData
from cutscore.core.usage import Usage
from cutscore.ledger.prices import Prices
from cutscore.regular_file import open_regular


class CallOrigin(NamedTuple):
    """Whose call it is."""

    cell: str = ""
    role: str = ""
    model: str = ""


@dataclass
class Spending:
    """Calls that were paid for, and what is known of them.

    Args:
        unknown: Answered calls whose cost is not known.
        lost: Calls whose process was killed before they ended; whether they cost something is not known.
        failed: Calls that ended without an answer, by the class of the fault.
    """

    usd: Decimal = Decimal(0)  # decimals add up to the same sum in any order; floats do not
    answered: int = 0
    unknown: int = 0
    lost: int = 0
    failed: Counter[str] = field(default_factory=Counter)

    @property
    def calls(self) -> int:
        """Calls that were answered or lost."""
        return self.answered + self.lost

    @property
    def mean_usd(self) -> Decimal:
        """What a call of known cost cost in the mean; 0 when there is none."""
        known = self.answered - self.unknown
        return self.usd / known if known else Decimal(0)

    def add(self, other: "Spending") -> None:
        """Add the calls of somebody else."""
        self.usd += other.usd
        self.answered += other.answered
        self.unknown += other.unknown
        self.lost += other.lost
        self.failed.update(other.failed)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        counts = {"answered": self.answered, "unknown": self.unknown, "lost": self.lost}
        return {"usd": float(self.usd), **counts, "failed": dict(sorted(self.failed.items()))}


class CallBook:
    """Reads a ledger as it grows; the calls themselves are not kept, but for those that have not ended."""

    def __init__(self, file: Path, prices: Prices | None = None) -> None:
        self.file = file
        self.under_way: dict[str, CallOrigin] = {}
        self._prices = prices
        self._lost: dict[str, CallOrigin] = {}
        self._spending: dict[CallOrigin, Spending] = {}
        self._read_bytes = 0

    def catch_up(self) -> None:
        """Read the lines that were added since the last look."""
        with suppress(FileNotFoundError), self._open() as lines:
            lines.seek(self._read_bytes)
            for line in lines:
                if not line.endswith(b"\n"):
                    return  # somebody is writing it right now
                self._read_bytes += len(line)
                self._take(line)

    def _open(self) -> BinaryIO:
        """Open it to be read. It may be a stranger's, and a pipe would be waited for without end."""
        try:
            return open_regular(self.file)
        except FileNotFoundError:
            raise
        except OSError as error:
            fact = f"cannot be read: {error.strerror}"
            raise BrokenData(f"ledger '{self.file}'", fact, "restore it from a copy, or delete it") from error

    def has_ended(self, call: str) -> bool:
        """Return whether a call needs no line any more; one that was lost does, when its reply turns up."""
        return call not in self.under_way and call not in self._lost

    def total(self, *, cells: Collection[str] | None = None, model: str | None = None) -> Spending:
        """Add up the calls of some cells or of one model; of all where none are named."""
        made = Spending()
        for origin, spending in self._spending.items():
            if (cells is None or origin.cell in cells) and (model is None or origin.model == model):
                made.add(spending)
        return made

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            read = json.loads(line)
        except ValueError:
            read = None  # cut short by a full disk: a call of which nothing is known
        read = read if isinstance(read, dict) else {}
        call, state = read.get("call"), read.get("state", "done")
        if state == "sent":
            self.under_way[str(call)] = CallOrigin(*(str(read.get(name, "")) for name in CallOrigin._fields))
            return
        origin = CallOrigin(model=str(read.get("model", ""))) if call is None else self._end(str(call))
        if origin is None:
            return  # ended before: two runners found its reply
        spending = self._spending.setdefault(origin, Spending())
        if state == "lost":
            self._lost[str(call)] = origin
            spending.lost += 1
        elif state == "failed":
            spending.failed[str(read.get("fault", ""))] += 1
        else:
            cost = self._cost(read, origin.model)
            spending.answered += 1
            spending.unknown += cost is None
            spending.usd += cost or 0

    def _end(self, call: str) -> CallOrigin | None:
        if (lost := self._lost.pop(call, None)) is not None:
            self._spending[lost].lost -= 1
            return lost
        return self.under_way.pop(call, None)

    def _cost(self, read: dict[str, Any], model: str) -> Decimal | None:
        """Return what a call cost; one that was booked before its price was known is priced now."""
        with suppress(ValueError, TypeError, ArithmeticError):
            return Decimal(read["usd"]) if read.get("usd") is not None else self._price(read.get("usage"), model)
        return None

    def _price(self, usage: object, model: str) -> Decimal | None:
        price = self._prices.models.get(model) if self._prices else None
        with suppress(ValidationError):
            return price.cost_usd(Usage.model_validate(usage)) if price and usage else None
        return None


def read_spending(file: Path, cells: Collection[str] | None = None) -> Spending:
    """Return what the cells of a run folder spent by its ledger; calls of all when none are named."""
    book = CallBook(file)
    book.catch_up()
    return book.total(cells=cells)
