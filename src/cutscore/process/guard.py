"""The far side: start one program under limits, and leave nothing of it behind.

This file is run as a script, by `python -I -S`, and uses the standard library alone. It exists because what has to
happen between fork and exec (limits, the bond to the parent) cannot be done safely from a process with threads: after
a fork, a lock that another thread held stays locked. The guard has one thread, so it may.

The line is a socket to our side. An order comes in; out go lines of a word and numbers: `started` with the process,
`limit`, `cwd` or `exec` with the error for which it did not start, `exited` or `signal` with the code and the peak
memory in KiB. When the other end closes, by decision or by death, everything below the guard is ended; after a byte on
the line, without grace. On Linux the guard is the reaper of orphans, so grandchildren that left the group are found,
too. Elsewhere only the group is ended.
"""

import ctypes
import errno
import marshal
import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress
from typing import NoReturn

# How long a program may take to tidy up after SIGTERM.
GRACE_S = 1.0

_SET_PARENT_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36  # <linux/prctl.h>

_Order = tuple[list[bytes], dict[bytes, bytes], bytes | None, int | None, int | None, int | None, list[int]]


def main(line: int, parent: int) -> None:
    """Carry out the order that comes over the line.

    `line` is the descriptor of the socket. When `parent`, which started us, is no longer our parent, it is dead.
    """
    if os.getpgrp() != os.getpid():
        sys.exit("the guard ends its whole group, so it must have one of its own")
    order: _Order = marshal.loads(_receive(line))  # noqa: S302  # written by our own side, a moment ago
    os.set_inheritable(line, False)
    wake = _wake_on_signals()
    _prctl(_SET_CHILD_SUBREAPER, 1)
    # The line tells us of our parent's death unless a process that it forked keeps a copy; the kernel always does. It
    # also speaks when merely the thread ended that started us, so the signal only makes us look.
    _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGHUP)
    guard = os.getpid()
    child = os.fork()
    if child == 0:
        _become(order, line, guard)
    _report(line, f"started {child}")
    for descriptor in order[6]:  # the program's, whose end must be seen when it ends
        os.close(descriptor)
    status = _watch(child, line, wake, parent)
    _end_all(wake, grace_s=0 if status is None and _is_urgent(line) else GRACE_S)
    if status is not None:
        word, number = ("signal", os.WTERMSIG(status)) if os.WIFSIGNALED(status) else ("exited", os.WEXITSTATUS(status))
        _report(line, f"{word} {number} {_peak_kib()}")
    os.killpg(0, signal.SIGKILL)  # the last act: ourselves and whoever might be left in the group, at one stroke


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


def _become(order: _Order, line: int, guard: int) -> NoReturn:
    """Turn this process, fresh from fork, into the program."""
    argv, env, cwd, cpu_s, memory_bytes, file_bytes, _ = order
    stage = "limit"
    try:
        _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != guard:
            os._exit(1)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and exec hands that on
            signal.signal(number, signal.SIG_DFL)
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_CPU, cpu_s, margin=1)  # SIGXCPU at the limit, SIGKILL a second later
        _limit(resource.RLIMIT_FSIZE, file_bytes)
        if cwd is not None:
            stage = "cwd"
            os.chdir(cwd)
        stage = "exec"
        _limit(resource.RLIMIT_AS, memory_bytes)
        os.execvpe(argv[0], argv, env)  # noqa: S606  # no shell is the point
    except (OSError, ValueError, MemoryError) as error:
        _report(line, f"{stage} {getattr(error, 'errno', None) or errno.EINVAL}")
    finally:
        os._exit(127)


def _limit(kind: int, value: int | None, *, margin: int = 0) -> None:
    if value is not None:
        hard = resource.getrlimit(kind)[1]
        top = value + margin if hard == resource.RLIM_INFINITY else min(value + margin, hard)
        resource.setrlimit(kind, (min(value, top), top))


def _watch(child: int, line: int, wake: int, parent: int) -> int | None:
    """Wait for the program's end and give its status; None when we are to end it."""
    poll = select.poll()
    poll.register(line, select.POLLIN)
    poll.register(wake, select.POLLIN)
    while os.getppid() == parent:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == child:
                    return ended[1]
        ready = {descriptor for descriptor, _ in poll.poll()}
        if line in ready:
            return None
        os.read(wake, 1 << 12)
    return None


def _end_all(wake: int, *, grace_s: float) -> None:
    """End whoever is left: SIGTERM to the group, a grace, SIGKILL to every child, orphans included."""
    if _alone():
        return
    if grace_s:
        os.killpg(0, signal.SIGTERM)
    until = time.monotonic() + grace_s
    while not _alone() and (left := until - time.monotonic()) > 0:
        if select.select([wake], [], [], left)[0]:
            os.read(wake, 1 << 12)
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
