"""The pool of decoding children: how one is started, asked, kept for the next file and ended.

A child is used again, since starting one costs half a second; after a fault it is killed and the next file gets a
fresh one. Arrays come one at a time through a socket: when we do not read, the child waits, so memory stays flat on
both sides. Nothing that a child says is unpickled or believed: shapes are checked against the request before room is
made for them.

Any thread may decode; each job has a child to itself.
"""

import atexit
import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, NoReturn

from cutscore.core.errors import BadInput, BrokenData, CutscoreError, Stopped
from cutscore.media.budget import Budget
from cutscore.media.decoder_protocol import HEAD, MOST_HEAD_BYTES, ArrayShape, Numbers, parse_head
from cutscore.media.source import Source, shown_name
from cutscore.process import Child, bare_env

# A child is retired after so many files, so that nothing a file left behind in it lasts long.
MOST_JOBS = 100
_MOST_IDLE = 4
_EXIT_S = 5.0
_START_S = 60.0  # two busy cores may take a while to load the decoder
_ERRORS: dict[str, type[CutscoreError]] = {"BadInput": BadInput, "BrokenData": BrokenData}


@dataclass(frozen=True)
class DecodeLimits:
    """What decoding one file may take of this machine.

    Args:
        wall_s: Time that we wait for the child, all in all; the time in which it waits for us does not count.
        stall_s: Time without a frame and without a byte read: then it hangs.
        cpu_s: Processor time of all its threads.
        memory_bytes: Its address space, the decoder's own code included.
    """

    wall_s: float = 3600.0
    stall_s: float = 10.0
    cpu_s: int = 7200
    memory_bytes: int = 4 << 30


DEFAULT_LIMITS = DecodeLimits()


@dataclass(frozen=True)
class DecodeRequest:
    """What is to be done with a file, and how an answer to it looks.

    Args:
        do: The `is` of the answers.
        details: What else the child has to know.
        fits: Tells whether a head and the shapes of its arrays are an answer; a ValueError means no as well.
    """

    do: str
    details: dict[str, Any]
    fits: Callable[[dict[str, Any], Sequence[ArrayShape]], bool]


