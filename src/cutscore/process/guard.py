"""The far side: start one program under limits, and leave nothing of it behind.

This file is run as a script, by `python -I -S`, and uses the standard library alone. It exists because what has to
happen between fork and exec (limits, the bond to the parent) cannot be done safely from a process with threads: after
a fork, a lock that another thread held stays locked. The guard has one thread, so it may.

The line is a socket to our side. An order comes in; out go lines of a word and numbers: `started` with the process,
`limit`, `cwd` or `exec` with the error for which it did not start, `memory` or `processes` when all of them together
used too much and were ended, `cgroup` or `sampling` for who sees to that, `memory_kills` with how many the kernel
killed for memory, `left_out` with the bytes that log files do not have, and `exited`, `signal` or `ended` (by us) with
the code and the peak memory in KiB. When the other end closes, by decision or by death, everything below the guard is
ended; after a byte on the line, without grace. On Linux the guard is the reaper of orphans, so grandchildren that left
the group are found, too. Elsewhere only the group is ended.
"""

import ctypes
import errno
import importlib
import marshal
import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn, TypedDict

if TYPE_CHECKING:
    from cutscore.process.guard_log import LogWriter
    from cutscore.process.guard_meter import GroupMeter

# How long a program may take to tidy up after SIGTERM.
GRACE_S = 1.0

_SET_PARENT_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36  # <linux/prctl.h>


class Order(TypedDict):
    """What the guard is to do.

    `group` has the limits on memory, processes and processors of all together, and whether the others go on when the
    kernel has killed one for memory. `logs` has the number of a stream, the
    descriptor of the file that takes it, and how much of it.
    """

    argv: list[bytes]
    env: dict[bytes, bytes]
    cwd: bytes | None
    cpu_s: int | None
    memory_bytes: int | None
    file_bytes: int | None
    pass_fds: list[int]
    group: tuple[int | None, int | None, float | None, bool] | None
    logs: list[tuple[int, int, int]]


def main(line: int, parent: int) -> None:
    """Carry out the order that comes over the line.

    `line` is the descriptor of the socket. When `parent`, which started us, is no longer our parent, it is dead.
    """
    if os.getpgrp() != os.getpid():
        sys.exit("the guard ends its whole group, so it must have one of its own")
    order: Order = marshal.loads(_receive(line))  # noqa: S302  # written by our own side, a moment ago
    for ours in (line, *(file for _, file, _ in order["logs"])):
        os.set_inheritable(ours, False)
    group, logs = _Group(order["group"], line), _open_logs(order)
    wake = _wake_on_signals()
    _prctl(_SET_CHILD_SUBREAPER, 1)
    # The line tells us of our parent's death unless a process that it forked keeps a copy; the kernel always does. It
    # also speaks when merely the thread ended that started us, so the signal only makes us look.
    _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGHUP)
    guard = os.getpid()
    child = os.fork()
    if child == 0:
        _become(order, group, logs, line, guard)
    _report(line, f"started {child}")
    # The program's, whose end must be seen when it ends.
    for descriptor in (*order["pass_fds"], *(log.program_end for log in logs)):
        os.close(descriptor)
    status, over = _watch(child, (line, wake), parent, group, logs)
    _end_all(wake, logs, grace_s=0 if over or (status is None and _is_urgent(line)) else GRACE_S)
    if kills := group.refusals()["memory"]:
        _report(line, f"memory_kills {kills}")
    _report_end(line, status, over, group.close(), logs)
    os.killpg(0, signal.SIGKILL)  # the last act: ourselves and whoever might be left in the group, at one stroke


class _Group:
    """The limits of everybody below us together, with whoever sees to them."""

    def __init__(self, limits: tuple[int | None, int | None, float | None, bool] | None, line: int) -> None:
        self.meter: GroupMeter | None = None
        self.spares_others = limits is not None and any(limits[3:])
        self.folders: list[str] = []
        if limits is None or not os.path.isdir("/proc/self"):
            return
        is_limit = any(limit is not None for limit in limits[:3])
        self.folders = _beside("guard_cgroup").make_cgroup(*limits[:3]) if is_limit else []
        self.meter = _beside("guard_meter").GroupMeter(*((None, None) if self.folders else limits[:2]))
        if is_limit:
            _report(line, "cgroup" if self.folders else "sampling")

    def join(self) -> None:
        """Make this process a member."""
        if self.folders:
            _beside("guard_cgroup").join_cgroup(self.folders)

    def refusals(self) -> dict[str, int]:
        """Return what was too much how often, as far as the kernel knows."""
        counted: dict[str, int] = _beside("guard_cgroup").count_refusals(self.folders) if self.folders else {}
        return {"memory": 0, "processes": 0, **counted}

    def excess(self) -> str:
        """Return what was so much too much that all of them are ended."""
        counted = self.refusals()
        if counted["memory"] and not self.spares_others:
            return "memory"
        return "processes" if counted["processes"] else ""

    def look(self) -> str:
        """Look when it is time to; return what was too much."""
        return (self.meter.look() or self.excess()) if self.meter else ""

    def close(self) -> int:
        """Forget the group; return the peak of its memory in KiB."""
        if self.folders:
            _beside("guard_cgroup").remove_cgroup(self.folders)
        return self.meter.peak_bytes >> 10 if self.meter else 0


def _open_logs(order: Order) -> "list[LogWriter]":
    return [_beside("guard_log").LogWriter(file, most_bytes) for _, file, most_bytes in order["logs"]]


