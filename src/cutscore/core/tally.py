"""What happened at the model boundary during one sample: calls, tokens, retries, frames, warnings.

A tally is the one mutable thing in this package. Whoever runs a sample makes one, hands it to subject and judge, and
writes what it holds into the record when the sample has ended.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

from cutscore.core.errors import SubjectFailed, Unscored
from cutscore.core.manifest import FrameManifest
from cutscore.core.usage import ZERO_USAGE, Usage


class Purse(Protocol):
    """Who pays for the model calls of one sample, and writes down each as it is sent and as it ends."""

    def check(self) -> None:
        """Raise when the run may not spend more."""

    def send(self, model: str, role: str) -> str | None:
        """Return the id of a call that may be sent now; None when calls under way must end before.

        Raises BudgetReached when the run may not spend more.
        """

    def pay(self, call: str, model: str, usage: Usage | None) -> float | None:
        """Book an answered call, unless it is booked already, and return its cost; None when that is unknown."""

    def fail(self, call: str, fault: str) -> None:
        """Book that a call ended without an answer, with the class of the fault."""

    def lose(self, call: str) -> None:
        """Book that nobody knows how a call ended; it can still be paid, when its result turns up."""

    def add(self, model: str, role: str, usage: Usage | None) -> float | None:
        """Book a call that was made without asking, and return its cost; None when that is unknown."""


class NoPurse:
    """There is no budget and no ledger: every call passes, and its cost is unknown."""

    def check(self) -> None:
        """Let every call pass."""

    def send(self, model: str, role: str) -> str | None:
        """Let every call pass; it has no id."""
        return ""

    def pay(self, call: str, model: str, usage: Usage | None) -> float | None:
        """Return that the cost is unknown."""
        return None

    def fail(self, call: str, fault: str) -> None:
        """Book nothing."""

    def lose(self, call: str) -> None:
        """Book nothing."""

    def add(self, model: str, role: str, usage: Usage | None) -> float | None:
        """Return that the cost is unknown."""
        return None


def allow_calls() -> None:
    """Let every call pass: the provider is well."""


def ignore(*_: object) -> None:
    """Do nothing: nobody wants to know."""


@dataclass
class Tally:
    """Counts of one sample.

    Args:
        purse: Who pays.
        before_call: Called before every model call; raises when the provider is asked no more.
        on_answer: Called for every call that a provider answered.
        on_retry: Called with the class of every fault that is waited out.
        on_failure: Called for every model call that is given up, after all retries.
        told_usage, told_cost_usd: What the subject itself says that it took; None when it says nothing.
        unanswered: Why the last call brought no words: the model failed, or we did. None when it brought some.
    """

    purse: Purse = field(default_factory=NoPurse)
    before_call: Callable[[], None] = allow_calls
    on_answer: Callable[[], None] = ignore
    on_retry: Callable[[str], None] = ignore
    on_failure: Callable[[], None] = ignore
    calls: int = 0
    usage: Usage | None = ZERO_USAGE
    cost_usd: float | None = 0.0
    told_usage: Usage | None = None
    told_cost_usd: float | None = None
    unanswered: SubjectFailed | Unscored | None = None
    retries: Counter[str] = field(default_factory=Counter)
    seen: list[FrameManifest] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    _taken: dict[str, set[int]] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def check(self) -> None:
        """Raise when no more calls are to be made."""
        self.before_call()
        self.purse.check()

    def add_call(self, call: str, model: str, usage: Usage | None) -> None:
        """Pay for one answered call, by its id, and count it; the purse pays for a call once."""
        self.add_booked_call(usage, self.purse.pay(call, model, usage))

    def add_booked_call(self, usage: Usage | None, cost_usd: float | None) -> None:
        """Count one call that is booked already. One call of unknown usage or cost makes the sample's unknown.

        Costs are added call by call, since prices depend on the size of each.
        """
        with self._lock:  # a tally of many samples is filled from several threads
            self.calls += 1
            self.usage = None if usage is None or self.usage is None else self.usage + usage
            self.cost_usd = None if cost_usd is None or self.cost_usd is None else self.cost_usd + cost_usd

    def lose_call(self, call: str) -> None:
        """Count a call of which nobody knows how it ended, so that nobody knows its cost."""
        self.purse.lose(call)
        self.add_booked_call(None, None)

    def tell(self, usage: Usage | None = None, cost_usd: float | None = None) -> None:
        """Keep what the subject itself says that it took; what it says in several parts adds up."""
        if usage is not None:
            self.told_usage = usage if self.told_usage is None else self.told_usage + usage
        if cost_usd is not None:
            self.told_cost_usd = cost_usd + (self.told_cost_usd or 0.0)

    def take_number(self, request: str) -> int:
        """Return the smallest free number among equal requests of the sample, from 1."""
        with self._lock:  # a plain function may ask from several threads
            taken = self._taken.setdefault(request, set())
            number = next(number for number in count(1) if number not in taken)
            taken.add(number)
        return number

    def give_number_back(self, request: str, number: int) -> None:
        """Free the number of a request that was not answered."""
        self._taken[request].discard(number)

    def add_retry(self, fault: str) -> None:
        """Count one failed attempt by its class (`429`, `503`, `timeout`, `half`)."""
        self.retries[fault] += 1
        self.on_retry(fault)

    def add_frames(self, manifest: FrameManifest) -> None:
        """Keep which frames went into a call; the same clip shown again in a later turn is kept once."""
        if manifest not in self.seen:
            self.seen.append(manifest)

    def warn(self, text: str) -> None:
        """Keep a sentence that the reader of the row should see, once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def take_over(self, seen: Iterable[FrameManifest], warnings: Iterable[str]) -> None:
        """Add the frames and warnings of one call."""
        for manifest in seen:
            self.add_frames(manifest)
        for text in warnings:
            self.warn(text)
