"""The shelf that a subject gets: the run's store, which takes in no secret of this machine."""

from dataclasses import dataclass
from pathlib import Path

from cutscore.core.files import FileRef
from cutscore.redaction import Redactor
from cutscore.store import Store

CHUNK_BYTES = 1 << 20
# Longer than any form of a secret that we look for, so that none hides across two chunks.
OVERLAP_BYTES = 1 << 14


@dataclass(frozen=True)
class CleanShelf:
    """A store whose new files are searched for secrets first; a file that holds one is kept without it.

    Files that are already in the store, such as an item's clips, are not looked at again.
    """

    store: Store
    redact: Redactor

    def path(self, ref: FileRef) -> Path:
        return self.store.path(ref)

    def put(self, source: Path, *, name: str, media_type: str = "") -> FileRef:
        if source.is_file() and not source.is_symlink() and holds_secret(source, self.redact):
            return self.put_bytes(source.read_bytes(), name=name, media_type=media_type)
        return self.store.put(source, name=name, media_type=media_type)

    def put_bytes(self, data: bytes, *, name: str, media_type: str = "") -> FileRef:
        return self.store.put_bytes(self.redact.data(data), name=name, media_type=media_type)


def holds_secret(file: Path, redact: Redactor) -> bool:
    """Search a file of any size in bounded memory."""
    tail = b""
    with file.open("rb") as stream:
        while chunk := stream.read(CHUNK_BYTES):
            if redact.finds(tail + chunk):
                return True
            tail = chunk[-OVERLAP_BYTES:]
    return False
