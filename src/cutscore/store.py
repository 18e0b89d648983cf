"""Content-addressed files: put, get, verify, collect.

    root/ab/cdef…    an entry: its path is the sha256 of its bytes; read-only, whole or absent
    root/tmp/        bytes on their way in; whatever a killed writer left here is never served
    root/lock        shared by writers, exclusive for `collect`

An entry appears by one rename of a file that is already complete and on disk, so several writers, a `kill -9` or a
full disk never show half a file. Writers hold the lock while they write; `collect` therefore knows that a file in
`tmp/` without a holder is garbage, and never removes an entry that somebody is just putting again.
"""

import errno
import fcntl
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from pydantic import ValidationError

from cutscore.core.errors import BadInput, CorruptEntry, NoRoom
from cutscore.core.files import FileRef
from cutscore.regular_file import name_kind

CHUNK_BYTES = 1 << 20

# Putting what is already there marks the entry as young, so that `collect` spares it until somebody refers to it.
# Not more often than this: a new time of change makes every other process hash the entry once more.
FRESHEN_AFTER_S = 600.0

# A name that is swapped for a link, a pipe or a terminal must neither lead us elsewhere nor make us wait.
_SAFE_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

# Entries that this process has hashed: (device, inode) → (sha256, size, time of change). Stores come and go with
# every sample; what they know about the disk stays.
_intact_entries: dict[tuple[int, int], tuple[str, int, int]] = {}

_Chunks = Callable[[], Iterator[bytes]]


