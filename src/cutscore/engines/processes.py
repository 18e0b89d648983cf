"""Jobs in worker processes of this machine.

A worker is a fresh interpreter (`spawn`) at the other end of a pipe, with one job at a time: when it dies we know
which job it died of, and only that job fails. It lives as long as its pipe, which we close when we are done and
the system closes when we are killed.
"""

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait

from cutscore.engines.jobs import Job, Outcome, described, perform

# A worker that was told to end has this long before it is killed.
_GRACE_S = 2.0

_SIGNALS = {signal.SIGINT, signal.SIGTERM}
_SPAWN = multiprocessing.get_context("spawn")


def run_in_processes(jobs: Iterable[Job], *, workers: int) -> Iterator[Outcome]:
    """Return outcomes as jobs finish, which is not the order in which they were given.

    Jobs are taken lazily, at most twice `workers` of them ahead of the outcomes that were handed out. Workers start
    when there is work for them and end, whatever happens, with this iterator.
    """
    pool = _Pool(iter(jobs), workers)
    try:
        outcomes = pool.fill()
        while outcomes or pool.busy:
            yield from outcomes
            outcomes = pool.collect() + pool.fill()
    finally:
        pool.close()


class _Worker:
    """A process and our end of its pipe."""

    def __init__(self) -> None:
        self.pipe, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_serve, args=(theirs,), daemon=True)
        # Until it has handlers of its own, an interrupt would make it print a traceback. The first start would also
        # start the tracker of shared resources, which unblocks these signals behind our back; so that goes first.
        resource_tracker.ensure_running()
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        theirs.close()  # or we would never see the end of the pipe

    def end(self) -> int:
        """Wait for the process, not for long, and give its exit code."""
        self.pipe.close()
        self.process.join(_GRACE_S)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        code = self.process.exitcode or 0
        self.process.close()
        return code


class _Pool:
    """Workers that wait, workers with a job, and the jobs that nobody has yet."""

    def __init__(self, jobs: Iterator[Job], most: int) -> None:
        self._jobs, self._most = jobs, most
        self._idle: list[_Worker] = []
        self.busy: dict[Connection, tuple[_Worker, Job]] = {}

    def fill(self) -> list[Outcome]:
        """Return every free worker a job; what comes back are jobs that could not be given to any."""
        refused: list[Outcome] = []
        while len(self.busy) + len(refused) < self._most and (job := next(self._jobs, None)) is not None:
            try:
                data = pickle.dumps(job)
            except Exception as error:  # noqa: BLE001  # pickling runs code of the job, which may raise anything
                refused.append(Outcome(job.key, error=f"cannot be sent to a worker: {described(error)}"))
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
        for worker, _ in self.busy.values():
            worker.process.terminate()
        workers = [*self._idle, *(worker for worker, _ in self.busy.values())]
        for worker in workers:  # all of them first, so that they end side by side
            worker.pipe.close()
        for worker in workers:
            worker.end()

    def _free_worker(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.process.is_alive():
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
        try:
            outcome: Outcome = pickle.loads(data)  # noqa: S301  # written by our own worker
        except Exception as error:  # noqa: BLE001  # unpickling runs code of the result
            return Outcome(job.key, error=f"result cannot be read: {described(error)}")
        return replace(outcome, key=job.key)

    def _died(self, pipe: Connection) -> Outcome:
        worker, job = self.busy.pop(pipe)
        code = worker.end()
        killed = code < 0
        how = f"was killed by signal {-code} ({signal.strsignal(-code)})" if killed else f"ended with exit code {code}"
        return Outcome(job.key, error=f"the worker died: it {how}")


def _serve(pipe: Connection) -> None:
    """Do jobs until the pipe closes."""
    # Ctrl-C reaches the whole group, and our parent decides what ends. An empty handler, unlike SIG_IGN, is not
    # inherited by programs that a job starts.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, _leave)
    # The thread starts with signals blocked and keeps them so: one that it received would not wake the job.
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    try:
        while True:
            pipe.send_bytes(_done(pipe.recv_bytes()))
    except (EOFError, OSError):
        return


def _done(data: bytes) -> bytes:
    try:
        job: Job = pickle.loads(data)  # noqa: S301  # written by our own parent
    except Exception as error:  # noqa: BLE001  # unpickling imports the module of the job
        return pickle.dumps(Outcome("", error=f"cannot be read by a worker: {described(error)}"))
    outcome = perform(job)
    try:
        return pickle.dumps(outcome)
    except Exception as error:  # noqa: BLE001  # pickling runs code of the result
        return pickle.dumps(Outcome(job.key, error=f"result cannot be sent back: {described(error)}"))


def _leave(*_: object) -> None:
    """Leave the job by an exception, so that it can end the programs that it started."""
    raise SystemExit(1)


def _end_with_parent() -> None:
    """End in the middle of a job when there is nobody left to answer."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_GRACE_S)
        os._exit(1)
