"""Write data packs (`packs` reads them back equal)."""

import hashlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, JsonValue

from cutscore.atomic import replace_file
from cutscore.authoring.packs import ITEMS_FILE, LONGEST_LINE_BYTES
from cutscore.core.errors import BrokenData, NoRoom
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import canonical_json, digest_of
from cutscore.core.item import Item

SidecarWriter = Callable[[Any, Path], None]
NO_WRITERS: Mapping[str, SidecarWriter] = MappingProxyType({})


def write_pack(
    folder: Path,
    items: Iterable[Item],
    store: FileStore,
    *,
    sidecars: Mapping[str, SidecarWriter] = NO_WRITERS,
    without: Container[str] = (),
) -> dict[str, str]:
    """Write items and their files as a pack, and return the sha256 of each file by name.

    Args:
        folder: Is made when it is missing. `items.jsonl` comes last, so that a folder with one is whole.
        items: Every file that an item refers to is copied to its own name in the folder, and its hash is written into
            the line. Two contents under one name are refused.
        store: Has the files.
        sidecars: Fields whose value is written to a file of its own, `FIELD/DIGEST.json`, which all items with an equal
            value share; the writer turns the value into the file.
        without: Names of files that are not copied; the lines keep their hashes, and readers have to get them.
    """
    pack = _Pack(folder, store, sidecars, without)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with replace_file(folder / ITEMS_FILE) as draft, draft.open("wb") as lines:
            for item in items:
                lines.write(pack.line(item))
    except OSError as error:
        raise NoRoom.of(f"data pack '{folder}'", error, "make room there, or choose another folder") from error
    return dict(sorted(pack.written.items()))


@dataclass(frozen=True)
class _Pack:
    """A pack that is being written; `written` has the sha256 of its files by name."""

    folder: Path
    store: FileStore
    sidecars: Mapping[str, SidecarWriter]
    without: Container[str]
    written: dict[str, str] = field(default_factory=dict)

    def line(self, item: Item) -> bytes:
        """Return an item's line, after its files were copied and its sidecars written."""
        plain: dict[str, JsonValue] = item.model_dump(mode="json", by_alias=True)
        fields = {name: value for name, value in plain.items() if value is not None}
        for ref in files_of(item):
            self._copy(ref)
        for name in self.sidecars:
            if (value := getattr(item, name, None)) is not None:
                fields[name] = self._write_sidecar(name, value)
        line = canonical_json(fields) + b"\n"
        if len(line) > LONGEST_LINE_BYTES:
            raise BrokenData(f"item '{item.id}'", f"takes more than {LONGEST_LINE_BYTES:,} bytes as a line")
        return line

    def _copy(self, ref: FileRef) -> None:
        if self.written.setdefault(ref.name, ref.sha256) != ref.sha256:
            raise BrokenData(f"file '{ref.name}'", "stands for two contents in one pack", "give each a name of its own")
        if ref.name not in self.without and not (self.folder / ref.name).exists():
            copy_file(self.store.path(ref), self.folder / ref.name, ref)

    def _write_sidecar(self, name: str, value: BaseModel) -> str:
        file = f"{name}/{digest_of(value)[:16]}.json"
        if file not in self.written:
            (self.folder / name).mkdir(exist_ok=True)
            self.sidecars[name](value, self.folder / file)
            self.written[file] = hashlib.sha256((self.folder / file).read_bytes()).hexdigest()
        return file


def files_of(value: object) -> Iterator[FileRef]:
    """Return every file that an item refers to, at whatever depth."""
    if isinstance(value, FileRef):
        yield value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from files_of(getattr(value, name))
    elif isinstance(value, list | tuple | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from files_of(each)


def copy_files(files: Iterable[FileRef], into: Path, store: FileStore) -> None:
    """Copy files from a store into a folder, each to its own name."""
    for ref in files:
        copy_file(store.path(ref), into / ref.name, ref)


def copy_file(source: Path, target: Path, ref: FileRef) -> None:
    """Copy a file, whole or not at all, whose content is what the reference says."""
    target.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with replace_file(target) as draft, source.open("rb") as given, draft.open("wb") as taken:
        while chunk := given.read(1 << 20):
            digest.update(chunk)
            taken.write(chunk)
        if digest.hexdigest() != ref.sha256:
            raise BrokenData(f"file '{ref.name}'", "was changed while it was copied", "run the same command again")
