"""Our side: start a guarded program, feed and read its pipes, watch the clock.

Everything happens in the calling thread, with no state shared between calls, so any number of threads may run
programs at the same time. Nothing of Python runs in our process between fork and exec; that is the guard's work.
"""

import errno
import marshal
import math
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from cutscore.core.errors import BadInput, CutscoreError, Stopped

_GUARD = Path(__file__).with_name("guard.py")
_CHUNK_BYTES = 1 << 16

# How long the guard may take to end everybody (its own grace is one second) before we kill the group ourselves.
_PATIENCE_S = 6.0

# What a program needs to be found and loaded and to speak UTF-8. HOME is not among it: settings and credentials of
# the user lie there. Whoever wants a program to see more names it.
_HARMLESS = ("PATH", "TMPDIR", "LD_LIBRARY_PATH")

Ended = Literal["exited", "timeout", "output", "signal"]


@dataclass(frozen=True)
class Limits:
    """What a program may use.

    Args:
        wall_s: Time by a monotonic clock, start included.
        cpu_s: Processor time of each process, rounded up to whole seconds; then SIGXCPU.
        memory_bytes: Address space of each process. More is refused to it; what it does then is its own affair.
        output_bytes: Bytes that it may write to stdout and stderr together.
        file_bytes: Length of each file that it writes; then SIGXFSZ.
    """

    wall_s: float
    cpu_s: float | None = None
    memory_bytes: int | None = None
    output_bytes: int = 1_000_000
    file_bytes: int | None = None

    def __post_init__(self) -> None:
        if not self.wall_s > 0:
            raise ValueError(f"a program needs some time, not {self.wall_s} s")


@dataclass(frozen=True)
class Finished:
    """A program that has ended, with everything that it started.

    Args:
        argv: The program and its arguments.
        code: Exit code; minus the signal's number when a signal ended it; None when we ended it.
        out, err: What it wrote, up to the limit.
        ended: `exited` by itself, `timeout` and `output` at our limits, `signal` by a signal of the system or another.
        wall_s: Time that it took.
    """

    argv: tuple[str, ...]
    code: int | None
    out: bytes
    err: bytes
    ended: Ended
    wall_s: float

    @property
    def ok(self) -> bool:
        return self.ended == "exited" and self.code == 0

    def __str__(self) -> str:
        """Describe how it ended, in words that are the same in every run.

        >>> str(Finished(("ffmpeg", "-x"), -24, b"", b"", "signal", 1.5))
        "program 'ffmpeg' was ended by SIGXCPU"
        """
        how = {
            "exited": f"exited with code {self.code}",
            "timeout": "ran past its time limit",
            "output": "wrote more than it may",
            "signal": f"was ended by {_signal_name(-(self.code or 0))}",
        }
        return f"program '{self.argv[0]}' {how[self.ended]}"


def run(
    argv: Sequence[str | os.PathLike[str]],
    *,
    limits: Limits,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
) -> Finished:
    """Run a program to its end, or to ours.

    There is no shell: each word of `argv` arrives as it is. When this function returns or raises, for whatever reason,
    the program and all that it started are gone; so they are, about a second later, when this process is killed.
    Processes that the program left running when it exited are ended, too.

    Args:
        argv: The program, looked up in the PATH of `env` unless it has a slash, and its arguments.
        limits: What it may use.
        cwd: Folder to start in.
        env: Its whole environment; a bare one without secrets when left out.
        stdin: What it reads; nothing by default.

    Raises:
        Stopped: The program is not there or cannot be started.
        BadInput: The folder is not there, or an argument cannot be passed.
    """
    started = time.monotonic()
    words = tuple(os.fspath(word) for word in argv)
    order = _order(words, limits, cwd, bare_env() if env is None else env)
    guard, line = _start_guard(feed=bool(stdin))
    with line:
        watch = _Watch(guard, line, stdin, limits, until=started + limits.wall_s)
        try:
            with suppress(OSError):  # a guard that does not listen is dead or stuck, and the watch will see which
                line.settimeout(limits.wall_s)
                line.sendall(order)
            watch.until_gone()
        finally:
            watch.bury()
    return watch.finished(words, cwd, wall_s=time.monotonic() - started)


def bare_env() -> dict[str, str]:
    """Return an environment without secrets: where programs and temporary files are, and UTF-8."""
    return {"PATH": os.defpath, "LANG": "C.UTF-8"} | {
        name: os.environ[name] for name in _HARMLESS if name in os.environ
    }


