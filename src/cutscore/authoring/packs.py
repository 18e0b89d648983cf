"""Read data packs: a folder with `items.jsonl` and the files that its lines name. A pack contains no code."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Generic, TypeVar, cast

from pydantic import BaseModel, JsonValue, TypeAdapter

from cutscore.core.bundle import UnscorableBundle
from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.files import FileRef, FileStore, media_type_of
from cutscore.core.item import Item
from cutscore.core.strict_json import first_fault, read_json
from cutscore.regular_file import open_regular
from cutscore.submissions import refuse_oversized

ITEMS_FILE = "items.jsonl"
ARRAY_FILE = "items.json"  # one JSON array instead, as some benchmarks are published
LONGEST_LINE_BYTES = 1_000_000  # an item is a line of facts; media lie beside it
LONGEST_ARRAY_BYTES = 256_000_000
MOST_FAULTS = 5  # named in one message; whoever has more made the same mistake again

AnItem = TypeVar("AnItem", bound=Item)
SidecarReader = Callable[[Path], BaseModel]
NO_SIDECARS: Mapping[str, SidecarReader] = MappingProxyType({})


def read_pack(
    folder: Path,
    kind: type[AnItem] | TypeAdapter[AnItem],
    store: FileStore,
    *,
    files: Sequence[str] = (),
    folders: Sequence[str] = (),
    sidecars: Mapping[str, SidecarReader] = NO_SIDECARS,
) -> list[AnItem]:
    """Read a pack's items in the order of its lines.

    Args:
        folder: Holds `items.jsonl`, one JSON object a line; blank lines are skipped. Without it, `items.json`, one
            array of such objects.
        kind: The benchmark's item type, whose validators say what a line must hold; an adapter where there are several.
        store: Takes in the files.
        files: Fields that name a file by its path in the pack. A line may write the whole reference instead
            (`{"name": …, "sha256": …, "size_bytes": …}`); then the file must have that hash.
        folders: Fields that name several files: as a list, or as a folder whose files are all meant, by name.
        sidecars: Fields that may name a file instead of holding a value; the reader gives what it holds.

    Raises:
        BrokenData: With the line number and the fault of at most five bad lines; its `faults` are those of all.
    """
    read = read_lines(folder, kind, store, files=files, folders=folders, sidecars=sidecars)
    if read.faults or not read.items:
        raise broken_pack(folder, read)
    return read.items


@dataclass(frozen=True)
class PackReading(Generic[AnItem]):
    """What the lines of a pack give: items, and the faults of bad lines, each with its place.

    Args:
        absent: A file that a line pins is not there.
    """

    items: list[AnItem]
    faults: tuple[str, ...]
    absent: bool = False


def read_lines(
    folder: Path,
    kind: type[AnItem] | TypeAdapter[AnItem],
    store: FileStore,
    *,
    files: Sequence[str] = (),
    folders: Sequence[str] = (),
    sidecars: Mapping[str, SidecarReader] = NO_SIDECARS,
    complete: Callable[[dict[str, JsonValue]], None] = lambda _fields: None,
) -> PackReading[AnItem]:
    """Read the good lines of a pack, and name the bad ones; as `read_pack` has it.

    `complete` may add to the fields of a line what it leaves to be understood, before its files are taken in.
    """
    found: dict[str, tuple[int, AnItem]] = {}
    faults: list[str] = []
    absent = False
    take_files = _file_taker(folder, store, files=files, folders=folders, sidecars=sidecars)
    for number, line in _lines(folder):
        fields: dict[str, JsonValue] = {}
        try:
            fields = _parse_line(line)
            complete(fields)
            take_files(fields)
            item = _validate(fields, kind)
            if item.id in found:
                raise ValueError(f"id '{item.id}' is that of line {found[item.id][0]}")
            found[item.id] = (number, item)
        except _Absent as fault:
            recipe, absent = _recipe(fields, fault.name), True
            faults.append(f"line {number}: {fault}" + (f", get it so: {recipe}" if recipe else ""))
        except ValueError as fault:
            faults.append(f"line {number}: {first_fault(fault)}")
    return PackReading([item for _, item in found.values()], tuple(faults), absent)


def broken_pack(folder: Path, read: PackReading[AnItem]) -> BrokenData:
    """Return the error of a pack that cannot be used, with the faults of at most five lines."""
    what, file = f"data pack '{folder}'", _items_file(folder).name
    if not read.faults:
        return BrokenData(what, f"{file} has no items", "write one JSON object a line")
    more = len(read.faults) - MOST_FAULTS
    named = " · ".join(read.faults[:MOST_FAULTS]) + (f" · and {more} more" if more > 0 else "")
    error = BrokenData(
        what, f"{file} {named}", f"'cutscore fetch {folder}' names all of them" if read.absent else "mend these lines"
    )
    error.faults = read.faults
    return error


@dataclass(frozen=True)
class PinnedFile:
    """A file whose hash is written in a line that uses it, and how to get it where it may not be passed on."""

    ref: FileRef
    recipe: str = ""


def is_pack(folder: Path) -> bool:
    """Return whether a folder holds items as we write them, and not a benchmark's own published file."""
    return _items_file(folder).is_file()


