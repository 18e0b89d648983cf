"""What somebody handed in: the files of a folder, and the answer in words where one of them is `answer.txt`."""

from pathlib import Path

from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import MAX_TEXT_BYTES
from cutscore.core.files import Shelf
from cutscore.subjects.folder import delivered_in

TEXT_FILE = "answer.txt"


def submitted(root: Path, item: str, *, epoch: int = 1, shelf: Shelf) -> Deliverable:
    """Read one item's deliverable from `ROOT/ITEM[/EPOCH]/files`.

    Bytes of `answer.txt` that are not UTF-8 become replacement characters: a marker compares, it does not crash.
    """
    made = delivered_in(root, item, epoch=epoch, shelf=shelf)
    words = made.file(TEXT_FILE)
    if words is None:
        return made
    with shelf.path(words).open("rb") as stream:
        return made.model_copy(update={"text": stream.read(MAX_TEXT_BYTES).decode("utf-8", errors="replace")})
