"""The pool of decoding children: kept for the next file, and tried again where one failed.

A child is used again, since starting one costs half a second. After a fault it is killed, and the same file is decoded
once more in a fresh one: what repeats is the file's fault (`decoder_faults.py`).

Any thread may decode; each job has a child to itself. Of many threads only as many begin as there are processors, the
others wait for a child that is done: twelve that start at once would be slower, and eight of them ended again.
"""

import atexit
import logging
import os
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager

from cutscore.core.errors import Stopped
from cutscore.media.budget import Budget
from cutscore.media.decoder_child import Answer, DecodeLimits, Decoder, DecodeRequest
from cutscore.media.decoder_faults import DecoderFault, blame_faults
from cutscore.media.source import Source

# A child is retired after so many files, so that nothing a file left behind in it lasts long.
MOST_JOBS = 100
_MOST_IDLE = max(4, os.cpu_count() or 1)
# So long a thread waits for its turn: whoever has one may himself be waiting for this thread.
_PATIENCE_S = 5.0

logger = logging.getLogger(__name__)


class DecoderPool:
    """Children that wait for a file; any thread may take one."""

    def __init__(self) -> None:
        self.forget()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until a processor is free for a child, within reason; not in a thread that has a child already."""
        turns = getattr(self._here, "turns", 0)
        has_room = not turns and self._room.acquire(timeout=_PATIENCE_S)
        self._here.turns = turns + 1
        try:
            yield
        finally:
            self._here.turns = getattr(self._here, "turns", 1) - 1  # another thread may end it
            if has_room:
                self._room.release()

    def take(self, limits: DecodeLimits) -> Decoder:
        """Return a child with these limits, started now if none waits."""
        with self._lock:
            fit = [decoder for decoder in self._idle if decoder.limits == limits]
            for decoder in fit:
                self._idle.remove(decoder)
                if decoder.child.poll() is None:
                    return decoder
                decoder.end()
        return self.start(limits)

    def start(self, limits: DecodeLimits) -> Decoder:
        """Return a fresh child."""
        try:
            return Decoder(limits)
        except Stopped:  # somebody may have killed it while it loaded
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
        """Begin without children; after a fork they are our parent's."""
        self._idle: list[Decoder] = []
        self._lock, self._here = threading.Lock(), threading.local()
        self._room = threading.Semaphore(max(2, os.cpu_count() or 1))


def decode_in_child(source: Source, request: DecodeRequest, budget: Budget, limits: DecodeLimits) -> Generator[Answer]:
    """Yield what a child answers to a request; after a fault, a fresh child goes on where the first one ended.

    Raises:
        BrokenData: The file is refused, or the fault is its own.
        Unscored: Both children failed, and nothing says that it is the file's fault.
        Stopped: No child can be started.
    """
    with POOL.turn():
        yield from _decode_in_turn(source, request, budget, limits)


def _decode_in_turn(source: Source, request: DecodeRequest, budget: Budget, limits: DecodeLimits) -> Generator[Answer]:
    given, first = 0, None
    while True:
        decoder = POOL.take(limits) if first is None else POOL.start(limits)
        try:
            for number, answer in enumerate(decoder.ask(source, request, budget), start=1):
                if number > given:
                    given = number
                    yield answer
            return
        except DecoderFault as fault:
            if first is not None or fault.blame == "file":
                raise blame_faults(source.clip, first or fault, fault) from None
            logger.warning("%s: %s; trying again in a fresh child", source.clip, fault.did)
            first = fault
        finally:  # also when the reader of the frames has had enough: a child in the middle of a job is ended
            POOL.give(decoder)


POOL = DecoderPool()
atexit.register(POOL.end)
os.register_at_fork(after_in_child=POOL.forget)
