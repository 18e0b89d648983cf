"""Jobs in worker processes of this machine.

A worker is a fresh interpreter under a guard (`process.Child`), at the other end of a pipe, with one job at a time:
when it dies we know which job it died of, and only that job fails. Ctrl-C reaches us alone, and we decide what ends.
"""

import os
import signal
import socket
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait

from cutscore.engines.jobs import Job, Outcome, drain, dump_job, load_outcome
from cutscore.engines.worker import start_command
from cutscore.process import Child

# A worker whose pipe was closed has this long to leave by itself.
_LEAVE_S = 2.0


def run_in_processes(jobs: Iterable[Job], *, workers: int) -> Iterator[Outcome]:
    """Return outcomes as jobs finish, which is not the order in which they were given.

    Jobs are taken lazily, at most twice `workers` of them ahead of the outcomes that were handed out. Workers start
    when there is work for them and end, whatever happens, with this iterator.
    """
    return drain(_WorkerPool(iter(jobs), workers))


class _Worker:
    """A process and our end of its pipe."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                command = start_command(theirs.fileno())
                self.child = Child(command, env=os.environ, stdout=None, stderr=None, pass_fds=[theirs.fileno()])
            except BaseException:
                ours.close()
                raise
        self.pipe = Connection(ours.detach())

    def end(self) -> int:
        """Wait for the process, not for long, and return its exit code."""
        self.pipe.close()
        try:
            self.child.wait(_LEAVE_S)
        finally:
            self.child.close()
        ended = self.child.poll()
        return ended.code if ended is not None else 0


class _WorkerPool:
    """Workers that wait, workers with a job, and the jobs that nobody has yet."""

    def __init__(self, jobs: Iterator[Job], most: int) -> None:
        self._jobs, self._most = jobs, most
        self._idle: list[_Worker] = []
        self.busy: dict[Connection, tuple[_Worker, Job]] = {}

    def fill(self) -> list[Outcome]:
        """Hand every free worker a job; return the outcomes of jobs that could not be given to any."""
        refused: list[Outcome] = []
        while len(self.busy) + len(refused) < self._most and (job := next(self._jobs, None)) is not None:
            if isinstance(data := dump_job(job), Outcome):
                refused.append(data)
                continue
            worker = self._free_worker()
            self.busy[worker.pipe] = worker, job
            try:
                worker.pipe.send_bytes(data)
            except OSError:
                refused.append(self._died(worker.pipe))
        return refused

    def collect(self) -> list[Outcome]:
        """Wait until a busy worker, if there is any, has answered or died."""
        ready = wait(list(self.busy)) if self.busy else []
        return [self._answer(pipe) for pipe in ready if isinstance(pipe, Connection)]

    def close(self) -> None:
        """End all workers, those with a job by SIGTERM."""
        for worker, _ in self.busy.values():
            worker.child.terminate()
        workers = [*self._idle, *(worker for worker, _ in self.busy.values())]
        for worker in workers:  # all of them first, so that they end side by side
            worker.pipe.close()
        for worker in workers:
            worker.end()

    def _free_worker(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.child.poll() is None:
                return worker
            worker.end()  # killed from outside while it had nothing to do
        return _Worker()

    def _answer(self, pipe: Connection) -> Outcome:
        try:
            data = pipe.recv_bytes()
        except (EOFError, OSError):
            return self._died(pipe)
        worker, job = self.busy.pop(pipe)
        self._idle.append(worker)
        return load_outcome(job, data)

    def _died(self, pipe: Connection) -> Outcome:
        worker, job = self.busy.pop(pipe)
        code = worker.end()
        killed = code < 0
        how = f"was killed by signal {-code} ({signal.strsignal(-code)})" if killed else f"ended with exit code {code}"
        return Outcome(job.key, error=f"the worker died: it {how}")
