"""A disk that takes nothing more in the middle of a run: what Inspect says of it, and what to tell a person."""

import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cutscore.core.errors import WHY_NOT_WRITTEN, CutscoreError, NoRoom
from cutscore.core.row import Row

# Inspect keeps no exception, only its repr: OSError(28, 'No space left on device').
_OS_ERROR = re.compile(r"^\w*Error\((\d+), ")


def disk_fault(message: str, run: Path) -> NoRoom | None:
    """Return what an evaluation's error says of the disk; None when it is of another kind.

    Its log grows in the temporary folder first, so the fuller one of both is named.

    >>> str(disk_fault("OSError(30, 'Read-only file system')", Path("/"))).partition(":")[2]
    ' cannot be written: the disk is read-only'
    >>> disk_fault("ValueError('no')", Path("/"))
    """
    found = _OS_ERROR.match(message)
    number = int(found[1]) if found else 0
    if number not in WHY_NOT_WRITTEN:
        return None
    places = [place for place in (run, Path(tempfile.gettempdir())) if place.is_dir()]
    fuller = min(places, key=lambda place: shutil.disk_usage(place).free, default=run)
    return NoRoom.of(f"folder '{fuller}'", OSError(number, os.strerror(number)), "")


def describe_fault(fault: CutscoreError, rows: Sequence[Row], planned: int) -> CutscoreError:
    """Return the same fault with what is kept, what is left and what to do."""
    kept = sum(row.ending.status == "marked" for row in rows)
    rest = f" for the other {planned - kept:,}" if kept < planned else ""
    then = f"run the same command again{rest}"
    if isinstance(fault, NoRoom):
        then = f"make room there, and {then}"
    return type(fault)(fault.what, f"{fault.fact}; {kept:,} of {planned:,} samples are kept", then)