class _Watch:
    """One program being watched: what it wrote, how long it has, and how it ended."""

    def __init__(
        self, guard: "subprocess.Popen[bytes]", line: socket.socket, stdin: bytes, limits: Limits, *, until: float
    ) -> None:
        self._guard, self._line, self._limits, self._until = guard, line, limits, until
        self._unsent = memoryview(stdin)
        self._out, self._err, self._report = bytearray(), bytearray(), bytearray()
        self._ended: Ended | None = None
        self._gone = False

    def until_gone(self) -> None:
        """Feed and read until the guard is gone and the pipes are empty."""
        guard, write, read = self._guard, selectors.EVENT_WRITE, selectors.EVENT_READ
        assert guard.stdout is not None
        assert guard.stderr is not None
        out, err = guard.stdout, guard.stderr
        with selectors.DefaultSelector() as pipes:
            pipes.register(self._line, read, self._listen)
            pipes.register(out, read, lambda: self._take(out, self._out))
            pipes.register(err, read, lambda: self._take(err, self._err))
            if guard.stdin is not None:
                os.set_blocking(guard.stdin.fileno(), False)
                pipes.register(guard.stdin, write, self._feed)
            while True:
                ready = pipes.select(0 if self._gone else max(0.0, self._until - time.monotonic()))
                for key, _ in ready:
                    if not key.data():
                        pipes.unregister(key.fileobj)
                        if guard.stdin is not None and key.fileobj is guard.stdin:
                            guard.stdin.close()
                if self._gone and (not ready or self._ended == "output"):
                    return
                if not self._gone and time.monotonic() >= self._until:
                    if self._ended:  # even the guard does not answer
                        return
                    self._let_go("timeout")

    def bury(self) -> None:
        """See everybody dead, also when we were interrupted, and close the pipes."""
        try:
            if self._ended is None and not self._gone:
                self._let_go("signal")
            if not self._gone and (left := self._until - time.monotonic()) > 0:
                self._line.settimeout(left)
                with suppress(OSError):
                    while self._line.recv(_CHUNK_BYTES):
                        pass
        finally:
            # Until we wait for it, the guard's number cannot belong to another group.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._guard.pid, signal.SIGKILL)
            self._guard.wait()
            for pipe in (self._guard.stdin, self._guard.stdout, self._guard.stderr):
                if pipe is not None:
                    pipe.close()

    def finished(self, argv: tuple[str, ...], cwd: Path | None, *, wall_s: float) -> Finished:
        """Read the guard's report; raise when the program could not be started."""
        word, _, number = self._report.partition(b"\n")[0].decode().partition(" ")
        if word in ("limit", "cwd", "exec"):
            raise _not_started(word, int(number), argv, cwd)
        code: int | None = None
        if self._ended is None:
            # Without a report somebody killed the guard, and the program with it.
            self._ended = "exited" if word == "exited" else "signal"
            code = int(number) if word == "exited" else -int(number or signal.SIGKILL)
        return Finished(argv, code, bytes(self._out), bytes(self._err), self._ended, wall_s)

    def _let_go(self, why: Ended) -> None:
        """Have the guard end the program; what it still says meanwhile is read."""
        self._ended, self._until = why, time.monotonic() + _PATIENCE_S
        with suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)

    def _listen(self) -> bool:
        try:
            heard = self._line.recv(_CHUNK_BYTES)
        except ConnectionResetError:
            heard = b""
        self._report += heard
        self._gone = not heard
        return bool(heard)

    def _take(self, pipe: IO[bytes], kept: bytearray) -> bool:
        data = os.read(pipe.fileno(), _CHUNK_BYTES)
        room = max(0, self._limits.output_bytes - len(self._out) - len(self._err))
        kept += data[:room]
        if len(data) > room and self._ended is None:
            self._let_go("output")
        return bool(data)

    def _feed(self) -> bool:
        assert self._guard.stdin is not None
        try:
            self._unsent = self._unsent[os.write(self._guard.stdin.fileno(), self._unsent[:_CHUNK_BYTES]) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:  # it does not want to hear more, which is its right
            self._unsent = memoryview(b"")
        return bool(self._unsent)


def _order(words: tuple[str, ...], limits: Limits, cwd: Path | None, env: Mapping[str, str]) -> bytes:
    """Write what the guard is to do: eight bytes of length, then the order."""
    if not words:
        raise BadInput("command", "is empty", "name a program")
    if any("\0" in text for text in (*words, *env, *env.values())):
        raise BadInput(f"program {words[0]!r}", "cannot be given an argument or variable with a NUL character")
    body = marshal.dumps(
        (
            [os.fsencode(word) for word in words],
            {os.fsencode(name): os.fsencode(value) for name, value in env.items()},
            None if cwd is None else os.fsencode(cwd),
            None if limits.cpu_s is None else math.ceil(limits.cpu_s),
            limits.memory_bytes,
            limits.file_bytes,
        )
    )
    return len(body).to_bytes(8) + body


def _start_guard(*, feed: bool) -> "tuple[subprocess.Popen[bytes], socket.socket]":
    """Start the guard; give it and our end of the line, whose closing it will take as the order to end."""
    try:
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-I", "-S", str(_GUARD), str(theirs.fileno()), str(os.getpid())]
            guard = subprocess.Popen(  # noqa: S603  # our own guard
                command,
                stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=bare_env(),
                start_new_session=True,
                pass_fds=[theirs.fileno()],
            )
    except OSError as error:
        raise Stopped("this machine", f"cannot start a process: {error.strerror}", "end other work first") from error
    return guard, ours


def _not_started(stage: str, number: int, argv: tuple[str, ...], cwd: Path | None) -> CutscoreError:
    """Explain why a program did not start."""
    what = f"program '{argv[0]}'"
    if stage == "cwd":
        return BadInput(f"folder '{cwd}'", f"cannot be worked in: {os.strerror(number)}", "give an existing folder")
    if stage == "limit":
        return Stopped(what, f"cannot be limited: {os.strerror(number)}", "raise the limits of this shell")
    if number == errno.ENOENT:
        return Stopped(what, "was not found", "install it or add its folder to PATH")
    if number == errno.E2BIG:
        return BadInput(what, "gets more or longer arguments than the system can pass", "pass them in a file")
    return Stopped(what, f"cannot be started: {os.strerror(number)}", "check the file and its permissions")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
