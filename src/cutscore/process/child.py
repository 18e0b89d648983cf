"""Our side of the guard: start a program with everything below it, hear how it ended, end it.

Nothing of Python runs in our process between fork and exec; that is the guard's work. So any thread may start
children, and no state is shared between them.
"""

import errno
import marshal
import math
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from cutscore.core.errors import BadInput, CutscoreError, Stopped

DEVNULL, PIPE = subprocess.DEVNULL, subprocess.PIPE
# How long the guard may take to end everybody (its own grace is one second) before we kill the group ourselves.
END_S = 6.0

_GUARD = Path(__file__).with_name("guard.py")
_KILL_NOW = b"k"
_REPORT_BYTES = 1 << 12

# What a program needs to be found and loaded and to speak UTF-8. HOME is not among it: settings and credentials of
# the user lie there. Whoever wants a program to see more names it.
_HARMLESS = ("PATH", "TMPDIR", "LD_LIBRARY_PATH")

Stream = int | IO[bytes] | None


def bare_env() -> dict[str, str]:
    """Return an environment without secrets: where programs and temporary files are, and UTF-8."""
    return {"PATH": os.defpath, "LANG": "C.UTF-8"} | {
        name: os.environ[name] for name in _HARMLESS if name in os.environ
    }


@dataclass(frozen=True)
class ChildExit:
    """How a program ended.

    Its code is minus the signal's number when a signal ended it; `peak_bytes` is the resident memory of its largest
    process at its peak, 0 when nobody could look.
    """

    code: int
    peak_bytes: int = 0


class Child:
    """A program under guard, with everything that it starts.

    Whoever makes one closes it. Until then it lives as long as it likes; when this process dies, it is ended.

    Args:
        argv: The program, looked up in the PATH of `env` unless it has a slash, and its arguments.
        env: Its whole environment; a bare one without secrets when left out.
        stdin, stdout, stderr: As for `subprocess.Popen`; nothing by default, and None means ours. A file of
            the caller's takes output of any length, up to `file_bytes`.
        pass_fds: Descriptors that it inherits under their own numbers.
        cpu_s: Processor time of each process, rounded up to whole seconds; then SIGXCPU.
        memory_bytes: Address space of each process. More is refused to it; what it does then is its own affair.
        file_bytes: Length of each file that it writes; then SIGXFSZ.

    Raises:
        Stopped: No process can be started.
        BadInput: An argument cannot be passed.
    """

    def __init__(
        self,
        argv: Sequence[str | os.PathLike[str]],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        stdin: Stream = DEVNULL,
        stdout: Stream = DEVNULL,
        stderr: Stream = DEVNULL,
        pass_fds: Sequence[int] = (),
        cpu_s: float | None = None,
        memory_bytes: int | None = None,
        file_bytes: int | None = None,
    ) -> None:
        self.argv, self._cwd = tuple(os.fspath(word) for word in argv), cwd
        limits = (None if cpu_s is None else math.ceil(cpu_s), memory_bytes, file_bytes)
        order = _order(self.argv, bare_env() if env is None else env, cwd, limits, pass_fds)
        self._report = bytearray()
        self.has_ended = False
        self.guard, self._line = _start_guard(stdin, stdout, stderr, pass_fds)
        with suppress(OSError):  # a guard that does not listen is dead or stuck, and whoever waits will see which
            self._line.settimeout(END_S)
            self._line.sendall(order)

    @property
    def pid(self) -> int:
        """Number of the program's process; waits until it has one. ProcessLookupError when it never had."""
        until = time.monotonic() + END_S
        while b"started" not in self._report and not self.has_ended and (left := until - time.monotonic()) > 0:
            self._listen(left)
        for word, numbers in self._lines():
            if word == "started":
                return numbers[0]
        raise ProcessLookupError(f"program '{self.argv[0]}' was not started")

    def fileno(self) -> int:
        """Return the descriptor of the line, which becomes readable when there is something to `poll`."""
        return self._line.fileno()

    def poll(self) -> ChildExit | None:
        """Return how it ended, with everything below it; None while it lives."""
        while not self.has_ended and self._listen(0):
            pass
        return self._exit() if self.has_ended else None

    def wait(self, timeout_s: float) -> ChildExit | None:
        """Wait for its end; None when the time is over."""
        until = time.monotonic() + timeout_s
        while not self.has_ended and (left := until - time.monotonic()) > 0:
            self._listen(left)
        return self.poll()

    def terminate(self) -> None:
        """Have the guard end everybody: SIGTERM, a second of grace, SIGKILL."""
        with suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)

    def close(self, *, grace: bool = True) -> None:
        """See everybody dead, with SIGTERM and a second of grace first, or at once; give back all descriptors."""
        if self.guard.returncode is not None:  # it was closed before, and the number may be another's by now
            return
        try:
            if not self.has_ended:
                with suppress(OSError):
                    if not grace:
                        self._line.send(_KILL_NOW)
                    self._line.shutdown(socket.SHUT_WR)
                self.wait(END_S)
        finally:
            # Until we wait for it, the guard's number cannot belong to another group.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.guard.pid, signal.SIGKILL)
            self.guard.wait()
            self.has_ended = True
            self._line.close()
            for pipe in (self.guard.stdin, self.guard.stdout, self.guard.stderr):
                if pipe is not None:
                    pipe.close()

    def check_started(self) -> None:
        """Raise if the guard says that the program could not be started."""
        for word, numbers in self._lines():
            if word in ("limit", "cwd", "exec"):
                raise _not_started(word, numbers[0], self.argv, self._cwd)

    def _listen(self, timeout_s: float) -> bool:
        """Hear the guard for at most so long; return whether it said something."""
        try:
            self._line.settimeout(timeout_s)
            heard = self._line.recv(_REPORT_BYTES)
        except (BlockingIOError, TimeoutError):
            return False
        except OSError:
            heard = b""
        self._report += heard
        self.has_ended = not heard
        return bool(heard)

    def _lines(self) -> list[tuple[str, list[int]]]:
        """Return what the guard has said: a word and its numbers, line by line."""
        lines = [line.split() for line in self._report.decode().split("\n")[:-1]]
        return [(word, [int(number) for number in numbers]) for word, *numbers in lines]

    def _exit(self) -> ChildExit:
        for word, numbers in self._lines():
            if word in ("exited", "signal"):
                code, peak_kib = numbers
                return ChildExit(code if word == "exited" else -code, peak_kib << 10)
        # Without a report somebody killed the guard, and the program with it; or we did.
        return ChildExit(-signal.SIGKILL)


