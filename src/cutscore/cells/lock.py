"""One runner per folder: a lock that the kernel drops when its holder dies, however it dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cutscore.core.errors import Busy, NoRoom


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold a folder for this process, or say who holds it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise NoRoom(f"run folder '{folder}'", error.strerror or str(error), "choose another --log-dir") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 32, 0).decode(errors="replace").strip()
            who = f"process {holder}" if holder.isdigit() else "another process"
            raise Busy(
                f"run folder '{folder}'", f"{who} is at work in it", "wait for it, or choose another --log-dir"
            ) from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(handle)
