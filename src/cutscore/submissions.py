"""A folder of ready deliverables: `DIR/ITEM[/EPOCH]/files`, the layout of `folder:` and of `cutscore score`.

A benchmark that was published with names of its own for what is handed over may match those (`MatchedFiles`). A file
`answer.txt` is also the answer in words. A folder that somebody else filled is data and not trusted: links, devices and
odd names are left out and named.
"""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from cutscore.core.deliverable import Deliverable, FailureClass
from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef, FileStore, media_type_of
from cutscore.core.frozen import digest_of

TEXT_FILE = "answer.txt"
MOST_FILES = 10_000  # in one deliverable; more is an accident or an attack
MOST_DEPTH = 32  # folders within folders; a path of a thousand is one that no program wrote by itself
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
class MatchedFiles:
    """Which file below a folder is whose, in a folder without a place for each item.

    Args:
        files: The file of each item that has one, relative to the folder.
        doubled: All files of an item that has several.
        strange: Files that could be somebody's, and are nobody's.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    doubled: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    strange: tuple[str, ...] = ()


def list_names(root: Path) -> list[str]:
    """Return the names of all files below a folder, relative to it; of too many, none.

    A name that is not UTF-8 has nothing that could be matched.
    """
    paths = list(islice(walk_files(root), MOST_FILES + 1))
    names = [path.relative_to(root).as_posix() for path in paths if len(paths) <= MOST_FILES]
    return [name for name in names if name == name.encode(errors="replace").decode()]


def read_matched_file(root: Path, matched: MatchedFiles, item: str, *, wanted: str, store: FileStore) -> Deliverable:
    """Take the one file of an item into the store, under the name that is wanted of it."""
    if item not in matched.files:
        because = f"nothing was delivered: no file in the folder is named after '{item}'"
        return Deliverable(failure=because, failure_class="nothing")
    taken = _take(root, [matched.files[item]], store)
    if taken.refused:
        return Deliverable(failure=taken.refusal, failure_class="unreadable")
    return Deliverable(files=tuple(each.model_copy(update={"name": wanted}) for each in taken.files))


def digest_submissions(root: Path, items: Iterable[str]) -> str:
    """Return a digest of all that lies there for some items: names and bytes, of what is refused its name alone."""
    paths = sorted(path for item in items for path in _item_files(root / item))
    return digest_of([[os.fsencode(path.relative_to(root)).hex(), *_digest_file(path)] for path in paths])


def _item_files(folder: Path) -> list[Path]:
    """Return the files of an item in all epochs; a folder with too many of them stands for itself."""
    if folder.is_symlink() or not folder.is_dir():
        return [folder]
    found = []
    for each in [*folder.iterdir()] if _holds_epochs(folder) else [folder]:
        paths = list(islice(walk_files(each), MOST_FILES + 1))
        found += paths if len(paths) <= MOST_FILES else [each]
    return found


def _digest_file(path: Path) -> tuple[bool, str]:
    """Return whether a file would be taken in, and the sha256 of its bytes if so."""
    try:
        refuse_oversized(path)
        if not stat.S_ISREG(path.lstat().st_mode):
            raise ValueError("is not a regular file")
        with path.open("rb") as stream:
            return True, hashlib.file_digest(stream, "sha256").hexdigest()
    except (ValueError, OSError):
        return False, hashlib.sha256().hexdigest()


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
            refuse_oversized(path)
            files[name.casefold()] = store.put(path, name=name, media_type=media_type_of(name))
        except ValueError as fault:
            refused.append(f"{name!r} {fault}")
        except BadInput as fault:
            refused.append(f"{name!r} {fault.fact}")
        except OSError as fault:  # whoever left it may still be at work
            refused.append(f"{name!r} cannot be read: {fault.strerror}")
    return TakenFiles(tuple(files.values()), tuple(refused))


def refuse_oversized(path: Path) -> None:
    """Raise ValueError for what nobody looks into and what would fill the store, before a byte of it is read."""
    found = path.lstat()
    if stat.S_ISDIR(found.st_mode):
        raise ValueError(f"is a folder that cannot be read, or one of more than {MOST_DEPTH} within each other")
    if found.st_size > MOST_BYTES:
        raise ValueError(f"has {found.st_size:,} bytes, {MOST_BYTES:,} are allowed")
    if found.st_size > HOLE_BYTES and found.st_blocks * 512 < found.st_size * STORED_SHARE:
        raise ValueError(f"has {found.st_size:,} bytes, nearly all of them holes")


def walk_files(folder: Path, *, most: int | None = MOST_FILES + 1) -> Iterator[Path]:
    """Return everything that is not a plain folder: a link to a folder is given as the link it is.

    So is a folder that lies too deep or cannot be listed, which nobody looks into. Of each folder `most` entries are
    looked at, all where it is None.
    """
    left = [(folder, 0)]
    while left:
        inside, depth = left.pop()
        if depth > MOST_DEPTH:
            yield inside
            continue
        try:
            with os.scandir(inside) as listed:
                entries = list(islice(listed, most))
        except OSError:
            yield inside
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                left.append((inside / entry.name, depth + 1))
            else:
                yield inside / entry.name