class Store:
    """Files by the sha256 of their content; the `FileStore` of every run. Nothing is made before the first `put`."""

    def __init__(self, root: Path) -> None:
        self.root = Path(root)

    def __repr__(self) -> str:
        return f"Store({str(self.root)!r})"

    def put(self, source: Path, *, name: str, media_type: str = "", max_bytes: int | None = None) -> FileRef:
        """Take in a regular file and give its reference.

        The bytes that are stored are the bytes that were hashed, read from one descriptor. Only the last part of
        `source` may not be a link: whoever names a folder answers for it.

        Args:
            source: File to copy; links, pipes, devices and folders are refused.
            name: Name in the record, a plain relative path.
            media_type: IANA type if known.
            max_bytes: Refuse anything longer, before it is read (a sparse file of 100 GB costs nothing to make).

        Raises:
            BadInput: The source cannot be used, or changed while it was read.
            NoRoom: The store cannot be written.
        """
        with _regular(Path(source), max_bytes=max_bytes) as chunks:
            return self._keep(chunks, what=f"file '{source}'", name=name, media_type=media_type)

    def put_bytes(self, data: bytes, *, name: str, media_type: str = "") -> FileRef:
        """Take in bytes and give their reference."""
        return self._keep(lambda: iter((data,)), what=f"file '{name}'", name=name, media_type=media_type)

    def path(self, ref: FileRef) -> Path:
        """Return a path whose bytes match the reference: size is checked each time, hash once per process and entry.

        Raises:
            BadInput: There is no such entry.
            CorruptEntry: There is one, and its bytes are not those that its name promises.
        """
        entry = self._entry(ref.sha256)
        try:
            fault = _fault(entry, ref.sha256, size_bytes=ref.size_bytes)
        except FileNotFoundError:
            what = f"file '{ref.name}' (sha256 {ref.sha256[:12]}…)"
            raise BadInput(
                what, "is not in the store", f"restore '{self.root}' or run the same command again"
            ) from None
        if fault:
            what = f"store entry {ref.sha256}"
            raise CorruptEntry(what, fault, f"put the file again, or delete '{entry}' and run the same command again")
        return entry

    def has(self, sha256: str) -> bool:
        """Return whether there is an entry, without reading it."""
        return self.locate(sha256) is not None

    def locate(self, sha256: str) -> Path | None:
        """Return where an entry is, without reading it: its bytes are not checked; None where there is none."""
        entry = self._entry(sha256) if re.fullmatch("[0-9a-f]{64}", sha256) else None
        return entry if entry is not None and entry.is_file() else None

    def verify(self) -> Iterator[str]:
        """Hash every entry anew and give the digests of those that are corrupt, in order."""
        for sha256, entry in self._entries():
            with suppress(FileNotFoundError):
                if _fault(entry, sha256, trust=False):
                    yield sha256

    def size_bytes(self) -> int:
        """Return the bytes of all entries together."""
        total = 0
        for _, entry in self._entries():
            with suppress(FileNotFoundError):
                total += entry.lstat().st_size
        return total

    def collect(self, reachable: Iterable[str], *, older_than_s: float = 3600) -> int:
        """Remove entries that nobody refers to, and what killed writers left; give the bytes freed.

        Args:
            reachable: Digests that stay.
            older_than_s: Younger entries stay, too: another writer may be about to refer to them. Below
                `FRESHEN_AFTER_S` this is safe only while nobody else writes.
        """
        if not self.root.is_dir():
            return 0
        wanted, freed = set(reachable), 0
        with self._writing(fcntl.LOCK_EX):
            now_s = self._clock_s()
            garbage = [entry for sha256, entry in self._entries() if sha256 not in wanted]
            for path in (*(self.root / "tmp").iterdir(), *garbage):
                found = path.lstat()
                if path.parent.name == "tmp" or now_s - found.st_mtime >= older_than_s:
                    path.unlink()
                    freed += found.st_size
        return freed

    def _keep(self, chunks: _Chunks, *, what: str, name: str, media_type: str) -> FileRef:
        sha256, size_bytes = _digest(chunks())
        try:
            ref = FileRef(name=name, sha256=sha256, size_bytes=size_bytes, media_type=media_type)
        except ValidationError as error:
            raise BadInput(f"file {name!r}", f"cannot be named so: {error.errors()[0]['msg']}") from None
        with self._writing(fcntl.LOCK_SH):
            # Hashing first and copying second reads new files twice, but puts of what is already here write nothing.
            if not self._freshen(ref):
                self._write(chunks(), sha256, what=what)
        return ref

    def _freshen(self, ref: FileRef) -> bool:
        """Return whether a sound entry is already there, and mark it as young. A corrupt one is to be replaced."""
        entry = self._entry(ref.sha256)
        try:
            sound = not _fault(entry, ref.sha256, size_bytes=ref.size_bytes)
        except FileNotFoundError:
            return False
        if sound and self._clock_s() - entry.stat().st_mtime >= FRESHEN_AFTER_S:
            os.utime(entry)
        return sound

    def _write(self, chunks: Iterator[bytes], sha256: str, *, what: str) -> None:
        """Copy bytes into an entry, if they are still those that were hashed."""
        handle, temporary = tempfile.mkstemp(dir=self.root / "tmp")
        try:
            with open(handle, "wb", buffering=0):
                copied, size_bytes = _digest(_copy_chunks(chunks, handle))
                if copied != sha256:
                    raise _changed_error(what)
                os.fchmod(handle, 0o444)
                os.fsync(handle)
                found = os.fstat(handle)
            entry = self._entry(sha256)
            entry.parent.mkdir(exist_ok=True)
            os.replace(temporary, entry)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
        _intact_entries[found.st_dev, found.st_ino] = (sha256, size_bytes, found.st_mtime_ns)

    def _entry(self, sha256: str) -> Path:
        return self.root / sha256[:2] / sha256[2:]

    def _entries(self) -> Iterator[tuple[str, Path]]:
        for shard in sorted(self.root.glob("[0-9a-f][0-9a-f]")):
            for entry in sorted(shard.glob("*")):
                if re.fullmatch("[0-9a-f]{62}", entry.name):
                    yield shard.name + entry.name, entry

    def _clock_s(self) -> float:
        """Return the time as the store's disk sees it; that of a file server is not ours."""
        os.utime(self.root / "lock")
        return (self.root / "lock").stat().st_mtime

    @contextmanager
    def _writing(self, kind: int) -> Iterator[None]:
        """Hold the lock; what the disk refuses meanwhile is `NoRoom`."""
        try:
            (self.root / "tmp").mkdir(parents=True, exist_ok=True)
            with open(self.root / "lock", "ab") as lock:
                fcntl.flock(lock, kind)
                try:
                    yield
                finally:
                    fcntl.flock(lock, fcntl.LOCK_UN)  # closing is not enough: a process forked meanwhile has a copy
        except OSError as error:
            raise NoRoom.of(f"store '{self.root}'", error, "make room or choose another folder") from error


