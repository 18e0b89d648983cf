"""When and where the packets of an MP4's track are, told by its own tables, of which a piece is read at a time.

FFmpeg reads the tables whole when it opens a file, and holds every packet twice while it follows an edit list: 12 MB
for an hour of AAC. So it is shown the head of the tables, as if the track ended there. That is enough to see what a
track is.

Sound is also read that way. In the head FFmpeg does what is difficult: the start of an edit list, the priming of a
codec. The packets after the head are plain, and are read here. That is done only where nothing is odd: the tables
agree with each other, and all packets of the head are to FFmpeg what they are to us. Every other sound is left to it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice, repeat
from typing import NamedTuple, TypeAlias, cast

import av
import numpy as np
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.packet import Packet

from cutscore.core.errors import BrokenData
from cutscore.media.boxes import Part, Track
from cutscore.media.edits import Odd, must, number_at, simple_edit
from cutscore.media.source import Source

SoundPacket: TypeAlias = "Packet[AudioStream]"  # PyAV has its types in files beside the code

# Packets that FFmpeg is shown, and more up to where a chunk of them ends: where that lies inside of one, it does not
# follow the edit list. It looks at five seconds when it opens a file: 2000 packets of the shortest kind.
HEAD = 4096
_MOST_CHUNK = 4096
_BEFORE_THE_END = 64  # packets that are not taken from it, since it may think that they are the last
_MOST_PACKETS = 1 << 21  # six hours of AAC; looking through more would take us longer than it takes FFmpeg
_AT_ONCE = 4096  # numbers that are read at a time
_MOST_BYTES = 1 << 24  # of one packet; a second of six channels as 32-bit samples has a tenth of that
_MOST_TICKS = 1 << 48
# Newer ones may cut the last packet off where the container says that the sound ends.
_LEAVES_THE_LAST_WHOLE = (62, 12, 102)


class Sample(NamedTuple):
    """Where a packet lies in the file, when it begins on the track's own clock, and how long it lasts in ticks."""

    at: int
    size: int
    ticks: int
    length: int


@dataclass(frozen=True)
class Rows:
    """The rows of a table, read as one number after the other.

    Args:
        source: The file.
        count_at: Where it says how many rows there are; they begin behind that.
        count: How many.
        numbers: Numbers of a row.
        width: Bytes of a number.
    """

    source: Source
    count_at: int
    count: int
    numbers: int = 1
    width: int = 4

    @property
    def end(self) -> int:
        return self.count_at + 4 + self.count * self.numbers * self.width

    def __iter__(self) -> Iterator[int]:
        cursor = self.source.cursor()
        cursor.seek(self.count_at + 4)
        left = self.count * self.numbers
        while left:
            some = min(left, _AT_ONCE)
            data = cursor.read(some * self.width)
            if len(data) < some * self.width:
                raise BrokenData(self.source.clip, "became shorter while it was read")
            yield from np.frombuffer(data, f">u{self.width}").tolist()
            left -= some


