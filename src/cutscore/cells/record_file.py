"""Small files of the record, written whole or not at all."""

from collections.abc import Callable
from pathlib import Path

from cutscore.atomic import replace_file
from cutscore.core.errors import NoRoom


def write_record(file: Path, write: Callable[[Path], object]) -> None:
    """Let somebody write a draft beside a file, and put it in the file's place when it is complete."""
    try:
        with replace_file(file) as draft:
            write(draft)
    except OSError as error:
        next_step = "free some space or choose another --log-dir, and run the same command again"
        raise NoRoom.of(f"file '{file}'", error, next_step) from error


def write_text_record(file: Path, text: str) -> None:
    """Write a small text file of the record, whole or not at all."""
    write_record(file, lambda draft: draft.write_text(text, encoding="utf-8"))
