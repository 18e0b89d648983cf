"""Files and folders that appear whole or not at all."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replace_file(file: Path) -> Iterator[Path]:
    """Return a name beside a file to write to; it takes the file's place when all went well, and is gone when not.

    The name is absolute and of our own making, so no program takes it for an option or a protocol. It is hidden and has
    an ending of its own, so nobody takes a draft for the thing.
    """
    draft = file.parent.resolve() / f".{secrets.token_hex(8)}.part"
    try:
        yield draft
        os.replace(draft, file)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def fill_folder(folder: Path) -> Iterator[Path]:
    """Return a hidden folder to fill; it becomes the named one, new or empty, when all went well, and is gone when not.

    Where the folder is there already, it is filled inside it: it may be a disk of its own.
    """
    inside = folder.is_dir()
    draft = (folder if inside else folder.parent).resolve() / f".{secrets.token_hex(8)}.part"
    try:
        draft.mkdir(parents=True)
        yield draft
        if inside:
            for entry in draft.iterdir():
                entry.rename(folder / entry.name)
        else:
            draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
