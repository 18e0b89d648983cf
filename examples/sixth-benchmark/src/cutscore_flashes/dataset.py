"""Items: one clip each, grey, with one to four white flashes."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from cutscore.authoring.clip_cache import rendered
from cutscore.authoring.packs import read_pack
from cutscore.core.files import FileRef, FileStore
from cutscore.core.item import TRUTH, Item
from cutscore.core.timeline import Span

RATE, FRAMES, FLASH = Fraction(25), 50, 3  # two seconds, flashes of 0.12 s
COUNTS = ("1", "2", "3", "4")


class Clip(Item):
    """How often does the screen flash?

    Args:
        flashes: When it does.
    """

    clip: FileRef
    flashes: Annotated[tuple[Span, ...], TRUTH] = Field(min_length=1, max_length=len(COUNTS))


def items(store: FileStore, data: Path | None = None) -> list[Clip]:
    """Give all items in published order, from the seed, or from a data pack of the same shape."""
    if data is not None:
        return read_pack(data, Clip, store, files=("clip",))
    draw = Random("flashes 1")
    counts = draw.sample(COUNTS * 3, 12)
    return [_item(f"flash-{number:02d}", int(count), draw, store) for number, count in enumerate(counts, start=1)]


def _item(name: str, count: int, draw: Random, store: FileStore) -> Clip:
    starts = [4 + 12 * place + draw.randrange(6) for place in sorted(draw.sample(range(4), count))]
    flashes = tuple(Span(start_s=start / RATE, end_s=(start + FLASH) / RATE) for start in starts)
    clip = rendered(store, f"{name}.mp4", lambda: _frames(starts), rate=RATE)
    return Clip(id=name, cluster=name, clip=clip, flashes=flashes)


def _frames(starts: list[int]) -> Iterator[NDArray[np.uint8]]:
    for frame in range(FRAMES):
        white = any(start <= frame < start + FLASH for start in starts)
        yield np.full((90, 160, 3), 255 if white else 64, np.uint8)
