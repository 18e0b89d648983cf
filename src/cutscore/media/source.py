"""One regular file, held by its descriptor: what was checked is what is read, whatever happens to its name.

A link is not followed, a pipe is not waited for, and nothing behind this module ever learns a path. Cursors read
the one descriptor at places of their own, so that a file can be demuxed twice at a time without a second opening.
"""

import errno
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cutscore.core.errors import BadInput, BrokenData


@dataclass(frozen=True)
class Source:
    """An open regular file; its name in messages was made harmless by `shown_name`."""

    name: str
    descriptor: int

    @property
    def clip(self) -> str:
        """What to call it in messages."""
        return f"clip '{self.name}'"

    @property
    def length(self) -> int:
        """Bytes of the file."""
        return os.fstat(self.descriptor).st_size

    def cursor(self) -> "Cursor":
        """Return a new place in the file, at its start."""
        return Cursor(self.descriptor)


class Cursor:
    """A place in an open file; reading moves it and no other. FFmpeg reads through it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._at = descriptor, 0

    def read(self, count: int) -> bytes:
        """Return at most so many bytes from here."""
        data = os.pread(self._descriptor, count, self._at)
        self._at += len(data)
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move, and return the place."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: os.fstat(self._descriptor).st_size}[whence]
        if base + offset < 0:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        """Return the place."""
        return self._at


@contextmanager
def open_source(path: Path | Source) -> Iterator[Source]:
    """Open a path for as long as the context lasts; a source that is open already stays its owner's.

    Raises:
        BadInput: There is no such file, or we may not read it.
        BrokenData: It is a link, folder, pipe or device.
    """
    if isinstance(path, Source):
        yield path
        return
    name = shown_name(path.name)
    descriptor = _open(path, f"clip '{name}'")
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise BrokenData(f"clip '{name}'", "is not a regular file")
        yield Source(name, descriptor)
    finally:
        os.close(descriptor)


def read_whole(path: Path, what: str, *, most_bytes: int) -> bytes:
    """Read a file that is no clip and has at most so many bytes; refusals call it `what`."""
    try:
        with open_source(path) as source:
            if source.length > most_bytes:
                raise BrokenData(what, f"has {source.length:,} bytes, {most_bytes:,} are allowed")
            return source.cursor().read(most_bytes)
    except BadInput as error:  # which takes every file for a clip
        raise type(error)(what, error.fact, error.next) from None


def _open(path: Path, clip: str) -> int:
    # Without O_NONBLOCK, opening a FIFO would wait for a writer.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(path, flags)
    except FileNotFoundError:
        raise BadInput(clip, "does not exist") from None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK):  # what O_NOFOLLOW says, here and on BSD
            raise BrokenData(clip, "is a symbolic link", "deliver the file itself") from None
        raise BadInput(clip, f"cannot be read: {error.strerror}") from None
    except ValueError:
        raise BadInput(clip, "has a name that no file can have") from None


def shown_name(name: str, *, most: int = 80) -> str:
    r"""Return a file name as it may stand in a message: no control or direction codes, no broken text, not long.

    >>> shown_name("a\nb\x1b[31m.mp4")
    'a�b�[31m.mp4'
    """
    plain = name.encode(errors="replace").decode()
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in plain)
    return shown if len(shown) <= most else shown[: most - 1] + "…"
