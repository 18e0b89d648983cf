"""Edited videos by the names of their files, as the released code finds them at any depth of a folder."""

import re
from collections.abc import Collection, Sequence
from pathlib import PurePosixPath

from cutscore.submissions import MatchedFiles

VIDEOS = (".mp4", ".mov", ".mkv", ".avi", ".webm", ".flv", ".m4v")
# The first that fits names the task; the last digits of a name are better than nothing.
NUMBERS = (r"task_(\d+)_output$", r"output_id(\d+)$", r"video[_-](\d+)$", r"^(\d+)$", r"(\d+)(?!.*\d)")


def match_files(names: Sequence[str], items: Collection[str]) -> MatchedFiles:
    """Return which file is whose, by the names of files below a folder; of several for one task the last is taken.

    A file that is called as a task is always its own, so that tasks without a number can be matched, too.
    """
    numbered = {str(int(item)): item for item in items if item.isascii() and item.isdecimal()}
    found: dict[str, list[str]] = {}
    strange = []
    for name in sorted(names):
        path = PurePosixPath(name)
        if path.suffix.lower() in VIDEOS:
            item = path.stem if path.stem in items else numbered.get(find_number(path.stem) or "")
            found.setdefault(item, []).append(name) if item else strange.append(name)
    return MatchedFiles(
        files={item: each[-1] for item, each in found.items()},
        doubled={item: tuple(each) for item, each in found.items() if len(each) > 1},
        strange=tuple(strange),
    )


def find_number(stem: str) -> str | None:
    """Return the number of the task in the name of a file, None where it has none.

    >>> [find_number(stem) for stem in ("wan_task_07_output", "s3_output_id12", "video-5", "626", "clip_3_v2", "final")]
    ['7', '12', '5', '626', '2', None]
    """
    for pattern in NUMBERS:
        if found := re.search(pattern, stem, re.ASCII):
            return str(int(found[1]))
    return None
