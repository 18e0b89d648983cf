"""Files by reference: a name, a hash, a size. The bytes live in the store."""

from pathlib import Path
from typing import Protocol

from pydantic import Field, field_validator

from cutscore.core.noun import Noun, Sha256

_CONTROL = {chr(code) for code in (*range(32), 127)}


class FileRef(Noun):
    """One file as the record keeps it.

    Args:
        name: Relative path with forward slashes, as the paper or the brief names it (`solution.mp4`).
        sha256: Hash of the content, which is also its address in the store.
        size_bytes: Length of the content.
        media_type: IANA type if somebody knows it (`video/mp4`), else empty.
    """

    name: str = Field(min_length=1, max_length=512)
    sha256: Sha256
    size_bytes: int = Field(ge=0)
    media_type: str = ""

    @field_validator("name")
    @classmethod
    def _inside(cls, name: str) -> str:
        parts = name.split("/")
        if name.startswith("/") or "\\" in name or any(part in ("", ".", "..") for part in parts):
            raise ValueError(f"{name!r} is not a plain relative path")
        if _CONTROL & set(name):
            raise ValueError(f"{name!r} has control characters")
        return name


class Shelf(Protocol):
    """Where references become bytes. The store is one; tests may bring another."""

    def path(self, ref: FileRef) -> Path:
        """Give a readable path whose bytes match the reference, or raise CorruptEntry or BadInput."""
        ...

    def put(self, source: Path, *, name: str, media_type: str = "") -> FileRef:
        """Take in a regular file and give its reference."""
        ...

    def put_bytes(self, data: bytes, *, name: str, media_type: str = "") -> FileRef:
        """Take in bytes and give their reference."""
        ...


class Files(Noun):
    """A set of files with distinct names, bound to a shelf when somebody wants to read them."""

    files: tuple[FileRef, ...] = ()

    @field_validator("files")
    @classmethod
    def _distinct(cls, files: tuple[FileRef, ...]) -> tuple[FileRef, ...]:
        # Names that differ in case only are one file on half of the world's disks.
        folded = [ref.name.casefold() for ref in files]
        if len(set(folded)) != len(folded):
            twice = sorted({name for name in folded if folded.count(name) > 1})
            raise ValueError(f"file names collide: {', '.join(twice)}")
        return files

    def file(self, name: str) -> FileRef | None:
        """Give the file of that name, or None when it was not delivered."""
        return next((ref for ref in self.files if ref.name == name), None)
