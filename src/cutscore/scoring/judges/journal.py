"""Every call of a judge, written down as it ends: what was asked by its digest, what came back, what it cost.

    RUN/journal.jsonl                  one line a call, only ever added to
    RUN/journal.raw.jsonl              the same replies as they came, on disk before they are paid for

Whoever asks the same thing again, of the same judge with the same prompts about the same evidence, gets the written
reply and pays nothing: after a kill, when a run is marked again, when two subjects hand in the same. A changed judge,
prompt or clip is another digest. All runners of a run folder share the files. A kill between the reply and its line
costs nothing: the raw reply is paid and written down by whoever asks next.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakValueDictionary

from pydantic import Field, JsonValue, ValidationError

from cutscore.core.frozen import FrozenModel
from cutscore.core.judgement import JUDGE_ROLE
from cutscore.core.manifest import FrameManifest
from cutscore.core.subject import WorkNotes
from cutscore.core.usage import Usage
from cutscore.journal import KeyedJournal, append_line


class JournalEntry(FrozenModel):
    """One call.

    Args:
        stop: Why the model stopped, where that says that it did not answer (`content_filter`).
        seen: Frames that were shown, of the files as they were recorded.
    """

    key: str
    judge: str
    role: str = JUDGE_ROLE
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
        self._lines = KeyedJournal(file) if file else None
        self._raw = KeyedJournal(file.with_suffix(".raw.jsonl")) if file else None
        self._lock = threading.Lock()
        self._turns: dict[str, threading.Lock] = {}

    def call_once(self, key: str, call: Callable[[], JournalEntry]) -> JournalEntry:
        """Return the entry of a key, made by `call` when there is none yet; two threads never both make it."""
        with self._turn(key):
            if self._lines is None:
                return call()
            if (kept := self.find(key)) is not None:
                return kept
            self._lines.check_writable()
            made = call()
            append_line(self._lines.file, made.model_dump(mode="json", exclude_defaults=True))
            return made

    def notes(self, key: str) -> WorkNotes | None:
        """Return where the boundary of a call keeps its raw reply; None without a file."""
        return _RawReplies(self._raw, key) if self._raw else None

    def find(self, key: str) -> JournalEntry | None:
        """Look an entry up, also among those that somebody else has just added; what is not one is passed over."""
        found = self._lines.find(key) if self._lines else None
        with suppress(ValidationError):  # a line of a later version: its call is made again
            return JournalEntry.model_validate(found) if found is not None else None
        return None

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


@dataclass(frozen=True)
class _RawReplies:
    lines: KeyedJournal
    call: str

    def get(self, key: str) -> JsonValue:
        return self.lines.find(f"{self.call}/{key}")

    def put(self, key: str, value: JsonValue) -> None:
        self.lines.put(f"{self.call}/{key}", value)


_open: WeakValueDictionary[Path, Journal] = WeakValueDictionary()
_opening = threading.Lock()


def shared_journal(file: Path | None) -> Journal:
    """Return the journal of a file, the same one to all of a process who have it open; without a file, a new one.

    So two judges that differ in a prompt read the file once, and two threads never both make the same call.
    """
    if file is None:
        return Journal(None)
    with _opening:
        return _open.setdefault(file.absolute(), Journal(file))
