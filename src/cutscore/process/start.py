"""How a guard is started and told what to do, and what a failed start means."""

import errno
import marshal
import math
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from cutscore.core.errors import BadInput, CutscoreError, Stopped

if TYPE_CHECKING:
    from cutscore.process.guard import Order

DEVNULL, PIPE = subprocess.DEVNULL, subprocess.PIPE

_GUARD = Path(__file__).with_name("guard.py")

# What a program needs to be found and loaded and to speak UTF-8. HOME is not among it: settings and credentials of
# the user lie there. Whoever wants a program to see more names it.
_HARMLESS = ("PATH", "TMPDIR", "LD_LIBRARY_PATH")


@dataclass(frozen=True)
class GroupLimits:
    """What a program and everything below it may use together; without limits their peak is only measured.

    Limits of each process do not bind a program that starts many. Where this user may make control groups, the kernel
    refuses what is too much; elsewhere the guard adds it up ten times a second.

    Args:
        memory_bytes: Resident memory, pages that several of them share counted once.
        processes: How many there may be at a time; the kernel counts threads, too.
        processors: How many of the machine's they may keep busy; held by the kernel alone.
        spares_others: When the kernel kills one of them for memory, the others go on, as in a container.
    """

    memory_bytes: int | None = None
    processes: int | None = None
    processors: float | None = None
    spares_others: bool = False


@dataclass(frozen=True)
class LogFile:
    """A file, made anew, that takes what a program writes as long as it lives, and does not grow for ever.

    It has the first `most_bytes` of it. What comes later is left out, which a line says when the program has ended, and
    the last 16 KiB of it follow.
    """

    path: Path
    most_bytes: int = 1_000_000


Stream = int | IO[bytes] | LogFile | None


def bare_env() -> dict[str, str]:
    """Return an environment without secrets: where programs and temporary files are, and UTF-8."""
    return {"PATH": os.defpath, "LANG": "C.UTF-8"} | {
        name: os.environ[name] for name in _HARMLESS if name in os.environ
    }


def write_order(
    words: tuple[str, ...],
    env: Mapping[str, str],
    cwd: Path | None,
    limits: tuple[float | None, int | None, int | None],
    *,
    pass_fds: Sequence[int],
    group: GroupLimits | None,
) -> "Order":
    """Write down what the guard is to do; limits are processor time, memory and length of files of each process."""
    if not words:
        raise BadInput("command", "is empty", "name a program")
    if any("\0" in text for text in (*words, *env, *env.values())):
        raise BadInput(f"program {words[0]!r}", "cannot be given an argument or variable with a NUL character")
    cpu_s, memory_bytes, file_bytes = limits
    return {
        "argv": [os.fsencode(word) for word in words],
        "env": {os.fsencode(name): os.fsencode(value) for name, value in env.items()},
        "cwd": None if cwd is None else os.fsencode(cwd),
        "cpu_s": None if cpu_s is None else math.ceil(cpu_s),
        "memory_bytes": memory_bytes,
        "file_bytes": file_bytes,
        "pass_fds": list(pass_fds),
        "group": None if group is None else astuple(group),
        "logs": [],
    }


def start_guard(
    order: "Order", streams: Sequence[Stream], *, patience_s: float
) -> "tuple[subprocess.Popen[bytes], socket.socket]":
    """Start the guard and tell it; return it and our end of the line, whose closing it takes as the order to end."""
    with ExitStack() as opened:
        ours: list[int | IO[bytes] | None] = []
        for number, stream in enumerate(streams):
            if isinstance(stream, LogFile):
                file = opened.enter_context(_open_log(stream))
                order["logs"].append((number, file.fileno(), stream.most_bytes))
            ours.append(DEVNULL if isinstance(stream, LogFile) else stream)
        guard, line = _start(ours, [*order["pass_fds"], *(file for _, file, _ in order["logs"])])
    body = marshal.dumps(dict(order))
    with suppress(OSError):  # a guard that does not listen is dead or stuck, and whoever waits will see which
        line.settimeout(patience_s)
        line.sendall(len(body).to_bytes(8) + body)
    return guard, line


def _open_log(log: LogFile) -> IO[bytes]:
    try:
        return open(log.path, "wb", buffering=0, opener=lambda path, flags: os.open(path, flags, 0o600))
    except OSError as error:
        raise BadInput(f"log file '{log.path}'", f"cannot be written: {error.strerror}", "name another") from error


def _start(
    streams: Sequence[int | IO[bytes] | None], pass_fds: Sequence[int]
) -> "tuple[subprocess.Popen[bytes], socket.socket]":
    stdin, stdout, stderr = streams
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


def start_error(stage: str, number: int, argv: tuple[str, ...], cwd: Path | None) -> CutscoreError:
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
