"""One runner per folder: a lock that the kernel drops when its holder dies, however it dies."""

import fcntl
import os
from collections.abc import Callable, Iterator
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
        raise NoRoom.of(f"run folder '{folder}'", error, "make room or choose another --log-dir") from error
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
        try:
            yield
        finally:
            os.ftruncate(handle, 0)  # nobody is at work in it; and a pack that is built twice is the same to the byte
    finally:
        os.close(handle)


@contextmanager
def watch_folders(*folders: Path) -> Iterator[Callable[[], Path | None]]:
    """Return a function that names a folder which somebody has deleted, moved or replaced since; None while all stay.

    Folders that are not there yet are not watched. The others are held open, so that no new one gets the same number.
    """
    handles = {folder: os.open(folder, os.O_RDONLY | os.O_CLOEXEC) for folder in folders if folder.is_dir()}

    def is_in_place(folder: Path) -> bool:
        try:
            return os.path.samestat(os.stat(folder), os.fstat(handles[folder]))
        except OSError:
            return False

    try:
        yield lambda: next((folder for folder in handles if not is_in_place(folder)), None)
    finally:
        for handle in handles.values():
            os.close(handle)
