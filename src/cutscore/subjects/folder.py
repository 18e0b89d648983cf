"""Ready deliverables in a folder: `folder:DIR`, with the layout of `submissions`."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput
from cutscore.core.frozen import digest_of
from cutscore.core.subject import WorkContext
from cutscore.submissions import read_submission, walk_files


@dataclass(frozen=True)
class FolderSubject:
    """Hands over what lies in a folder."""

    root: Path
    source_digest: str = ""

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Take in the files that lie there for this item and epoch."""
        from anyio import to_thread

        # Copying clips into the store takes a while; in a thread it holds up nobody.
        return await to_thread.run_sync(
            lambda: read_submission(self.root, ask.item, epoch=context.epoch, store=context.store)
        )


def open_folder(text: str) -> FolderSubject:
    """Return the subject of `folder:DIR`; its identity is what the folder holds, not where it is."""
    root = Path(text).expanduser()
    if not root.is_dir():
        fact = "is not a folder" if root.exists() else "does not exist"
        raise BadInput(f"folder '{text}'", fact, "its layout is DIR/ITEM[/EPOCH]/files")
    return FolderSubject(root=root.resolve(), source_digest=_content_digest(root))


def _content_digest(root: Path) -> str:
    sums = []
    for path in sorted(walk_files(root)):
        plain = path.is_file() and not path.is_symlink()
        with path.open("rb") if plain else open(os.devnull, "rb") as stream:
            sums.append(
                [os.fsencode(path.relative_to(root)).hex(), plain, hashlib.file_digest(stream, "sha256").hexdigest()]
            )
    return digest_of(sums)
