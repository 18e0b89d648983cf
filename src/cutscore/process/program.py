"""One program to its end: feed and read its pipes, watch the clock, keep what it wrote up to a limit.

Everything happens in the calling thread, so any number of threads may run programs at the same time.
"""

import os
import selectors
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from cutscore.process.child import END_S, Child, Limiter
from cutscore.process.start import DEVNULL, PIPE, GroupLimits

_CHUNK_BYTES = 1 << 16

EndReason = Literal["exited", "timeout", "output", "signal", "memory", "processes"]


@dataclass(frozen=True)
class ProgramLimits:
    """What a program may use.

    Args:
        wall_s: Time by a monotonic clock, start included.
        cpu_s, memory_bytes, file_bytes: As for `Child`.
        output_bytes: Bytes that it may write to stdout and stderr together.
        group: What all its processes may use together.
    """

    wall_s: float
    cpu_s: float | None = None
    memory_bytes: int | None = None
    output_bytes: int = 1_000_000
    file_bytes: int | None = None
    group: GroupLimits | None = None

    def __post_init__(self) -> None:
        if not self.wall_s > 0:
            raise ValueError(f"a program needs some time, not {self.wall_s} s")


@dataclass(frozen=True)
class ProgramResult:
    """A program that has ended, with everything that it started.

    Args:
        code: Exit code; minus the signal's number when a signal ended it; None when we ended it.
        out, err: What it wrote, up to the limit.
        ended: `exited` by itself; `timeout`, `output`, `memory` and `processes` at our limits; `signal` by a signal of
            the system or another.
        peak_bytes, limited_by: As in `ChildExit`.
    """

    argv: tuple[str, ...]
    code: int | None
    out: bytes
    err: bytes
    ended: EndReason
    wall_s: float
    peak_bytes: int = 0
    limited_by: Limiter | None = None

    @property
    def ok(self) -> bool:
        """Whether it exited by itself with code 0."""
        return self.ended == "exited" and self.code == 0

    def __str__(self) -> str:
        """Return how it ended, in words that are the same in every run.

        >>> str(ProgramResult(("ffmpeg", "-x"), -24, b"", b"", "signal", 1.5))
        "program 'ffmpeg' was ended by SIGXCPU"
        """
        how = {
            "exited": f"exited with code {self.code}",
            "timeout": "ran past its time limit",
            "output": "wrote more than it may",
            "memory": "used more memory than it may",
            "processes": "started more processes than it may",
            "signal": f"was ended by {_signal_name(-(self.code or 0))}",
        }
        return f"program '{self.argv[0]}' {how[self.ended]}"


def run(
    argv: Sequence[str | os.PathLike[str]],
    *,
    limits: ProgramLimits,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    on_start: Callable[[int], None] = lambda _: None,
) -> ProgramResult:
    """Run a program to its end, or to ours.

    There is no shell: each word of `argv` arrives as it is. When this function returns or raises, for whatever reason,
    the program and all that it started are gone; so they are, about a second later, when this process is killed.
    Processes that the program left running when it exited are ended, too.

    The program is looked up in the PATH of `env` unless it has a slash. That is its whole environment; a bare one
    without secrets when left out.

    `on_start` hears the number of the process below which everything happens (`UsageMeter.watch`).

    Raises:
        Stopped: The program is not there or cannot be started.
        BadInput: The folder is not there, or an argument cannot be passed.
    """
    started = time.monotonic()
    child = Child(
        argv,
        env=env,
        cwd=cwd,
        stdin=PIPE if stdin else DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
        cpu_s=limits.cpu_s,
        memory_bytes=limits.memory_bytes,
        file_bytes=limits.file_bytes,
        group=limits.group,
    )
    watch = _Watch(child, stdin, limits, until=started + limits.wall_s)
    try:
        on_start(child.guard.pid)
        watch.until_ended()
    finally:
        child.close()
    return watch.finished(wall_s=time.monotonic() - started)


class _Watch:
    """One program being watched: what it wrote, how long it has, and how it ended."""

    def __init__(self, child: Child, stdin: bytes, limits: ProgramLimits, *, until: float) -> None:
        self._child, self._limits, self._until = child, limits, until
        self._unsent = memoryview(stdin)
        self._out, self._err = bytearray(), bytearray()
        self._ended: EndReason | None = None

    def until_ended(self) -> None:
        """Feed and read until the guard is gone and the pipes are empty."""
        child, guard = self._child, self._child.guard
        assert guard.stdout is not None
        assert guard.stderr is not None
        out, err = guard.stdout, guard.stderr
        with selectors.DefaultSelector() as pipes:
            pipes.register(child, selectors.EVENT_READ, lambda: child.poll() is None)
            pipes.register(out, selectors.EVENT_READ, lambda: self._take(out, self._out))
            pipes.register(err, selectors.EVENT_READ, lambda: self._take(err, self._err))
            if guard.stdin is not None:
                os.set_blocking(guard.stdin.fileno(), False)
                pipes.register(guard.stdin, selectors.EVENT_WRITE, self._feed)
            while True:
                ready = pipes.select(0 if child.has_ended else max(0.0, self._until - time.monotonic()))
                for key, _ in ready:
                    if not key.data():
                        pipes.unregister(key.fileobj)
                        if guard.stdin is not None and key.fileobj is guard.stdin:
                            guard.stdin.close()
                if child.has_ended and (not ready or self._ended == "output"):
                    return
                if not child.has_ended and time.monotonic() >= self._until:
                    if self._ended:  # even the guard does not answer
                        return
                    self._end("timeout")

    def finished(self, *, wall_s: float) -> ProgramResult:
        """Return what became of it; raise when it could not be started."""
        self._child.check_started()
        exited = self._child.poll()
        assert exited is not None
        code, ended = None, self._ended or exited.over
        if ended is None:
            ended, code = "exited" if exited.code >= 0 else "signal", exited.code
        said = bytes(self._out), bytes(self._err)
        return ProgramResult(self._child.argv, code, *said, ended, wall_s, exited.peak_bytes, exited.limited_by)

    def _end(self, why: EndReason) -> None:
        """Have the guard end the program; what it still says meanwhile is read."""
        self._ended, self._until = why, time.monotonic() + END_S
        self._child.terminate()

    def _take(self, pipe: IO[bytes], kept: bytearray) -> bool:
        data = os.read(pipe.fileno(), _CHUNK_BYTES)
        room = max(0, self._limits.output_bytes - len(self._out) - len(self._err))
        kept += data[:room]
        if len(data) > room and self._ended is None:
            self._end("output")
        return bool(data)

    def _feed(self) -> bool:
        stdin = self._child.guard.stdin
        assert stdin is not None
        try:
            self._unsent = self._unsent[os.write(stdin.fileno(), self._unsent[:_CHUNK_BYTES]) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:  # it does not want to hear more, which is its right
            self._unsent = memoryview(b"")
        return bool(self._unsent)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
