"""Files by reference: a name, a hash, a size. The bytes live in the store."""

import unicodedata
from pathlib import Path
from typing import Annotated, Protocol

from pydantic import AfterValidator, Field, field_validator

from cutscore.core.frozen import FrozenModel, Sha256

# Also those above 127: a terminal takes U+009B for the start of a command.
_CONTROL = {chr(code) for code in (*range(32), *range(127, 160))}


def _require_plain(name: str) -> str:
    parts = name.split("/")
    if name.startswith("/") or "\\" in name or any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{name!r} is not a plain relative path")
    if _CONTROL & set(name):
        raise ValueError(f"{name!r} has control characters")
    return name


# A relative path with forward slashes that stays inside the folder it is joined to.
PlainPath = Annotated[str, Field(min_length=1, max_length=512), AfterValidator(_require_plain)]

# A table of our own: the one of the system differs from machine to machine, and a digest must not.
_MEDIA_TYPES = {
    "mp4": "video/mp4",
    "mov": "video/quicktime",
    "webm": "video/webm",
    "mkv": "video/matroska",
    "wav": "audio/wav",
    "mp3": "audio/mpeg",
    "flac": "audio/flac",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "md": "text/markdown",
    "txt": "text/plain",
    "vtt": "text/vtt",
}


def media_type_of(name: str) -> str:
    """Return the IANA type that a file's name promises, or nothing. The content may be another.

    >>> media_type_of("cut/Final.MP4"), media_type_of("notes")
    ('video/mp4', '')
    """
    stem, dot, suffix = name.rpartition("/")[2].rpartition(".")
    return _MEDIA_TYPES.get(suffix.lower(), "") if dot and stem else ""


class FileRef(FrozenModel):
    """One file as the record keeps it.

    Args:
        name: Relative path with forward slashes, as the paper or the brief names it (`solution.mp4`).
        sha256: Hash of the content, which is also its address in the store.
        media_type: IANA type if somebody knows it (`video/mp4`), else empty.
    """

    name: PlainPath
    sha256: Sha256
    size_bytes: int = Field(ge=0)
    media_type: str = ""

    @property
    def is_text(self) -> bool:
        """Whether it can be read out as it is."""
        return self.media_type.startswith("text/") or self.media_type in ("application/json", "application/jsonl")


class FileStore(Protocol):
    """Where references become bytes. The store is one; tests may bring another."""

    def path(self, ref: FileRef) -> Path:
        """Return a readable path whose bytes match the reference, or raise CorruptEntry or BadInput."""

    def put(self, source: Path, *, name: str, media_type: str = "") -> FileRef:
        """Take in a regular file and return its reference."""

    def put_bytes(self, data: bytes, *, name: str, media_type: str = "") -> FileRef:
        """Take in bytes and return their reference."""


class Files(FrozenModel):
    """A set of files with distinct names, bound to a store when somebody wants to read them."""

    files: tuple[FileRef, ...] = ()

    @field_validator("files")
    @classmethod
    def _distinct(cls, files: tuple[FileRef, ...]) -> tuple[FileRef, ...]:
        # Names that differ in case or in the way an accent is written are one file on half of the world's disks.
        folded = [unicodedata.normalize("NFC", ref.name).casefold() for ref in files]
        if len(set(folded)) != len(folded):
            twice = sorted({name for name in folded if folded.count(name) > 1})
            raise ValueError(f"file names collide: {', '.join(twice)}")
        return files

    def file(self, name: str) -> FileRef | None:
        """Return the file of that name, or None when it was not delivered."""
        return next((ref for ref in self.files if ref.name == name), None)
