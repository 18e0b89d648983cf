"""Many jobs to results: inline, in processes, on a cluster; faster, never different."""

import os
from collections.abc import Iterable, Iterator

from cutscore.core.errors import BadInput, UnknownName
from cutscore.engines.jobs import Job, Outcome, perform
from cutscore.engines.processes import run_in_processes
from cutscore.engines.ray import run_on_ray

__all__ = ["ENGINES", "Job", "Outcome", "run_jobs", "usable_processors"]

ENGINES = ("inline", "processes", "ray")


def run_jobs(
    jobs: Iterable[Job], *, engine: str = "inline", workers: int | None = None, address: str = ""
) -> Iterator[Outcome]:
    """Return one outcome for every job, as jobs finish: in the order given only with the inline engine.

    A job that raises, or kills the process that it runs in, fails alone. Jobs are taken lazily, so their number is
    bounded by nothing. Sort by key whatever must not depend on the engine.

    The engine is `inline` (here, one after another), `processes` or `ray`; by default there are as many workers as
    there are processors for us. `address` is that of a Ray cluster; without one, Ray is started on this machine.
    """
    if workers is not None and workers < 1:
        raise BadInput("engine", f"has {workers} workers", "give at least 1")
    if engine == "inline":
        return map(perform, jobs)  # the next job is taken when somebody asks for more
    if engine == "processes":
        return run_in_processes(jobs, workers=workers or usable_processors())
    if engine == "ray":
        return run_on_ray(jobs, workers=workers or (None if address else usable_processors()), address=address)
    raise UnknownName.among("engine", engine, ENGINES)


def usable_processors() -> int:
    """Return how many processors are for us."""
    if hasattr(os, "sched_getaffinity"):  # not everywhere, but it knows what a container may use
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
