"""The cache of decoded frames and of what was computed from them: whoever asks again gets equal arrays.

    folder/ab/cdef….arrays  an entry: named by the hash of its key, whole or absent
    folder/ab/lock          held by whoever is making an entry of this shard, so that others wait and do not decode, too

An entry appears by one rename and says inside what it is: its key in full, and a checksum of everything. What was asked
for under another key, is torn or was changed on disk is therefore no entry; it is made anew and replaced. Entries that
nobody asked for the longest go first when the folder is full; whoever is reading one at that moment has it open and
reads on. Trouble with the folder costs time and nothing else: no result depends on whether something was kept.

Pixels are kept as they are. Ten frames of 720p are 28 MB, which are read and checked in 0.03 s of processor time, while
decoding them takes 0.3 s (real footage of 5 s) to 1.9 s (a minute). Packing them (zlib, fastest level) takes 0.5 s and
unpacking 0.13 s, and saves a quarter of real footage and a twentieth of grain: dearer than decoding again.
"""

import fcntl
import hashlib
import json
import logging
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput
from cutscore.media import colour
from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.frames import Frame, decoder_version, read_frames
from cutscore.media.plan import FramePlan, Shuffled, shuffled_order
from cutscore.settings import load_settings

LIMIT_BYTES = 4 << 30
# One entry may not push out all others.
_MOST_OF_LIMIT = 8
# Weighing all entries takes a while when they are many and small: only after so small a part of the limit was written.
_WEIGHED_OFTEN = 64
_MAGIC = b"cutscore arrays 1\n"
_DIGEST_BYTES = 32
_HEAD_AT = len(_MAGIC) + _DIGEST_BYTES + 8
_ALIGNED = 64
# So long one waits for another who is making the same; working twice is better than waiting for ever.
_PATIENCE_S = 300.0
_LOOK_AGAIN_S = 0.02
# Younger files without a final name may be somebody's who is still writing.
_GARBAGE_AFTER_S = 3600.0

# Bytes that this process has written to a folder since it was weighed.
_unweighed: dict[Path, int] = {}

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CacheKey:
    """What something was made of: equal keys, equal arrays.

    Args:
        media: sha256 of the file.
        plan: Frame plan as its spec string.
        made_by: What decoded and computed, with versions.
        kind: What was made: `rgb` for frames, else the name of a feature.
    """

    media: str
    plan: str
    made_by: str
    kind: str

    @property
    def text(self) -> str:
        """The key in full, as JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def digest(self) -> str:
        """The hash that names the entry."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, eq=False)
class CacheEntry:
    """Arrays by name, read-only, with notes that JSON can carry."""

    arrays: Mapping[str, npt.NDArray[Any]]
    notes: Any = None


