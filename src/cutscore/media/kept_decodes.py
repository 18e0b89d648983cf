"""What was decoded, held in memory for as long as somebody looks at the same files again and again.

    with keep_decodes():
        marks = [mark(each) for each in submissions]      every mark compares with the same golden clip

Without the context nothing is kept, and clips stream. With it the result is the same: a file is known by its place,
its inode, its length and the time of its last change. What would take more than half of the room is not kept, and of
the rest that which nobody asked for the longest goes first.
"""

import os
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

# What marking holds of ten seconds of 640×360: three clips as luma and RGB, and frames of one more. All who work side
# by side take no more than half of the machine's memory.
MOST_ROOM_BYTES = 5 << 28

Piece = TypeVar("Piece")


class _KeptDecodes:
    """Sequences of decoded pieces by key, the least recently used first."""

    def __init__(self, room_bytes: int) -> None:
        self.room_bytes, self.held_bytes = room_bytes, 0
        self._entries: OrderedDict[tuple[object, ...], tuple[list[Any], int]] = OrderedDict()

    def find(self, key: tuple[object, ...]) -> list[Any] | None:
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def put(self, key: tuple[object, ...], pieces: list[Any], size_bytes: int) -> None:
        if key in self._entries:  # two readers were at it side by side
            return
        self._entries[key] = pieces, size_bytes
        self.held_bytes += size_bytes
        while self.held_bytes > self.room_bytes:
            _, (_, gone_bytes) = self._entries.popitem(last=False)
            self.held_bytes -= gone_bytes


_KEPT: ContextVar[_KeptDecodes | None] = ContextVar("kept_decodes", default=None)


@contextmanager
def keep_decodes(room_bytes: int | None = None) -> Iterator[None]:
    """Keep what is decoded in this thread while this lasts."""
    token = _KEPT.set(_KeptDecodes(_room_bytes() if room_bytes is None else room_bytes))
    try:
        yield
    finally:
        _KEPT.reset(token)


def _room_bytes() -> int:
    memory_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(MOST_ROOM_BYTES, memory_bytes // (2 * (os.cpu_count() or 1)))


def decode_or_recall(
    path: object,
    what: tuple[object, ...],
    decode: Callable[[], Iterator[Piece]],
    weigh_bytes: Callable[[Piece], int],
    *,
    or_what: tuple[object, ...] = (),
) -> Iterator[Piece]:
    """Yield the pieces of a file: those that are kept, else those that `decode` gives, which are then kept if they fit.

    `what` tells apart all that can be decoded of one file; pieces that were kept as `or_what` do as well. Pieces are
    shared: nobody may write to them.
    """
    kept = _KEPT.get()
    if kept is None or not isinstance(path, Path) or (known := _identity(path)) is None:
        yield from decode()
        return
    key = (*known, *what)
    if (pieces := kept.find((*known, *or_what)) or kept.find(key)) is not None:
        yield from pieces
        return
    held: list[Piece] | None = []
    size_bytes = 0
    for piece in decode():
        size_bytes += weigh_bytes(piece)
        if held is not None:
            held.append(piece)
            held = held if size_bytes <= kept.room_bytes // 2 else None
        yield piece
    if held is not None:
        kept.put(key, held, size_bytes)


def _identity(path: Path) -> tuple[object, ...] | None:
    try:
        facts = os.lstat(path)
    except OSError:
        return None
    return str(path), facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns
