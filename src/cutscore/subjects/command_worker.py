"""A program that loads once and works job by job: one JSON line to it, one JSON line back."""

import json
import os
import select
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutscore.core.errors import SubjectFailed
from cutscore.process import PIPE, Service

LONGEST_LINE_BYTES = 1_000_000
STDERR_BYTES = 4_000_000
STEP_S = 0.2  # between two looks whether the sample still wants the answer


@dataclass(frozen=True)
class WorkerAnswer:
    """What a worker said of a job; the error is empty when it did it. Stderr is what it wrote meanwhile."""

    error: str = ""
    refused: bool = False
    stderr: str = ""


class CommandWorker:
    """One program that stays until this process ends, or until it fails; then the next job starts a fresh one.

    Any thread may ask; jobs wait for each other.
    """

    def __init__(self, argv: Sequence[str], environment: Callable[[], Mapping[str, str]]) -> None:
        self._argv, self._environment = tuple(argv), environment
        self._turn = threading.Lock()
        self._program: Service | None = None
        self._logs: tempfile.TemporaryDirectory[str] | None = None

    def ask(self, job: Mapping[str, str], *, while_exists: Path) -> WorkerAnswer:
        """Return the answer to a job, waiting for it as long as the folder of its sample exists.

        A worker that dies over a job, takes too long or says what is no answer is replaced.
        """
        with self._turn:
            program = self._started()
            heard = program.logs[1].stat().st_size if program.logs[1].is_file() else 0
            try:
                answer = _parse(self._exchange(program, json.dumps(dict(job)).encode() + b"\n", while_exists))
            except BaseException:
                self._end()
                raise
            with program.logs[1].open("rb") as stream:
                stream.seek(heard)
                return WorkerAnswer(*answer, stderr=stream.read().decode(errors="replace").strip())

    def __del__(self) -> None:
        """End the program when nobody can ask it any more."""
        self._end()

    def _started(self) -> Service:
        if self._program is None or self._program.poll() is not None:
            self._end()
            self._logs = tempfile.TemporaryDirectory(prefix="cutscore-", ignore_cleanup_errors=True)
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

    def _exchange(self, program: Service, line: bytes, while_exists: Path) -> bytes:
        """Send a line and return the next one."""
        guard = program.guard
        assert guard.stdin is not None
        assert guard.stdout is not None
        try:
            guard.stdin.write(line)
            guard.stdin.flush()
        except BrokenPipeError:
            raise self._died(program) from None
        said, pipe = bytearray(), guard.stdout.fileno()
        while not said.endswith(b"\n"):
            if not select.select([pipe], [], [], STEP_S)[0]:
                if not while_exists.is_dir():
                    raise SubjectFailed(f"worker '{self._argv[0]}'", "was too slow", failure_class="limit")
                continue
            data = os.read(pipe, 1 << 16)
            if not data:
                raise self._died(program)
            said += data
            if len(said) > LONGEST_LINE_BYTES:
                raise SubjectFailed(f"worker '{self._argv[0]}'", "answers with more than one line of JSON")
        return bytes(said)

    def _died(self, program: Service) -> SubjectFailed:
        ended = program.wait(5.0)
        how = "closed its output" if ended is None else f"ended with code {ended.code}"
        words = program.logs[1].read_text(errors="replace").strip() if program.logs[1].is_file() else ""
        fact = f"{how} over a job" + (f": {' '.join(words[-300:].split())}" if words else "")
        return SubjectFailed(f"worker '{self._argv[0]}'", fact)

    def _end(self) -> None:
        if self._program is not None:
            self._program.close()
            self._program = None
        if self._logs is not None:
            self._logs.cleanup()
            self._logs = None


def _parse(line: bytes) -> tuple[str, bool]:
    """Return the error of an answer, empty for none, and whether it is a refusal."""
    try:
        plain: Any = json.loads(line)
    except ValueError:
        plain = None
    if not isinstance(plain, dict):
        raise SubjectFailed("worker", f"answered {line[:80]!r}, which is no JSON object")
    if plain.get("refused"):
        return str(plain["refused"]), True
    return str(plain.get("error") or ""), False