class FrameCache:
    """A folder of entries, made when the first one is written.

    All entries together may take `limit_bytes`; more for a moment, while several write.
    """

    def __init__(self, folder: Path, *, limit_bytes: int = LIMIT_BYTES) -> None:
        self.folder, self.limit_bytes = Path(folder), limit_bytes

    @classmethod
    def in_user_cache(cls) -> "FrameCache":
        """Return the folder in the user's cache, which all runs and processes share."""
        settings = load_settings()
        return cls(settings.cache_dir / "frames", limit_bytes=settings.frames_max_bytes)

    def get_or_make(self, key: CacheKey, make: Callable[[], CacheEntry]) -> CacheEntry:
        """Return an entry, made now if it is not there; of several who ask at a time, one makes it."""
        if (entry := self.get(key)) is not None:
            return entry
        with self._turn(key):
            if (entry := self.get(key)) is None:
                entry = make()
                self.put(key, entry)
            return entry

    def get(self, key: CacheKey) -> CacheEntry | None:
        """Return an entry if it is there and intact, and note that it was asked for."""
        path = self._path(key)
        try:
            with path.open("rb") as file:
                if (entry := _read(file.read(), key)) is None:
                    logger.info("cache entry %s is damaged and will be made anew", path)
                    return None
                with suppress(OSError):  # somebody else's folder
                    os.utime(file.fileno())
                return entry
        except OSError:  # not there, or just removed
            return None

    def put(self, key: CacheKey, entry: CacheEntry) -> None:
        """Keep an entry, unless it would take too much of the folder or cannot be written."""
        for name, array in entry.arrays.items():
            if array.dtype.hasobject:
                raise BadInput(f"cached array '{name}'", "holds Python objects", "keep numbers")
        size_bytes = sum(array.nbytes for array in entry.arrays.values())
        if size_bytes > self.limit_bytes // _MOST_OF_LIMIT:
            return
        path = self._path(key)
        part = path.with_name(f".{secrets.token_hex(8)}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(part, key, entry)
            part.replace(path)
            self._make_room(size_bytes)
        except OSError as error:
            logger.info("frames cannot be cached in %s: %s", self.folder, error.strerror)
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def size_bytes(self) -> int:
        """Return the bytes of all entries."""
        return sum(size for _, size, _ in self._entries())

    def _path(self, key: CacheKey) -> Path:
        digest = key.digest
        return self.folder / digest[:2] / f"{digest[2:]}.arrays"

    def _entries(self) -> Iterator[tuple[float, int, Path]]:
        """Return when each entry was last asked for, its size and its place."""
        for path in self.folder.glob("??/*.arrays"):
            with suppress(FileNotFoundError):
                found = path.stat()
                yield found.st_mtime, found.st_size, path

    def _make_room(self, written_bytes: int) -> None:
        _unweighed[self.folder] = _unweighed.get(self.folder, self.limit_bytes) + written_bytes
        if _unweighed[self.folder] < self.limit_bytes // _WEIGHED_OFTEN:
            return
        _unweighed[self.folder] = 0
        entries = sorted(self._entries())
        taken = sum(size for _, size, _ in entries)
        for _, size, path in entries[:-1]:  # the newest stays: somebody has just made it
            if taken <= self.limit_bytes:
                break
            path.unlink(missing_ok=True)
            taken -= size
        for part in self.folder.glob("??/.*.part"):
            with suppress(FileNotFoundError):
                if time.time() - part.stat().st_mtime > _GARBAGE_AFTER_S:
                    part.unlink()

    @contextmanager
    def _turn(self, key: CacheKey) -> Iterator[None]:
        """Wait for whoever is making an entry of this shard, within reason; also for another thread of ours."""
        lock = self._path(key).parent / "lock"
        try:
            lock.parent.mkdir(parents=True, exist_ok=True)
            file = lock.open("ab")
        except OSError:  # nothing can be kept, and so there is nothing to wait for
            yield
            return
        with file:
            end_s = time.monotonic() + _PATIENCE_S
            while not _try_lock(file.fileno()) and time.monotonic() < end_s and self.get(key) is None:
                time.sleep(_LOOK_AGAIN_S)
            try:
                yield
            finally:
                with suppress(OSError):  # closing is not enough: a process forked meanwhile has a copy
                    fcntl.flock(file, fcntl.LOCK_UN)


def _try_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a disk that knows no locks
        return True
    return True


def _write(path: Path, key: CacheKey, entry: CacheEntry) -> None:
    """Write magic, checksum of the rest, length of the head, head, arrays; each array begins at a multiple of 64."""
    shapes = [[name, array.dtype.str, array.shape] for name, array in entry.arrays.items()]
    head = json.dumps({"key": key.text, "arrays": shapes, "notes": entry.notes}).encode()
    head += b" " * (-(_HEAD_AT + len(head)) % _ALIGNED)
    digest = hashlib.sha256()
    with path.open("xb") as file:
        file.write(_MAGIC + bytes(_DIGEST_BYTES))
        for part in (len(head).to_bytes(8), head, *map(_pad, entry.arrays.values())):
            digest.update(part)
            file.write(part)
        file.seek(len(_MAGIC))
        file.write(digest.digest())


def _pad(array: npt.NDArray[Any]) -> bytes:
    return array.tobytes() + bytes(-array.nbytes % _ALIGNED)


def _read(data: bytes, key: CacheKey) -> CacheEntry | None:
    """Read what `_write` wrote for this very key; None for anything else."""
    seal = len(_MAGIC) + _DIGEST_BYTES
    if data[:seal] != _MAGIC + hashlib.sha256(memoryview(data)[seal:]).digest():
        return None
    at = _HEAD_AT + int.from_bytes(data[seal:_HEAD_AT])
    head = json.loads(data[_HEAD_AT:at])
    if head["key"] != key.text:
        return None
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, kind, shape in head["arrays"]:
        arrays[name] = np.ndarray(shape, np.dtype(kind), buffer=data, offset=at)
        at += arrays[name].nbytes + -arrays[name].nbytes % _ALIGNED
    return CacheEntry(arrays, head["notes"])


def read_cached_frames(
    path: Path,
    plan: FramePlan,
    *,
    sha256: str,
    trusted: bool = True,
    budget: Budget = DEFAULT_BUDGET,
    cache: FrameCache | None = None,
) -> list[Frame]:
    """Return what `read_frames` gives, decoded once for all who ask; a shuffled plan in an order that the hash draws.

    The caller has checked that `sha256` is the hash of the file. What a stranger's file gave in its child is kept like
    anything else; what one budget lets through is not kept for another.
    """
    if isinstance(plan, Shuffled):
        frames = read_cached_frames(path, plan.plan, sha256=sha256, trusted=trusted, budget=budget, cache=cache)
        taken = [frames[place] for place in shuffled_order(len(frames), sha256)]
        return [Frame(place.at_s, each.pixels, each.at_s) for place, each in zip(frames, taken, strict=True)]
    made_by = f"{decoder_version()}; colour {colour.VERSION}; {budget}"
    key = CacheKey(media=sha256, plan=str(plan), made_by=made_by, kind="rgb")

    def make() -> CacheEntry:
        return _entry(read_frames(path, plan, trusted=trusted, budget=budget))

    return _frames((cache or FrameCache.in_user_cache()).get_or_make(key, make))


def _entry(frames: list[Frame]) -> CacheEntry:
    """Pack frames; one that is shown at several wanted times is there once."""
    pixels = {id(frame.pixels): frame.pixels for frame in frames}
    names = {each: str(number) for number, each in enumerate(pixels)}
    arrays = {names[each]: array for each, array in pixels.items()}
    return CacheEntry(arrays, [[str(frame.at_s), names[id(frame.pixels)]] for frame in frames])


def _frames(entry: CacheEntry) -> list[Frame]:
    return [Frame(Fraction(at_s), entry.arrays[name]) for at_s, name in entry.notes]
