"""How much a file of sound carries beside its sound: tags and covers, before any demuxer reads them.

Lengths are added up from heads alone, and the sum is held to the budget. Ogg has its notes in its packets; they are
weighed when it is open.
"""

from collections.abc import Iterator

from cutscore.core.errors import BrokenData
from cutscore.media.budget import Budget
from cutscore.media.source import Source

MOST_CHUNKS = 1000  # of a WAV; editors write a dozen
_SOUND_CHUNKS = {b"fmt ", b"data", b"fact", b"ds64"}
_FOOTER = 0x10  # flag of an ID3 tag


def check_notes(source: Source, kind: str, budget: Budget) -> None:
    """Refuse a file of sound whose notes are out of proportion.

    Raises:
        BrokenData: With the reason.
    """
    walk = {"mp3": _tags, "flac": _blocks, "wav": _chunks}.get(kind)
    total = 0
    for length in walk(source) if walk is not None else ():
        total += length
        budget.check_metadata(source.clip, total)


def _tags(source: Source) -> Iterator[int]:
    """Return the lengths of the ID3 tags at the start; there may be several, one behind the other."""
    at = 0
    while (head := _read(source, at, 10)).startswith(b"ID3") and len(head) == 10:
        # Seven bits of each byte count, so that no length looks like the start of a frame.
        size = sum((byte & 0x7F) << 7 * place for place, byte in enumerate(reversed(head[6:])))
        length = 10 + size + (10 if head[5] & _FOOTER else 0)
        at += length
        yield length


def _blocks(source: Source) -> Iterator[int]:
    """Return the lengths of the metadata blocks of a FLAC."""
    at, last = 4, False
    while not last and len(head := _read(source, at, 4)) == 4:
        last, length = bool(head[0] & 0x80), 4 + int.from_bytes(head[1:])
        at += length
        yield length


def _chunks(source: Source) -> Iterator[int]:
    """Return the lengths of the chunks of a WAV that are neither sound nor say how it is stored."""
    at, count = 12, 0
    while len(head := _read(source, at, 8)) == 8:
        count += 1
        if count > MOST_CHUNKS:
            raise BrokenData(source.clip, f"has more than {MOST_CHUNKS} chunks")
        length = int.from_bytes(head[4:], "little")
        at += 8 + length + length % 2
        if head[:4] not in _SOUND_CHUNKS:
            yield length


def _read(source: Source, at: int, count: int) -> bytes:
    cursor = source.cursor()
    cursor.seek(at)
    return cursor.read(count)
