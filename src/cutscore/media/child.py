"""Strangers' files are decoded in a child: what crashes, hangs or swells there is one refused clip here.

    us ── socket: the open file and an order; frames, pulses, an ending ── worker.py

The child is used again for the next file, since starting one costs half a second; after a fault it is killed and
the next file gets a fresh one. (`process.run` gives one program one life and collects its output; frames have to
stream, and a hundred clips should not pay for a hundred starts. Hence a child of our own.) Frames come one at a time
through the socket: when we do not read, the child waits, so memory stays flat on both sides. Nothing that a child
says is unpickled or believed: sizes are checked against the budget before room is made for them.

Any thread may decode; each job has a child to itself.
"""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from cutscore.core.errors import BadInput, BrokenData, CutscoreError, Stopped
from cutscore.media.budget import Budget
from cutscore.media.messages import HEAD, MOST_HEAD_BYTES, Head
from cutscore.media.orientation import Pixels
from cutscore.media.source import Source, shown_name
from cutscore.process import bare_env

# A child is retired after so many files, so that nothing a file left behind in it lasts long.
MOST_JOBS = 100
_MOST_IDLE = 4
_START_S = 60.0  # two busy cores may take a while to load the decoder
_MOST_ANSWER_BYTES = 1 << 20
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


def frames(
    source: Source, plan: str, *, budget: Budget, leash: Leash = PLAIN_LEASH
) -> Iterator[tuple[Fraction, Pixels]]:
    """Decode a file in a child: times and pixels exactly as `media.frames` gives them.

    Raises:
        BrokenData: The file is refused, or decoding it crashed, hung or passed a limit.
        Stopped: No child can be started.
    """
    with _lent(leash) as decoder:
        for head, body in decoder.ask(source, {"do": "frame", "plan": plan}, budget):
            yield Fraction(head["at_s"]), body


def probe(source: Source, *, scan: bool, budget: Budget, leash: Leash = PLAIN_LEASH) -> str:
    """Look at a file in a child; give the JSON of its `Probe`."""
    with _lent(leash) as decoder:
        answers = [head["probe"] for head, _ in decoder.ask(source, {"do": "probe", "scan": scan}, budget)]
        return str(answers[-1]) if answers else ""


class _Decoder:
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
                self.process = subprocess.Popen(  # noqa: S603  # our own module
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=env,
                    start_new_session=True,  # Ctrl-C is ours to hear
                    pass_fds=[theirs.fileno()],
                )
            except OSError as error:
                self._socket.close()
                raise Stopped("the decoder", f"cannot be started: {error.strerror}", "end other work first") from error
        try:
            self._socket.settimeout(_START_S)
            ready = self._socket.recv(1)
        except OSError:
            ready = b""
        if ready != b"!":
            self.end()
            raise Stopped("the decoder", "does not start in a child with limits", "see that there is memory to spare")

    def ask(self, source: Source, order: dict[str, Any], budget: Budget) -> Iterator[tuple[dict[str, Any], Pixels]]:
        """Send a file with an order; give what comes, up to the ending."""
        self.between_jobs, self._waited_s = False, 0.0
        self.jobs += 1
        leash = {"cpu_s": self.leash.cpu_s, "stall_s": self.leash.stall_s}
        words = json.dumps({**order, "name": source.name, "budget": asdict(budget), **leash}).encode()
        try:
            socket.send_fds(self._socket, [len(words).to_bytes(4)], [source.descriptor])
            self._socket.sendall(words)
        except OSError:
            self._ended(source)
        while True:
            head, body = self._message(source, budget)
            if head["is"] == "end":
                self.between_jobs = True
                return
            if head["is"] == "error":
                self.between_jobs = True
                what, fact, then = (shown_name(str(head[word]), most=500) for word in ("what", "fact", "next"))
                raise _ERRORS[head["kind"]](what, fact, then)
            if head["is"] == order["do"]:
                yield head, body

    def _message(self, source: Source, budget: Budget) -> tuple[dict[str, Any], Pixels]:
        """Take one message; what does not fit the protocol ends the child, since it is no longer ours."""
        try:
            length = Head(*HEAD.unpack(self._take(source, HEAD.size)))
            if length.head > MOST_HEAD_BYTES:
                raise ValueError(f"a head of {length.head} bytes")
            head: dict[str, Any] = json.loads(self._take(source, length.head))
            height, width = int(head.get("height", 0)), int(head.get("width", 0))
            if min(height, width) < 0 or height * width > budget.pixels or length.body != height * width * 3:
                raise ValueError(f"{length.body} bytes for {width}×{height} pixels")
            _check(head)
        except (ValueError, TypeError, KeyError, AttributeError, ZeroDivisionError) as error:
            self.end()
            raise BrokenData(source.clip, f"made the decoder talk nonsense: {error}") from None
        body = np.empty((height, width, 3), np.uint8)
        self._fill(source, body.reshape(-1).data)
        body.flags.writeable = False
        return head, body

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
        """Say why the child is no more."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=5)
        code = self.process.poll()
        self.end()
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
        self.process.kill()
        self.process.wait()


def _check(head: dict[str, Any]) -> None:
    """Raise unless a head has what its kind needs."""
    needs = {"frame": ("at_s", "height", "width"), "probe": ("probe",), "error": ("kind", "what", "fact", "next")}
    needs |= {"pulse": (), "end": ()}
    if missing := [name for name in needs[head["is"]] if name not in head]:
        raise ValueError(f"a head without {missing[0]}")
    Fraction(head.get("at_s", 0))
    _ERRORS[head.get("kind", "BrokenData")]


class _Pool:
    """Children that wait for a file."""

    def __init__(self) -> None:
        self._idle: list[_Decoder] = []
        self._lock = threading.Lock()

    def take(self, leash: Leash) -> _Decoder:
        with self._lock:
            fit = [decoder for decoder in self._idle if decoder.leash == leash]
            for decoder in fit:
                self._idle.remove(decoder)
                if decoder.process.poll() is None:
                    return decoder
                decoder.end()
        return _Decoder(leash)

    def give(self, decoder: _Decoder) -> None:
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
def _lent(leash: Leash) -> Iterator[_Decoder]:
    decoder = _POOL.take(leash)
    try:
        yield decoder
    finally:  # also when the reader of the frames has had enough: a child in the middle of a job is ended
        _POOL.give(decoder)


_POOL = _Pool()
atexit.register(_POOL.end)
os.register_at_fork(after_in_child=_POOL.forget)
