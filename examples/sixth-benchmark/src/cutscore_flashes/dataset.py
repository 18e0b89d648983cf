"""Items: one clip each, grey, with one to four white flashes."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from cutscore.authoring.packs import read_pack
from cutscore.core.files import FileRef, FileStore
from cutscore.core.item import TRUTH, Item
from cutscore.core.timeline import Span

STARTER = Path(__file__).parent / "starter"
COUNTS = ("1", "2", "3", "4")


class FlashItem(Item):
    """How often does the screen flash?

    Args:
        clip: The clip, as the subject gets it.
        flashes: When the screen flashes.
    """

    clip: FileRef
    flashes: Annotated[tuple[Span, ...], TRUTH] = Field(min_length=1, max_length=len(COUNTS))


def items(store: FileStore, data: Path | None = None) -> list[FlashItem]:
    """Return all items in published order: of the starter pack, or of a data pack."""
    return read_pack(data or STARTER, FlashItem, store, files=("clip",))
