"""How long a failing provider is asked on: when too many of its last calls failed, the rest is not asked.

A provider that is down would otherwise cost every remaining sample its retries, and a provider that refuses one kind of
request would leave a mean over the few that it let through. What is counted are calls that failed after all retries.
Which calls are the last ones depends on how many run at once; what is marked does not.
"""

from collections import deque
from dataclasses import dataclass, field

from cutscore.core.errors import Unscored


@dataclass
class CallWindow:
    """The last calls of one stratum, which `where` names, or of the whole cell, in one process that runs it."""

    most: float
    window: int
    where: str = ""
    last: deque[bool] = field(default_factory=deque)
    because: str = ""

    def check(self) -> None:
        """Raise when no more calls are to be made."""
        if self.because:
            raise Unscored("provider", self.because, "run the same command again")

    def note(self, *, failed: bool) -> None:
        """Count a call that was answered or given up.

        The window need not be full: as soon as more calls failed than a full one may have, it cannot be mended. Once
        stopped, a stratum stays so, whatever those say who were asked before.
        """
        self.last.append(failed)
        if len(self.last) > self.window:
            self.last.popleft()
        failures = sum(self.last)
        if not self.because and failures > round(self.most * self.window, 9):
            self.because = (
                f"failed {failures} of its last {len(self.last)} calls{self.where}, so the rest was not asked"
            )


@dataclass
class ProviderBreaker:
    """Stops asking a failing provider; what failed on one stratum of items says nothing of the others.

    Args:
        most: Share of the last calls that may fail; 1 never stops.
        by: Group of items that makes a stratum; all of the cell is one when empty.
    """

    most: float
    window: int
    by: str = ""
    windows: dict[str, CallWindow] = field(default_factory=dict)

    def calls_of(self, groups: dict[str, str]) -> CallWindow:
        """Return the calls of the stratum of an item with these groups."""
        stratum = groups.get(self.by, "") if self.by else ""
        where = f" on {self.by} '{stratum}'" if stratum else ""
        return self.windows.setdefault(stratum, CallWindow(self.most, self.window, where))