def _beside(module: str) -> Any:
    """Import what lies beside this file, which is no part of a package here."""
    if (folder := os.path.dirname(os.path.abspath(__file__))) not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(module)


def _report_end(line: int, status: int | None, over: str, peak_kib: int, logs: "list[LogWriter]") -> None:
    """Say how everybody ended, when nobody is left."""
    for log in logs:
        log.finish()
    if any(log.left_out for log in logs):
        _report(line, f"left_out {sum(log.left_out for log in logs)}")
    if over:
        _report(line, over)
    word, number = "ended", 0
    if status is not None:
        word, number = ("signal", os.WTERMSIG(status)) if os.WIFSIGNALED(status) else ("exited", os.WEXITSTATUS(status))
    _report(line, f"{word} {number} {max(_peak_kib(), peak_kib)}")


def _report(line: int, words: str) -> None:
    with suppress(OSError):
        os.write(line, f"{words}\n".encode())


def _is_urgent(line: int) -> bool:
    """Return whether we were told to end everybody at once."""
    try:
        return bool(select.select([line], [], [], 0)[0]) and bool(os.read(line, 1))
    except OSError:
        return False


def _peak_kib() -> int:
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak


def _receive(line: int) -> bytes:
    """Read an order, eight bytes of length and then the order, and nothing of what may be said after it."""
    return _read(line, int.from_bytes(_read(line, 8)))


def _read(line: int, length: int) -> bytes:
    data = b""
    while len(data) < length:
        more = os.read(line, length - len(data))
        if not more:
            sys.exit(1)
        data += more
    return data


def _wake_on_signals() -> int:
    """Return a descriptor that becomes readable when a signal came. The handlers do nothing and end with exec."""
    wake, bell = os.pipe()
    os.set_blocking(bell, False)
    signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    return wake


def _become(order: Order, group: _Group, logs: "list[LogWriter]", line: int, guard: int) -> NoReturn:
    """Turn this process, fresh from fork, into the program."""
    stage = "limit"
    try:
        _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != guard:
            os._exit(1)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and exec hands that on
            signal.signal(number, signal.SIG_DFL)
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_CPU, order["cpu_s"], margin=1)  # SIGXCPU at the limit, SIGKILL a second later
        group.join()
        for (stream, _, _), log in zip(order["logs"], logs, strict=True):
            os.dup2(log.program_end, stream)
        _limit(resource.RLIMIT_FSIZE, order["file_bytes"])
        if order["cwd"] is not None:
            stage = "cwd"
            os.chdir(order["cwd"])
        stage = "exec"
        _limit(resource.RLIMIT_AS, order["memory_bytes"])
        os.execvpe(order["argv"][0], order["argv"], order["env"])  # noqa: S606  # no shell is the point
    except (OSError, ValueError, MemoryError) as error:
        _report(line, f"{stage} {getattr(error, 'errno', None) or errno.EINVAL}")
    finally:
        os._exit(127)


def _limit(kind: int, value: int | None, *, margin: int = 0) -> None:
    if value is not None:
        hard = resource.getrlimit(kind)[1]
        top = value + margin if hard == resource.RLIM_INFINITY else min(value + margin, hard)
        resource.setrlimit(kind, (min(value, top), top))


def _watch(
    child: int, bells: tuple[int, int], parent: int, group: _Group, logs: "list[LogWriter]"
) -> tuple[int | None, str]:
    """Wait for the program's end; return its status, None when we are to end it, and what all used too much of."""
    while os.getppid() == parent:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == child:
                    return ended[1], group.excess()
        if over := group.look():
            return None, over
        if bells[0] in _listen(bells, logs, group.meter.due_ms() if group.meter else None):
            break
    return None, ""


def _listen(descriptors: tuple[int, ...], logs: "list[LogWriter]", timeout_ms: int | None) -> list[int]:
    """Wait until a descriptor can be read or time is over, and write logs meanwhile; return which can be."""
    poll = select.poll()
    pipes = {log.pipe: log for log in logs if log.is_open}
    for descriptor in (*descriptors, *pipes):
        poll.register(descriptor, select.POLLIN)
    ready = [descriptor for descriptor, _ in poll.poll(timeout_ms)]
    for descriptor in ready:
        if descriptor in pipes:
            pipes[descriptor].take()
        elif descriptor == descriptors[-1]:  # the pipe that signals write to
            os.read(descriptor, 1 << 12)
    return ready


def _end_all(wake: int, logs: "list[LogWriter]", *, grace_s: float) -> None:
    """End whoever is left: SIGTERM to the group, a grace, SIGKILL to every child, orphans included."""
    if _alone():
        return
    if grace_s:
        os.killpg(0, signal.SIGTERM)
    until = time.monotonic() + grace_s
    while not _alone() and (left := until - time.monotonic()) > 0:
        _listen((wake,), logs, max(1, int(1000 * left)))
    # A killed child's own children become ours, so each round sees one generation more, until none is left.
    while not _alone() and (children := _children()):
        for pid in children:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(-1, 0)


def _alone() -> bool:
    """Bury the dead and say whether nobody is left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False


def _children() -> list[int]:
    """Return our direct children; none where there is no /proc."""
    found = []
    with suppress(FileNotFoundError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as stat:
                # pid (name that may hold anything) state parent …
                if int(stat.read().rpartition(b")")[2].split()[1]) == os.getpid():
                    found.append(int(name))
    return found


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        _LIBC.prctl(option, value, 0, 0, 0)


_LIBC = ctypes.CDLL(None)

if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
