"""Our side of the guard: start a program with everything below it, hear how it ended, end it.

Nothing of Python runs in our process between fork and exec; that is the guard's work. So any thread may start
children, and no state is shared between them.
"""

import os
import signal
import socket
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, get_args

from cutscore.process.scope import current_scope
from cutscore.process.start import DEVNULL, GroupLimits, Stream, bare_env, start_error, start_guard, write_order

# How long the guard may take to end everybody (its own grace is one second) before we kill the group ourselves.
END_S = 6.0

_KILL_NOW = b"k"
_REPORT_BYTES = 1 << 12
_POLL_S = 0.005

Excess = Literal["memory", "processes"]
Limiter = Literal["cgroup", "sampling"]


@dataclass(frozen=True)
class ChildExit:
    """How a program ended.

    Args:
        code: Exit code; minus the signal's number when a signal ended it, or we did.
        peak_bytes: Resident memory at its peak: of all processes together where `group` was given, else of the largest
            one. All together are looked at ten times a second, so a shorter peak may be missed. 0 when nobody looked.
        over: What all processes together used too much of, for which they were ended; None when they did not.
        memory_kills: How many of them the kernel killed for memory.
        limited_by: Who saw to the limits of the group: the kernel (`cgroup`), the guard (`sampling`), or nobody.
        left_out_bytes: What it wrote and its log files do not have.
    """

    code: int
    peak_bytes: int = 0
    over: Excess | None = None
    limited_by: Limiter | None = None
    left_out_bytes: int = 0
    memory_kills: int = 0


class Child:
    """A program under guard, with everything that it starts.

    Whoever makes one closes it. Until then it lives as long as it likes; it is ended when this process dies, and when
    the scope is left in which it was started (`scope.py`).

    Args:
        argv: The program, looked up in the PATH of `env` unless it has a slash, and its arguments.
        env: Its whole environment; a bare one without secrets when left out.
        stdin, stdout, stderr: As for `subprocess.Popen`; nothing by default, and None means ours. A file of
            the caller's takes output of any length, up to `file_bytes`; a `LogFile` takes no more than it may.
        pass_fds: Descriptors that it inherits under their own numbers.
        cpu_s: Processor time of each process, rounded up to whole seconds; then SIGXCPU.
        memory_bytes: Address space of each process. More is refused to it; what it does then is its own affair.
        file_bytes: Length of each file that it writes; then SIGXFSZ.
        group: What all its processes may use together; when it is more, they are ended.
        shared: It serves others than the sample that happens to start it, so no scope ends it.

    Raises:
        Stopped: No process can be started.
        BadInput: An argument cannot be passed, or a log file cannot be written.
        SubjectFailed: The scope in which it would be started is closed.
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
        group: GroupLimits | None = None,
        shared: bool = False,
    ) -> None:
        self.argv, self._cwd = tuple(os.fspath(word) for word in argv), cwd
        self._scope = None if shared else current_scope()
        if self._scope is not None:
            self._scope.check_open(self.argv[0] if self.argv else "")
        limits = (cpu_s, memory_bytes, file_bytes)
        variables = bare_env() if env is None else env
        order = write_order(self.argv, variables, cwd, limits, pass_fds=pass_fds, group=group)
        self._report = bytearray()
        self.has_ended = False
        self.guard, self._line = start_guard(order, (stdin, stdout, stderr), patience_s=END_S)
        if self._scope is not None and not self._scope.enrol(self):  # it was closed in this very moment
            self.close(grace=False)
            self._scope.check_open(self.argv[0])

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

    def kill(self) -> None:
        """Have the guard end everybody at once. Any thread may say so; whoever owns the child sees it end."""
        with suppress(OSError):
            self._line.send(_KILL_NOW)
            self._line.shutdown(socket.SHUT_WR)

    def wait_until_dead(self) -> None:
        """Wait until everybody is dead, from whatever thread; whoever owns the child still closes it."""
        until = time.monotonic() + END_S
        with suppress(ChildProcessError):  # its owner has closed it
            while os.waitid(os.P_PID, self.guard.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                if time.monotonic() > until and self.guard.returncode is None:
                    with suppress(ProcessLookupError, PermissionError):
                        os.killpg(self.guard.pid, signal.SIGKILL)
                    return
                time.sleep(_POLL_S)

    def close(self, *, grace: bool = True) -> None:
        """See everybody dead, with SIGTERM and a second of grace first, or at once; give back all descriptors."""
        if self.guard.returncode is not None:  # it was closed before, and the number may be another's by now
            return
        try:
            if not self.has_ended:
                self.terminate() if grace else self.kill()
                self.wait(END_S)
        finally:
            # Until we wait for it, the guard's number cannot belong to another group.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.guard.pid, signal.SIGKILL)
            self.guard.wait()
            self.has_ended = True
            if self._scope is not None:
                self._scope.strike_off(self)
            self._line.close()
            for pipe in (self.guard.stdin, self.guard.stdout, self.guard.stderr):
                if pipe is not None:
                    pipe.close()

    def check_started(self) -> None:
        """Raise if the guard says that the program could not be started."""
        for word, numbers in self._lines():
            if word in ("limit", "cwd", "exec"):
                raise start_error(word, numbers[0], self.argv, self._cwd)

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
        said = dict(self._lines())
        ended = partial(
            ChildExit,
            over=next((word for word in get_args(Excess) if word in said), None),
            limited_by=next((word for word in get_args(Limiter) if word in said), None),
            left_out_bytes=sum(said.get("left_out", ())),
            memory_kills=sum(said.get("memory_kills", ())),
        )
        for word in ("exited", "signal", "ended"):
            if word in said:
                code, peak_kib = said[word]
                return ended({"exited": code, "signal": -code}.get(word, -signal.SIGKILL), peak_kib << 10)
        # Without a report somebody killed the guard, and the program with it; or we did.
        return ended(-signal.SIGKILL)
