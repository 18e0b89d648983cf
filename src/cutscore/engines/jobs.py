"""A piece of work, what became of it, and how it is done wherever it is done."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Job:
    """One call of a function that a module has at its top level, so that another process can find it.

    The key names it among all jobs of a run. Arguments are copied when it runs in another process.
    """

    key: str
    call: Callable[..., Any]
    args: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What became of one job: what the call returned, or why there is no value."""

    key: str
    value: Any = None
    error: str = ""


def perform(job: Job) -> Outcome:
    """Do a job. Whatever it raises becomes the error of this job alone; only an interrupt goes on."""
    try:
        return Outcome(job.key, value=job.call(*job.args))
    except (Exception, SystemExit) as error:  # noqa: BLE001  # one failing job must not end the others
        return Outcome(job.key, error=describe_error(error))


def describe_error(error: BaseException) -> str:
    """Name an exception with its message.

    >>> describe_error(ValueError("no frames"))
    'ValueError: no frames'
    """
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