def _digest(chunks: Iterable[bytes]) -> tuple[str, int]:
    """Return sha256 and length."""
    digest, size_bytes = hashlib.sha256(), 0
    for chunk in chunks:
        digest.update(chunk)
        size_bytes += len(chunk)
    return digest.hexdigest(), size_bytes


def _copy_chunks(chunks: Iterable[bytes], handle: int) -> Iterator[bytes]:
    """Write chunks and hand them on."""
    for chunk in chunks:
        rest = memoryview(chunk)
        while rest:
            rest = rest[os.write(handle, rest) :]
        yield chunk


@contextmanager
def _open_file(path: Path) -> Iterator[int]:
    handle = os.open(path, _SAFE_READ)
    try:
        yield handle
    finally:
        os.close(handle)


def _read(handle: int, at_most: int) -> Iterator[bytes]:
    """Read a file from its start, up to a length."""
    os.lseek(handle, 0, os.SEEK_SET)
    while chunk := os.read(handle, min(CHUNK_BYTES, at_most)):
        at_most -= len(chunk)
        yield chunk


@contextmanager
def _regular(source: Path, *, max_bytes: int | None) -> Iterator[_Chunks]:
    """Open a regular file and give a way to read it from the start, as often as wanted, unchanged."""
    what = f"file '{source}'"
    with ExitStack() as stack:
        try:
            handle = stack.enter_context(_open_file(source))
        except FileNotFoundError:
            raise BadInput(what, "does not exist") from None
        except OSError as error:
            fact = "is a link" if source.is_symlink() else f"cannot be opened: {error.strerror}"
            raise BadInput(what, fact, "give a regular file") from error
        before = os.fstat(handle)
        if not stat.S_ISREG(before.st_mode):
            raise BadInput(what, f"is {name_kind(before.st_mode)}", "give a regular file")
        if max_bytes is not None and before.st_size > max_bytes:
            raise BadInput(what, f"has {before.st_size} bytes", f"at most {max_bytes} are allowed")

        def chunks() -> Iterator[bytes]:
            length = 0
            try:
                # No further than it was long: a file that grows faster than we read must not hold us forever.
                for chunk in _read(handle, before.st_size):
                    length += len(chunk)
                    yield chunk
                after = os.fstat(handle)
            except OSError as error:
                raise BadInput(what, f"cannot be read: {error.strerror}") from error
            if length != before.st_size or (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
                raise _changed_error(what)

        yield chunks


def _changed_error(what: str) -> BadInput:
    return BadInput(what, "changed while it was read", "wait until it is complete")


def _fault(entry: Path, sha256: str, *, size_bytes: int | None = None, trust: bool = True) -> str:
    """Return what is wrong with an entry, or nothing; FileNotFoundError when it is absent.

    With `trust`, what this process has hashed and nobody has changed since is not hashed again.
    """
    try:
        with _open_file(entry) as handle:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                return f"is {name_kind(found.st_mode)}"
            if size_bytes is not None and found.st_size != size_bytes:
                return f"has {found.st_size} bytes, not {size_bytes}"
            file, seal = (found.st_dev, found.st_ino), (sha256, found.st_size, found.st_mtime_ns)
            if trust and _intact_entries.get(file) == seal:
                return ""
            actual, _ = _digest(_read(handle, found.st_size))
    except FileNotFoundError:
        raise
    except OSError as error:
        return "is a link" if error.errno == errno.ELOOP else f"cannot be read: {error.strerror}"
    if actual != sha256:
        _intact_entries.pop(file, None)
        return f"has sha256 {actual}"
    _intact_entries[file] = seal
    return ""
