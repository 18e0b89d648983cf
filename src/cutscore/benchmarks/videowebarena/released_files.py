"""The released folder → tasks of three sets; a fault names its task and field.

    videowa/test_SITE.raw.json     factual    400 tasks
    vwa/test_SITE.raw.json         vwa        876
    wa/test_webarena.raw.json      wa         745

It may be the folder `config_files` of the authors' repository, or the repository itself. A set that is not there is not
loaded. Nothing is mended here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from cutscore.benchmarks.videowebarena.overlay import apply_mend, find_mend
from cutscore.benchmarks.videowebarena.released import MOST_TASK_ID, TaskSet, WebTask
from cutscore.core.errors import BrokenData
from cutscore.core.inert_text import make_visible, truncate
from cutscore.core.strict_json import first_fault, read_json
from cutscore.regular_file import open_regular

FOLDERS: Mapping[TaskSet, str] = {"factual": "videowa", "vwa": "vwa", "wa": "wa"}
REPOSITORY_FOLDER = "config_files"
MOST_BYTES = 64_000_000  # of one file; the largest released one has about a million
MOST_FAULTS = 5  # named in one message
MOST_TOLD = 300  # characters of one fault
WITHOUT_OWN_TASKS = "wikipedia"  # a task that lists it first is about the site after it
_FILE = re.compile(r"test_([a-z][a-z0-9_]{0,30})\.raw\.json")


@dataclass(frozen=True)
class ReleasedEntry:
    """One task of a file, as it is written and as it is mended.

    Args:
        id: Stable, and safe as a file name: `factual-reddit-9`, `vwa-shopping-40`, `wa-225`.
        site: That of the file; in `wa/`, the first that a task lists, Wikipedia aside.
        task: Mended, where the overlay has something for it.
        written: As the file has it.
        mended: Why it was mended, empty when it was not.
    """

    id: str
    set: TaskSet
    site: str
    task: WebTask
    written: WebTask
    mended: str = ""


@dataclass(frozen=True)
class ReleasedTasks:
    """All tasks of a folder, in the order of sets, sites and numbers; and what could not be read."""

    folder: Path
    entries: tuple[ReleasedEntry, ...]
    faults: tuple[str, ...]

    @cached_property
    def wa(self) -> tuple[WebTask, ...]:
        """Return the tasks that came from WebArena, as written."""
        return tuple(entry.written for entry in self.entries if entry.set == "wa")


def find_task_folder(data: Path) -> Path | None:
    """Return the folder with the sets; None where there is none of them."""
    for folder in (data, data / REPOSITORY_FOLDER):
        if any((folder / name).is_dir() for name in FOLDERS.values()):
            return folder
    return None


def read_tasks(data: Path) -> ReleasedTasks:
    """Read every task of a folder.

    Raises:
        BrokenData: It has none of the sets, or no task in them.
    """
    folder, what = find_task_folder(data), f"folder '{data}'"
    if folder is None:
        names = ", ".join(f"{name}/" for name in FOLDERS.values())
        raise BrokenData(what, f"has none of {names}", "name the folder of the released task files")
    entries: list[ReleasedEntry] = []
    faults: list[str] = []
    for kind, file, site in _files(folder):
        _read_file(kind, file, site, entries, faults)
    if not entries and not faults:
        fact = "has no file test_SITE.raw.json in its sets"
        raise BrokenData(what, fact, "name the folder of the released task files")
    return ReleasedTasks(folder, tuple(entries), tuple(faults))


def require_whole(read: ReleasedTasks) -> Sequence[ReleasedEntry]:
    """Return the tasks; raise BrokenData where one of them could not be read."""
    if not read.faults:
        return read.entries
    more = len(read.faults) - MOST_FAULTS
    named = " · ".join(read.faults[:MOST_FAULTS]) + (f" · and {more} more" if more > 0 else "")
    error = BrokenData(f"folder '{read.folder}'", named, "restore the released files, or mend these tasks")
    error.faults = read.faults
    raise error


def _files(folder: Path) -> Iterator[tuple[TaskSet, Path, str]]:
    for kind, name in FOLDERS.items():
        for file in sorted((folder / name).glob("*.raw.json")):
            if found := _FILE.fullmatch(file.name):
                yield kind, file, found[1]


def _read_file(kind: TaskSet, file: Path, site: str, entries: list[ReleasedEntry], faults: list[str]) -> None:
    where = f"{file.parent.name}/{file.name}"
    try:
        plain = _read_array(file)
    except ValueError as fault:
        faults.append(f"file '{where}' {fault}")
        return
    prefix = kind if kind == "wa" else f"{kind}-{site}"
    seen: set[str] = set()
    for number, entry in enumerate(plain):
        told = entry.get("task_id") if isinstance(entry, dict) else None
        numbered = type(told) is int and 0 <= told <= MOST_TASK_ID
        name = f"task '{prefix}-{told}'" if numbered else f"entry {number} of '{where}'"
        try:
            made = _read_entry(kind, site, prefix, entry)
            if made.id in seen:
                raise ValueError("its task_id is that of an earlier task")
        except (ValidationError, ValueError) as fault:
            faults.append(f"{name}: {_tell_fault(fault)}")
            continue
        seen.add(made.id)
        entries.append(made)


def _tell_fault(fault: ValueError) -> str:
    """Return the first fault in a short line: a file may have a field name of megabytes."""
    said, _ = truncate(make_visible(first_fault(fault)), MOST_TOLD)
    return said.replace("Extra inputs are not permitted", "is no field of a released task")


def _read_array(file: Path) -> list[Any]:
    try:
        with open_regular(file) as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise ValueError(f"is larger than {MOST_BYTES:,} bytes")
    try:
        plain = read_json(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8") from None
    if not isinstance(plain, list):
        raise ValueError("is not an array of tasks")
    return plain


def _read_entry(kind: TaskSet, site: str, prefix: str, entry: Any) -> ReleasedEntry:
    if not isinstance(entry, dict):
        raise ValueError("is not an object")
    written = WebTask.model_validate(entry)
    _require_set_fields(kind, written)
    name = f"{prefix}-{written.task_id}"
    mend = find_mend(name, entry)
    return ReleasedEntry(
        id=name,
        set=kind,
        site=site if kind != "wa" else next((each for each in written.sites if each != WITHOUT_OWN_TASKS), site),
        task=WebTask.model_validate(apply_mend(entry, mend)) if mend else written,
        written=written,
        mended=mend.why if mend else "",
    )


def _require_set_fields(kind: TaskSet, task: WebTask) -> None:
    """Factual tasks have a question about the video, and its answer; others have neither."""
    if kind == "factual" and not task.intermediate_intent:
        raise ValueError("intermediate_intent: a factual task has one")
    if kind == "factual" and task.intermediate_eval is None:
        raise ValueError("intermediate_eval: a factual task has one")
