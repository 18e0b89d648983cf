"""What a container holds beside pictures and sound, checked before FFmpeg reads it: names of other files, tags, covers.

Two families are walked, ISO boxes (MP4, QuickTime) and EBML elements (Matroska, WebM). Only heads are read and only
the branches that matter are entered, so a walk costs little however long the file is, and it ends: every step goes
forward, and there are at most `MOST_ELEMENTS`. What the walk cannot follow is left to the demuxer to refuse.

In files of sound alone, the lengths of tags and covers are added up from their heads and held to the budget. Ogg has
its tags in its packets; they are weighed when it is open.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cutscore.core.errors import BrokenData
from cutscore.media.budget import Budget
from cutscore.media.container_type import vint_length
from cutscore.media.source import Cursor, Source

# Three hours with a fragment or cluster each second have some 20,000; a live WebM lists its blocks as well.
MOST_ELEMENTS = 500_000
_NEAR_BYTES = 4096

_OTHER_FILE = "keeps its pictures or sound in another file"
_DELIVER_WHOLE = "deliver one file with everything in it"
# FFmpeg enters these wherever they stand, not only where they belong.
_BRANCHES = {b"moov", b"trak", b"mdia", b"minf", b"dinf", b"stbl", b"edts", b"mvex", b"udta"}
_DEEPEST = 10  # as FFmpeg has it; honest files are six deep
_NOTES = {b"udta", b"meta", b"uuid"}
_FREE = {b"free", b"skip", b"hoov"}
# An edit list can show the same second any number of times; editors write two or three entries.
_MOST_EDITS = 64
_SELF_CONTAINED = 1  # flag of a data reference

_SEGMENT, _INFO, _TRACKS, _TRACK = 0x18538067, 0x1549A966, 0x1654AE6B, 0xAE
_CHAPTERS, _TAGS, _ATTACHMENTS, _CLUSTER = 0x1043A770, 0x1254C367, 0x1941A469, 0x1F43B675
_PREVIOUS_FILE, _NEXT_FILE = 0x3C83AB, 0x3E83BB

MOST_CHUNKS = 1000  # of a WAV; editors write a dozen
_SOUND_CHUNKS = {b"fmt ", b"data", b"fact", b"ds64"}
_FOOTER = 0x10  # flag of an ID3 tag


@dataclass(frozen=True)
class ContainerElement:
    """One box or element: its type, and where its content lies."""

    kind: bytes | int
    start: int
    end: int


def check_index(source: Source, kind: str, budget: Budget) -> None:
    """Refuse a file whose index points elsewhere, hides something or is out of proportion."""
    _Walk(source, budget).check(iso=kind in ("mp4", "mov"))


class _Walk:
    def __init__(self, source: Source, budget: Budget) -> None:
        self._clip, self._length, self._budget = source.clip, source.length, budget
        self._at: Cursor = source.cursor()
        self._elements = self._streams = self._notes = 0
        self._near_start, self._near = 0, b""

    def check(self, *, iso: bool) -> None:
        """Walk the index of an ISO or EBML file."""
        whole = ContainerElement(b"", 0, self._length)
        if iso:
            self._boxes(whole, depth=0)
        else:
            for part in self._elements_in(whole):
                if part.kind == _SEGMENT:
                    self._segment(part)

    def _boxes(self, parent: ContainerElement, *, depth: int) -> None:
        if depth > _DEEPEST:
            raise BrokenData(self._clip, f"has boxes in boxes, more than {_DEEPEST} deep")
        for box in self._boxes_in(parent):
            if box.kind in _NOTES:
                self._note(box)
            if box.kind in _BRANCHES:
                if box.kind == b"trak":
                    self._streams += 1
                    self._budget.check_streams(self._clip, self._streams)
                self._boxes(box, depth=depth + 1)
            elif box.kind == b"dref":
                self._data_references(box)
            elif box.kind == b"elst":
                self._edits(box)
            elif box.kind == b"rmra":
                raise BrokenData(self._clip, _OTHER_FILE, _DELIVER_WHOLE)
            elif box.kind == b"cmov":
                raise BrokenData(self._clip, "has a compressed index, which we do not unpack")
            elif box.kind in _FREE and self._read(box.start + 4, 4) in (b"moov", b"cmov"):
                # FFmpeg looks into free space for an index when it finds no other.
                raise BrokenData(self._clip, "hides an index in free space")

    def _boxes_in(self, parent: ContainerElement) -> Iterator[ContainerElement]:
        at = parent.start
        while at + 8 <= parent.end:
            self._count()
            head = self._read(at, 16)
            size, start = int.from_bytes(head[:4]), at + 8
            if size == 1:
                size, start = int.from_bytes(head[8:16]), at + 16
            elif size == 0:
                size = parent.end - at
            if size < start - at:
                return
            end = min(at + size, parent.end)
            yield ContainerElement(head[4:8], start, end)
            at = end

    def _data_references(self, box: ContainerElement) -> None:
        for entry in self._boxes_in(ContainerElement(b"dref", box.start + 8, box.end)):
            flags = int.from_bytes(self._read(entry.start, 4))
            if not flags & _SELF_CONTAINED:
                raise BrokenData(self._clip, _OTHER_FILE, _DELIVER_WHOLE)

    def _edits(self, box: ContainerElement) -> None:
        edits = int.from_bytes(self._read(box.start + 4, 4))
        if edits > _MOST_EDITS:
            raise BrokenData(self._clip, f"has an edit list of {edits} entries, {_MOST_EDITS} are allowed")

    def _segment(self, segment: ContainerElement) -> None:
        for part in self._elements_in(segment):
            if part.kind == _INFO:
                if any(inner.kind in (_PREVIOUS_FILE, _NEXT_FILE) for inner in self._elements_in(part)):
                    raise BrokenData(self._clip, "names another file as its continuation", _DELIVER_WHOLE)
            elif part.kind == _TRACKS:
                self._streams += sum(inner.kind == _TRACK for inner in self._elements_in(part))
                self._budget.check_streams(self._clip, self._streams)
            elif part.kind == _ATTACHMENTS:
                raise BrokenData(self._clip, "carries attached files", "deliver it without attachments")
            elif part.kind in (_TAGS, _CHAPTERS):
                self._note(part)

    def _elements_in(self, parent: ContainerElement) -> Iterator[ContainerElement]:
        at = parent.start
        while at + 2 <= parent.end:
            self._count()
            head = self._read(at, 12)
            id_bytes = vint_length(head[0]) if head else 0
            size_bytes = vint_length(head[id_bytes]) if 0 < id_bytes <= 4 and id_bytes < len(head) else 0
            if not size_bytes or len(head) < id_bytes + size_bytes:
                return
            ones = (1 << 7 * size_bytes) - 1
            size = int.from_bytes(head[id_bytes : id_bytes + size_bytes]) & ones
            kind, start = int.from_bytes(head[:id_bytes]), at + id_bytes + size_bytes
            if size == ones:
                yield ContainerElement(kind, start, parent.end)
                if kind != _CLUSTER:
                    return
                at = start  # its blocks follow like brothers, until the next cluster
            else:
                yield ContainerElement(kind, start, min(start + size, parent.end))
                at = start + size

    def _note(self, part: ContainerElement) -> None:
        self._notes += part.end - part.start
        self._budget.check_metadata(self._clip, self._notes)

    def _count(self) -> None:
        self._elements += 1
        if self._elements > MOST_ELEMENTS:
            raise BrokenData(self._clip, f"has an index of more than {MOST_ELEMENTS} parts")

    def _read(self, at: int, count: int) -> bytes:
        """Read a few bytes; heads often lie close together, so a little more is read and kept."""
        if not self._near_start <= at <= at + count <= self._near_start + len(self._near):
            self._at.seek(at)
            self._near_start, self._near = at, self._at.read(_NEAR_BYTES)
        return self._near[at - self._near_start : at - self._near_start + count]


def check_tags(source: Source, kind: str, budget: Budget) -> None:
    """Refuse a file of sound whose notes are out of proportion."""
    walk = {"mp3": _tags, "flac": _blocks, "wav": _chunks}.get(kind)
    total = 0
    for length in walk(source) if walk is not None else ():
        total += length
        budget.check_metadata(source.clip, total)


def _tags(source: Source) -> Iterator[int]:
    """Return the lengths of the ID3 tags at the start; there may be several, one behind the other."""
    at = 0
    while (head := _read_at(source, at, 10)).startswith(b"ID3") and len(head) == 10:
        # Seven bits of each byte count, so that no length looks like the start of a frame.
        size = sum((byte & 0x7F) << 7 * place for place, byte in enumerate(reversed(head[6:])))
        length = 10 + size + (10 if head[5] & _FOOTER else 0)
        at += length
        yield length


def _blocks(source: Source) -> Iterator[int]:
    """Return the lengths of the metadata blocks of a FLAC."""
    at, last = 4, False
    while not last and len(head := _read_at(source, at, 4)) == 4:
        last, length = bool(head[0] & 0x80), 4 + int.from_bytes(head[1:])
        at += length
        yield length


def _chunks(source: Source) -> Iterator[int]:
    """Return the lengths of the chunks of a WAV that are neither sound nor say how it is stored."""
    at, count = 12, 0
    while len(head := _read_at(source, at, 8)) == 8:
        count += 1
        if count > MOST_CHUNKS:
            raise BrokenData(source.clip, f"has more than {MOST_CHUNKS} chunks")
        length = int.from_bytes(head[4:], "little")
        at += 8 + length + length % 2
        if head[:4] not in _SOUND_CHUNKS:
            yield length


def _read_at(source: Source, at: int, count: int) -> bytes:
    cursor = source.cursor()
    cursor.seek(at)
    return cursor.read(count)
