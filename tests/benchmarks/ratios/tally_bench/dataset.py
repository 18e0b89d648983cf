"""Twelve clips; clip n has n % 5 cuts, so every fifth has none; two clips are one cluster."""

from pathlib import Path
from typing import Annotated

from cutscore.core.files import FileStore
from cutscore.core.item import TRUTH, Item


class CutClip(Item):
    """One clip, which nobody needs to see: its cuts are at whole seconds."""

    number: int
    cuts: Annotated[tuple[int, ...], TRUTH]


def items(store: FileStore, data: Path | None = None) -> list[CutClip]:
    """Give all items."""
    return [
        CutClip(
            id=f"clip-{number:02d}",
            cluster=f"film-{number // 2}",
            groups={"length": "long" if number % 2 else "short"},
            number=number,
            cuts=tuple(range(number, number + number % 5)),
        )
        for number in range(12)
    ]
