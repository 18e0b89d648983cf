"""A run folder as one portable file: a plain tar with its own checksums, the same bytes for the same record.

    NAME/SHA256SUMS                  one line a file, as `sha256sum -c` reads it
    NAME/BENCH/CELL_ID/…             cell.json, prices.json, logs
    NAME/store/ab/cdef…              only the files that some row refers to, each verified

Nothing in it tells of the machine: no absolute paths, no owners, no times. A file that holds a secret is refused, be it
set today or known to the run (`known_secrets.py`), also when it is inside a compressed log.
"""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from cutscore.atomic import replace_file
from cutscore.bridge.known_secrets import KnownSecrets, read_known_secrets
from cutscore.bridge.places import LOCAL_FILE, PlaceNames, noted_data, read_data_folder
from cutscore.bridge.rows import JOURNAL_FILE, LEDGER_FILE, REASONS_FILE, STORE_FOLDER, CellRecord, rows_of
from cutscore.bridge.stored_files import journaled_files, references
from cutscore.bridge.torn_log import TORN
from cutscore.core.errors import BadInput, NoRoom
from cutscore.redaction import Redactor

SUMS = "SHA256SUMS"

# Of no use to anyone else: who holds the folder now, and where its items lie.
_LEFT_OUT = ("lock", LOCAL_FILE)


@dataclass(frozen=True)
class Packed:
    """What is in a pack."""

    file: Path
    cells: int
    files: int
    size_bytes: int


def pack(records: Iterable[CellRecord], out: Path, *, name: str, redact: Redactor) -> Packed:
    """Write cells and everything that they refer to into one file.

    An earlier pack at `out` is replaced, anything else is left alone; `name` is the folder inside the tar.

    Raises:
        BadInput: A secret was found, or `out` is somebody else's file.
        CorruptEntry: A stored file does not match its name.
    """
    cells = list(records)
    _refuse_foreign(out)
    sources = dict(sorted({path: source for cell in cells for path, source in _files(cell)}.items()))
    known = {cell.run: read_known_secrets(cell.run) for cell in cells}
    for path, source in sources.items():
        if secret := _find_secret(source, redact, [*known.values()]):
            raise BadInput(f"file '{path}'", secret, "a pack would carry it away: take it out, and change that key")
    with TemporaryDirectory(prefix="cutscore-") as drafts:
        sources |= _copy_without_places(sources, PlaceNames(_places(cells)), Path(drafts))
        _write(out, name, sources)
    return Packed(out, len(cells), len(sources), out.stat().st_size)


def _places(cells: Iterable[CellRecord]) -> Iterator[str]:
    """Return the folders of this machine that cells may name."""
    for cell in cells:
        yield from (str(cell.run), read_data_folder(cell.folder))
        said = [cell.cell.subject.spec.partition("#")[0], *(noted_data(log) for log in cell.logs)]
        yield from (path for path in said if path.startswith("/"))


def _copy_without_places(sources: Mapping[str, Path], names: PlaceNames, drafts: Path) -> dict[str, Path]:
    """Copy logs and journals that name folders of this machine, without them; return the copies by their paths."""
    copies: dict[str, Path] = {}
    for path, source in sources.items():
        draft = drafts / str(len(copies))
        if source.suffix == ".eval" and zipfile.is_zipfile(source) and names.copy_log(source, draft):
            copies[path] = draft
        elif source.suffix == ".jsonl" and (cleaned := names.clean(data := source.read_bytes())) != data:
            draft.write_bytes(cleaned)
            copies[path] = draft
    return copies


def _write(out: Path, name: str, sources: Mapping[str, Path]) -> None:
    sums = {}
    for path, source in sources.items():
        with source.open("rb") as stream:
            sums[path] = hashlib.file_digest(stream, "sha256").hexdigest()
    listing = "".join(f"{digest}  {path}\n" for path, digest in sums.items()).encode()
    with _replacing(out) as target, tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT) as tar:
        _add(tar, f"{name}/{SUMS}", io.BytesIO(listing), len(listing))
        for path, source in sources.items():
            with source.open("rb") as content:
                _add(tar, f"{name}/{path}", content, os.fstat(content.fileno()).st_size)


def _files(record: CellRecord) -> Iterator[tuple[str, Path]]:
    """Return every file of a cell with its path in the run folder."""
    root = record.run.resolve()
    for source in sorted(record.folder.iterdir()):
        private = source.name.startswith(".") or source.name in _LEFT_OUT or source.suffix == TORN
        if source.is_file() and not source.is_symlink() and not private:
            yield source.resolve().relative_to(root).as_posix(), source
    for name in (LEDGER_FILE, JOURNAL_FILE, REASONS_FILE):
        if (file := root / name).is_file() and not file.is_symlink():  # of a foreign run it may lead anywhere
            yield name, file
    for ref in (*(ref for row in rows_of(record) for ref in references(row, record.store)), *journaled_files(record)):
        yield f"{STORE_FOLDER}/{ref.sha256[:2]}/{ref.sha256[2:]}", record.store.path(ref)


def _add(tar: tarfile.TarFile, path: str, content: IO[bytes], size_bytes: int) -> None:
    entry = tarfile.TarInfo(path)
    entry.size, entry.mode, entry.mtime = size_bytes, 0o644, 0
    tar.addfile(entry, content)


# --- secrets ----------------------------------------------------------------------------------------------------


def _find_secret(source: Path, redact: Redactor, known: Sequence[KnownSecrets]) -> str:
    """Say which secret a file holds, also in the members of a log as they are when unpacked; nothing if it has none."""
    with source.open("rb") as stream:
        if found := _find_in(stream, redact, known):
            return found
    if not zipfile.is_zipfile(source):
        return ""
    try:
        with zipfile.ZipFile(source) as archive:
            for member in archive.infolist():
                with archive.open(member) as content:
                    if found := _find_in(content, redact, known):
                        return found
    except (zipfile.BadZipFile, NotImplementedError, OSError) as error:
        fact = f"cannot be searched for secrets ({type(error).__name__}: {error})"
        raise BadInput(f"file '{source.name}'", fact, "finish its run first, or remove it") from error
    return ""


def _find_in(stream: IO[bytes], redact: Redactor, known: Sequence[KnownSecrets]) -> str:
    if redact.finds_in(stream):
        return "holds the value of a secret environment variable"
    for each in known:
        stream.seek(0)
        if name := each.find_in(stream):
            return f"holds a secret that its run knew as {name}"
    return ""


# --- the file ---------------------------------------------------------------------------------------------------


def _refuse_foreign(out: Path) -> None:
    if not out.exists():
        return
    try:
        with tarfile.open(out, "r:") as tar:
            first = tar.next()
            if first is not None and first.name.endswith(f"/{SUMS}"):
                return
    except (tarfile.TarError, OSError):
        pass
    raise BadInput(f"file '{out}'", "exists and is no pack of ours", "choose another name with -o")


@contextmanager
def _replacing(out: Path) -> Iterator[IO[bytes]]:
    try:
        with replace_file(out) as draft, draft.open("wb") as stream:
            yield stream
    except OSError as error:
        raise NoRoom.of(f"pack '{out}'", error, "make room there, or choose another file with -o") from error
