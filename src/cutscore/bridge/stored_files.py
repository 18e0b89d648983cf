"""Which stored files a run still needs, and how to get rid of the rest."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from cutscore.bridge.rows import STORE_FOLDER, CellRecord, read_cells, rows_of
from cutscore.cells.lock import lock_folder
from cutscore.cells.work_journal import WorkJournal
from cutscore.core.errors import BadInput, CorruptEntry
from cutscore.core.files import FileRef, FileStore
from cutscore.core.row import Row
from cutscore.core.trajectory import Trajectory
from cutscore.store import Store


def references(row: Row, store: FileStore) -> Iterator[FileRef]:
    """Return every stored file that a row refers to, also through its trajectory."""
    if row.ask is not None:
        yield from row.ask.files
    yield from row.deliverable.files
    yield from row.evidence.files
    yield from row.ending.references
    yield from (manifest.clip for manifest in (*row.seen, *row.judge_seen))
    for turn in row.evidence.turns:
        yield from (*turn.ask.files, *turn.deliverable.files)
    trajectories = (made.trajectory for made in (row.deliverable, *(turn.deliverable for turn in row.evidence.turns)))
    for trajectory in filter(None, trajectories):
        yield trajectory
        with store.path(trajectory).open("rb") as lines:
            for step in Trajectory.from_jsonl(lines):
                yield from step.media


def journaled_files(record: CellRecord) -> Iterator[FileRef]:
    """Return the stored files that only the journal of a cell names: a run that goes on elsewhere looks for them."""
    for sha256 in sorted(WorkJournal(record.folder).named_files()):
        entry = record.store.root / sha256[:2] / sha256[2:]
        if entry.is_file():
            yield FileRef(name=sha256, sha256=sha256, size_bytes=entry.stat().st_size)


@dataclass(frozen=True)
class DamagedFile:
    """A stored file that a row refers to and that is not there, or not as it was."""

    ref: FileRef
    fault: str

    def as_json(self) -> dict[str, str]:
        """Return it for `--json`."""
        return {"name": self.ref.name, "sha256": self.ref.sha256, "fault": self.fault}


def damaged_files(rows: Iterable[tuple[Row, FileStore]]) -> list[DamagedFile]:
    """Return what rows refer to and no store of theirs has any more, each once, by name."""
    sound, damaged = set[str](), dict[str, DamagedFile]()
    for row, store in rows:
        try:
            for ref in references(row, store):
                if ref.sha256 not in sound:
                    _check(ref, store, sound, damaged)
        except (BadInput, CorruptEntry, ValidationError):
            pass  # its trajectory is damaged, which has been found, and so nothing is known of what it names
    return sorted((each for sha256, each in damaged.items() if sha256 not in sound), key=lambda each: each.ref.name)


def _check(ref: FileRef, store: FileStore, sound: set[str], damaged: dict[str, DamagedFile]) -> None:
    try:
        store.path(ref)
        sound.add(ref.sha256)
    except (BadInput, CorruptEntry) as error:
        damaged[ref.sha256] = DamagedFile(ref, error.fact)


def collect_garbage(run: Path, *, older_than_s: float = 3600) -> int:
    """Remove stored files that nothing in the run folder refers to, no row and no journal, and give the bytes freed.

    Every cell is held meanwhile, so a run under way is refused (`Busy`) and not robbed of clips that it has not logged
    yet. Files younger than an hour stay.
    """
    with ExitStack() as holding:
        records = read_cells(run)
        for record in records:
            holding.enter_context(lock_folder(record.folder))
        needed = {ref.sha256 for record in records for row in rows_of(record) for ref in references(row, record.store)}
        needed |= {digest for record in records for digest in WorkJournal(record.folder).named_files()}
        return Store(run / STORE_FOLDER).collect(needed, older_than_s=older_than_s)
