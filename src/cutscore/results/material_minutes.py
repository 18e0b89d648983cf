"""How many minutes of film a sample was given: what its cost is set against."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.core.errors import CutscoreError

if TYPE_CHECKING:
    from cutscore.core.files import FileStore
    from cutscore.core.row import Row

FILES = 8192  # that are remembered


def material_minutes(row: Row, store: FileStore) -> float | None:
    """Return the minutes of all films among a row's materials, by their containers; None where one is not at hand."""
    films = [ref for ref in (row.ask.files if row.ask else ()) if ref.media_type.startswith("video/")]
    try:
        lengths = [_length_s(store.path(ref)) for ref in films]
    except (CutscoreError, OSError):
        return None
    known = [length for length in lengths if length is not None]
    return sum(known) / 60 if films and len(known) == len(films) else None


@lru_cache(maxsize=FILES)
def _length_s(path: Path) -> float | None:
    from cutscore.media.probe import probe

    found = probe(path, scan=False).container_s
    return None if found is None else float(found)