def read_fields(folder: Path) -> Iterator[dict[str, JsonValue]]:
    """Return the lines of a pack as they are written, before anything is checked or taken in.

    Raises:
        BrokenData: A line is no JSON object.
    """
    for number, line in _lines(folder):
        try:
            yield _parse_line(line)
        except ValueError as fault:
            fact = f"{_items_file(folder).name} line {number}: {first_fault(fault)}"
            raise BrokenData(f"data pack '{folder}'", fact, "mend this line") from None


def pinned_files(folder: Path) -> dict[str, PinnedFile]:
    """Return the files that a pack pins, by name."""

    def pinned(value: JsonValue) -> Iterator[FileRef]:
        if isinstance(value, dict) and {"name", "sha256"} <= value.keys() <= FileRef.model_fields.keys():
            yield FileRef.model_validate(value)
        elif isinstance(value, dict | list):
            for each in value.values() if isinstance(value, dict) else value:
                yield from pinned(each)

    found: dict[str, PinnedFile] = {}
    for number, line in _lines(folder):
        try:
            fields = _parse_line(line)
            found |= {ref.name: PinnedFile(ref, _recipe(fields, ref.name)) for ref in pinned(fields)}
        except ValueError as fault:
            fact = f"{_items_file(folder).name} line {number}: {first_fault(fault)}"
            raise BrokenData(f"data pack '{folder}'", fact, "mend this line") from None
    return found


def _recipe(fields: Mapping[str, JsonValue], name: str) -> str:
    """Return what a line says of how to get a file (`Provenance.recipe`)."""
    origins = fields.get("provenance")
    origin = origins.get(name) if isinstance(origins, dict) else None
    return str(origin.get("recipe") or "") if isinstance(origin, dict) else ""


class _Absent(ValueError):
    """A pinned file that is not in the pack."""

    def __init__(self, name: str) -> None:
        super().__init__(f"file '{name}' is not in the pack")
        self.name = name


def _file_taker(
    folder: Path,
    store: FileStore,
    *,
    files: Sequence[str],
    folders: Sequence[str],
    sidecars: Mapping[str, SidecarReader],
) -> Callable[[dict[str, JsonValue]], None]:
    """Return what takes in the files that a line names, and puts into its fields what they are or hold."""

    @cache  # many questions show the same clip
    def take(written: str) -> JsonValue:
        return _take_file(read_json(written), folder, store)

    @cache
    def beside(name: str, written: str) -> JsonValue:
        return _read_sidecar(written, folder, sidecars[name])

    def take_files(fields: dict[str, JsonValue]) -> None:
        for name in files:
            if fields.get(name) is not None:
                fields[name] = take(json.dumps(fields[name]))
        for name in folders:
            if fields.get(name) is not None:
                fields[name] = [take(json.dumps(each)) for each in _list_files(fields[name], folder)]
        for name in sidecars:
            if isinstance(written := fields.get(name), str):
                fields[name] = beside(name, written)

    return take_files


def _validate(fields: dict[str, JsonValue], kind: type[AnItem] | TypeAdapter[AnItem]) -> AnItem:
    if "untold" in fields:
        return cast(AnItem, UnscorableBundle.model_validate(fields))  # whatever the benchmark, it is not marked
    return kind.validate_python(fields) if isinstance(kind, TypeAdapter) else kind.model_validate(fields)


def _items_file(folder: Path) -> Path:
    lines, array = folder / ITEMS_FILE, folder / ARRAY_FILE
    return array if array.is_file() and not lines.exists() else lines


