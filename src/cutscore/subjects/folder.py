"""Ready deliverables in a folder: `folder:DIR`, in the layout of `submissions` or by a benchmark's own names."""

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput
from cutscore.core.subject import WorkContext
from cutscore.submissions import (
    MOST_FILES,
    MOST_NAMED,
    MatchedFiles,
    digest_submissions,
    list_names,
    read_matched_file,
    read_submission,
)

MatchFiles = Callable[[Sequence[str], Collection[str]], MatchedFiles]  # names of files, ids of items


@dataclass(frozen=True)
class FolderSubject:
    """Hands over what lies in a folder; `held` are the items that it has a place for, or a file named after them."""

    root: Path
    source_digest: str = ""
    held: frozenset[str] = frozenset()
    matched: MatchedFiles | None = None

    def remarks(self, items: Collection[str]) -> tuple[str, ...]:
        """Return how many of the items are there, where some are not, and which files were matched in doubt."""
        missing = [item for item in items if item not in self.held]
        there = f"holds {len(items) - len(missing):,} of {len(items):,} items"
        lacking = f": no file is named after {_name_some(missing)}" if self.matched else ""
        return tuple(
            f"folder '{self.root.name}' {fact}"
            for fact in (*([there + lacking] if missing else ()), *_doubts(self.matched or MatchedFiles(), items))
        )

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Take in the files that lie there for this item and epoch."""
        from anyio import to_thread

        # Copying clips into the store takes a while; in a thread it holds up nobody.
        return await to_thread.run_sync(lambda: self._read(ask, context))

    def _read(self, ask: Ask, context: WorkContext) -> Deliverable:
        if self.matched is None or len(ask.wanted) != 1:
            return read_submission(self.root, ask.item, epoch=context.epoch, store=context.store)
        wanted = ask.wanted[0].name
        return read_matched_file(self.root, self.matched, ask.item, wanted=wanted, store=context.store)


def open_folder(text: str, items: Collection[str], *, bench: str, match: MatchFiles | None = None) -> FolderSubject:
    """Return the subject of `folder:DIR`; its identity is what the folder holds, not where it is.

    Where it has no place for any of the items, files are matched by their names, if the benchmark knows how (`match`).
    A folder without anything for any of the items was made for something else.
    """
    root = Path(text).expanduser()
    if not root.is_dir():
        fact = "is not a folder" if root.exists() else "does not exist"
        raise BadInput(f"folder '{text}'", fact, "its layout is DIR/ITEM[/EPOCH]/files")
    held = frozenset(item for item in items if os.path.lexists(root / item))
    if not held and match is not None and (matched := match(list_names(root), items)).files:
        digest = digest_submissions(root, matched.files.values())
        return FolderSubject(root.resolve(), digest, frozenset(matched.files), matched)
    if not held:
        there = sorted(path.name for path in islice(root.iterdir(), MOST_FILES))
        looked = f"looked for {_name_some(list(items))}; there is {_name_some(there) or 'nothing'}"
        fact = f"holds no item of benchmark '{bench}': {looked}"
        raise BadInput(f"folder '{text}'", fact, "its layout is DIR/ITEM[/EPOCH]/files")
    return FolderSubject(root=root.resolve(), source_digest=digest_submissions(root, held), held=held)


def _doubts(matched: MatchedFiles, items: Collection[str]) -> list[str]:
    found = [
        f"has {len(names)} files for item '{item}', and {names[-1]!r} is taken"
        for item, names in matched.doubled.items()
        if item in items
    ]
    return [*found, *([f"has files that are nobody's: {_name_some(matched.strange)}"] if matched.strange else ())]


def _name_some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return ", ".join(repr(name) for name in names[:MOST_NAMED]) + more
