"""Every call of a judge, written down as it ends: what was asked by its digest, what came back, what it cost.

    RUN/journal.jsonl                  one line a call, only ever added to

Whoever asks the same thing again, of the same judge with the same prompts about the same evidence, gets the written
reply and pays nothing: after a kill, when a run is marked again, when two subjects hand in the same. A changed judge,
prompt or clip is another digest. All runners of a run folder share the file.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pydantic import Field, ValidationError

from cutscore.core.errors import NoRoom
from cutscore.core.frozen import FrozenModel
from cutscore.core.manifest import FrameManifest
from cutscore.core.usage import Usage


class JournalEntry(FrozenModel):
    """One call.

    Args:
        stop: Why the model stopped, where that says that it did not answer (`content_filter`).
        seen: Frames that were shown, of the files as they were recorded.
    """

    key: str
    judge: str
    questions: tuple[str, ...]
    vote: int = Field(default=1, ge=1)
    attempt: int = Field(default=1, ge=1)
    reply: str
    stop: str = ""
    seen: tuple[FrameManifest, ...] = ()
    usage: Usage | None = None
    cost_usd: float | None = None
    warnings: tuple[str, ...] = ()


class Journal:
    """The journal of a run folder, safe for many threads and for processes that only add; without a file, none."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._places: dict[str, int] = {}  # byte offset of each entry: replies themselves would fill the memory
        self._read_bytes = 0
        self._lock = threading.Lock()
        self._turns: dict[str, threading.Lock] = {}

    def call_once(self, key: str, call: Callable[[], JournalEntry]) -> JournalEntry:
        """Return the entry of a key, made by `call` when there is none yet; two threads never both make it."""
        with self._turn(key):
            if self._file is None:
                return call()
            try:
                if (kept := self.find(key)) is not None:
                    return kept
                self._file.parent.mkdir(parents=True, exist_ok=True)
                # Opened before the call is paid for: that nothing can be written here is better known now.
                handle = os.open(self._file, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
            except OSError as error:
                raise self._no_room(error) from error
            try:
                made = call()
                self._write(handle, made)
                return made
            finally:
                os.close(handle)

    def find(self, key: str) -> JournalEntry | None:
        """Look an entry up, also among those that somebody else has just added."""
        if self._file is None:
            return None
        with self._lock, suppress(FileNotFoundError), self._file.open("rb") as lines:
            self._catch_up(lines.seek(self._read_bytes), lines)
            if key in self._places:
                lines.seek(self._places[key])
                return JournalEntry.model_validate_json(lines.readline())
        return None

    def _catch_up(self, place: int, lines: Iterator[bytes]) -> None:
        for line in lines:
            if not line.endswith(b"\n"):
                return  # somebody is writing it right now, or a kill cut it short
            with suppress(ValidationError):  # a torn line, or one of a later version: its call is made again
                self._places[JournalEntry.model_validate_json(line).key] = place
            place += len(line)
            self._read_bytes = place

    def _write(self, handle: int, entry: JournalEntry) -> None:
        line = entry.model_dump_json(exclude_defaults=True).encode() + b"\n"
        try:
            size = os.fstat(handle).st_size
            torn = size and os.pread(handle, 1, size - 1) != b"\n"  # a kill cut the last line short
            os.write(handle, (b"\n" if torn else b"") + line)  # one write: appends of several runners do not mix
        except OSError as error:
            raise self._no_room(error) from error

    def _no_room(self, error: OSError) -> NoRoom:
        next_step = "free some space or choose another --log-dir, and run the same command again"
        return NoRoom(f"journal '{self._file}'", error.strerror or str(error), next_step)

    @contextmanager
    def _turn(self, key: str) -> Iterator[None]:
        with self._lock:
            turn = self._turns.setdefault(key, threading.Lock())
        try:
            with turn:
                yield
        finally:
            with self._lock:
                self._turns.pop(key, None)