class Decoder:
    """One child, as we see it."""

    def __init__(self, limits: DecodeLimits) -> None:
        self.limits, self.jobs, self.is_idle = limits, 0, True
        self._waited_s = 0.0
        self._socket, theirs = socket.socketpair()
        with theirs:
            # The folders that we import from, in an environment without secrets.
            env = bare_env() | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
            command = [
                sys.executable,
                "-P",
                "-m",
                "cutscore.media.decoder_worker",
                str(theirs.fileno()),
                str(limits.memory_bytes),
            ]
            try:
                self.child = Child(command, env=env, pass_fds=[theirs.fileno()], shared=True)
            except BaseException:
                self._socket.close()
                raise
        try:
            self._socket.settimeout(_START_S)
            ready = self._socket.recv(1)
        except OSError:
            ready = b""
        if ready != b"!":
            self.end()
            raise Stopped("the decoder", "does not start in a child with limits", "see that there is memory to spare")

    def ask(
        self, source: Source, request: DecodeRequest, budget: Budget
    ) -> Iterator[tuple[dict[str, Any], tuple[Numbers, ...]]]:
        """Send a file with a request; yield what comes, up to the ending. Arrays are read-only."""
        self.is_idle, self._waited_s = False, 0.0
        self.jobs += 1
        limits = {"cpu_s": self.limits.cpu_s, "stall_s": self.limits.stall_s}
        details = {**request.details, "do": request.do, "name": source.name, "budget": asdict(budget), **limits}
        words = json.dumps(details).encode()
        try:
            socket.send_fds(self._socket, [len(words).to_bytes(4)], [source.descriptor])
            self._socket.sendall(words)
        except OSError:
            self._ended(source)
        while True:
            head, arrays = self._message(source, request)
            if head["is"] == "end":
                self.is_idle = True
                return
            if head["is"] == "error":
                self.is_idle = True
                what, fact, then = (shown_name(str(head[word]), most=500) for word in ("what", "fact", "next"))
                raise _ERRORS[head["kind"]](what, fact, then)
            if head["is"] == request.do:
                yield head, arrays

    def _message(self, source: Source, request: DecodeRequest) -> tuple[dict[str, Any], tuple[Numbers, ...]]:
        """Take one message; what does not fit the request ends the child, since it is no longer ours."""
        try:
            head_bytes, body_bytes = HEAD.unpack(self._take(source, HEAD.size))
            if head_bytes > MOST_HEAD_BYTES:
                raise ValueError(f"its head has {head_bytes} bytes")
            head, shapes = parse_head(self._take(source, head_bytes))
            if not (request.fits(head, shapes) if head["is"] == request.do else _is_of_ours(head, shapes)):
                raise ValueError(f"it does not fit the request '{request.do}'")
            if body_bytes != sum(shape.size_bytes for shape in shapes):
                raise ValueError(f"it has {body_bytes} bytes for other arrays")
        except ValueError as error:
            self.end()
            raise BrokenData(source.clip, f"made the decoder send a malformed answer: {error}") from None
        arrays = tuple(shape.allocate() for shape in shapes)
        for array in arrays:
            self._fill(source, array.reshape(-1).view("uint8").data)
            array.flags.writeable = False
        return head, arrays

    def _take(self, source: Source, count: int) -> bytes:
        data = bytearray(count)
        self._fill(source, memoryview(data))
        return bytes(data)

    def _fill(self, source: Source, room: memoryview) -> None:
        while len(room):
            left = self.limits.wall_s - self._waited_s
            if left <= 0:
                self.end()
                raise BrokenData(source.clip, f"took more than {self.limits.wall_s:g} s to decode")
            self._socket.settimeout(min(self.limits.stall_s, left))
            began = time.monotonic()
            try:
                count = self._socket.recv_into(room)
            except TimeoutError:
                if left <= self.limits.stall_s:
                    continue
                self.end()
                raise BrokenData(source.clip, f"hung the decoder: nothing came for {self.limits.stall_s:g} s") from None
            except OSError:
                count = 0
            finally:
                self._waited_s += time.monotonic() - began
            if not count:
                self._ended(source)
            room = room[count:]

    def _ended(self, source: Source) -> NoReturn:
        """Raise with the reason for which the child is no more."""
        ended = self.child.wait(_EXIT_S)
        self.end()
        code = None if ended is None else ended.code
        if code == -signal.SIGXCPU:
            fact = f"took more than {self.limits.cpu_s} s of processor time to decode"
        elif code is not None and code < 0:
            fact = f"made the decoder crash ({signal.Signals(-code).name})"
        else:
            fact = "made the decoder exit"
        raise BrokenData(source.clip, fact)

    def end(self) -> None:
        """Kill the child and bury it."""
        self.is_idle = False
        self._socket.close()
        self.child.close(grace=False)


def _is_of_ours(head: dict[str, Any], shapes: Sequence[ArrayShape]) -> bool:
    """Return whether a head is one that may come whatever was asked for."""
    if head["is"] == "error":
        kind = head.get("kind")
        return not shapes and isinstance(kind, str) and kind in _ERRORS and {"what", "fact", "next"} <= head.keys()
    return not shapes and head["is"] in ("pulse", "end")


class DecoderPool:
    """Children that wait for a file; any thread may take one."""

    def __init__(self) -> None:
        self._idle: list[Decoder] = []
        self._lock = threading.Lock()

    def take(self, limits: DecodeLimits) -> Decoder:
        """Return a child with these limits, started now if none waits."""
        with self._lock:
            fit = [decoder for decoder in self._idle if decoder.limits == limits]
            for decoder in fit:
                self._idle.remove(decoder)
                if decoder.child.poll() is None:
                    return decoder
                decoder.end()
        return Decoder(limits)

    def give(self, decoder: Decoder) -> None:
        """Take a child back, or end it when it is in the middle of a job, old or one too many."""
        with self._lock:
            if decoder.is_idle and decoder.jobs < MOST_JOBS and len(self._idle) < _MOST_IDLE:
                self._idle.append(decoder)
                return
        decoder.end()

    def end(self) -> None:
        """End all children that wait."""
        with self._lock:
            while self._idle:
                self._idle.pop().end()

    def forget(self) -> None:
        """After a fork: the children are our parent's."""
        self._idle, self._lock = [], threading.Lock()


@contextmanager
def borrow_decoder(limits: DecodeLimits) -> Iterator[Decoder]:
    """Lend a child for one job."""
    decoder = POOL.take(limits)
    try:
        yield decoder
    finally:  # also when the reader of the frames has had enough: a child in the middle of a job is ended
        POOL.give(decoder)


POOL = DecoderPool()
atexit.register(POOL.end)
os.register_at_fork(after_in_child=POOL.forget)