def _order(
    words: tuple[str, ...],
    env: Mapping[str, str],
    cwd: Path | None,
    limits: tuple[int | None, int | None, int | None],
    pass_fds: Sequence[int],
) -> bytes:
    """Write what the guard is to do: eight bytes of length, then the order."""
    if not words:
        raise BadInput("command", "is empty", "name a program")
    if any("\0" in text for text in (*words, *env, *env.values())):
        raise BadInput(f"program {words[0]!r}", "cannot be given an argument or variable with a NUL character")
    argv = [os.fsencode(word) for word in words]
    variables = {os.fsencode(name): os.fsencode(value) for name, value in env.items()}
    body = marshal.dumps((argv, variables, None if cwd is None else os.fsencode(cwd), *limits, list(pass_fds)))
    return len(body).to_bytes(8) + body


def _start_guard(
    stdin: Stream, stdout: Stream, stderr: Stream, pass_fds: Sequence[int]
) -> "tuple[subprocess.Popen[bytes], socket.socket]":
    """Start the guard; return it and our end of the line, whose closing it will take as the order to end."""
    try:
        ours, theirs = socket.socketpair()
        with theirs:
            guard = subprocess.Popen(  # noqa: S603  # our own guard
                [sys.executable, "-I", "-S", str(_GUARD), str(theirs.fileno()), str(os.getpid())],
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                bufsize=0,
                env=bare_env(),
                start_new_session=True,  # Ctrl-C is ours to hear
                pass_fds=[theirs.fileno(), *pass_fds],
            )
    except OSError as error:
        raise Stopped("this machine", f"cannot start a process: {error.strerror}", "end other work first") from error
    return guard, ours


def _not_started(stage: str, number: int, argv: tuple[str, ...], cwd: Path | None) -> CutscoreError:
    """Return why a program did not start, as an error."""
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
