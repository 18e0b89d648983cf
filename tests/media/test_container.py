import os
import socket
import sys
from pathlib import Path

import av
import numpy as np
import pytest

from cutscore.core.errors import BadInput, BrokenData
from cutscore.media import container as container_module
from cutscore.media.budget import Budget
from cutscore.media.container import open_video
from cutscore.media.container_type import describe_file_type, detect_container
from cutscore.media.frames import read_frames
from cutscore.media.plan import FramePlan
from cutscore.media.probe import probe
from cutscore.media.source import open_source, shown_name

FIRST = FramePlan.parse("times=0")


@pytest.mark.parametrize(
    ("head", "container"),
    [
        (b"\0\0\0 ftypisom", "mp4"),
        (b"\0\0\0\x14ftypqt  ", "mov"),
        (b"\0\0\0\x08wide\0\0\0\0mdat", "mov"),
        (b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm\x42\x87", "webm"),
        (b"\x1a\x45\xdf\xa3\xa3\x42\x82\x88matroska", "matroska"),
        (b"\x1a\x45\xdf\xa3\xa3\x42\x82\x84jpeg", None),
        (b"\x1a\x45\xdf\xa3", None),
        (b"\x1a\x45\xdf\xa3\x42\x82", None),
        (b"ffconcat version 1.0\nfile golden.mp4\n", None),
        (b"#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1/a.ts\n", None),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", None),
        (b"\x89PNG\r\n\x1a\n", None),
        (b"", None),
    ],
)
def test_content_and_not_the_name_tells_the_container(head: bytes, container: str | None) -> None:
    assert detect_container(head) == container


@pytest.mark.parametrize("look", [probe, lambda path: read_frames(path, FIRST)], ids=["probe", "frames"])
def test_a_text_named_mp4_is_refused_and_opens_nothing(tmp_path: Path, red_blue: Path, look) -> None:  # type: ignore[no-untyped-def]
    """A 37-byte script that points at a good clip: FFmpeg, left alone with its name, would play that clip."""
    golden = tmp_path / "golden.mp4"
    golden.write_bytes(red_blue.read_bytes())
    hostile = tmp_path / "fixed.mp4"
    hostile.write_text("ffconcat version 1.0\nfile golden.mp4\n")
    with pytest.raises(BrokenData, match=r"clip 'fixed.mp4': is not a video that we decode"):
        look(hostile)


def test_what_a_demuxer_would_open_beside_its_file_is_refused(
    tmp_path: Path, red_blue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second wall: even with the first bytes believed and the worst demuxer chosen, nothing else is opened."""
    (tmp_path / "golden.mp4").write_bytes(red_blue.read_bytes())
    script = tmp_path / "fixed.mp4"
    script.write_text("ffconcat version 1.0\nfile golden.mp4\n")
    monkeypatch.setattr(container_module, "detect_container", lambda head: "mp4")
    monkeypatch.setitem(container_module.DEMUXERS, "mp4", "concat")
    monkeypatch.chdir(tmp_path)
    with av.open(str(script), format="concat") as container:
        assert next(container.decode(video=0)).width == 160  # the script works, were it not for the wall
    with pytest.raises(BrokenData, match=r"clip 'fixed.mp4': cannot be decoded: Invalid argument"):
        read_frames(script, FIRST)


def test_names_that_are_protocols_or_patterns_are_only_names(
    tmp_path: Path, red_blue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("concat:a|b", "http:x", "pipe:0", "x%03d.mp4", "-i", "data:,x"):
        Path(name).write_bytes(red_blue.read_bytes())
        assert probe(Path(name)).frames == 50


def test_missing_unreadable_and_special_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"clip 'no.mp4': does not exist"), open_video(tmp_path / "no.mp4"):
        pass
    with pytest.raises(BrokenData, match="is not a regular file"), open_video(tmp_path):
        pass
    fifo = tmp_path / "fifo.mp4"
    os.mkfifo(fifo)
    with pytest.raises(BrokenData, match=r"clip 'fifo.mp4': is not a regular file"), open_video(fifo):
        pass
    with socket.socket(socket.AF_UNIX) as server:
        monkey = tmp_path / "s"
        server.bind(str(monkey))
        with pytest.raises(BadInput, match="clip 's': cannot be read: "), open_video(monkey):
            pass


def test_broken_inside(tmp_path: Path, red_blue: Path) -> None:
    data = red_blue.read_bytes()
    index, pictures = data.index(b"moov"), data.index(b"mdat")
    hole = data[: pictures + 1500] + bytes(200) + data[pictures + 1700 :]
    broken = tmp_path / "broken.mp4"
    for content, fact in (
        (b"", "is not a video that we decode"),
        (data[: index + 900], "cannot be decoded: End of file"),
        (data[: pictures + 4], "has no frame that can be shown"),
        (hole, "cannot be decoded: Invalid data found when processing input"),
    ):
        broken.write_bytes(content)
        with pytest.raises(BrokenData, match=f"clip 'broken.mp4': {fact}"):
            read_frames(broken, FramePlan.parse("every@0-10"))


def test_sound_alone_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "song.mp4"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("aac", rate=48_000)
        stream.layout = "mono"
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        silence.sample_rate = 48_000
        out.mux(stream.encode(silence))
        out.mux(stream.encode(None))
    with pytest.raises(BrokenData, match=r"clip 'song.mp4': has no video stream"):
        probe(path)


def test_invalid_metadata_does_not_stop_us(tmp_path: Path, red_blue: Path) -> None:
    path = tmp_path / "tagged.mp4"
    with av.open(str(red_blue)) as source, av.open(str(path), "w") as out:
        out.metadata["title"] = "QQQQ"
        stream = out.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                out.mux(packet)
    path.write_bytes(path.read_bytes().replace(b"QQQQ", b"\xff\xfe\xfd\xfc"))
    assert probe(path).frames == 50


def test_no_descriptor_is_left_open(red_blue: Path) -> None:
    before = sorted(os.listdir("/proc/self/fd")) if sys.platform == "linux" else None
    for _ in range(3):
        read_frames(red_blue, FIRST)
        probe(red_blue)
    after = sorted(os.listdir("/proc/self/fd")) if sys.platform == "linux" else None
    assert after == before


def test_a_child_gives_the_same_frames_and_facts(encoded: Path) -> None:
    for spec in ("every@0-1000", "uniform=7", "times=0.1;0.3"):
        plan = FramePlan.parse(spec)
        apart, here = read_frames(encoded, plan, trusted=False), read_frames(encoded, plan)
        assert [frame.at_s for frame in apart] == [frame.at_s for frame in here]
        for one, other in zip(apart, here, strict=True):
            np.testing.assert_array_equal(one.pixels, other.pixels)
    assert probe(encoded, trusted=False) == probe(encoded)
    assert probe(encoded, scan=False, trusted=False) == probe(encoded, scan=False)


def test_links_are_not_followed(tmp_path: Path, red_blue: Path) -> None:
    link = tmp_path / "fixed.mp4"
    link.symlink_to(red_blue)
    with pytest.raises(BrokenData, match=r"clip 'fixed.mp4': is a symbolic link; deliver the file itself"):
        probe(link)


def test_what_was_opened_is_what_is_read(tmp_path: Path, red_blue: Path) -> None:
    """A file that is swapped between the look and the reading: the descriptor still is the first one."""
    path = tmp_path / "fixed.mp4"
    path.write_bytes(red_blue.read_bytes())
    with open_source(path) as source:
        path.unlink()
        path.write_text("ffconcat version 1.0\nfile golden.mp4\n")
        assert probe(source).frames == 50
        assert probe(source, trusted=False).frames == 50


def test_cursors_do_not_move_each_other(red_blue: Path) -> None:
    data = red_blue.read_bytes()
    with open_source(red_blue) as source:
        first, second = source.cursor(), source.cursor()
        assert first.read(10) == data[:10]
        assert second.seek(-5, os.SEEK_END) == len(data) - 5
        assert second.read(100) == data[-5:]
        assert (first.tell(), first.seek(3, os.SEEK_CUR), first.read(2)) == (10, 13, data[13:15])
        with pytest.raises(OSError, match="Invalid argument"):
            first.seek(-1)


@pytest.mark.parametrize(
    ("budget", "fact"),
    [
        (Budget(file_bytes=100), r"has \d+ bytes, 100 are allowed"),
        (Budget(metadata_bytes=10), r"has \d+ bytes of metadata, 10 are allowed"),
        (Budget(pixels=14_399), "has pictures of 160×90, 14399 pixels are allowed"),
        (Budget(duration_s=1), "lasts 2 s, 1 s are allowed"),
        (Budget(frames=49), "has more than 49 frames, which are allowed"),
        (Budget(decoded_pixels=719_999), "decodes to more than 719999 pixels, which are allowed"),
    ],
    ids=["bytes", "metadata", "pixels", "duration", "frames", "decoded pixels"],
)
def test_each_budget_has_its_own_sentence(red_blue: Path, budget: Budget, fact: str) -> None:
    with pytest.raises(BrokenData, match=f"clip 'red_blue.mp4': {fact}"):
        read_frames(red_blue, FramePlan.parse("every@0-10"), budget=budget)


def test_a_budget_that_is_just_met_is_met(red_blue: Path) -> None:
    size = red_blue.stat().st_size
    budget = Budget(file_bytes=size, streams=1, pixels=14_400, duration_s=2, frames=50, decoded_pixels=720_000)
    assert len(read_frames(red_blue, FramePlan.parse("every@0-10"), budget=budget)) == 50
    assert probe(red_blue, budget=budget).frames == 50


def test_a_budget_of_nothing_is_no_budget() -> None:
    with pytest.raises(BadInput, match="budget: frames is 0; give at least 1"):
        Budget(frames=0)


def test_names_in_messages_are_harmless() -> None:
    assert shown_name("clip 7 – Ünïcode.mp4") == "clip 7 – Ünïcode.mp4"
    assert shown_name("\x1b]0;x\x07\u202e\udcff") == "\ufffd]0;x\ufffd\ufffd?"
    assert shown_name("x" * 300) == "x" * 79 + "…"
    with pytest.raises(BadInput, match="clip 'a�b': has a name that no file can have"), open_video(Path("a\0b")):
        pass


def test_likeness_names_what_is_refused() -> None:
    assert describe_file_type(b"\n #EXTM3U\n") == "it looks like an HLS playlist"
    assert describe_file_type(b"<?xml version='1.0'?>\n<MPD>") == "it looks like a DASH playlist"
    assert describe_file_type(b"<a/>") == "it looks like markup (XML or HTML)"
    assert describe_file_type(b"hello") == "by its content it is nothing that we know"
