"""What stands alone is told from the bytes, and whatever outlives a picture is a doubt."""

from collections.abc import Sequence

import av
import pytest

from cutscore.media.anchors import _H264, Doubt, Role, _av1, _Hevc, _Mjpeg, _vp8, _vp9

SPS, PPS, OTHER_PPS = b"\x67\x42\x00\x0a", b"\x68\xce\x3c\x80", b"\x68\xce\x3c\x81"
AVC = b"\x01\x42\x00\x0a\xff\xe1\x00\x04" + SPS + b"\x01\x00\x04" + PPS
IDR, SLICE, SPARE = b"\x65\x88\x84", b"\x41\x9a\x02", b"\x01\x9a\x02"
HVC = b"\x01" + bytes(20) + b"\xff\x03" + b"".join(
    bytes([0x80 | kind, 0, 1, 0, 4, kind << 1, 1, 9, 9]) for kind in (32, 33, 34)
)  # fmt: skip


def packet(units: Sequence[bytes]) -> av.Packet:
    return av.Packet(b"".join(len(unit).to_bytes(4) + unit for unit in units))


def sei(kind: int, payload: bytes = b"\x01", *, head: bytes = b"\x06") -> bytes:
    return head + bytes([kind, len(payload)]) + payload + b"\x80"


def hevc(kind: int, rest: bytes = b"\x80\x00", *, layer: int = 0) -> bytes:
    return bytes([kind << 1 | layer >> 5, (layer & 31) << 3 | 1]) + rest


@pytest.mark.parametrize(
    ("units", "role"),
    [
        ([IDR], Role.ANCHOR),
        ([IDR, IDR], Role.ANCHOR),
        ([b"\x09\xf0\x00", SPS, PPS, sei(0), sei(1), IDR], Role.ANCHOR),
        ([SLICE], Role.LINK),
        ([sei(6), SLICE], Role.LINK),  # a recovery point, as in an open GOP
        ([IDR, SLICE], Role.LINK),
        ([sei(4)], Role.LINK),
        ([SPARE], Role.SPARE),
        ([SPARE, SPARE], Role.SPARE),
        ([SPARE, SLICE], Role.LINK),  # one field is referred to
    ],
)
def test_h264_pictures_say_what_they_are_to_others(units: list[bytes], role: Role) -> None:
    assert _H264(AVC).check(packet(units)) is role


@pytest.mark.parametrize(
    ("units", "reason"),
    [
        ([OTHER_PPS, IDR], "parameter sets change"),
        ([sei(47), IDR], "a message of kind 47"),  # orientation
        ([sei(19), IDR], "a message of kind 19"),  # film grain
        ([sei(5, b"\0\0\3\0" + b"x" * 8) + sei(47)[1:], IDR], "a message of kind 47"),  # one byte shorter than it looks
        ([b"\x06\xff\xff\xff"], "messages are cut off"),
        ([b"\x02\x00\x00", IDR], "units of kind 2"),  # data partitions
        ([b"\x65"], "units are cut off"),
    ],
)
def test_h264_doubts(units: list[bytes], reason: str) -> None:
    with pytest.raises(Doubt, match=reason):
        _H264(AVC).check(packet(units))


def test_many_messages_are_read_in_one_go() -> None:
    """A hundred thousand empty ones: reading the rest anew for each would take minutes."""
    assert _H264(AVC).check(packet([b"\x06" + b"\x04\x00" * 100_000 + b"\x80", IDR])) is Role.ANCHOR


def test_an_encoder_may_repeat_its_name_and_not_change_it() -> None:
    first, other = (sei(5, b"u" * 16 + b"x264 - core " + number) for number in (b"164", b"120"))
    look = _H264(AVC)
    assert look.check(packet([first, IDR]))
    assert look.check(packet([first, IDR]))
    with pytest.raises(Doubt, match="the encoder changes on the way"):
        look.check(packet([other, IDR]))
    late = _H264(AVC)
    late.check(packet([IDR]))
    with pytest.raises(Doubt, match="the encoder changes on the way"):
        late.check(packet([first, IDR]))


def test_units_without_lengths_are_a_doubt() -> None:
    for kind in (_H264, _Hevc):
        for extra in (b"", b"\0\0\0\1" + SPS + b"\0\0\0\1" + PPS):
            with pytest.raises(Doubt, match="units have no lengths"):
                kind(extra)


@pytest.mark.parametrize(("kind", "anchor"), [(1, False), (9, False), (16, True), (19, True), (20, True), (21, True)])
def test_hevc_anchors_are_random_access_pictures(kind: int, anchor: bool) -> None:
    assert _Hevc(HVC).check(packet([hevc(35), hevc(39, b"\x88\x01\x00\x80"), hevc(kind)])) is (
        Role.ANCHOR if anchor else Role.LINK
    )


@pytest.mark.parametrize(
    ("unit", "reason"),
    [
        (hevc(20, b"\xc0\x00"), "a key frame takes pictures before it away"),
        (hevc(20, layer=1), "the clip has layers"),
        (hevc(33, b"\x08\x08"), "parameter sets change"),
        (hevc(39, b"\x2f\x01\x00\x80"), "a message of kind 47"),
        (hevc(36, b"\0"), "units of kind 36"),  # end of sequence: the next CRA loses its leading pictures
    ],
)
def test_hevc_doubts(unit: bytes, reason: str) -> None:
    with pytest.raises(Doubt, match=reason):
        _Hevc(HVC).check(packet([unit]))


@pytest.mark.parametrize(
    ("look", "data", "anchor"),
    [
        (_vp8, b"\x10\x00", True),
        (_vp8, b"\x11\x00", False),
        (_vp9, b"\x82\x49", True),
        (_vp9, b"\x86\x00", False),
        (_vp9, b"\x88\x00", False),  # shows an older frame again
        (_vp9, b"\x84\x00\xc0", False),  # a hidden frame and a shown one
        (_av1, b"\x12\x00\x0a\x01\x00\x32\x02\x10\x00", True),
        (_av1, b"\x12\x00\x32\x02\x10\x00\x00", False),  # without its header
        (_av1, b"\x12\x00\x0a\x01\x00\x32\x02\x00\x00", False),  # a key frame for later
        (_av1, b"\x12\x00\x0a\x01\x00\x32\x02\x30\x00", False),
    ],
)
def test_key_frames_by_their_own_header(look: object, data: bytes, anchor: bool) -> None:
    assert look(av.Packet(data)) is anchor  # type: ignore[operator]


@pytest.mark.parametrize(
    ("look", "data", "reason"),
    [
        (_vp8, b"\x00\x00", "some packets are not shown"),
        (_vp9, b"\x84\x00", "some packets are not shown"),
        (_vp9, b"\xb2\x00", "VP9 of profile 3"),
        (_av1, b"\x12\x00\x0a\x01\x08\x32\x02\x10\x00", "still pictures"),
    ],
)
def test_packets_that_cannot_be_told_are_a_doubt(look: object, data: bytes, reason: str) -> None:
    with pytest.raises(Doubt, match=reason):
        look(av.Packet(data))  # type: ignore[operator]


def test_a_jpeg_needs_tables_of_its_own_and_one_size() -> None:
    tables, frame, larger = b"\xff\xdb\0\2\xff\xc4\0\2", b"\xff\xc0\0\7\x08\0\2\0\2", b"\xff\xc0\0\7\x08\0\3\0\2"
    look = _Mjpeg()
    assert look.check(av.Packet(tables + frame))
    assert not look.check(av.Packet(frame))
    with pytest.raises(Doubt, match="pictures change their size"):
        look.check(av.Packet(tables + larger))
