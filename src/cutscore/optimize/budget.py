"""What a search may use, and when it stops: metric calls, dollars over judge, matcher and optimiser, and patience.

A metric call is one sample judged with all its votes. What a walk has spent is the cost of the replies that it used,
those of the journal included: a search that goes on after a kill then stops where it would have stopped. The ledger
keeps the limit of what is really paid.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

# A search whose optimiser brings nothing usable so often in a row has nothing to gain from asking on.
MOST_REFUSED_IN_A_ROW = 10


@dataclass
class SearchBudget:
    """Metric calls and dollars of one search.

    Args:
        calls: Metric calls; tested between steps, so up to one step more may be made.
        usd: Dollars for everything, the reading of the test split included: its price is kept back.
        spent_usd: What the replies of this walk cost; None when a price is not known.
        kept_back: Metric calls that come after the search.
        used: Metric calls that were made.
    """

    calls: int | None = None
    usd: float | None = None
    spent_usd: Callable[[], float | None] = lambda: None
    kept_back: int = 0
    used: int = 0
    refused_in_a_row: int = 0
    stopped: str = field(default="")

    def why_stop(self, *, step: int) -> str:
        """Return why no further step, of so many metric calls at most, is to be made; empty when one may be."""
        if self.stopped:
            return self.stopped
        if self.calls is not None and self.used >= self.calls:
            return f"{self.used:,} of {self.calls:,} metric calls are made"
        if self.refused_in_a_row >= MOST_REFUSED_IN_A_ROW:
            return f"the optimiser brought no usable prompt {self.refused_in_a_row} times in a row"
        spent = self.spent_usd() if self.usd is not None else None
        if self.usd is None or spent is None or not self.used:
            return ""
        needed = spent / self.used * (step + self.kept_back)
        if spent + needed > self.usd:
            return f"${spent:.2f} of ${self.usd:.2f} are spent, and a step and the test split need about ${needed:.2f}"
        return ""


def most_calls(calls: int, *, minibatch: int, validation: int) -> int:
    """Return how many metric calls a search makes at most that may make so many: the last step is made whole.

    >>> most_calls(800, minibatch=3, validation=66)
    871
    """
    return calls - 1 + 2 * minibatch + validation
