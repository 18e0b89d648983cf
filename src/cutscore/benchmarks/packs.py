"""Data packs: a folder with `items.jsonl` and the files that its lines name. A pack contains no code."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue, ValidationError

from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.files import FileRef, Shelf, media_type_of
from cutscore.core.item import Item
from cutscore.core.strict import read_json

ITEMS_FILE = "items.jsonl"
LONGEST_LINE_BYTES = 1_000_000  # an item is a line of facts; media lie beside it
MOST_FAULTS = 5  # named in one message; whoever has more made the same mistake again

AnItem = TypeVar("AnItem", bound=Item)


def read_pack(folder: Path, kind: type[AnItem], shelf: Shelf, *, files: Sequence[str] = ()) -> list[AnItem]:
    """Read a pack's items in the order of its lines.

    Args:
        folder: Holds `items.jsonl`, one JSON object a line; blank lines are skipped.
        kind: The benchmark's item type, whose validators say what a line must hold.
        shelf: Takes in the files.
        files: Fields that name a file by its path in the pack. A line may write the whole reference instead
            (`{"name": …, "sha256": …, "size_bytes": …}`); then the file must have that hash.

    Raises:
        BrokenData: With the line number and the fault of each bad line, at most five of them.
    """
    found: dict[str, tuple[int, AnItem]] = {}
    faults: list[str] = []
    for number, line in _lines(folder):
        try:
            item = _item(line, folder, kind, shelf, files)
            if item.id in found:
                raise ValueError(f"id '{item.id}' is that of line {found[item.id][0]}")
            found[item.id] = (number, item)
        except ValueError as fault:
            faults.append(f"line {number}: {_first(fault)}")
    what = f"data pack '{folder}'"
    if faults:
        more = len(faults) - MOST_FAULTS
        named = " · ".join(faults[:MOST_FAULTS]) + (f" · and {more} more" if more > 0 else "")
        raise BrokenData(what, f"{ITEMS_FILE} {named}", "mend these lines")
    if not found:
        raise BrokenData(what, f"{ITEMS_FILE} has no items", "write one JSON object a line")
    return [item for _, item in found.values()]


def _lines(folder: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with (folder / ITEMS_FILE).open("rb") as stream:
            for number, line in enumerate(iter(lambda: stream.readline(LONGEST_LINE_BYTES + 1), b""), start=1):
                if line.strip():
                    yield number, line
                if len(line) > LONGEST_LINE_BYTES:  # what follows would be read as lines of its own
                    return
    except OSError as error:
        fact = f"{ITEMS_FILE} cannot be read: {error.strerror}"
        raise BrokenData(f"data pack '{folder}'", fact, f"a pack is a folder with {ITEMS_FILE} in it") from error


def _item(line: bytes, folder: Path, kind: type[AnItem], shelf: Shelf, files: Sequence[str]) -> AnItem:
    if len(line) > LONGEST_LINE_BYTES:
        raise ValueError(f"is longer than {LONGEST_LINE_BYTES:,} bytes; lines after it were not read")
    try:
        fields = read_json(line.decode().strip())
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8 text") from None
    if not isinstance(fields, dict):
        raise ValueError("is not a JSON object")
    for name in files:
        if name in fields:
            fields[name] = _take(fields[name], folder, shelf)
    return kind.model_validate(fields)


def _take(written: JsonValue, folder: Path, shelf: Shelf) -> JsonValue:
    pinned = FileRef.model_validate(written) if isinstance(written, dict) else None
    name = pinned.name if pinned else str(written)
    if not (folder / name).resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"file '{name}' leads out of the pack")
    media_type = pinned.media_type if pinned and pinned.media_type else media_type_of(name)
    try:
        taken = shelf.put(folder / name, name=name, media_type=media_type)
    except BadInput as fault:
        raise ValueError(f"file '{name}' {fault.fact}") from fault
    if pinned and pinned.sha256 != taken.sha256:
        raise ValueError(f"file '{name}' has sha256 {taken.sha256[:8]}…, the line pins {pinned.sha256[:8]}…")
    return taken.model_dump(mode="json")


def _first(fault: Exception) -> str:
    if not isinstance(fault, ValidationError):
        return str(fault)
    first = fault.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    words = first["msg"].removeprefix("Value error, ")
    return f"{where}: {words}" if where else words
