"""Files that may be a stranger's, opened only if they are files: a pipe would be waited for, a device asked."""

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path


def open_regular(path: Path) -> BufferedReader:
    """Open a file to read its bytes; links are followed.

    Raises:
        OSError: It cannot be read, or is a folder, a pipe, a socket or a device; `strerror` says which.
    """
    _check(os.stat(path), path)  # a device may notice that it is opened
    # Without O_NONBLOCK, we would wait for the writer of a pipe that was put there meanwhile.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        _check(os.fstat(descriptor), path)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _check(found: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, f"it is {name_kind(found.st_mode)} and no regular file", str(path))


def name_kind(mode: int) -> str:
    """Return what something is that is no regular file."""
    kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")
