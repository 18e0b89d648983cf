"""Small files of the record, written whole or not at all."""

import os
from collections.abc import Callable
from pathlib import Path

from cutscore.core.errors import NoRoom


def write_whole(file: Path, write: Callable[[Path], object]) -> None:
    """Let somebody write a draft beside a file, and put it in the file's place when it is complete."""
    draft = file.with_name(f".{file.name}.{os.getpid()}.draft")  # no log by its name, until it is whole
    try:
        write(draft)
        os.replace(draft, file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        next_step = "free some space or choose another --log-dir, and run the same command again"
        raise NoRoom(f"file '{file}'", error.strerror or str(error), next_step) from error
