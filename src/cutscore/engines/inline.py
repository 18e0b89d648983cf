"""Jobs one after another, here."""

from collections.abc import Iterable, Iterator

from cutscore.engines.jobs import Job, Outcome, perform


def run_inline(jobs: Iterable[Job]) -> Iterator[Outcome]:
    """Return the outcome of each job as soon as it is done; the next job is taken when somebody asks for more."""
    return map(perform, jobs)
