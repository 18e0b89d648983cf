"""Ready deliverables in a folder: `folder:DIR`, with the layout of `submissions`."""

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput
from cutscore.core.subject import WorkContext
from cutscore.submissions import MOST_FILES, MOST_NAMED, digest_submissions, read_submission


@dataclass(frozen=True)
class FolderSubject:
    """Hands over what lies in a folder; `held` are the items that it has a place for."""

    root: Path
    source_digest: str = ""
    held: frozenset[str] = frozenset()

    def remarks(self, items: Collection[str]) -> tuple[str, ...]:
        """Return how many of the items are there, where some are not."""
        there = sum(item in self.held for item in items)
        return (f"folder '{self.root.name}' holds {there:,} of {len(items):,} items",) if there < len(items) else ()

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Take in the files that lie there for this item and epoch."""
        from anyio import to_thread

        # Copying clips into the store takes a while; in a thread it holds up nobody.
        return await to_thread.run_sync(
            lambda: read_submission(self.root, ask.item, epoch=context.epoch, store=context.store)
        )


def open_folder(text: str, items: Collection[str], *, bench: str) -> FolderSubject:
    """Return the subject of `folder:DIR`; its identity is what the folder holds, not where it is.

    A folder without a place for any of the items was made for something else.
    """
    root = Path(text).expanduser()
    if not root.is_dir():
        fact = "is not a folder" if root.exists() else "does not exist"
        raise BadInput(f"folder '{text}'", fact, "its layout is DIR/ITEM[/EPOCH]/files")
    held = frozenset(item for item in items if os.path.lexists(root / item))
    if not held:
        there = sorted(path.name for path in islice(root.iterdir(), MOST_FILES))
        looked = f"looked for {_name_some(list(items))}; there is {_name_some(there) or 'nothing'}"
        fact = f"holds no item of benchmark '{bench}': {looked}"
        raise BadInput(f"folder '{text}'", fact, "its layout is DIR/ITEM[/EPOCH]/files")
    return FolderSubject(root=root.resolve(), source_digest=digest_submissions(root, held), held=held)


def _name_some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return ", ".join(repr(name) for name in names[:MOST_NAMED]) + more
