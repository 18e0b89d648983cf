"""Files that appear whole or not at all."""

import os
import secrets
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
