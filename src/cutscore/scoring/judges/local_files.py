"""Plain files as a store, for judges that are asked outside of any run."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef, media_type_of


@dataclass
class LocalFiles:
    """Files where they are, as a store: each is hashed once and read from its own place."""

    _paths: dict[str, Path] = field(default_factory=dict)
    # sha256 by path, size and time of change: a clip that many questions are about is read once.
    _hashes: dict[tuple[Path, int, int], str] = field(default_factory=dict)

    def add_all(self, files: Sequence[str | Path]) -> tuple[FileRef, ...]:
        """Return references to files, in their order and under names that differ."""
        several = len({Path(file).name.casefold() for file in files}) < len(files)
        return tuple(
            self.put(Path(file), name=f"{number}/{Path(file).name}" if several else Path(file).name)
            for number, file in enumerate(files, start=1)
        )

    def put(self, source: Path, *, name: str, media_type: str = "") -> FileRef:
        """Hash a regular file and return its reference; nothing is copied."""
        try:
            if not source.is_file():
                raise BadInput(f"file '{source}'", "is not there or not a regular file", "name a file")
            state = source.stat()
            known = (source.absolute(), state.st_size, state.st_mtime_ns)
            if known not in self._hashes:
                with source.open("rb") as stream:
                    self._hashes[known] = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            fact = f"cannot be read ({error.strerror})"
            raise BadInput(f"file '{source}'", fact, "make it readable") from error
        sha256 = self._hashes[known]
        self._paths[sha256] = source
        return FileRef(name=name, sha256=sha256, size_bytes=state.st_size, media_type=media_type or media_type_of(name))

    def put_bytes(self, data: bytes, *, name: str, media_type: str = "") -> FileRef:
        """Refuse: what has no place of its own belongs into a store."""
        raise BadInput(f"file '{name}'", "has no place on disk", "write it to a file first")

    def path(self, ref: FileRef) -> Path:
        """Return where a file is."""
        if ref.sha256 not in self._paths:
            raise BadInput(f"file '{ref.name}'", "is not among the files", "add it first")
        return self._paths[ref.sha256]
