"""Jobs on a Ray cluster: one task a job, on whichever node has a processor to spare.

Nodes share the run folder and the working folder under their own names, and have cutscore and what it needs. A job and
its outcome travel as bytes, as with worker processes; keys of providers do not travel: a worker has the environment of
its node, and what we start ourselves has ours. (Ray logs the `runtime_env` of a task, so nothing is put there.)
"""

import logging
import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from typing import Any

from cutscore.core.errors import MissingExtra, Stopped
from cutscore.engines.jobs import Job, Outcome, drain, dump_job, dump_outcome, load_outcome, perform_dumped

# A job whose worker was lost is done again so often: it goes on where it was.
RETRIES = 2
# Jobs that are asked to leave have this long to do it by themselves.
_LEAVE_S = 5.0
# How long a cluster may take to answer at all.
_ANSWER_S = 10.0
# Jobs and outcomes are small, and Ray reserves what it is told.
_OBJECTS_BYTES = 100 << 20
# Nothing is reported home.
_QUIET = {"RAY_USAGE_STATS_ENABLED": "0"}


def run_on_ray(jobs: Iterable[Job], *, workers: int | None, address: str) -> Iterator[Outcome]:
    """Return outcomes as jobs finish, which is not the order in which they were given.

    Args:
        jobs: Taken lazily, as many as there are workers.
        workers: How many jobs run at once; None for as many as there are processors.
        address: Of the cluster (`127.0.0.1:6379`); without one, a cluster is started on this machine, and ended.

    Raises:
        MissingExtra: Ray is not installed.
    """
    if find_spec("ray") is None:
        raise MissingExtra.of("engine 'ray'", "ray")
    return _run(iter(jobs), workers, address)


def _run(jobs: Iterator[Job], workers: int | None, address: str) -> Iterator[Outcome]:
    with _cluster(workers, address) as ray:
        yield from drain(_TaskPool(ray, jobs, workers))


class _TaskPool:
    """The tasks that are under way, and the jobs that nobody has yet."""

    def __init__(self, ray: Any, jobs: Iterator[Job], most: int | None) -> None:
        self._ray, self._jobs, self._most = ray, jobs, most
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(perform_there)
        self.busy: dict[Any, Job] = {}

    def fill(self) -> list[Outcome]:
        """Submit as many jobs as there are processors; return the outcomes of those that cannot be sent."""
        refused: list[Outcome] = []
        # A node may have joined since the last time.
        most = self._most or max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        while len(self.busy) + len(refused) < most and (job := next(self._jobs, None)) is not None:
            data = dump_job(job)
            if isinstance(data, Outcome):
                refused.append(data)
            else:
                self.busy[self._task.remote(os.getcwd(), [str(folder) for folder in sys.path], data)] = job
        return refused

    def collect(self) -> list[Outcome]:
        """Wait until a job, if any is under way, has ended or was lost."""
        ready, _ = self._ray.wait(list(self.busy)) if self.busy else ([], [])
        return [self._answer(task) for task in ready]

    def close(self) -> None:
        """End what is under way: Ctrl-C for each job first, then the end of its worker."""
        for force in (False, True):
            for task in self.busy:
                self._ray.cancel(task, force=force)
            under_way = list(self.busy)
            if under_way:
                ended, _ = self._ray.wait(under_way, num_returns=len(under_way), timeout=_LEAVE_S)
                self.busy = {task: job for task, job in self.busy.items() if task not in ended}

    def _answer(self, task: Any) -> Outcome:
        job = self.busy.pop(task)
        try:
            return load_outcome(job, self._ray.get(task))
        except self._ray.exceptions.RayError as error:
            return Outcome(job.key, error=f"the worker died: {type(error).__name__}, {1 + RETRIES} times")


def perform_there(folder: str, path: list[str], data: bytes) -> bytes:
    """Do a job on a node, in the folder that its sender works in and with the modules that it has."""
    try:
        os.chdir(folder)
    except OSError as error:
        fact = f"folder '{folder}' is not there on node {os.uname().nodename}: {error.strerror}"
        return dump_outcome(Outcome("", error=f"{fact}; share it with all nodes"))
    sys.path.extend(entry for entry in path if entry not in sys.path)
    return perform_dumped(data)


@contextmanager
def _cluster(workers: int | None, address: str) -> Iterator[Any]:
    """Connect to a cluster, or start one here and end it; one that this process is connected to already is used."""
    # Nobody but us may talk to a cluster that we start; Ray would keep a token for all of them in the user's home.
    own_token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    # A thread of Ray's tells of lost workers on standard output, which is for results.
    with _environment(_QUIET | ({} if address else own_token)), redirect_stdout(sys.stderr):
        import ray

        if ray.is_initialized():
            yield ray
            return
        scratch = "" if address else tempfile.mkdtemp(prefix="cs-ray-")  # short: sockets lie in it
        try:
            with _handlers_kept():
                _connect(ray, workers, address, scratch)
            yield ray
        finally:
            ray.shutdown()
            if scratch:
                shutil.rmtree(scratch, ignore_errors=True)


def _connect(ray: Any, workers: int | None, address: str, scratch: str) -> None:
    logging.getLogger("ray").setLevel(logging.ERROR)
    quiet = {"logging_level": logging.ERROR, "log_to_driver": False, "configure_logging": False}
    if not address:
        where = {"include_dashboard": False, "_node_ip_address": "127.0.0.1", "_temp_dir": scratch}
        ray.init(num_cpus=workers, object_store_memory=_OBJECTS_BYTES, **where, **quiet)
        return
    try:
        host, _, port = address.rpartition(":")
        if host and port.isdigit():  # Ray itself would try for minutes
            socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER_S).close()
        ray.init(address=address, **quiet)
    except (OSError, ValueError, ray.exceptions.AuthenticationError) as error:
        fact = f"cannot be used: {str(error).strip().splitlines()[0]}"
        next_step = "start it with 'ray start --head', or leave --address out"
        raise Stopped(f"Ray cluster '{address}'", fact, next_step) from error


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Set variables that nobody has set, for as long as it takes."""
    new = {name: value for name, value in variables.items() if name not in os.environ}
    os.environ.update(new)
    try:
        yield
    finally:
        for name in new:
            os.environ.pop(name, None)


@contextmanager
def _handlers_kept() -> Iterator[None]:
    """Keep our own answer to SIGTERM, which Ray replaces."""
    ours = signal.getsignal(signal.SIGTERM)
    yield
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, ours)
