"""The children that decode: how one is started, spoken to, kept for the next file and ended.

A child is used again, since starting one costs half a second; after a fault it is killed and the next file gets a
fresh one. Arrays come one at a time through a socket: when we do not read, the child waits, so memory stays flat on
both sides. Nothing that a child says is unpickled or believed: shapes are checked against the order before room is made
for them.

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
from cutscore.media.messages import HEAD, MOST_HEAD_BYTES, Head, Numbers, Shape, read_head
from cutscore.media.source import Source, shown_name
from cutscore.process import Child, bare_env

# A child is retired after so many files, so that nothing a file left behind in it lasts long.
MOST_JOBS = 100
_MOST_IDLE = 4
_EXIT_S = 5.0
_START_S = 60.0  # two busy cores may take a while to load the decoder
_ERRORS: dict[str, type[CutscoreError]] = {"BadInput": BadInput, "BrokenData": BrokenData}


@dataclass(frozen=True)
class Leash:
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


PLAIN_LEASH = Leash()


@dataclass(frozen=True)
class Order:
    """What is to be done with a file, and what answers to it look like.

    Args:
        do: The `is` of the answers.
        details: What else the child has to know.
        fits: Says whether a head and the shapes of its arrays are an answer; a ValueError says no as well.
    """

    do: str
    details: dict[str, Any]
    fits: Callable[[dict[str, Any], Sequence[Shape]], bool]


class Decoder:
    """One child, as we see it."""

    def __init__(self, leash: Leash) -> None:
        self.leash, self.jobs, self.between_jobs = leash, 0, True
        self._waited_s = 0.0
        self._socket, theirs = socket.socketpair()
        with theirs:
            # The folders that we import from, in an environment without secrets.
            env = bare_env() | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
            command = [
                sys.executable,
                "-P",
                "-m",
                "cutscore.media.worker",
                str(theirs.fileno()),
                str(leash.memory_bytes),
            ]
            try:
                self.child = Child(command, env=env, pass_fds=[theirs.fileno()])
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

    def ask(self, source: Source, order: Order, budget: Budget) -> Iterator[tuple[dict[str, Any], tuple[Numbers, ...]]]:
        """Send a file with an order; give what comes, up to the ending. Arrays are read-only."""
        self.between_jobs, self._waited_s = False, 0.0
        self.jobs += 1
        leash = {"cpu_s": self.leash.cpu_s, "stall_s": self.leash.stall_s}
        told = {**order.details, "do": order.do, "name": source.name, "budget": asdict(budget), **leash}
        words = json.dumps(told).encode()
        try:
            socket.send_fds(self._socket, [len(words).to_bytes(4)], [source.descriptor])
            self._socket.sendall(words)
        except OSError:
            self._ended(source)
        while True:
            head, arrays = self._message(source, order)
            if head["is"] == "end":
                self.between_jobs = True
                return
            if head["is"] == "error":
                self.between_jobs = True
                what, fact, then = (shown_name(str(head[word]), most=500) for word in ("what", "fact", "next"))
                raise _ERRORS[head["kind"]](what, fact, then)
            if head["is"] == order.do:
                yield head, arrays

    def _message(self, source: Source, order: Order) -> tuple[dict[str, Any], tuple[Numbers, ...]]:
        """Take one message; what does not fit the order ends the child, since it is no longer ours."""
        try:
            length = Head(*HEAD.unpack(self._take(source, HEAD.size)))
            if length.head > MOST_HEAD_BYTES:
                raise ValueError(f"a head of {length.head} bytes")
            head, shapes = read_head(self._take(source, length.head))
            if not (order.fits(head, shapes) if head["is"] == order.do else _is_of_ours(head, shapes)):
                raise ValueError(f"an answer that does not fit '{order.do}'")
            if length.body != sum(shape.size_bytes for shape in shapes):
                raise ValueError(f"{length.body} bytes for other arrays")
        except ValueError as error:
            self.end()
            raise BrokenData(source.clip, f"made the decoder talk nonsense: {error}") from None
        arrays = tuple(shape.room() for shape in shapes)
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
            left = self.leash.wall_s - self._waited_s
            if left <= 0:
                self.end()
                raise BrokenData(source.clip, f"took more than {self.leash.wall_s:g} s to decode")
            self._socket.settimeout(min(self.leash.stall_s, left))
            began = time.monotonic()
            try:
                count = self._socket.recv_into(room)
            except TimeoutError:
                if left <= self.leash.stall_s:
                    continue
                self.end()
                raise BrokenData(source.clip, f"hung the decoder: nothing came for {self.leash.stall_s:g} s") from None
            except OSError:
                count = 0
            finally:
                self._waited_s += time.monotonic() - began
            if not count:
                self._ended(source)
            room = room[count:]

    def _ended(self, source: Source) -> NoReturn:
        """Explain why the child is no more."""
        ended = self.child.wait(_EXIT_S)
        self.end()
        code = None if ended is None else ended.code
        if code == -signal.SIGXCPU:
            fact = f"took more than {self.leash.cpu_s} s of processor time to decode"
        elif code is not None and code < 0:
            fact = f"made the decoder crash ({signal.Signals(-code).name})"
        else:
            fact = "made the decoder give up"
        raise BrokenData(source.clip, fact)

    def end(self) -> None:
        """Kill the child and bury it."""
        self.between_jobs = False
        self._socket.close()
        self.child.close(grace=False)


def _is_of_ours(head: dict[str, Any], shapes: Sequence[Shape]) -> bool:
    """Return whether a head is one that may come whatever was ordered."""
    if head["is"] == "error":
        kind = head.get("kind")
        return not shapes and isinstance(kind, str) and kind in _ERRORS and {"what", "fact", "next"} <= head.keys()
    return not shapes and head["is"] in ("pulse", "end")


class Pool:
    """Children that wait for a file."""

    def __init__(self) -> None:
        self._idle: list[Decoder] = []
        self._lock = threading.Lock()

    def take(self, leash: Leash) -> Decoder:
        with self._lock:
            fit = [decoder for decoder in self._idle if decoder.leash == leash]
            for decoder in fit:
                self._idle.remove(decoder)
                if decoder.child.poll() is None:
                    return decoder
                decoder.end()
        return Decoder(leash)

    def give(self, decoder: Decoder) -> None:
        with self._lock:
            if decoder.between_jobs and decoder.jobs < MOST_JOBS and len(self._idle) < _MOST_IDLE:
                self._idle.append(decoder)
                return
        decoder.end()

    def end(self) -> None:
        with self._lock:
            while self._idle:
                self._idle.pop().end()

    def forget(self) -> None:
        """After a fork: the children are our parent's."""
        self._idle, self._lock = [], threading.Lock()


@contextmanager
def lent(leash: Leash) -> Iterator[Decoder]:
    decoder = POOL.take(leash)
    try:
        yield decoder
    finally:  # also when the reader of the frames has had enough: a child in the middle of a job is ended
        POOL.give(decoder)


POOL = Pool()
atexit.register(POOL.end)
os.register_at_fork(after_in_child=POOL.forget)
