"""A folder of ready deliverables: `DIR/ITEM[/EPOCH]/files`, the one layout of `folder:` and of `cutscore score`.

A file `answer.txt` is also the answer in words. A folder that somebody else filled is data and not trusted: links,
devices and odd names are left out and named.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from cutscore.core.deliverable import Deliverable, FailureClass
from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef, FileStore, media_type_of

TEXT_FILE = "answer.txt"
MOST_FILES = 10_000  # in one deliverable; more is an accident or an attack
MOST_NAMED = 5  # refused files that are named one by one
MOST_BYTES = 32 << 30  # of one file; the decoders take no more
# A file of holes is made in no time and takes an hour to copy. Disks that compress do not make a film that small.
HOLE_BYTES, STORED_SHARE = 1 << 30, 1 / 16


def read_submission(root: Path, item: str, *, epoch: int = 1, store: FileStore) -> Deliverable:
    """Take one item's files into the store.

    When an item's folder holds nothing but folders named by numbers, these are epochs. Otherwise its files are the
    deliverable of every epoch. What is missing or refused is said in the deliverable's `failure`, and what is
    there will be marked.
    """
    folder = root / item
    if folder.is_symlink() or not folder.is_dir():
        there = "is not a plain folder" if os.path.lexists(folder) else "does not exist"
        return Deliverable(failure=f"nothing was delivered: folder '{item}' {there}", failure_class="nothing")
    if _holds_epochs(folder):
        folder /= str(epoch)
        if not folder.is_dir():
            because = f"nothing was delivered: folder '{item}' has no epoch {epoch}"
            return Deliverable(failure=because, failure_class="nothing")
    taken = take_files(folder, store)
    failed: FailureClass | None = None if taken.files else "nothing"
    failure = "" if taken.files else f"nothing was delivered: folder '{item}' is empty"
    if taken.refused:
        failed, failure = "unreadable", taken.refusal
    text = read_answer(taken.files, store)
    return Deliverable(files=taken.files, text=text, failure=failure, failure_class=failed)


@dataclass(frozen=True)
class TakenFiles:
    """What was taken in from a folder, and what was refused, each with its reason."""

    files: tuple[FileRef, ...] = ()
    refused: tuple[str, ...] = ()

    @property
    def refusal(self) -> str:
        """What was refused, in a sentence; empty when nothing was."""
        named = "; ".join(self.refused[:MOST_NAMED])
        more = f" and {len(self.refused) - MOST_NAMED} more" if len(self.refused) > MOST_NAMED else ""
        return f"refused: {named}{more}" if named else ""


def read_answer(files: tuple[FileRef, ...], store: FileStore) -> str:
    """Return the answer in words that lies among files; nothing when there is none."""
    return Evidence(files=files).bind(store).text(TEXT_FILE) or ""


def _holds_epochs(folder: Path) -> bool:
    inside = list(islice(folder.iterdir(), MOST_FILES))
    return bool(inside) and all(_is_number(path.name) and path.is_dir() and not path.is_symlink() for path in inside)


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit() and name == str(int(name))


def take_files(folder: Path, store: FileStore) -> TakenFiles:
    """Take in everything that lies in a folder, at any depth."""
    paths = list(islice(walk_files(folder), MOST_FILES + 1))
    if len(paths) > MOST_FILES:
        return TakenFiles(refused=(f"more than {MOST_FILES:,} files",))
    return _take(folder, [path.relative_to(folder).as_posix() for path in sorted(paths)], store)


def take_named_files(folder: Path, names: Iterable[str], store: FileStore) -> TakenFiles:
    """Take in those of the named files that lie in a folder; what else lies there is nobody's business."""
    return _take(folder, [name for name in names if os.path.lexists(folder / name)], store)


def _take(folder: Path, names: Iterable[str], store: FileStore) -> TakenFiles:
    files: dict[str, FileRef] = {}
    refused: list[str] = []
    home = folder.resolve()
    for name in names:
        path = folder / name
        try:
            if name != name.encode(errors="replace").decode():
                raise ValueError("is not UTF-8")
            if name.casefold() in files:
                raise ValueError(f"differs from '{files[name.casefold()].name}' in case only")
            if not path.parent.resolve().is_relative_to(home):
                raise ValueError("lies outside of its folder")
            _check_size(path)
            files[name.casefold()] = store.put(path, name=name, media_type=media_type_of(name))
        except ValueError as fault:
            refused.append(f"{name!r} {fault}")
        except BadInput as fault:
            refused.append(f"{name!r} {fault.fact}")
        except OSError as fault:  # whoever left it may still be at work
            refused.append(f"{name!r} cannot be read: {fault.strerror}")
    return TakenFiles(tuple(files.values()), tuple(refused))


def _check_size(path: Path) -> None:
    """Refuse what would fill the store, before a byte of it is read."""
    found = path.lstat()
    if found.st_size > MOST_BYTES:
        raise ValueError(f"has {found.st_size:,} bytes, {MOST_BYTES:,} are allowed")
    if found.st_size > HOLE_BYTES and found.st_blocks * 512 < found.st_size * STORED_SHARE:
        raise ValueError(f"has {found.st_size:,} bytes, nearly all of them holes")


def walk_files(folder: Path) -> Iterator[Path]:
    """Return everything that is not a plain folder: a link to a folder is given as the link it is."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            yield from walk_files(path)
        else:
            yield path
