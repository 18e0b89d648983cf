"""The check of a pack: every file is there once, is listed, has its checksum, and is one file on any disk."""

import hashlib
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from unicodedata import normalize

from cutscore.bridge.pack import SUMS, Packed
from cutscore.core.errors import BadInput, CorruptEntry

CHUNK_BYTES = 1 << 20
MOST_LISTED_BYTES = 64 << 20  # half a million files
OURS, FRESH = "name a file that 'cutscore pack' wrote", "get a fresh copy of it"


def check(file: Path) -> Packed:
    """Compare every file of a pack with its checksum.

    Raises:
        BadInput: It is no pack.
        CorruptEntry: A file is missing, changed or added, is there twice, or is none that unpacking makes the same
            everywhere: a link, a device, a path that leads outside, a name that differs from another by case alone.
    """
    what = f"pack '{file}'"
    try:
        with tarfile.open(file, "r:") as tar:
            first = tar.next()
            content = tar.extractfile(first) if first is not None else None
            if first is None or content is None or not first.name.endswith(f"/{SUMS}"):
                raise BadInput(what, f"does not begin with {SUMS}", OURS)
            if first.size > MOST_LISTED_BYTES:
                raise CorruptEntry(what, f"{SUMS} has {first.size:,} bytes, {MOST_LISTED_BYTES:,} are allowed", FRESH)
            lines = content.read().decode().splitlines()
            found = dict(_entries(tar, first.name.removesuffix(SUMS), what))
            _refuse_more(file, tar.offset, what)
    except (tarfile.TarError, OSError, UnicodeDecodeError, ValueError) as error:
        raise BadInput(what, f"cannot be read ({error})", OURS) from error
    listed = {line[66:]: line[:64] for line in lines}
    if len(listed) < len(lines):
        raise CorruptEntry(what, f"{SUMS} lists a file twice", FRESH)
    for path in sorted({*listed, *found}):
        if fault := _fault(listed.get(path), found.get(path)):
            raise CorruptEntry(what, f"'{path}' {fault}", FRESH)
    cells = sum(PurePosixPath(path).name == "cell.json" for path in found)
    return Packed(file, cells, len(found), file.stat().st_size)


def _fault(listed: str | None, found: str | None) -> str:
    if listed is None or found is None:
        return "is not listed" if listed is None else "is missing"
    return f"has sha256 {found[:12]}…, not {listed[:12]}…" if listed != found else ""


def _entries(tar: tarfile.TarFile, prefix: str, what: str) -> Iterator[tuple[str, str]]:
    """Return path and digest of every file but the list of them."""
    seen: dict[str, str] = {}
    for entry in tar:
        path = entry.name.removeprefix(prefix)
        plain = entry.isreg() and not entry.issparse() and path != entry.name and _is_inside(path)
        content = tar.extractfile(entry) if plain else None
        if content is None:
            raise CorruptEntry(what, f"has an entry '{entry.name}' that no pack has", FRESH)
        name = normalize("NFC", path).casefold()
        if (twin := seen.get(name)) is not None:
            fact = f"has '{path}' twice" if twin == path else f"has '{twin}' and '{path}', one file on some disks"
            raise CorruptEntry(what, fact, FRESH)
        seen[name] = path
        if path != SUMS:
            yield path, hashlib.file_digest(content, "sha256").hexdigest()  # type: ignore[arg-type]


def _is_inside(path: str) -> bool:
    """Return whether a path stays in its folder, and is written in the only way: `a/../b` and `a//b` are not."""
    parts = PurePosixPath(path).parts
    return path == "/".join(parts) and not {"..", "/"} & {*parts}


def _refuse_more(file: Path, end: int, what: str) -> None:
    """Raise when something follows the end: some programs would unpack it."""
    with file.open("rb") as stream:
        stream.seek(end)
        while chunk := stream.read(CHUNK_BYTES):
            if chunk.strip(b"\0"):
                raise CorruptEntry(what, "has something after its end", FRESH)
