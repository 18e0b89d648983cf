"""Stretches of the source one after the other, cropped to an aspect: how we cut films of our own."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from cutscore.authoring.clip_cache import put_footage, rate_and_channels
from cutscore.core.files import FileRef, FileStore
from cutscore.core.timeline import Span
from cutscore.media.edit import join_footage
from cutscore.media.footage import Footage, change_pictures, load_footage
from cutscore.media.probe import probe


def put_excerpts(
    store: FileStore, name: str, source: FileRef, kept: Sequence[tuple[Span, float]], aspect: tuple[int, int] | None
) -> FileRef:
    """Put stretches of a clip one after the other, cropped to an aspect, and the film into the store.

    Each stretch has the place of the picture's middle as a share of the source's width. The aspect is width to height,
    the source's own when None; a wider one loses at top and bottom.
    """
    words = [f"{span.start_s}-{span.end_s}@{middle}" for span, middle in kept]
    key = f"excerpts {source.sha256} {aspect} {' '.join(words)}"
    return put_footage(store, name, lambda: join_excerpts(store.path(source), kept, aspect), key=key)


def join_excerpts(source: Path, kept: Sequence[tuple[Span, float]], aspect: tuple[int, int] | None) -> Footage:
    """Return stretches of a clip one after the other, cropped to an aspect (see `put_excerpts`)."""
    facts = probe(source)
    rate, channels = rate_and_channels(source)
    width, height = _largest_inside(facts.width, facts.height, aspect)

    def crop(part: Footage, middle: float) -> Footage:
        left = min(facts.width - width, max(0, round(facts.width * middle - width / 2)))
        top = (facts.height - height) // 2
        return change_pictures(part, lambda old: (each[top : top + height, left : left + width] for each in old))

    parts = [load_footage(source, span=span, rate=rate, channels=channels) for span, _ in kept]
    return join_footage([crop(part, middle) for part, (_, middle) in zip(parts, kept, strict=True)])


def _largest_inside(width: int, height: int, aspect: tuple[int, int] | None) -> tuple[int, int]:
    """Return the largest even size of an aspect that fits.

    >>> _largest_inside(160, 90, (9, 16)), _largest_inside(160, 90, (16, 9)), _largest_inside(90, 160, (1, 1))
    ((50, 90), (160, 90), (90, 90))
    """
    if aspect is None:
        return width, height
    across = min(width, round(height * Fraction(*aspect)))
    down = min(height, round(across / Fraction(*aspect)))
    return across // 2 * 2, down // 2 * 2
