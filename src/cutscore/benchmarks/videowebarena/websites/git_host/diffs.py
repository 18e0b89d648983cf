"""What changed between two trees of files, line by line, as a page shows it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import unified_diff

MOST_LINES = 400  # of one file; a page is read by a person
_HEADER = 2  # lines that name the files


@dataclass(frozen=True)
class FileDiff:
    """One file that changed.

    Args:
        verb: `added`, `removed` or `changed`.
        lines: As in a unified diff; the first character says what a line is.
    """

    path: str
    verb: str
    lines: tuple[str, ...]

    @property
    def added(self) -> int:
        return sum(line.startswith("+") for line in self.lines)

    @property
    def removed(self) -> int:
        return sum(line.startswith("-") for line in self.lines)


def diff_trees(old: Mapping[str, str], new: Mapping[str, str], read: Callable[[str], bytes]) -> list[FileDiff]:
    """Return the files that differ between two trees (path → id), by path; `read` returns the content of an id."""
    changed = [path for path in sorted({*old, *new}) if old.get(path) != new.get(path)]
    return [_diff_file(path, old.get(path), new.get(path), read) for path in changed]


def _diff_file(path: str, old: str | None, new: str | None, read: Callable[[str], bytes]) -> FileDiff:
    verb = "added" if old is None else "removed" if new is None else "changed"
    try:
        before, after = (read(each).decode().splitlines() if each else [] for each in (old, new))
    except UnicodeDecodeError:
        return FileDiff(path, verb, (" This file is no text.",))
    lines = list(unified_diff(before, after, lineterm=""))[_HEADER:]
    cut = [f" … and {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
    return FileDiff(path, verb, (*lines[:MOST_LINES], *cut))
