"""Items come from a pack alone."""

from pathlib import Path
from typing import Annotated

from cutscore.authoring.packs import read_pack
from cutscore.core.bundle import Bundle
from cutscore.core.files import FileStore
from cutscore.core.item import TRUTH

FILE = "word.json"


class Hidden(Bundle):
    """One task; `leak` is what wrong answers get, `lost` what right ones lose."""

    word: Annotated[str, TRUTH]
    leak: Annotated[float, TRUTH] = 0.0
    lost: Annotated[float, TRUTH] = 0.0


def items(store: FileStore, data: Path | None = None) -> list[Hidden]:
    """Give the items of a pack."""
    return read_pack(data or Path(), Hidden, store, folders=("materials", "hidden"))


def authoring_faults(item: Hidden) -> list[str]:
    """Say when the brief says it."""
    return [f"the brief says '{item.word}'"] if item.word in item.brief else []
