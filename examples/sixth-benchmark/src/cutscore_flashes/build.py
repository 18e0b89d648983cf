"""The recipe of the starter pack: clips with one to four flashes, drawn from a seed."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import numpy as np
from numpy.typing import NDArray

from cutscore.authoring.clip_cache import put_pictures
from cutscore.core.files import FileStore
from cutscore.core.timeline import Span
from cutscore_flashes.dataset import COUNTS, FlashItem

RATE, FRAMES, FLASH = Fraction(25), 50, 3  # two seconds, flashes of 0.12 s


def starter(store: FileStore) -> list[FlashItem]:
    """Draw twelve items and put their clips into the store."""
    draw = Random("flashes 1")
    counts = draw.sample(COUNTS * 3, 12)
    return [_draw_item(f"flash-{number:02d}", int(count), draw, store) for number, count in enumerate(counts, start=1)]


def _draw_item(name: str, count: int, draw: Random, store: FileStore) -> FlashItem:
    starts = [4 + 12 * place + draw.randrange(6) for place in sorted(draw.sample(range(4), count))]
    flashes = tuple(Span(start_s=start / RATE, end_s=(start + FLASH) / RATE) for start in starts)
    clip = put_pictures(store, f"{name}.mp4", _frames(starts), rate=RATE)
    return FlashItem(id=name, cluster=name, clip=clip, flashes=flashes)


def _frames(starts: list[int]) -> Iterator[NDArray[np.uint8]]:
    for frame in range(FRAMES):
        white = any(start <= frame < start + FLASH for start in starts)
        yield np.full((90, 160, 3), 255 if white else 64, np.uint8)
