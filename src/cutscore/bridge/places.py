"""Places on this machine: kept where marking again needs them, and out of everything that is passed on.

    CELL/local.json        the folder of the user's own items; never packed

A record names folders by their last part; digests say which folder it was. What Inspect writes by itself, such as
tracebacks, has whole paths; a pack has names in their stead.
"""

from __future__ import annotations

import json
import os
import re
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

from cutscore.cells.record_file import write_text_record

LOCAL_FILE = "local.json"
DATA = "data"  # in the metadata of a log, and among the arguments of `inspect eval`


def write_data_folder(cell: Path, data: str) -> None:
    """Keep where a cell's own items lie; nothing is written for a benchmark's own."""
    if data:
        write_text_record(cell / LOCAL_FILE, json.dumps({DATA: str(Path(data).resolve())}) + "\n")


def read_data_folder(cell: Path) -> str:
    """Return where a cell's own items lay; empty when nobody knows."""
    try:
        return str(json.loads((cell / LOCAL_FILE).read_bytes())[DATA])
    except (OSError, ValueError, LookupError, TypeError):
        return ""


def noted_data(log: Path) -> str:
    """Return the folder of items that a log names, as those of `inspect eval` do; empty when it names none."""
    try:
        with zipfile.ZipFile(log) as archive:
            said = json.loads(archive.read("_journal/start.json"))["eval"]
        return str((said.get("metadata") or {}).get(DATA) or (said.get("task_args") or {}).get(DATA) or "")
    except (OSError, ValueError, LookupError, zipfile.BadZipFile):
        return ""


class PlaceNames:
    """Writes names instead of folders of this machine: each by its last part, and the user's home as `~`.

    Args:
        paths: Folders that the record may name; the working folder and Python's own are added.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        given = {os.path.abspath(path) for path in (*paths, os.getcwd(), sys.prefix, sys.base_prefix) if path}
        folders = {folder for path in given for folder in (path, os.path.realpath(path)) if folder.count("/") > 1}
        named = {folder: Path(folder).name for folder in folders} | {os.path.expanduser("~"): "~"}
        named.pop("/", None)
        self._names = {os.fsencode(folder): os.fsencode(name) for folder, name in named.items()}
        longest_first = b"|".join(re.escape(folder) for folder in sorted(self._names, key=len, reverse=True))
        # Neither the middle of an address nor the beginning of a longer name.
        self._folder = re.compile(rb"(?<![\w.~-])(?:%s)(?![\w.-])" % longest_first)

    def clean(self, data: bytes) -> bytes:
        """Return text with names instead of folders."""
        return self._folder.sub(lambda found: self._names[found[0]], data)

    def copy_log(self, log: Path, copy: Path) -> bool:
        """Write a copy of a log without folders; say whether it had any. The same log gives the same bytes."""
        with zipfile.ZipFile(log) as source:
            members = {info.filename: info for info in source.infolist()}  # of two with one name the last counts
            if not any(self._folder.search(source.read(info)) for info in members.values()):
                return False
            with zipfile.ZipFile(copy, "w") as target:
                for info in members.values():
                    made = zipfile.ZipInfo(info.filename, info.date_time)
                    made.compress_type = info.compress_type
                    target.writestr(made, self.clean(source.read(info)))
        return True
