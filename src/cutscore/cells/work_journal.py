"""What a cell has paid for or finished, on disk before it is used: the same command goes on from there.

    CELL/work.jsonl        one line a reply, a job, a turn or an ended sample; gone when the cell is complete

Keys begin with the sample, so that one file serves all of a cell. Inspect writes finished samples to its log in
batches, so a kill takes some of them; here they are kept until the log has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from cutscore.journal import KeyedJournal

WORK_FILE = "work.jsonl"
_ENDED = "ended"
_SHA256 = re.compile(rb"\b[0-9a-f]{64}\b")


@dataclass(frozen=True)
class SampleNotes:
    """The notes of one sample of a cell (`core.subject.WorkNotes`)."""

    journal: WorkJournal
    sample: str

    def get(self, key: str) -> JsonValue:
        """Return what was written under a key, None when there is nothing."""
        return self.journal.find(f"{self.sample}/{key}")

    def put(self, key: str, value: JsonValue) -> None:
        """Write something down, on disk when this returns."""
        self.journal.put(f"{self.sample}/{key}", value)


class WorkJournal:
    """The journal of a cell's folder. Whoever writes holds the cell's lock, so nobody else adds to it meanwhile."""

    def __init__(self, folder: Path) -> None:
        self._journal = KeyedJournal(folder / WORK_FILE)
        self._keys = set(self._journal.keys())

    def find(self, key: str) -> JsonValue:
        """Return what was written under a key, None when there is nothing."""
        # Mostly there is nothing, and then the file is not looked at.
        return self._journal.find(key) if key in self._keys else None

    def put(self, key: str, value: JsonValue) -> None:
        """Write something down, on disk when this returns."""
        self._journal.put(key, value)
        self._keys.add(key)

    def notes(self, item: str, epoch: int) -> SampleNotes:
        """Return the notes of one sample."""
        return SampleNotes(self, _sample(item, epoch))

    def end_sample(self, item: str, epoch: int, sample: dict[str, Any]) -> None:
        """Keep a sample that has ended, in the shape in which a log has it."""
        self.notes(item, epoch).put(_ENDED, sample)

    def ended(self, item: str, epoch: int) -> dict[str, Any] | None:
        """Return a sample that has ended; None when it has not."""
        sample = self.notes(item, epoch).get(_ENDED)
        return sample if isinstance(sample, dict) else None

    def ended_samples(self) -> Iterator[dict[str, Any]]:
        """Return the samples that have ended."""
        for key in sorted(self._keys):
            value = self.find(key) if key.endswith(f"/{_ENDED}") else None
            if isinstance(value, dict):
                yield value

    def begun_samples(self) -> set[tuple[str, int]]:
        """Name every sample of which anything is written, as (item, epoch)."""
        samples = {tuple(key.split("/", 2)[:2]) for key in self._keys}
        return {(item, int(epoch)) for item, epoch in samples}

    def named_files(self) -> set[str]:
        """Return the sha256 of every stored file that something written refers to: a resumed run looks for it."""
        with suppress(FileNotFoundError), self._journal.file.open("rb") as lines:
            return {digest.decode() for line in lines for digest in _SHA256.findall(line)}
        return set()

    def drop(self) -> None:
        """Forget everything: the logs have it all."""
        self._journal.file.unlink(missing_ok=True)
        self._keys.clear()


def _sample(item: str, epoch: int) -> str:
    """Name a sample; ids of items have no slash."""
    return f"{item}/{epoch}"
