"""The folder that a build fills: whole or not there, resumed after a kill, and never somebody else's.

DIR/items.jsonl, media/, …    the pack, moved here when it is complete; items.jsonl last
DIR/.work/build.json          what is being built: the same command goes on, another one is refused
DIR/.work/…                   what a rebuild need not make again; may be deleted with nothing lost but time
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import JsonValue

from cutscore.atomic import replace_file
from cutscore.cells.lock import lock_folder
from cutscore.core.errors import BadInput, Busy, NoRoom
from cutscore.core.frozen import canonical_json
from cutscore.core.strict_json import read_json
from cutscore.store import Store

WORK: Final = ".work"
IDENTITY: Final = "build.json"
PUBLISHED: Final = "published.json"
LAST: Final = "items.jsonl"


@dataclass(frozen=True)
class BuildFolder:
    """A build under way, in the folder where the pack will be."""

    folder: Path

    @property
    def work(self) -> Path:
        """What is kept between builds."""
        return self.folder / WORK

    @property
    def draft(self) -> Path:
        """Where the pack is written before anybody sees it."""
        return self.work / "pack"

    @property
    def store(self) -> Store:
        """Files that items refer to, kept between builds."""
        return Store(self.work / "store")

    def once(self, name: str, make: Callable[[Path], None]) -> Path:
        """Return a file of the work folder; when it is not there yet, `make` writes it, whole or not at all."""
        file = self.work / name
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            with replace_file(file) as draft:
                make(draft)
        return file

    def fresh(self, name: str) -> Path:
        """Return an empty folder in the work folder; what was there is gone."""
        _remove(self.work / name)
        (self.work / name).mkdir(parents=True)
        return self.work / name

    def publish(self) -> None:
        """Move the draft to its place, what makes it a pack last; a pack of the same build that was here goes first."""
        ours, ready = _read(self.work / PUBLISHED) or [], _file_names(self.draft)
        if strange := [name for name in ready if name not in ours and (self.folder / name).exists()]:
            fact = f"'{strange[0]}' is there already, and not from this build"
            raise BadInput(f"folder '{self.folder}'", fact, "move it away")
        for name in sorted(ours, key=lambda name: name != LAST):
            _remove(self.folder / name)
        _write(self.work / PUBLISHED, ready)
        for name in sorted(ready, key=lambda name: name == LAST):
            os.replace(self.draft / name, self.folder / name)
        _remove(self.draft)


@contextmanager
def open_build_folder(folder: Path, identity: Mapping[str, JsonValue]) -> Iterator[BuildFolder]:
    """Hold a folder for one build: a new one, an empty one, or one that a build of the same identity left.

    The identity is all that decides what is built; another one in the folder is a reason to refuse it.
    """
    out = BuildFolder(folder)
    what = f"folder '{folder}'"
    try:
        _refuse_foreign(out, identity)
        with lock_folder(out.work):
            _write(out.work / IDENTITY, identity)
            _remove(out.draft)  # of a build that was killed while it wrote
            yield out
    except Busy as busy:
        raise Busy(what, busy.fact, "wait for it, or choose another -o") from None
    except OSError as error:
        raise NoRoom.of(what, error, "make room and run the same command again, or choose another -o") from error


def _refuse_foreign(out: BuildFolder, identity: Mapping[str, JsonValue]) -> None:
    what, elsewhere = f"folder '{out.folder}'", "choose another -o"
    if out.folder.is_symlink() or (out.folder.exists() and not out.folder.is_dir()):
        raise BadInput(what, "is not a folder", elsewhere)
    before = _read(out.work / IDENTITY)
    if before is None:
        if out.folder.is_dir() and _file_names(out.folder):
            raise BadInput(what, "holds something that 'cutscore build' did not write", elsewhere)
        return
    now = json.loads(canonical_json(identity))
    if before != now:
        other = [name for name in now if not isinstance(before, dict) or before.get(name) != now[name]]
        fact = f"holds a build with other settings ({', '.join(other) or 'more of them'})"
        raise BadInput(what, fact, f"{elsewhere}, or delete it")


def _read(file: Path) -> Any:
    """Return what we wrote there, or None when nothing of ours is there."""
    try:
        return read_json(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError as error:
        raise BadInput(f"file '{file}'", str(error), "choose another -o, or delete the folder") from None


def _write(file: Path, plain: object) -> None:
    with replace_file(file) as draft:
        draft.write_bytes(canonical_json(plain) + b"\n")


def _file_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != WORK)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
