"""What a data pack says of its own files: hashes and licences, in `pack.json` or in the items themselves."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from cutscore.authoring.pack_writer import files_of
from cutscore.authoring.packs import is_pack, pinned_files
from cutscore.core.errors import BrokenData
from cutscore.core.item import Item
from cutscore.core.strict_json import read_json
from cutscore.regular_file import open_regular

RECORD = "pack.json"  # `cutscore build` writes one; packs of other makers need not have it
LONGEST_RECORD_BYTES = 64_000_000
MOST_NAMED = 5


def read_record(folder: Path) -> Mapping[str, JsonValue]:
    """Return what `pack.json` holds, nothing when there is none.

    Raises:
        BrokenData: It cannot be read as a JSON object.
    """
    file = folder / RECORD
    if not file.exists():
        return {}
    try:
        with open_regular(file) as stream:
            plain = read_json(stream.read(LONGEST_RECORD_BYTES).decode())
        if not isinstance(plain, dict):
            raise ValueError("is not a JSON object")
    except (OSError, ValueError) as error:
        fact = getattr(error, "strerror", None) or str(error)
        raise BrokenData(f"file '{file}'", fact, "build the pack again, or delete the file") from None
    return plain


def changed_files(folder: Path, record: Mapping[str, JsonValue]) -> list[str]:
    """Return the fault of every file that is not as `pack.json` says: gone, changed, or outside of the pack."""
    problems = []
    for name, wanted in sorted(_recorded_files(record).items()):
        try:
            fault = _file_fault(folder, name, str(wanted))
        except (OSError, ValueError) as error:  # a name that no file can have, or a file that cannot be read
            fault = f"cannot be read: {error}"
        problems += [f"file {name!r} {fault}"] if fault else []
    return problems


def _file_fault(folder: Path, name: str, wanted: str) -> str:
    if not (folder / name).resolve().is_relative_to(folder.resolve()):
        return "leads out of the pack"
    if not (folder / name).is_file():
        return f"is in {RECORD} and not in the pack"
    with (folder / name).open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    return "" if found == wanted else f"has sha256 {found[:8]}…, {RECORD} says {wanted[:8]}…"


def record_remarks(folder: Path, items: Sequence[Item], record: Mapping[str, JsonValue]) -> list[str]:
    """Return remarks: files without a recorded hash, and how many items have no licence."""
    recorded = _recorded_files(record)
    known = {*recorded, *recorded.values(), *(pinned_files(folder) if is_pack(folder) else ())}
    used = {ref.name: ref.sha256 for item in items for ref in files_of(item)}
    # A benchmark may show a file under another name than it has in the pack.
    found, loose = [], [name for name, digest in used.items() if not {name, digest} & known]
    if loose:
        more = f" and {len(loose) - MOST_NAMED:,} more" if len(loose) > MOST_NAMED else ""
        named = ", ".join(loose[:MOST_NAMED]) + more
        found.append(f"{len(loose):,} of {len(used):,} files have no recorded sha256: {named}")
    bare = sum(not getattr(item, "licence", "") for item in items)
    if bare and not _has_licences(record):
        found.append(f"no licence is recorded for {bare:,} of {len(items):,} items")
    return found


def _has_licences(record: Mapping[str, JsonValue]) -> bool:
    sources = record.get("sources")
    if not isinstance(sources, list) or not sources:
        return False
    return all(isinstance(each, dict) and each.get("licence") for each in sources)


def _recorded_files(record: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    files = record.get("files")
    return files if isinstance(files, dict) else {}
