"""One decoding child, as we see it: how it is started, asked, listened to and ended.

Arrays come one at a time through a socket: when we do not read, the child waits, so memory stays flat on both sides.
Nothing that a child says is unpickled or believed: shapes are checked against the request before room is made for them.
"""

import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NoReturn

from cutscore.core.errors import BadInput, BrokenData, CutscoreError, Stopped
from cutscore.media.budget import Budget
from cutscore.media.decoder_faults import BUSY_SHARE, Blame, DecoderFault, Kind, fault_of_exit, judge_stall, look_at
from cutscore.media.decoder_protocol import HEAD, MOST_HEAD_BYTES, PATIENCE, ArrayShape, Numbers, parse_head
from cutscore.media.source import Source, shown_name
from cutscore.process import Child, bare_env

_EXIT_S = 5.0
_START_S = 60.0  # two busy cores may take a while to load the decoder
_LOOK_S = 1.0  # between two looks at a child that says nothing
_ERRORS: dict[str, type[CutscoreError]] = {"BadInput": BadInput, "BrokenData": BrokenData}

Answer = tuple[dict[str, Any], tuple[Numbers, ...]]


@dataclass(frozen=True)
class DecodeLimits:
    """What decoding one file may take of this machine.

    Args:
        wall_s: Time that we wait for the child, all in all; the time in which it waits for us does not count.
        stall_s: Time without a frame and without a byte read: then it hangs. Where others keep it from the processor,
            that much processor time, and six times the wait.
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
    """One child; whoever has it asks for one thing at a time."""

    def __init__(self, limits: DecodeLimits) -> None:
        self.limits, self.jobs, self.is_idle = limits, 0, True
        self._waited_s, self._answers = 0.0, 0
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

    def ask(self, source: Source, request: DecodeRequest, budget: Budget) -> Iterator[Answer]:
        """Send a file with a request; yield what comes, up to the ending. Arrays are read-only.

        Raises:
            DecoderFault: The child ended or hung in the middle, whosever fault it is.
        """
        self.is_idle, self._waited_s, self._answers = False, 0.0, 0
        self.jobs += 1
        self._began_cpu_s = self._cpu_s()
        limits = {"cpu_s": self.limits.cpu_s, "stall_s": self.limits.stall_s}
        details = {**request.details, "do": request.do, "name": source.name, "budget": asdict(budget), **limits}
        words = json.dumps(details).encode()
        try:
            socket.send_fds(self._socket, [len(words).to_bytes(4)], [source.descriptor])
            self._socket.sendall(words)
        except OSError:
            self._raise_exit()
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
                self._answers += 1
                yield head, arrays

    def _message(self, source: Source, request: DecodeRequest) -> Answer:
        """Take one message; what does not fit the request ends the child, since it is no longer ours."""
        try:
            head_bytes, body_bytes = HEAD.unpack(self._take(HEAD.size))
            if head_bytes > MOST_HEAD_BYTES:
                raise ValueError(f"its head has {head_bytes} bytes")
            head, shapes = parse_head(self._take(head_bytes))
            if not (request.fits(head, shapes) if head["is"] == request.do else _is_of_ours(head, shapes)):
                raise ValueError(f"it does not fit the request '{request.do}'")
            if body_bytes != sum(shape.size_bytes for shape in shapes):
                raise ValueError(f"it has {body_bytes} bytes for other arrays")
        except ValueError as error:
            self.end()
            raise BrokenData(source.clip, f"made the decoder send a malformed answer: {error}") from None
        arrays = tuple(shape.allocate() for shape in shapes)
        for array in arrays:
            self._fill(array.reshape(-1).view("uint8").data)
            array.flags.writeable = False
        return head, arrays

    def _take(self, count: int) -> bytes:
        data = bytearray(count)
        self._fill(memoryview(data))
        return bytes(data)

    def _fill(self, room: memoryview) -> None:
        while len(room):
            left_s = self.limits.wall_s - self._waited_s
            if left_s <= 0:
                self._raise_late()
            count = self._receive(room, min(self.limits.stall_s, left_s))
            if count is None and left_s > self.limits.stall_s:
                count = self._watch_stall(room)
            if count == 0:
                self._raise_exit()
            room = room[count or 0 :]

    def _receive(self, room: memoryview, timeout_s: float) -> int | None:
        """Take what comes within some time: its length, None when nothing came, 0 when nothing will."""
        began = time.monotonic()
        try:
            self._socket.settimeout(timeout_s)
            return self._socket.recv_into(room)
        except TimeoutError:
            return None
        except OSError:
            return 0
        finally:
            self._waited_s += time.monotonic() - began

    def _watch_stall(self, room: memoryview) -> int:
        """See why nothing comes: go on when something does, and wait longer for a child that gets no processor."""
        stall_s = self.limits.stall_s
        look_s, watched_s, began_cpu_s = min(_LOOK_S, stall_s), 0.0, self._cpu_s()
        while (count := self._receive(room, look_s)) is None:
            watched_s += look_s
            look = look_at(self.child.pid)
            used_s = look.cpu_s - began_cpu_s if look else 0.0
            seen = judge_stall(look, used_s=used_s, watched_s=watched_s, limit_s=stall_s)
            if seen == "hung":
                raise self._fault("hang", "open", f"hung the decoder: nothing came for {stall_s:g} s")
            if seen == "stopped":
                raise self._fault("hang", "machine", "the decoder was stopped from outside")
            if watched_s >= stall_s * (PATIENCE - 1):
                raise self._fault("hang", "machine", "the decoder got next to no processor time")
        return count

    def _cpu_s(self) -> float:
        look = look_at(self.child.pid)
        return 0.0 if look is None else look.cpu_s

    def _raise_late(self) -> NoReturn:
        """Raise for a child that we have waited for long enough: its own fault, if it was at work for most of it."""
        wall_s = self.limits.wall_s
        late = f"took more than {wall_s:g} s to decode"
        if (look := look_at(self.child.pid)) is None:
            raise self._fault("time", "open", late)
        if look.cpu_s - self._began_cpu_s >= wall_s * BUSY_SHARE:
            raise self._fault("time", "file", late)
        raise self._fault("time", "machine", f"the decoder got next to no processor time in {wall_s:g} s")

    def _raise_exit(self) -> NoReturn:
        """Raise with the reason for which the child is no more."""
        ended = self.child.wait(_EXIT_S)
        self.end()
        raise fault_of_exit(ended, self._answers, memory_bytes=self.limits.memory_bytes, cpu_s=self.limits.cpu_s)

    def _fault(self, kind: Kind, blame: Blame, did: str) -> DecoderFault:
        self.end()
        return DecoderFault(kind, blame, did, self._answers)

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
