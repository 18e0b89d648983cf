"""A piece of work, what became of it, and how it is done wherever it is done, also when both travel as bytes."""

import pickle
from collections.abc import Callable, Iterator, Sized
from dataclasses import dataclass, replace
from typing import Any, Protocol


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


class JobPool(Protocol):
    """Whoever spreads jobs: `busy` holds those that are under way."""

    @property
    def busy(self) -> Sized:
        """The jobs under way."""

    def fill(self) -> list[Outcome]:
        """Begin as many jobs as may be; return the outcomes of those that cannot be."""

    def collect(self) -> list[Outcome]:
        """Wait for jobs under way and return their outcomes."""

    def close(self) -> None:
        """End what is under way."""


def drain(pool: JobPool) -> Iterator[Outcome]:
    """Yield the outcomes of a pool as its jobs finish; whatever ends this ends the pool."""
    try:
        outcomes = pool.fill()
        while outcomes or pool.busy:
            yield from outcomes
            outcomes = pool.collect() + pool.fill()
    finally:
        pool.close()


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


def dump_job(job: Job) -> bytes | Outcome:
    """Return a job as bytes, or the outcome of one that cannot be sent."""
    try:
        return pickle.dumps(job)
    except Exception as error:  # noqa: BLE001  # pickling runs code of the job, which may raise anything
        return Outcome(job.key, error=f"cannot be sent to a worker: {describe_error(error)}")


def perform_dumped(data: bytes) -> bytes:
    """Do a job that came as bytes, where it came to, and return its outcome as bytes."""
    try:
        job: Job = pickle.loads(data)  # noqa: S301  # written by our own side
    except Exception as error:  # noqa: BLE001  # unpickling imports the module of the job
        return dump_outcome(Outcome("", error=f"cannot be read by a worker: {describe_error(error)}"))
    return dump_outcome(perform(job))


def dump_outcome(outcome: Outcome) -> bytes:
    """Return an outcome as bytes; one whose value cannot be sent says so."""
    try:
        return pickle.dumps(outcome)
    except Exception as error:  # noqa: BLE001  # pickling runs code of the result
        return pickle.dumps(Outcome(outcome.key, error=f"result cannot be sent back: {describe_error(error)}"))


def load_outcome(job: Job, data: bytes) -> Outcome:
    """Return the outcome of a job that was done elsewhere."""
    try:
        outcome: Outcome = pickle.loads(data)  # noqa: S301  # written by our own worker
    except Exception as error:  # noqa: BLE001  # unpickling runs code of the result
        return Outcome(job.key, error=f"result cannot be read: {describe_error(error)}")
    return replace(outcome, key=job.key)
