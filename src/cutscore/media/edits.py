"""Edit lists of MP4 tracks, as far as they are simple: the track begins at a tick of its own, and may end at another.

An edit list can play any part of a track at any time. Nearly all lists only take the start off, where B-frames or the
priming of a codec made room, and say how long the track is. FFmpeg follows every list by writing its index of packets
anew; where it is told not to, it merely shifts their times by the first edit, with half the memory.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from cutscore.media.boxes import Part
from cutscore.media.source import Source

_MOST_TICKS = 1 << 48
_OWN_SPEED = 1 << 16


class Odd(Exception):
    """This part of an index is FFmpeg's business."""


@dataclass(frozen=True)
class Edit:
    """One stretch of a track, shown from some time on; all in ticks of the track.

    Args:
        at: When it is shown.
        start: Where it begins on the track's own clock.
        length: How long it is.
    """

    at: int
    start: int
    length: int


class Whole:
    """Watches whether an edit shows the whole of a track, to which it then does no more than shift its times."""

    def __init__(self, edit: Edit) -> None:
        self._at, self._end = edit.at, edit.at + edit.length
        self._first: int | None = None
        self._ended = self._key_at_end = self._cut = False

    def saw(self, pts: int, length: int, *, key: bool) -> None:
        """Look at the next packet, whose time has been shifted."""
        # FFmpeg drops what follows a key frame at the end of an edit, even if it were shown before that.
        self._cut = self._cut or pts >= self._end or self._key_at_end
        self._ended = self._ended or pts + length >= self._end
        self._key_at_end = self._ended and key
        self._first = pts if self._first is None else min(self._first, pts)

    def __bool__(self) -> bool:
        # A track that begins after the edit does is moved there by FFmpeg.
        return not self._cut and self._first == self._at


def simple_edit(source: Source, parts: Mapping[bytes, Sequence[Part]]) -> Edit | None:
    """Read the edit list of a track, whose boxes these are; None without one.

    Raises:
        Odd: There is more to it.
    """
    lists = parts.get(b"elst", ())
    if not lists:
        return None
    must(all(len(parts.get(kind, ())) == 1 for kind in (b"elst", b"mdhd", b"mvhd")))
    (box,) = lists
    version, count = number_at(source, box.start) >> 24, number_at(source, box.start + 4)
    width = 8 if version else 4
    row = 2 * width + 4
    must(version <= 1 and 1 <= count <= 2 and box.start + 8 + count * row <= box.end)
    last = box.start + 8 + (count - 1) * row
    wait, nowhere = 0, (1 << 8 * width) - 1
    if count == 2:  # nothing, and then the track
        must(number_at(source, last - row + width, width) == nowhere)
        wait = number_at(source, last - row, width)
    length, start = number_at(source, last, width), number_at(source, last + width, width)
    must(number_at(source, last + 2 * width) == _OWN_SPEED)
    must(0 < length < _MOST_TICKS and wait < _MOST_TICKS and start < min(_MOST_TICKS, nowhere // 2))
    ticks = Fraction(_scale(source, parts[b"mdhd"][0]), _scale(source, parts[b"mvhd"][0]))
    return Edit(_rounded(wait * ticks), start, _rounded(length * ticks))


def _rounded(ticks: Fraction) -> int:
    """Round as FFmpeg does, halves up."""
    return (2 * ticks + 1) // 2


def _scale(source: Source, head: Part) -> int:
    """Return the ticks of a second on the clock of a track or film."""
    version = number_at(source, head.start) >> 24
    scale = number_at(source, head.start + (20 if version else 12))
    must(version <= 1 and 0 < scale < 1 << 31)
    return scale


def number_at(source: Source, at: int, width: int = 4) -> int:
    """Read one number of an index."""
    cursor = source.cursor()
    cursor.seek(at)
    return int.from_bytes(cursor.read(width))


def must(fine: bool) -> None:
    if not fine:
        raise Odd
