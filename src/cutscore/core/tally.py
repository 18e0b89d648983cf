"""What happened at the model boundary during one sample: calls, tokens, retries, frames, warnings.

A tally is the one mutable thing in this package. Whoever runs a sample makes one, hands it to subject and judge, and
writes what it holds into the record when the sample has ended.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from cutscore.core.manifest import FrameManifest
from cutscore.core.usage import ZERO_USAGE, Usage


def allow_calls() -> None:
    """Let every call pass: there is no budget."""


def unknown_cost(_model: str, _usage: Usage | None) -> float | None:
    """Return that the cost is unknown: there is no ledger."""
    return None


def ignore(*_: object) -> None:
    """Do nothing: nobody wants to know."""


@dataclass
class Tally:
    """Counts of one sample.

    Args:
        before_call: Called before every model call; raises when the run may not spend more.
        on_call: Called after every model call with model and tokens (None when the provider did not report them);
            returns the cost.
        on_retry: Called with the class of every fault that is waited out.
        on_failure: Called for every model call that is given up, after all retries.
    """

    before_call: Callable[[], None] = allow_calls
    on_call: Callable[[str, Usage | None], float | None] = unknown_cost
    on_retry: Callable[[str], None] = ignore
    on_failure: Callable[[], None] = ignore
    calls: int = 0
    usage: Usage | None = ZERO_USAGE
    cost_usd: float | None = 0.0
    retries: Counter[str] = field(default_factory=Counter)
    seen: list[FrameManifest] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def add_call(self, model: str, usage: Usage | None) -> None:
        """Count one answered call. One call of unknown usage or cost makes the sample's unknown.

        Costs are added call by call, since prices depend on the size of each.
        """
        self.add_booked_call(usage, self.on_call(model, usage))

    def add_booked_call(self, usage: Usage | None, cost_usd: float | None) -> None:
        """Count one call that is booked already, by us or in an earlier run."""
        self.calls += 1
        self.usage = None if usage is None or self.usage is None else self.usage + usage
        self.cost_usd = None if cost_usd is None or self.cost_usd is None else self.cost_usd + cost_usd

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
