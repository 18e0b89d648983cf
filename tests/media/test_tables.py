"""The sound of an MP4 read by its own tables is what FFmpeg reads, and odd tables are left to FFmpeg."""

import struct
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from cutscore.core.errors import BrokenData
from cutscore.media import intake, tables
from cutscore.media.boxes import Part, check_index
from cutscore.media.budget import PLAIN
from cutscore.media.intake import open_media, open_sound
from cutscore.media.listen import has_sound, read_sound
from cutscore.media.orientation import Pixels
from cutscore.media.probe import probe
from cutscore.media.render import write_clip
from cutscore.media.sound import Samples, Sound
from cutscore.media.source import held
from cutscore.media.tables import Rows

RATE_HZ = 48_000
NOT_SHIFTED = {"avoid_negative_ts": "disabled"}


@pytest.fixture(autouse=True)
def short_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "HEAD", 64)
    monkeypatch.setattr(tables, "_BEFORE_THE_END", 16)


@pytest.fixture(scope="session")
def sung(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """8 s of grey at 5 frames a second, with a tone that rises, in 377 packets of AAC."""
    path = tmp_path_factory.mktemp("tables") / "sung.mp4"
    at = np.arange(8 * RATE_HZ + 333) / RATE_HZ
    tone = 0.3 * np.sin(2 * np.pi * (200 + 40 * at) * at)
    grey: list[Pixels] = [np.full((48, 64, 3), 5 * number, np.uint8) for number in range(40)]
    write_clip(path, iter(grey), rate=Fraction(5), sound=Sound(tone.astype(np.float32), RATE_HZ))
    return path


def remuxed(path: Path, out_path: Path, *, later_s: Fraction = Fraction(0), slow: bool = False, **muxer: str) -> Path:
    """Write the packets anew: the sound at another time, the pictures slower and slower."""
    with av.open(str(path)) as clip, av.open(str(out_path), "w", options=muxer) as out:
        copies = {stream.index: out.add_stream_from_template(stream) for stream in clip.streams}
        for packet in clip.demux():
            if packet.dts is not None:
                shift = int(later_s / packet.time_base) if packet.stream.type == "audio" else 0
                packet.pts, packet.dts = packet.pts + shift, packet.dts + shift
                if slow and packet.stream.type == "video":
                    packet.pts, packet.dts = (at + at * abs(at) // 10**5 for at in (packet.pts, packet.dts))
                packet.stream = copies[packet.stream.index]
                out.mux(packet)
    return out_path


def parts_of(path: Path, handler: bytes = b"soun") -> dict[bytes, Part]:
    with held(path) as source:
        (track,) = (track for track in check_index(source, "mp4", PLAIN) if track.handler == handler)
    return {kind: part for kind, (part,) in track.parts.items()}


def changed(path: Path, out_path: Path, kind: bytes, offset: int, *numbers: int) -> Path:
    """Write a copy in which a table of the sound has other numbers from one place on."""
    data, at = bytearray(path.read_bytes()), parts_of(path)[kind].start + offset
    new = struct.pack(f">{len(numbers)}I", *numbers)
    data[at : at + len(new)] = new
    out_path.write_bytes(data)
    return out_path


def heard(path: Path) -> Samples:
    return read_sound(path, rate_hz=RATE_HZ, channels="mono").samples


def heard_by_ffmpeg(path: Path) -> Samples:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intake, "tables", lambda *_: None)
        return heard(path)


def by_tables(path: Path) -> bool:
    with open_sound(path) as sound:
        return sound.tables is not None


CLIPS: dict[str, Callable[[Path, Path], Path]] = {
    "as encoded": lambda path, out: path,
    "quicktime": lambda path, out: remuxed(path, out.with_suffix(".mov")),
    "no edit list": lambda path, out: remuxed(path, out, use_editlist="0"),
    "begins late": lambda path, out: remuxed(path, out, later_s=Fraction(3, 2)),
    "cut at the start": lambda path, out: remuxed(path, out, later_s=Fraction(-1, 2), **NOT_SHIFTED),
    "cut at the end": lambda path, out: changed(path, out, b"elst", 8, 5_001),
}


@pytest.mark.parametrize("name", CLIPS)
def test_our_packets_give_the_samples_that_ffmpegs_give(name: str, sung: Path, tmp_path: Path) -> None:
    path = CLIPS[name](sung, tmp_path / "clip.mp4")
    assert by_tables(path)
    np.testing.assert_array_equal(heard(path), heard_by_ffmpeg(path))


def test_an_edit_list_ends_the_sound(sung: Path, tmp_path: Path) -> None:
    cut = heard(changed(sung, tmp_path / "cut.mp4", b"elst", 8, 5_001))
    assert 5.0 * RATE_HZ <= len(cut) < 5.05 * RATE_HZ
    np.testing.assert_array_equal(cut, heard(sung)[: len(cut)])


ODD = {
    "a packet of no bytes": (b"stsz", 12 + 4 * 300, 0),
    "a packet as large as the world": (b"stsz", 12 + 4 * 300, 0xFFFFFFF0),
    "a packet beyond the file": (b"stco", 8 + 4 * 30, 0xFFFFFF00),
    "packets of another kind": (b"stsc", 8 + 12 * 25 + 8, 2),
    "more packets than sizes": (b"stsc", 8 + 12 * 29 + 4, 100),
    "fewer times than packets": (b"stts", 8, 200),
    "times that stand still": (b"stts", 12, 0),
    "an edit of no length": (b"elst", 8, 0),
    "an edit at double speed": (b"elst", 16, 0x20000),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_tables_are_left_to_ffmpeg(name: str, sung: Path, tmp_path: Path) -> None:
    kind, offset, number = ODD[name]
    path = changed(sung, tmp_path / "odd.mp4", kind, offset, number)

    def outcome(hear: Callable[[Path], Samples]) -> bytes | str:
        try:
            return hear(path).tobytes()
        except BrokenData as error:
            return str(error)

    with suppress(BrokenData):  # some are refused by FFmpeg as well
        assert not by_tables(path)
    assert outcome(heard) == outcome(heard_by_ffmpeg)


def test_short_long_and_fragmented_sounds_are_left_to_ffmpeg(
    sung: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not by_tables(remuxed(sung, tmp_path / "pieces.mp4", movflags="+frag_keyframe+empty_moov"))
    with monkeypatch.context() as patch:
        patch.setattr(tables, "_MOST_PACKETS", 300)
        assert not by_tables(sung)
    monkeypatch.setattr(tables, "HEAD", 4096)
    assert not by_tables(sung)


def test_packets_that_are_others_to_ffmpeg_are_left_to_it(sung: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = tables.Tables.samples
    monkeypatch.setattr(
        tables.Tables, "samples", lambda self: (each._replace(at=each.at - 1) for each in samples(self))
    )
    assert not by_tables(sung)


def test_an_ffmpeg_that_may_cut_the_last_packet_reads_it(
    sung: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = remuxed(sung, tmp_path / "whole.mp4", use_editlist="0")
    monkeypatch.setattr(av, "library_versions", {"libavformat": (99, 0, 0)})
    assert by_tables(whole)
    assert not by_tables(changed(sung, tmp_path / "cut.mp4", b"elst", 8, 5_001))


def test_who_asks_what_there_is_sees_the_head_alone(sung: Path) -> None:
    with open_media(sung, heads={b"vide", b"soun"}) as media:
        packets = sum(packet.size > 0 for packet in media.container.demux(audio=0))
    assert 64 <= packets < 64 + 60


@pytest.mark.parametrize("slow", [False, True])
def test_the_head_tells_all_that_is_probed(
    slow: bool, sung: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = remuxed(sung, tmp_path / "clip.mp4", slow=slow)
    monkeypatch.setattr(tables, "HEAD", 24)  # of 40; FFmpeg guesses the base rate by the first hundred
    seen = probe(path)
    assert has_sound(path)
    monkeypatch.setattr(intake, "tables", lambda *_: None)
    assert seen == probe(path)
    assert (seen.frames, seen.rate == 5) == (40, not slow)


def test_tables_are_read_in_pieces(tmp_path: Path) -> None:
    numbers = list(range(10_000))
    path = tmp_path / "rows"
    path.write_bytes(struct.pack(">I10000I", len(numbers), *numbers))
    with held(path) as source:
        assert list(Rows(source, 0, 5000, 2)) == numbers
        with pytest.raises(BrokenData, match="became shorter while it was read"):
            list(Rows(source, 0, 5001, 2))
