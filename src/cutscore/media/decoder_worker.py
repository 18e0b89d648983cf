"""The child of `decoder_child.py`: decodes one file after the other, with next to no rights.

Before it sees a file it loads everything that it will need, gives up what it can spare, and sets its limits:
memory, no core dump, no file may be written, and **one free descriptor**. That one is taken by the file that it is
sent. While a file is open the kernel refuses this process every other open(2) and socket(2), whatever a demuxer
would like to look at. That is a limit, not a jail: code that took over this process would still be the user's.
"""

import importlib
import json
import math
import os
import pkgutil
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import av
import numpy as np

from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.timeline import Span
from cutscore.media.audio import has_sound, iter_sound
from cutscore.media.budget import Budget
from cutscore.media.decoder_protocol import HEAD, MOST_HEAD_BYTES, PATIENCE, Numbers, describe_arrays
from cutscore.media.frames import decode_frames
from cutscore.media.plan import FramePlan
from cutscore.media.planes import iter_pictures
from cutscore.media.probe import extent_of, probe
from cutscore.media.source import Cursor, Source
from cutscore.media.stills import decode_still

_LINE = 3  # the descriptor of our socket; the file will be 4


@dataclass(frozen=True)
class _WatchedSource(Source):
    """A file whose reading is noticed: a decoder that reads is not stuck."""

    on_read: Callable[[], None]

    def cursor(self) -> Cursor:
        """Return a place whose reading is noticed."""
        return _WatchedCursor(self.descriptor, self.on_read)


class _WatchedCursor(Cursor):
    """A cursor that tells of every reading."""

    def __init__(self, descriptor: int, on_read: Callable[[], None]) -> None:
        super().__init__(descriptor)
        self._on_read = on_read

    def read(self, count: int) -> bytes:
        """Read, and tell of it."""
        self._on_read()
        return super().read(count)


class _Line:
    """Our end of the socket, and the alarm clock that ends us when our parent cannot."""

    def __init__(self, line: socket.socket) -> None:
        self._socket, self._stall_s, self._pulsed = line, 0.0, 0.0

    def request(self) -> tuple[dict[str, Any], int] | None:
        """Wait for a file; None when nobody will send one any more."""
        start, descriptors, _, _ = socket.recv_fds(self._socket, 4, 1)
        if not start or not descriptors:
            return None
        length = int.from_bytes(start + self._socket.recv(4 - len(start), socket.MSG_WAITALL))
        request = json.loads(self._socket.recv(length, socket.MSG_WAITALL))
        self._stall_s = float(request["stall_s"])
        self._awake()
        return request, descriptors[0]

    def say(self, head: dict[str, Any], *arrays: Numbers) -> None:
        """Send a head and what belongs to it; a reader may take its time."""
        words = json.dumps({**head, "arrays": describe_arrays(arrays)} if arrays else head).encode()[:MOST_HEAD_BYTES]
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._socket.sendall(HEAD.pack(len(words), sum(array.nbytes for array in arrays)) + words)
        for array in arrays:  # rows of a plane may lie apart
            self._socket.sendall(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
        self._awake()

    def pulse(self) -> None:
        """Tell our parent that we live, now and then."""
        if time.monotonic() - self._pulsed > self._stall_s / 4:
            self.say({"is": "pulse"})

    def rest(self) -> None:
        """Stop the alarm clock."""
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _awake(self) -> None:
        self._pulsed = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, self._stall_s * PATIENCE + 5)  # our parent comes first, if it lives


