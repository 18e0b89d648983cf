"""Edit lists that only shift a track are told from those that cut, and frames are the same either way."""

import struct
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.media.boxes import Part
from cutscore.media.budget import PLAIN
from cutscore.media.edits import Edit, Odd, Whole, simple_edit
from cutscore.media.frames import read_frames
from cutscore.media.intake import open_video
from cutscore.media.packets import Cut, index_of, read_index
from cutscore.media.plan import FramePlan
from cutscore.media.probe import extent_of
from cutscore.media.source import held

NOWHERE = 0xFFFFFFFF
SPEED = 1 << 16


def edit_of(path: Path, *edits: tuple[int, int, int], wide: bool = False) -> Edit | None:
    """Write an edit list for a track of 1000 ticks a second in a film of 600, and read it."""
    clocks = [struct.pack(">4I", 0, 0, 0, scale) for scale in (600, 1000)]
    rows = b"".join(struct.pack(">QQI" if wide else ">III", *edit) for edit in edits)
    path.write_bytes(b"".join(clocks) + struct.pack(">II", wide << 24, len(edits)) + rows)
    parts = {b"mvhd": Part(b"mvhd", 0, 0, 16), b"mdhd": Part(b"mdhd", 0, 16, 32)}
    with held(path) as source:
        return simple_edit(
            source, {kind: [part] for kind, part in parts.items()} | {b"elst": [Part(b"elst", 0, 32, source.length)]}
        )


def test_a_simple_list_begins_somewhere_and_has_a_length(tmp_path: Path) -> None:
    path = tmp_path / "list"
    assert edit_of(path, (601, 80, SPEED)) == Edit(at=0, start=80, length=1002)
    assert edit_of(path, (300, NOWHERE, SPEED), (600, 0, SPEED)) == Edit(at=500, start=0, length=1000)
    assert edit_of(path, (600, 5_000_000_000, SPEED), wide=True) == Edit(at=0, start=5_000_000_000, length=1000)
    with held(path) as source:
        assert simple_edit(source, {}) is None


@pytest.mark.parametrize(
    "edits",
    [
        (),
        ((0, 0, SPEED),),
        ((600, NOWHERE, SPEED),),
        ((600, NOWHERE - 1, SPEED),),
        ((600, 0, SPEED // 2),),
        ((600, 0, SPEED), (600, 1000, SPEED)),
        ((600, NOWHERE, SPEED), (600, NOWHERE, SPEED), (600, 0, SPEED)),
    ],
)
def test_all_other_lists_are_odd(tmp_path: Path, edits: tuple[tuple[int, int, int], ...]) -> None:
    with pytest.raises(Odd):
        edit_of(tmp_path / "list", *edits)


def whole(*packets: tuple[int, int, bool]) -> bool:
    watch = Whole(Edit(at=100, start=7, length=50))
    for pts, length, key in packets:
        watch.saw(pts, length, key=key)
    return bool(watch)


def test_a_track_is_whole_if_every_packet_is_shown() -> None:
    assert whole((100, 10, True), (120, 10, False), (110, 10, False), (140, 10, False))
    assert whole((100, 10, True), (140, 10, True))
    assert not whole()
    assert not whole((101, 10, True))
    assert not whole((100, 10, True), (99, 10, False))
    assert not whole((100, 10, True), (150, 10, False))
    assert not whole((100, 10, True), (140, 10, True), (130, 10, False))


@given(st.permutations(range(100, 150, 10)), st.integers(90, 160))
def test_a_packet_outside_is_always_found(order: list[int], other: int) -> None:
    packets = [(pts, 10, False) for pts in (*order, other)]
    assert whole(*packets) == (100 <= other < 150)


def test_shifted_packets_are_those_of_the_list(encoded: Path) -> None:
    with open_video(encoded) as video:
        followed = read_index(video)
    with held(encoded) as source:
        index = index_of(source, budget=PLAIN)
    assert extent_of(encoded) == index.extent == followed.extent
    for got, wanted in zip(
        (index.pts, index.shown, index.order), (followed.pts, followed.shown, followed.order), strict=True
    ):
        np.testing.assert_array_equal(got, wanted)


def test_a_list_that_cuts_is_followed(tmp_path: Path, encode: type) -> None:
    pts = [40 * number for number in range(20)]
    plain = encode(pts, size=(64, 48)).write(tmp_path / "plain.mp4")
    cut = encode([at - 80 for at in pts], size=(64, 48), muxer={"avoid_negative_ts": "disabled"})
    with held(plain) as source:
        assert index_of(source, budget=PLAIN).shifted
    with held(cut.write(tmp_path / "cut.mp4")) as source:
        assert not index_of(source, budget=PLAIN).shifted
        with open_video(source, shifted=True) as video, pytest.raises(Cut):
            read_index(video)
    assert [frame.at_s for frame in read_frames(tmp_path / "cut.mp4", FramePlan.parse("times=0;9"))] == [
        0,
        Fraction(17, 25),
    ]
