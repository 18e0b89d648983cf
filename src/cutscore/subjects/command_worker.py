"""A program that loads once and works job by job: one JSON line to it, one JSON line back.

It may say `{"ready": true}` when it has loaded; only then is loading told from the work on its first job.
"""

import json
import os
import select
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cutscore.core.errors import SubjectFailed
from cutscore.core.work_facts import WorkFacts
from cutscore.process import PIPE, Service, UsageMeter

LONGEST_LINE_BYTES = 1_000_000
STDERR_BYTES = 4_000_000
TOO_MUCH = "answers with more than one line of JSON"
STEP_S = 0.2  # between two looks whether the sample still wants the answer


@dataclass(frozen=True)
class WorkerAnswer:
    """What a worker said of a job; the error is empty when it did it. Stderr is what it wrote meanwhile.

    Args:
        gpu_peak_bytes: Of GPUs, as it says itself.
    """

    error: str = ""
    refused: bool = False
    gpu_peak_bytes: int | None = None
    stderr: str = ""
    facts: WorkFacts = field(default_factory=WorkFacts)


@dataclass
class WorkerClock:
    """When a worker was started, and when it said that it was ready; by a monotonic clock."""

    started_s: float
    ready_s: float | None = None
    jobs: int = 0

    def facts(self, asked_s: float, answered_s: float) -> WorkFacts:
        """Return what a job took that was asked and answered at these times.

        >>> WorkerClock(10.0, ready_s=14.0).facts(10.0, 20.0).model_dump(exclude_none=True)
        {'wall_s': 10.0, 'work_s': 6.0, 'load_s': 4.0}
        >>> WorkerClock(10.0).facts(10.0, 20.0).model_dump(exclude_none=True)
        {'wall_s': 10.0}
        >>> WorkerClock(10.0, jobs=1).facts(30.0, 33.0).model_dump(exclude_none=True)
        {'wall_s': 3.0, 'work_s': 3.0, 'load_s': 0.0}
        """
        wall_s = answered_s - asked_s
        if self.jobs:
            return WorkFacts(wall_s=wall_s, work_s=wall_s, load_s=0.0)
        if self.ready_s is None:
            return WorkFacts(wall_s=wall_s)
        work_s = answered_s - max(asked_s, self.ready_s)
        return WorkFacts(wall_s=wall_s, work_s=work_s, load_s=self.ready_s - self.started_s)


class CommandWorker:
    """One program that stays until this process ends, or until it fails; then the next job starts a fresh one.

    Any thread may ask; jobs wait for each other.
    """

    def __init__(self, argv: Sequence[str], environment: Callable[[], Mapping[str, str]]) -> None:
        self._argv, self._environment = tuple(argv), environment
        self._turn = threading.Lock()
        self._program: Service | None = None
        self._clock, self._unread = WorkerClock(0.0), bytearray()
        self._logs: tempfile.TemporaryDirectory[str] | None = None

    def ask(self, job: Mapping[str, str], *, while_exists: Path) -> WorkerAnswer:
        """Return the answer to a job, waiting for it as long as the folder of its sample exists.

        A worker that dies over a job, takes too long or says what is no answer is replaced.
        """
        with self._turn, UsageMeter() as meter:
            asked_s = time.monotonic()
            program = self._started()
            heard = program.logs[1].stat().st_size if program.logs[1].is_file() else 0
            meter.watch(program.guard.pid)
            try:
                answer = self._exchange(program, json.dumps(dict(job)).encode() + b"\n", while_exists)
            except BaseException:
                self._end()
                raise
            facts = self._clock.facts(asked_s, time.monotonic())
            self._clock.jobs += 1
            with program.logs[1].open("rb") as stream:
                stream.seek(heard)
                stderr = stream.read().decode(errors="replace").strip()
        peaks = {"peak_bytes": meter.peak_bytes, "gpu_peak_bytes": meter.gpu_peak_bytes or answer.gpu_peak_bytes}
        return replace(answer, stderr=stderr, facts=facts.model_copy(update=peaks))

    def __del__(self) -> None:
        """End the program when nobody can ask it any more."""
        self._end()

    def _started(self) -> Service:
        if self._program is None or self._program.poll() is not None:
            self._end()
            self._logs = tempfile.TemporaryDirectory(prefix="cutscore-", ignore_cleanup_errors=True)
            self._clock = WorkerClock(time.monotonic())
            self._program = Service(
                self._argv,
                logs=Path(self._logs.name),
                log_bytes=STDERR_BYTES,
                env=self._environment(),
                stdin=PIPE,
                stdout=PIPE,
                shared=True,
            )
        return self._program

    def _exchange(self, program: Service, line: bytes, while_exists: Path) -> WorkerAnswer:
        """Send a line and return the answer to it."""
        assert program.guard.stdin is not None
        try:
            program.guard.stdin.write(line)
            program.guard.stdin.flush()
        except BrokenPipeError:
            raise self._died(program) from None
        while (answer := _parse(self._read_line(program, while_exists))) is None:
            self._clock.ready_s = time.monotonic()
        if self._unread:
            raise SubjectFailed(f"worker '{self._argv[0]}'", TOO_MUCH)
        return answer

    def _read_line(self, program: Service, while_exists: Path) -> bytes:
        """Return the next line that a worker says."""
        assert program.guard.stdout is not None
        pipe = program.guard.stdout.fileno()
        while b"\n" not in self._unread:
            if not select.select([pipe], [], [], STEP_S)[0]:
                if not while_exists.is_dir():
                    raise SubjectFailed(f"worker '{self._argv[0]}'", "was too slow", failure_class="limit")
                continue
            data = os.read(pipe, 1 << 16)
            if not data:
                raise self._died(program)
            self._unread += data
            if len(self._unread) > LONGEST_LINE_BYTES:
                raise SubjectFailed(f"worker '{self._argv[0]}'", TOO_MUCH)
        line, _, rest = bytes(self._unread).partition(b"\n")
        self._unread[:] = rest
        return line + b"\n"

    def _died(self, program: Service) -> SubjectFailed:
        ended = program.wait(5.0)
        how = "closed its output" if ended is None else f"ended with code {ended.code}"
        words = program.logs[1].read_text(errors="replace").strip() if program.logs[1].is_file() else ""
        fact = f"{how} over a job" + (f": {' '.join(words[-300:].split())}" if words else "")
        return SubjectFailed(f"worker '{self._argv[0]}'", fact)

    def _end(self) -> None:
        self._unread.clear()
        if self._program is not None:
            self._program.close()
            self._program = None
        if self._logs is not None:
            self._logs.cleanup()
            self._logs = None


def _parse(line: bytes) -> WorkerAnswer | None:
    """Return what a line answers; None for one that says that the worker is ready."""
    try:
        plain: Any = json.loads(line)
    except ValueError:
        plain = None
    if not isinstance(plain, dict):
        raise SubjectFailed("worker", f"answered {line[:80]!r}, which is no JSON object")
    if plain.get("ready"):
        return None
    if plain.get("refused"):
        return WorkerAnswer(str(plain["refused"]), refused=True)
    gpu = plain.get("gpu_peak_bytes")
    return WorkerAnswer(str(plain.get("error") or ""), gpu_peak_bytes=gpu if isinstance(gpu, int) and gpu > 0 else None)