def main(line: int, memory_bytes: int) -> None:
    """Serve until our parent hangs up."""
    os.dup2(line, _LINE, inheritable=False)
    os.closerange(_LINE + 1, line + 1)
    for module in pkgutil.walk_packages(av.__path__, "av."):  # PyAV loads parts when it first meets a kind of stream
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_AS, memory_bytes)
    _limit(resource.RLIMIT_NOFILE, _LINE + 2)
    with socket.socket(fileno=_LINE) as ours:
        ours.sendall(b"!")
        talk = _Line(ours)
        with suppress(BrokenPipeError, ConnectionResetError):  # our parent is gone, and so are we
            while (sent := talk.request()) is not None:
                request, descriptor = sent
                _more_processor_time(int(request["cpu_s"]))
                try:
                    talk.say(_serve(talk, request, _WatchedSource(request["name"], descriptor, talk.pulse)))
                finally:
                    talk.rest()
                    os.close(descriptor)


def _serve(talk: _Line, request: dict[str, Any], source: Source) -> dict[str, Any]:
    """Do what is asked for and give the ending."""
    budget = Budget(**request["budget"])
    try:
        _DUTIES[request["do"]](talk, request, source, budget)
    except (BrokenPipeError, ConnectionResetError):
        raise
    except BadInput as error:
        kind = "BrokenData" if isinstance(error, BrokenData) else "BadInput"
        return {"is": "error", **error.as_json(), "kind": kind}
    except MemoryError:
        fact = "needs more memory than there is for it"
        return {"is": "error", "kind": "BrokenData", "what": source.clip, "fact": fact, "next": ""}
    except Exception as error:  # noqa: BLE001  # the file made it so, and its clip is what is refused
        fact = f"cannot be decoded: {type(error).__name__}: {error}"[:300]
        return {"is": "error", "kind": "BrokenData", "what": source.clip, "fact": fact, "next": ""}
    return {"is": "end"}


def _frames(talk: _Line, request: dict[str, Any], source: Source, budget: Budget) -> None:
    for frame in decode_frames(source, FramePlan.parse(request["plan"]), budget=budget, jump=False):
        talk.say({"is": "frame", "at_s": str(frame.at_s)}, frame.pixels)


def _pictures(talk: _Line, request: dict[str, Any], source: Source, budget: Budget) -> None:
    for picture in iter_pictures(source, numbers=request["numbers"], budget=budget):
        times = {"at_s": str(picture.at_s), "clock_s": str(picture.clock_s)}
        about, arrays = {"bits": 8, "full_range": False}, []
        for form in request["forms"]:
            if form == "luma":
                about = {"bits": picture.luma.bits, "full_range": picture.luma.full_range}
            arrays.append(picture.luma.samples if form == "luma" else getattr(picture, form))
        talk.say({"is": "picture", **times, **about}, *arrays)


def _still(talk: _Line, _request: dict[str, Any], source: Source, budget: Budget) -> None:
    talk.say({"is": "still"}, decode_still(source, budget=budget))


def _sound(talk: _Line, request: dict[str, Any], source: Source, budget: Budget) -> None:
    span = request["span"] and Span(start_s=request["span"][0], end_s=request["span"][1])
    for block in iter_sound(source, rate_hz=request["rate_hz"], channels=request["channels"], span=span, budget=budget):
        talk.say({"is": "sound"}, block)


def _answer(talk: _Line, request: dict[str, Any], source: Source, budget: Budget) -> None:
    if request["about"] == "has_sound":
        answer = "yes" if has_sound(source, budget=budget) else "no"
    elif request["about"] == "extent":
        extent = extent_of(source, budget=budget)
        answer = f"{extent.frames} {extent.start_s} {extent.end_s} {extent.key_frames}"
    else:
        answer = probe(source, scan=request["scan"], budget=budget).model_dump_json()
    talk.say({"is": "answer", "answer": answer})


_DUTIES: dict[str, Callable[[_Line, dict[str, Any], Source, Budget], None]] = {
    "frame": _frames,
    "picture": _pictures,
    "still": _still,
    "sound": _sound,
    "answer": _answer,
}


def _more_processor_time(seconds: int) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = math.ceil(used.ru_utime + used.ru_stime) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    top = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with suppress(ValueError):  # macOS knows no limit on address space
        resource.setrlimit(kind, (top, top))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
