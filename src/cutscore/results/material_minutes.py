"""How many minutes of film a sample was given: what its cost is set against."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.core.errors import CutscoreError

if TYPE_CHECKING:
    from cutscore.core.row import Row
    from cutscore.store import Store

FILES = 8192  # that are remembered


def material_minutes(row: Row, store: Store) -> float | None:
    """Return the minutes of all films among a row's materials, as their containers tell; None where one does not.

    Films are not read to their end, nor hashed: those of a whole benchmark take hundreds of gigabytes.
    """
    films = [ref for ref in (row.ask.files if row.ask else ()) if ref.media_type.startswith("video/")]
    paths = [store.locate(ref.sha256) for ref in films]
    lengths = [None if path is None else _length_s(path) for path in paths]
    known = [length for length in lengths if length is not None]
    return sum(known) / 60 if films and len(known) == len(films) else None


@lru_cache(maxsize=FILES)
def _length_s(path: Path) -> float | None:
    from cutscore.media.probe import probe

    try:
        found = probe(path, scan=False).container_s
    except (CutscoreError, OSError):
        return None
    return None if found is None else float(found)