@dataclass(frozen=True)
class Tables:
    """The tables of a track that is longer than its head.

    Args:
        source: The file.
        head: Packets of the head.
        chunks: Chunks of the head.
        offsets: Where each chunk of packets begins: `stco` or `co64`.
        runs: First chunk, packets of a chunk, kind of the packets, until the next row: `stsc`.
        sizes: Bytes of each packet: `stsz`.
        lengths: So many packets, so many ticks each: `stts`.
        delays: So many packets, shown so much later than they are decoded: `ctts`; None without.
        until: The tick at which an edit list ends the track; None without one.
    """

    source: Source
    head: int
    chunks: int
    offsets: Rows
    runs: Rows
    sizes: Rows
    lengths: Rows
    delays: Rows | None
    until: int | None

    @property
    def masks(self) -> dict[int, bytes]:
        """Return what FFmpeg reads, and where, instead of the numbers of rows."""
        runs = sum(first <= self.chunks for first in islice(self.runs, 0, 3 * self.chunks, 3))
        # Not of the lengths: FFmpeg tells the rate by all of them.
        counts = [(self.sizes, self.head), (self.offsets, self.chunks), (self.runs, runs)]
        if self.delays is not None:
            counts.append((self.delays, self.head))
        return {rows.count_at: min(rows.count, count).to_bytes(4) for rows, count in counts}

    def samples(self) -> Iterator[Sample]:
        """Return the packets one after the other, up to where the edit list or one of the tables ends."""
        sizes, lengths, ticks = iter(self.sizes), iter(self.lengths), 0
        each_length = chain.from_iterable(repeat(length, count) for count, length in zip(lengths, lengths, strict=True))
        for offset, count in zip(self.offsets, _counts(self.runs, self.offsets.count), strict=False):
            at = offset
            for size, length in zip(islice(sizes, count), each_length, strict=False):
                yield Sample(at, size, ticks, length)
                at, ticks = at + size, ticks + length
                if self.until is not None and ticks >= self.until:
                    return

    def later_by(self, container: InputContainer, stream: AudioStream) -> int | None:
        """Describe how much later a packet is to FFmpeg than to us, in ticks; None if it must read the sound itself.

        Args:
            container: The file behind `masks`, freshly opened.
            stream: Its only sound.
        """
        try:
            ends = self._check()
        except Odd:
            return None
        later: set[int] = set()
        for number, (packet, sample) in enumerate(zip(container.demux(stream), self.samples(), strict=False)):
            if number == self.head - _BEFORE_THE_END:
                break
            if packet.pts is None or packet.pts != packet.dts or packet.duration != sample.length:
                return None
            if bytes(packet) != self._data(sample):
                return None
            if number >= self.head // 2:  # what an edit list cuts away at the start has times of its own
                later.add(packet.pts - sample.ticks)
        if len(later) != 1:
            return None
        (ticks,) = later
        whole = av.library_versions["libavformat"] <= _LEAVES_THE_LAST_WHOLE
        return ticks if whole or ends + ticks <= (stream.duration or 0) else None

    def packets(self, container: InputContainer, stream: AudioStream, later_by: int) -> Iterator[SoundPacket]:
        """Return the packets for the decoder: FFmpeg's of the head, then our own."""
        taken = self.head - _BEFORE_THE_END
        yield from islice(container.demux(stream), taken)
        for sample in islice(self.samples(), taken, None):
            packet = cast("SoundPacket", Packet(self._data(sample)))
            packet.pts = packet.dts = sample.ticks + later_by
            packet.duration, packet.is_keyframe = sample.length, True
            packet.time_base = stream.time_base or Fraction(0)
            yield packet

    def _check(self) -> int:
        """Return the tick at which the last packet ends, or refuse what is odd."""
        must(self.delays is None)
        chunk, runs, lengths = 0, iter(self.runs), iter(self.lengths)
        for first, packets, kind in zip(runs, runs, runs, strict=True):
            must(first > chunk if chunk else first == 1)
            must(first <= self.offsets.count and packets > 0 and kind == 1)
            chunk = first
        must(sum(_counts(self.runs, self.offsets.count)) == self.sizes.count)
        # A tick for each sample is how uncompressed sound is told, which FFmpeg cuts into packets as it likes.
        must(all(packets and length > 1 for packets, length in zip(lengths, lengths, strict=True)))
        count, ends, file_ends = 0, 0, self.source.length
        for sample in self.samples():
            must(0 < sample.size <= _MOST_BYTES and sample.at + sample.size <= file_ends)
            count, ends = count + 1, sample.ticks + sample.length
        must(ends < _MOST_TICKS)
        must(count == self.sizes.count or (self.until is not None and ends >= self.until))
        return ends

    def _data(self, sample: Sample) -> bytes:
        cursor = self.source.cursor()
        cursor.seek(sample.at)
        return cursor.read(sample.size)


def tables(source: Source, track: Track) -> Tables | None:
    """Find the tables of a track; None if it is short, or of a kind that we leave to FFmpeg."""
    try:
        return _tables(source, track)
    except Odd:
        return None


def _tables(source: Source, track: Track) -> Tables:
    must(all(len(parts) == 1 for parts in track.parts.values()))
    boxes = {kind: parts[0] for kind, parts in track.parts.items()}
    must(boxes.keys() >= {b"stts", b"stsc", b"stsz"} and b"stz2" not in boxes)
    must((b"stco" in boxes) != (b"co64" in boxes))
    offsets = _rows(source, boxes[b"stco"]) if b"stco" in boxes else _rows(source, boxes[b"co64"], width=8)
    runs = _rows(source, boxes[b"stsc"], numbers=3)
    sizes = _rows(source, boxes[b"stsz"], count_at=8)
    lengths = _rows(source, boxes[b"stts"], numbers=2)
    must(number_at(source, boxes[b"stsz"].start + 4) == 0 and HEAD < sizes.count <= _MOST_PACKETS)
    must(runs.count <= offsets.count <= sizes.count and lengths.count <= sizes.count)
    head = chunks = 0
    for count in _counts(runs, offsets.count):
        must(0 < count <= _MOST_CHUNK)
        head, chunks = head + count, chunks + 1
        if head >= HEAD:
            break
    must(HEAD <= head < sizes.count)
    edit = simple_edit(source, track.parts)
    return Tables(
        source,
        head,
        chunks,
        offsets=offsets,
        runs=runs,
        sizes=sizes,
        lengths=lengths,
        delays=_rows(source, boxes[b"ctts"], numbers=2) if b"ctts" in boxes else None,
        until=None if edit is None else edit.start + edit.length,
    )


def _counts(runs: Rows, chunks: int) -> Iterator[int]:
    """Return the number of packets of each chunk."""
    count, chunk = 0, 1
    numbers = iter(runs)
    for first, packets, _ in zip(numbers, numbers, numbers, strict=True):
        yield from repeat(count, first - chunk)
        count, chunk = packets, first
    yield from repeat(count, chunks + 1 - chunk)


def _rows(source: Source, box: Part, *, count_at: int = 4, numbers: int = 1, width: int = 4) -> Rows:
    at = box.start + count_at
    rows = Rows(source, at, number_at(source, at), numbers, width)
    must(rows.count > 0 and rows.end <= box.end)
    return rows
