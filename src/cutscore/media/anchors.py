"""Which coded pictures can be decoded without any before them, told from their own bytes.

A container marks key frames, and the mark may lie: H.264 streams that refresh bit by bit have marked pictures that do
not stand alone, and a stranger's index says what it likes. A decoder that is dropped at a wrong place shows other
pixels, so whoever jumps asks here. An *anchor* is a picture after which decoding gives exactly what decoding from the
start gives, for everything that is shown after it:

    h264                    IDR pictures; a mere recovery point is none
    hevc                    IDR, CRA and BLA pictures; what is shown before them but coded after them does not count
    vp8, vp9, av1           key frames by their own header
    mjpeg                   pictures with tables of their own
    prores, dnxhd           all pictures
    anything else           none

In H.264 a picture that no other refers to says so, and is *spare*: it is decoded only if it is wanted itself.

Whatever outlives a picture and could be missed by jumping over it (new parameter sets, an orientation or film grain
that holds until further notice, an encoder's name by which the decoder chooses workarounds) is a `Doubt` about the
whole clip.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from enum import Enum
from typing import TypeAlias

from av.packet import Packet
from av.video.stream import VideoStream

VideoPacket: TypeAlias = "Packet[VideoStream]"  # PyAV has its types in files beside the code


class Role(Enum):
    """What a picture is to those after it: decoding may begin with it, or needs it, or does not need it."""

    ANCHOR = "anchor"
    LINK = "link"
    SPARE = "spare"


Check = Callable[[VideoPacket], Role]


class Doubt(Exception):
    """Jumping in this clip may not give what decoding from its start gives; the text says why."""


def checker(stream: VideoStream) -> Check:
    """Return a function that is shown every packet of a stream in order, and says what it is to those after it.

    It raises `Doubt` when nothing may be skipped in this stream.
    """
    codec, extra = stream.codec_context.codec.canonical_name, stream.codec_context.extradata or b""
    if codec == "h264":
        return _H264(extra).check
    if codec == "hevc":
        return _Hevc(extra).check
    checks = {"vp8": _vp8, "vp9": _vp9, "av1": _av1, "mjpeg": _Mjpeg().check, "prores": _always, "dnxhd": _always}
    if codec not in checks:
        raise Doubt(f"{codec} pictures do not tell whether they stand alone")
    return lambda packet: Role.ANCHOR if checks[codec](packet) else Role.LINK


class _NalStream(ABC):
    """H.264 and HEVC as MP4 and Matroska store them: units with their lengths in front.

    Parameter sets are told by their bytes. Those in the header always hold; those among the pictures are harmless
    only where the clip has a single one of each kind, however often it is repeated.
    """

    # Messages that concern their own picture alone: buffering, timing, captions, recovery, parameter sets in use,
    # hash, time code, and mastering and light levels, which we do not use.
    _OF_ONE_PICTURE = frozenset({0, 1, 4, 6, 129, 132, 136, 137, 144})
    _USER_DATA = 5

    def __init__(self, length_bytes: int, sets: Iterator[tuple[int, bytes]]) -> None:
        self._length_bytes = length_bytes
        self._sets: dict[int, set[bytes]] = {}
        self._first = True
        self._encoder = b""
        for kind, data in sets:
            self._sets.setdefault(kind, set()).add(data)

    def check(self, packet: VideoPacket) -> Role:
        looked_at = [self._looked_at(unit) for unit in self._units(memoryview(packet))]
        self._first = False
        roles = {role for role in looked_at if role is not None}
        return roles.pop() if len(roles) == 1 else Role.LINK

    def _units(self, data: memoryview) -> Iterator[memoryview]:
        at, size = 0, self._length_bytes
        while at < len(data):
            length = int.from_bytes(data[at : at + size])
            if not 2 < length <= len(data) - at - size:
                raise Doubt("units are cut off")
            yield data[at + size : at + size + length]
            at += size + length

    @abstractmethod
    def _looked_at(self, unit: memoryview) -> Role | None:
        """Describe what a part of a picture is to later pictures; None when it is not part of a picture."""

    def _saw_set(self, kind: int, unit: memoryview) -> None:
        self._sets.setdefault(kind, set()).add(bytes(unit))
        if any(len(each) > 1 for each in self._sets.values()):
            raise Doubt("parameter sets change on the way")

    def _saw_messages(self, unit: memoryview) -> None:
        # A 3 keeps zeros from looking like the start of a unit, and 80 ends it.
        at, body = 0, bytes(unit).replace(b"\0\0\3", b"\0\0").rstrip(b"\0").removesuffix(b"\x80")
        while at < len(body):
            kind, at = _ff_coded(body, at)
            length, at = _ff_coded(body, at)
            message = body[at : at + length]
            if kind == self._USER_DATA and b"x264" in message:
                self._encoder = message if self._first else self._encoder
                if message != self._encoder:
                    raise Doubt("the encoder changes on the way")
            elif kind != self._USER_DATA and kind not in self._OF_ONE_PICTURE:
                raise Doubt(f"a message of kind {kind} may hold for later pictures")
            at += length


class _H264(_NalStream):
    def __init__(self, extra: bytes) -> None:
        if len(extra) < 7 or extra[0] != 1:
            raise Doubt("units have no lengths")
        super().__init__(1 + (extra[4] & 3), _avc_sets(extra))

    def _looked_at(self, unit: memoryview) -> Role | None:
        kind = unit[0] & 31
        if kind in (7, 8):
            self._saw_set(kind, unit)
        elif kind == 6:
            self._saw_messages(unit[1:])
        elif kind == 5:
            return Role.ANCHOR
        elif kind == 1:
            return Role.LINK if unit[0] & 0x60 else Role.SPARE
        elif kind not in (9, 10, 11, 12):  # delimiter, ends, filler
            raise Doubt(f"units of kind {kind}")
        return None


class _Hevc(_NalStream):
    def __init__(self, extra: bytes) -> None:
        if len(extra) < 23 or extra[0] != 1:
            raise Doubt("units have no lengths")
        super().__init__(1 + (extra[21] & 3), _hevc_sets(extra))

    def _looked_at(self, unit: memoryview) -> Role | None:
        kind, layer = unit[0] >> 1 & 63, (unit[0] & 1) << 5 | unit[1] >> 3
        if layer:
            raise Doubt("the clip has layers")
        if kind < 32:
            if kind >= 16 and unit[2] & 0x40:
                raise Doubt("a key frame takes pictures before it away")
            return Role.ANCHOR if 16 <= kind <= 21 else Role.LINK
        if kind in (32, 33, 34):
            self._saw_set(kind, unit)
        elif kind in (39, 40):
            self._saw_messages(unit[2:])
        elif kind not in (35, 38):  # delimiter, filler
            raise Doubt(f"units of kind {kind}")
        return None


def _avc_sets(extra: bytes) -> Iterator[tuple[int, bytes]]:
    at = 5
    for kind in (7, 8):
        count, at = extra[at] & 31 if kind == 7 else extra[at], at + 1
        for _ in range(count):
            length = int.from_bytes(extra[at : at + 2])
            yield kind, extra[at + 2 : at + 2 + length]
            at += 2 + length
        if at >= len(extra):
            return


def _hevc_sets(extra: bytes) -> Iterator[tuple[int, bytes]]:
    at = 23
    for _ in range(extra[22]):
        if at + 3 > len(extra):
            return
        kind, count, at = extra[at] & 63, int.from_bytes(extra[at + 1 : at + 3]), at + 3
        for _ in range(count):
            length = int.from_bytes(extra[at : at + 2])
            if kind in (32, 33, 34):
                yield kind, extra[at + 2 : at + 2 + length]
            at += 2 + length


def _ff_coded(data: bytes, at: int) -> tuple[int, int]:
    """Read a number that is written as a sum of bytes, of which the last is not 255; give it and the next place."""
    value = 0
    while at < len(data):
        value, at = value + data[at], at + 1
        if data[at - 1] != 255:
            return value, at
    raise Doubt("messages are cut off")


def _vp8(packet: VideoPacket) -> bool:
    head = memoryview(packet)[0]
    if not head & 0x10:
        raise Doubt("some packets are not shown")
    return not head & 1


def _vp9(packet: VideoPacket) -> bool:
    data = memoryview(packet)
    head = data[0]
    if head >> 4 == 0b1011:
        raise Doubt("VP9 of profile 3")  # its header is one bit longer
    repeats, follows, shown = head & 8, head & 4, head & 2
    several = data[-1] & 0xE0 == 0xC0
    if not (repeats or shown or several):
        raise Doubt("some packets are not shown")
    return not repeats and not follows


def _av1(packet: VideoPacket) -> bool:
    """Return whether the first frame is a key frame that is shown, with the sequence's header before it."""
    data, at, sequence = bytes(memoryview(packet)[:4096]), 0, False
    while at + 2 < len(data):
        kind, extended, sized = data[at] >> 3 & 15, data[at] & 4, data[at] & 2
        at += 2 if extended else 1
        length, shift = 0, 0
        while sized and at < len(data):
            length, shift, at = length | (data[at] & 127) << shift, shift + 7, at + 1
            if not data[at - 1] & 128:
                break
        if not sized or at >= len(data):
            return False
        if kind == 1:
            if data[at] & 8:
                raise Doubt("still pictures have other headers")
            sequence = True
        elif kind in (3, 6):
            return sequence and data[at] >> 4 == 0b0001  # not a repeat, key frame, shown
        at += length
    return False


class _Mjpeg:
    """JPEG after JPEG, of which each says its size and may leave its tables to those before."""

    _FRAME = re.compile(rb"\xff[\xc0-\xc2]..(.{5})", re.DOTALL)  # marker, length; bits, height, width

    def __init__(self) -> None:
        self._sizes: set[bytes] = set()

    def check(self, packet: VideoPacket) -> bool:
        data = bytes(packet)
        self._sizes.update(self._FRAME.findall(data))
        if len(self._sizes) != 1:
            raise Doubt("pictures change their size")
        return b"\xff\xdb" in data and b"\xff\xc4" in data


def _always(packet: VideoPacket) -> bool:
    return True
