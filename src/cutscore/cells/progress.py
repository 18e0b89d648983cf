"""Samples as they end, reported to whoever listens: the command line's bar, a test, a notebook."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class SampleDone:
    """A sample that ended in this process (not one that was taken over from an earlier log).

    Args:
        unscored: It was not marked, and the same command asks it again.
        failed: It was marked, and the subject failed by its own doing.
    """

    item: str
    epoch: int
    unscored: bool = False
    failed: bool = False


@dataclass(frozen=True)
class CallRetried:
    """A provider's fault, by class, that is waited out."""

    fault: str


@dataclass(frozen=True)
class SubmissionTried:
    """A submission whose mark is known beforehand and that is tried now: the how many-th of how many of a task."""

    item: str
    what: str
    number: int
    of: int


Event = SampleDone | CallRetried | SubmissionTried
Listener = Callable[[Event], None]
