"""Three-way merges: what two sides made of one text, or of one tree of files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

Tree = Mapping[str, str]  # path → id of the content


@dataclass(frozen=True)
class MergedTree:
    """What a merge changes in our tree, by path; None removes a file. Conflicts are paths that need a person."""

    changes: Mapping[str, bytes | None]
    conflicts: Sequence[str]


class _Edit(NamedTuple):
    """Lines `start` to `end` of the base become `lines`."""

    start: int
    end: int
    lines: tuple[str, ...]


def merge_trees(base: Tree, ours: Tree, theirs: Tree, read: Callable[[str], bytes]) -> MergedTree:
    """Merge what two sides made of a tree; `read` returns the content of an id."""
    changes: dict[str, bytes | None] = {}
    conflicts: list[str] = []
    for path in sorted({*base, *ours, *theirs}):
        before, own, other = base.get(path), ours.get(path), theirs.get(path)
        if other in (before, own):
            continue
        if own == before:
            changes[path] = read(other) if other else None
        elif before and own and other and (merged := _merge_contents(read(before), read(own), read(other))) is not None:
            changes[path] = merged
        else:
            conflicts.append(path)
    return MergedTree(changes, conflicts)


def merge_lines(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str] | None:
    """Return the lines with the changes of both sides; None where both changed the same lines, or touching ones.

    >>> merge_lines(["a", "b", "c", "d"], ["A", "b", "c", "d"], ["a", "b", "c", "D"])
    ['A', 'b', 'c', 'D']
    >>> merge_lines(["a"], ["b"], ["c"]) is None
    True
    """
    edits = sorted({*_edits(base, ours), *_edits(base, theirs)})
    if any(later.start <= earlier.end for earlier, later in pairwise(edits)):
        return None
    merged = list(base)
    for start, end, lines in reversed(edits):
        merged[start:end] = lines
    return merged


def _edits(base: Sequence[str], changed: Sequence[str]) -> list[_Edit]:
    codes = SequenceMatcher(None, base, changed, autojunk=False).get_opcodes()
    return [_Edit(a, b, tuple(changed[c:d])) for kind, a, b, c, d in codes if kind != "equal"]


def _merge_contents(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Merge text line by line; what is no text is never merged."""
    try:
        sides = [side.decode().splitlines(keepends=True) for side in (base, ours, theirs)]
    except UnicodeDecodeError:
        return None
    merged = merge_lines(*sides)
    return None if merged is None else "".join(merged).encode()