def _lines(folder: Path) -> Iterator[tuple[int, bytes]]:
    if _items_file(folder).name == ARRAY_FILE:
        yield from _array_entries(folder)
        return
    try:
        with open_regular(folder / ITEMS_FILE) as stream:
            for number, line in enumerate(iter(lambda: stream.readline(LONGEST_LINE_BYTES + 1), b""), start=1):
                if line.strip():
                    yield number, line
                if len(line) > LONGEST_LINE_BYTES:  # what follows would be read as lines of its own
                    return
    except OSError as error:
        fact = f"{ITEMS_FILE} cannot be read: {error.strerror}"
        raise BrokenData(f"data pack '{folder}'", fact, f"a pack is a folder with {ITEMS_FILE} in it") from error


def _array_entries(folder: Path) -> Iterator[tuple[int, bytes]]:
    """Return the objects of an array as lines, numbered from 1: what holds for a line then holds for them."""
    what = f"data pack '{folder}'"
    with open_regular(folder / ARRAY_FILE) as stream:
        data = stream.read(LONGEST_ARRAY_BYTES + 1)
    if len(data) > LONGEST_ARRAY_BYTES:
        raise BrokenData(what, f"{ARRAY_FILE} is larger than {LONGEST_ARRAY_BYTES:,} bytes", f"write {ITEMS_FILE}")
    try:
        entries = read_json(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BrokenData(what, f"{ARRAY_FILE} is not UTF-8 text") from None
    except ValueError as fault:
        raise BrokenData(what, f"{ARRAY_FILE} {fault}") from None
    if not isinstance(entries, list):
        raise BrokenData(what, f"{ARRAY_FILE} is not an array", "write [{…}, {…}], or one object a line")
    for number, entry in enumerate(entries, start=1):
        yield number, json.dumps(entry).encode()


def _parse_line(line: bytes) -> dict[str, JsonValue]:
    if len(line) > LONGEST_LINE_BYTES:
        raise ValueError(f"is longer than {LONGEST_LINE_BYTES:,} bytes; lines after it were not read")
    try:
        fields = read_json(line.decode().strip())
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8 text") from None
    if not isinstance(fields, dict):
        raise ValueError("is not a JSON object")
    return fields


def _list_files(written: JsonValue, folder: Path) -> Sequence[JsonValue]:
    """Return the files that a field names: those of a list, or all of a folder in the order of their names."""
    if isinstance(written, list):
        return written
    _stay_inside("folder", str(written), folder)
    place = folder / str(written)
    if not place.is_dir():
        raise ValueError(f"folder '{written}' does not exist")
    inside = sorted(path.name for path in place.iterdir() if not path.name.startswith("."))
    if not inside:
        raise ValueError(f"folder '{written}' is empty")
    return [f"{str(written).rstrip('/')}/{name}" for name in inside]


def _read_sidecar(name: str, folder: Path, reader: SidecarReader) -> JsonValue:
    _stay_inside("file", name, folder)
    try:
        held: JsonValue = reader(folder / name).model_dump(mode="json", by_alias=True)
    except BadInput as fault:
        raise ValueError(f"file '{name}' {fault.fact}") from fault
    return held


def _stay_inside(what: str, name: str, folder: Path) -> None:
    if not (folder / name).resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"{what} '{name}' leads out of the pack")


def _refuse_oversized(path: Path, name: str) -> None:
    try:
        refuse_oversized(path)
    except ValueError as fault:
        raise ValueError(f"file '{name}' {fault}") from fault


def _take_file(written: JsonValue, folder: Path, store: FileStore) -> JsonValue:
    pinned = FileRef.model_validate(written) if isinstance(written, dict) else None
    name = pinned.name if pinned else str(written)
    _stay_inside("file", name, folder)
    if pinned and not os.path.lexists(folder / name):
        raise _Absent(name)
    media_type = pinned.media_type if pinned and pinned.media_type else media_type_of(name)
    if (folder / name).is_file():
        _refuse_oversized(folder / name, name)
    try:
        taken = store.put(folder / name, name=name, media_type=media_type)
    except BadInput as fault:
        raise ValueError(f"file '{name}' {fault.fact}") from fault
    if pinned and pinned.sha256 != taken.sha256:
        raise ValueError(f"file '{name}' has sha256 {taken.sha256[:8]}…, the line pins {pinned.sha256[:8]}…")
    return taken.model_dump(mode="json")
