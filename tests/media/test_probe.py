import subprocess
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from cutscore.media.probe import Colour, Probe, SoundTrack, StreamInfo, extent_of, probe
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound


def test_facts_of_a_clip_that_we_made(red_blue: Path) -> None:
    assert probe(red_blue) == Probe(
        container="mp4",
        codec="h264",
        width=160,
        height=90,
        rotation=0,
        mirrored=False,
        sample_aspect=Fraction(1),
        display_aspect=Fraction(16, 9),
        pixel_format="yuv420p",
        bits=8,
        colour=Colour(matrix="bt709", primaries="bt709", transfer="bt709", range="limited"),
        interlaced=False,
        rate=Fraction(25),
        base_rate=Fraction(25),
        time_base=Fraction(1, 12_800),
        container_s=Fraction(2),
        duration_s=Fraction(2),
        frames=50,
        key_frames=1,
        sound=None,
        streams=(StreamInfo(kind="video", codec="h264"),),
    )


def test_length_and_count_agree_with_a_full_decode(encoded: Path) -> None:
    with av.open(str(encoded)) as container:
        frames = [frame for frame in container.decode(video=0) if frame.pts is not None]
    found = probe(encoded)
    assert found.frames == len(frames)
    first, last = frames[0], frames[-1]
    assert found.duration_s == (last.pts - first.pts + last.duration) * last.time_base
    extent = extent_of(encoded)
    assert extent_of(encoded, trusted=False) == extent
    assert extent.start_s == first.pts * first.time_base


def test_without_a_scan_nothing_is_claimed_about_length(red_blue: Path) -> None:
    quick = probe(red_blue, scan=False)
    assert (quick.frames, quick.duration_s, quick.container_s) == (None, None, Fraction(2))


@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize(("turn", "size"), [(0, (160, 90)), (90, (90, 160)), (180, (160, 90)), (270, (90, 160))])
def test_size_is_as_shown(tmp_path: Path, encode: type, turn: int, size: tuple[int, int], mirror: bool) -> None:
    found = probe(encode([0], turn=turn, mirror=mirror).write(tmp_path / "turned.mp4"))
    assert (found.rotation, found.mirrored, (found.width, found.height)) == (turn, mirror, size)


def test_a_tilt_is_ignored(tmp_path: Path, encode: type) -> None:
    found = probe(encode([0], turn=30).write(tmp_path / "tilted.mp4"))
    assert (found.rotation, found.mirrored, found.width, found.height) == (0, False, 160, 90)


@pytest.mark.parametrize("channels", [1, 2])
def test_sound_is_told(tmp_path: Path, channels: int) -> None:
    """One second of 10 frames a second, and half a second of silence."""
    path = tmp_path / "clip.mp4"
    silence = np.zeros((22_050, 2) if channels == 2 else 22_050, np.float32)
    write_clip(path, [np.zeros((90, 160, 3), np.uint8)] * 10, rate=Fraction(10), sound=Sound(silence, 44_100))
    found = probe(path)
    layout = {1: "mono", 2: "stereo"}[channels]
    assert found.sound == SoundTrack(codec="aac", rate_hz=44_100, channels=channels, layout=layout)
    assert found.streams == (StreamInfo(kind="video", codec="h264"), StreamInfo(kind="audio", codec="aac"))
    assert found.duration_s == 1


def test_json_keeps_exact_time(tmp_path: Path) -> None:
    path = tmp_path / "ntsc.mp4"
    write_clip(path, [np.zeros((90, 160, 3), np.uint8)] * 3, rate=Fraction(30_000, 1001))
    found = probe(path)
    assert found.rate == Fraction(30_000, 1001)
    assert found.duration_s == Fraction(3 * 1001, 30_000)
    assert found.model_dump(mode="json")["duration_s"] == "1001/10000"
    assert Probe.model_validate_json(found.model_dump_json()) == found


def odd(path: Path) -> Path:
    """Ten wide pixels high and deep: 10 bits, BT.2020 and PQ, pixels 4:3, a key frame every 4, two languages, 5.1."""
    with av.open(str(path), "w") as out:
        options = {"x265-params": "keyint=4:min-keyint=4:scenecut=0:log-level=none:pools=none:frame-threads=1"}
        video = out.add_stream("libx265", rate=Fraction(24_000, 1001), options=options)
        video.width, video.height, video.pix_fmt = 96, 64, "yuv420p10le"
        video.codec_context.sample_aspect_ratio = Fraction(4, 3)
        codec = video.codec_context
        codec.color_primaries, codec.color_trc, codec.colorspace, codec.color_range = 9, 16, 9, 1
        video.metadata["language"] = "fra"
        sound = out.add_stream("ac3", rate=48_000)
        sound.layout = "5.1"
        sound.metadata["language"] = "deu"
        for number in range(10):
            picture = av.VideoFrame(96, 64, "yuv420p10le")
            picture.pts = number
            out.mux(video.encode(picture))
        silence = av.AudioFrame.from_ndarray(np.zeros((6, 1536), np.float32), format="fltp", layout="5.1")
        silence.sample_rate = 48_000
        out.mux([*video.encode(None), *sound.encode(silence), *sound.encode(None)])
    return path


@pytest.mark.parametrize("trusted", [True, False])
def test_odd_facts(tmp_path: Path, trusted: bool) -> None:
    found = probe(odd(tmp_path / "odd.mkv"), trusted=trusted)
    assert (found.sample_aspect, found.display_aspect) == (Fraction(4, 3), Fraction(2))
    assert (found.pixel_format, found.bits, found.interlaced) == ("yuv420p10le", 10, False)
    assert found.colour == Colour(matrix="bt2020nc", primaries="bt2020", transfer="smpte2084", range="limited")
    assert (found.frames, found.key_frames, found.time_base) == (10, 3, Fraction(1, 1000))
    assert found.sound == SoundTrack(codec="ac3", rate_hz=48_000, channels=6, layout="5.1(side)", language="deu")
    assert [(track.kind, track.language) for track in found.streams] == [("video", "fra"), ("audio", "deu")]


def test_facts_are_those_that_ffmpeg_tells(tmp_path: Path) -> None:
    """The program is another build and another version of FFmpeg than the one inside PyAV."""
    ffmpeg = pytest.importorskip("imageio_ffmpeg").get_ffmpeg_exe()
    path = odd(tmp_path / "odd.mkv")
    told = subprocess.run([ffmpeg, "-hide_banner", "-i", path], capture_output=True, text=True, check=False).stderr
    found = probe(path)
    assert found.sound is not None
    aspects = f"[SAR {found.sample_aspect.numerator}:{found.sample_aspect.denominator} DAR"
    assert f"(fra): Video: {found.codec}" in told
    assert f"{found.pixel_format}(tv, {found.colour.matrix}/{found.colour.primaries}/{found.colour.transfer}" in told
    assert f"{found.width}x{found.height} {aspects} {found.display_aspect.numerator}:" in told
    assert f"{float(found.rate or 0):.2f} fps" in told
    assert f"(deu): Audio: {found.sound.codec}, {found.sound.rate_hz} Hz, {found.sound.layout}" in told
