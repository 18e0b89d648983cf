"""JSON lines that are only ever added to, found again by their keys: what must survive a kill.

One line is one write, so appends of several processes do not mix, and a line that a kill cut short is passed over.
Whoever writes the same key again means the later value. In memory is a place in the file for each key, not the value.
"""

import fcntl
import json
import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from pydantic import JsonValue

from cutscore.core.errors import BrokenData, NoRoom
from cutscore.regular_file import open_regular

NEXT_STEP = "free some space or choose another --log-dir, and run the same command again"
_STRING = json.JSONDecoder()
_NO_FILE = (FileNotFoundError, NotADirectoryError)


class KeyedJournal:
    """A file of keyed lines, safe for many threads and for processes that only add.

    A line is `[key, value]`, or an object that has its `key` inside.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._places: dict[str, int] = {}
        self._read_bytes = 0
        self._lock = threading.Lock()

    def find(self, key: str) -> JsonValue:
        """Return the value of a key, also one that somebody else has just added; None when there is none."""
        with self._lock, suppress(*_NO_FILE, ValueError, RecursionError), self._open() as lines:
            self._catch_up(lines)
            if key in self._places:
                lines.seek(self._places[key])
                read = json.loads(lines.readline())
                return read[1] if isinstance(read, list) else read  # type: ignore[no-any-return]
        return None

    def keys(self) -> list[str]:
        """Name every key, in the order in which they were first written."""
        with self._lock, suppress(*_NO_FILE), self._open() as lines:
            self._catch_up(lines)
        return list(self._places)

    def values(self) -> Iterator[tuple[str, JsonValue]]:
        """Return every key with its value, in the order in which keys were first written."""
        for key in self.keys():
            yield key, self.find(key)

    def put(self, key: str, value: JsonValue) -> None:
        """Write a line. When this returns, a kill of the process cannot take it away."""
        append_line(self.file, [key, value])

    def check_writable(self) -> None:
        """Raise NoRoom when nothing can be written: better known before somebody is paid for what to write."""
        os.close(_open_to_append(self.file))

    def _open(self) -> IO[bytes]:
        """Open it to be read. It may be a stranger's, and a pipe would be waited for without end."""
        try:
            return open_regular(self.file)
        except _NO_FILE:
            raise
        except OSError as error:
            fact = f"cannot be read: {error.strerror}"
            raise BrokenData(f"journal '{self.file}'", fact, "restore it from a copy, or delete it") from error

    def _catch_up(self, lines: IO[bytes]) -> None:
        """Find the places of lines that were added since the last look."""
        place = lines.seek(self._read_bytes)
        for line in lines:
            if not line.endswith(b"\n"):
                return  # somebody is writing it right now, or a kill cut it short
            if (key := _key_of(line)) is not None:
                self._places[key] = place
            place += len(line)
            self._read_bytes = place


def append_line(file: Path, value: JsonValue) -> None:
    """Add a line of JSON to a file in one write; the file and its folder are made when they are not there."""
    line = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"
    handle = _open_to_append(file)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # else the half of a line that somebody is writing looks torn
        size = os.fstat(handle).st_size
        torn = size and os.pread(handle, 1, size - 1) != b"\n"  # a kill cut the last line short
        _write_whole(handle, (b"\n" if torn else b"") + line, size)
    except OSError as error:
        raise _no_room(file, error) from error
    finally:
        os.close(handle)


def _write_whole(handle: int, data: bytes, size: int) -> None:
    """Write all of it, or nothing: a disk that fills takes a part of a line without a word."""
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
    except OSError:
        os.ftruncate(handle, size)
        raise


def _open_to_append(file: Path) -> int:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    try:
        try:
            return os.open(file, flags, 0o644)
        except FileNotFoundError:
            file.parent.mkdir(parents=True, exist_ok=True)
            return os.open(file, flags, 0o644)
    except OSError as error:
        raise _no_room(file, error) from error


def _no_room(file: Path, error: OSError) -> NoRoom:
    return NoRoom.of(f"journal '{file}'", error, NEXT_STEP)


def _key_of(line: bytes) -> str | None:
    """Return the key of a line, None for one that is torn or was written by somebody else.

    Of a pair only the key is read: values may be long.
    """
    with suppress(ValueError, RecursionError):
        if line.startswith(b'["') and line.endswith(b"]\n"):
            text = line.decode()
            key, end = _STRING.raw_decode(text, 1)
            return str(key) if text[end] == "," else None
        read = json.loads(line)
        if isinstance(read, dict) and isinstance(read.get("key"), str):
            return str(read["key"])
    return None
