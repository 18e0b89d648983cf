"""The store that a subject gets: the run's store, which takes in no secret of this machine."""

from dataclasses import dataclass
from pathlib import Path

from cutscore.core.files import FileRef
from cutscore.redaction import Redactor
from cutscore.store import Store


@dataclass(frozen=True)
class RedactingStore:
    """A store whose new files are searched for secrets first; a file that holds one is kept without it.

    Files that are already in the store, such as an item's clips, are not looked at again.
    """

    store: Store
    redact: Redactor

    def path(self, ref: FileRef) -> Path:
        """Return where the bytes of a reference are."""
        return self.store.path(ref)

    def put(self, source: Path, *, name: str, media_type: str = "") -> FileRef:
        """Take in a file, without the secrets in it."""
        if source.is_file() and not source.is_symlink():  # what else it may be, the store refuses by name
            with source.open("rb") as stream:
                secret = self.redact.finds_in(stream)
            if secret:
                return self.put_bytes(source.read_bytes(), name=name, media_type=media_type)
        return self.store.put(source, name=name, media_type=media_type)

    def put_bytes(self, data: bytes, *, name: str, media_type: str = "") -> FileRef:
        """Take in bytes, without the secrets in them."""
        return self.store.put_bytes(self.redact.data(data), name=name, media_type=media_type)
