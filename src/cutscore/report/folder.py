"""The report's folder: built beside, swapped in whole, and never over somebody else's files."""

import json
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cutscore.core.errors import BadInput, NoRoom

MARKER = "cutscore-report.json"
SCHEMA = "cutscore.report/1"
# Left behind by file browsers, of no value to anybody.
_NOISE = {".DS_Store", "Thumbs.db", "desktop.ini"}
_CHOOSE = "choose another folder with -o"


@contextmanager
def replace_folder(out: Path) -> Iterator[Path]:
    """Yield an empty folder that takes the place of `out` when the block ends well.

    When it does not, `out` stays as it was. Refuses a folder that holds anything but an earlier report.
    """
    target = out.resolve()
    refuse_foreign(target, shown=out)
    scratch = target.parent / f".{target.name}.building-{secrets.token_hex(4)}"
    try:
        scratch.mkdir(parents=True)
        yield scratch
        # What we made is written down, so that the next build knows what it may remove.
        made = sorted({MARKER, *(entry.name for entry in scratch.iterdir())})
        (scratch / MARKER).write_text(json.dumps({"schema": SCHEMA, "made": made}, indent=1) + "\n", encoding="utf-8")
        refuse_foreign(target, shown=out)
        _swap(scratch, target)
    except OSError as error:
        raise NoRoom.of(f"report '{out}'", error, f"make room there, or {_CHOOSE}") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def refuse_foreign(target: Path, *, shown: Path) -> None:
    """Raise BadInput unless the target is absent, empty, or a report to which nobody added anything."""
    if not target.exists():
        return
    if not target.is_dir():
        raise BadInput(f"report '{shown}'", "is a file, not a folder", _CHOOSE)
    here = {entry.name for entry in target.iterdir()} - _NOISE
    if not here:
        return
    if MARKER not in here:
        raise BadInput(f"folder '{shown}'", "is not empty and is no cutscore report", f"empty it, or {_CHOOSE}")
    foreign = sorted(here - _made(target / MARKER))
    if foreign:
        more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        fact = f"holds '{foreign[0]}'{more}, which no report put there"
        raise BadInput(f"folder '{shown}'", fact, f"move it away, or {_CHOOSE}")


def _made(marker: Path) -> set[str]:
    try:
        plain = json.loads(marker.read_text(encoding="utf-8"))
        return set(plain["made"]) if str(plain["schema"]).startswith("cutscore.report/") else set()
    except (ValueError, KeyError, TypeError):
        return set()


def _swap(scratch: Path, target: Path) -> None:
    old = scratch.with_name(f"{scratch.name}.old")
    had = target.exists()
    if had:
        target.rename(old)
    try:
        scratch.rename(target)
    except OSError:
        if had:
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)
