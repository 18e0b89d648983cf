import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from cutscore.core.errors import BadInput, NoRoom
from cutscore.media.frames import read_frames
from cutscore.media.orientation import Pixels
from cutscore.media.plan import FramePlan
from cutscore.media.probe import probe
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound

GREY = np.full((90, 160, 3), 128, np.uint8)


def red_then_blue() -> Iterator[Pixels]:
    for number in range(50):
        pixels = np.zeros((90, 160, 3), np.uint8)
        pixels[..., 0 if number < 25 else 2] = 255
        yield pixels


def tone(hz: float, seconds: float, rate_hz: int = 48_000) -> np.ndarray:
    return (0.5 * np.sin(2 * np.pi * hz * np.arange(round(seconds * rate_hz)) / rate_hz)).astype(np.float32)


def decoded_sound(path: Path) -> np.ndarray:
    """All samples of the first audio stream, (channels, n), placed by their time stamps."""
    with av.open(str(path)) as container:
        frames = list(container.decode(audio=0))
    assert frames[0].pts == 0
    return np.concatenate([frame.to_ndarray() for frame in frames], axis=1)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    noise = np.random.default_rng(3).integers(0, 256, (12, 9, 16, 3), dtype=np.uint8).repeat(10, 1).repeat(10, 2)
    write_clip(path, noise, rate=Fraction(24_000, 1001), crf=1)
    frames = read_frames(path, FramePlan.parse("every@0-10"))
    assert [frame.at_s for frame in frames] == [Fraction(1001 * number, 24_000) for number in range(12)]
    for frame, pixels in zip(frames, noise, strict=True):
        error = np.abs(frame.pixels.astype(int) - pixels)
        # Inside the 10-pixel blocks, away from edges that half-resolution colour must smear.
        assert error.reshape(9, 10, 16, 10, 3)[:, 3:7, :, 3:7].max() <= 6


def test_equal_frames_give_equal_bytes_in_any_process(tmp_path: Path) -> None:
    path = tmp_path / "here.mp4"
    sound = Sound(tone(440, 2), 48_000)
    write_clip(path, red_then_blue(), rate=Fraction(25), sound=sound)
    write_clip(tmp_path / "again.mp4", red_then_blue(), rate=Fraction(25), sound=sound)
    assert (tmp_path / "again.mp4").read_bytes() == path.read_bytes()
    plain = tmp_path / "plain.mp4"
    write_clip(plain, red_then_blue(), rate=Fraction(25))
    code = (
        "import sys, numpy as np, pathlib, fractions; from cutscore.media.render import write_clip\n"
        "frames = [np.zeros((90, 160, 3), np.uint8) for _ in range(50)]\n"
        "for number, pixels in enumerate(frames): pixels[..., 0 if number < 25 else 2] = 255\n"
        "write_clip(pathlib.Path(sys.argv[1]), frames, rate=fractions.Fraction(25))"
    )
    there = tmp_path / "other folder" / "there.mp4"
    there.parent.mkdir()
    environment = {**os.environ, "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "5"}
    subprocess.run([sys.executable, "-c", code, str(there)], check=True, env=environment)
    assert hashlib.sha256(there.read_bytes()).digest() == hashlib.sha256(plain.read_bytes()).digest()


def test_browsers_can_play_it_while_it_loads(red_blue: Path) -> None:
    data = red_blue.read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")
    assert b"Lavf" not in data  # no stamp of the muxer's version
    with av.open(str(red_blue)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.pix_fmt, stream.profile) == ("h264", "yuv420p", "High")
        frame = next(container.decode(stream))
        assert (frame.colorspace, frame.color_primaries, frame.color_trc, frame.color_range) == (1, 1, 1, 1)
        assert "creation_time" not in {**container.metadata, **stream.metadata}


@pytest.mark.parametrize("rate_hz", [16_000, 48_000])
def test_mono_sound_is_heard_where_it_was_put(tmp_path: Path, rate_hz: int) -> None:
    """Two seconds of pictures; silence to 1.0 s, then a tone of 440 Hz to 2.0 s."""
    samples = np.concatenate([np.zeros(rate_hz, np.float32), tone(440, 1, rate_hz)])
    path = tmp_path / "clip.mp4"
    write_clip(path, red_then_blue(), rate=Fraction(25), sound=Sound(samples, rate_hz))
    (heard,) = decoded_sound(path)
    assert abs(len(heard) - 2 * rate_hz) <= 1024  # AAC works in blocks of 1024 samples
    heard = heard[: 2 * rate_hz]
    margin = 1024
    assert np.abs(heard[: rate_hz - margin]).max() < 0.01
    expected = samples[rate_hz + margin : 2 * rate_hz - margin]
    got = heard[rate_hz + margin : 2 * rate_hz - margin]
    assert np.corrcoef(got, expected)[0, 1] > 0.999  # the phase fits: not a sample early or late
    assert probe(path).duration_s == 2


def test_stereo_keeps_its_sides(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    both = np.stack([tone(300, 1), np.zeros(48_000, np.float32)], axis=1)
    write_clip(path, [GREY] * 25, rate=Fraction(25), sound=Sound(both, 48_000))
    left, right = decoded_sound(path)
    assert np.abs(left[5000:40_000]).max() > 0.4
    assert np.abs(right[5000:40_000]).max() < 0.01


def test_sound_may_be_longer_than_the_pictures(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    write_clip(path, [GREY] * 5, rate=Fraction(25), sound=Sound(tone(440, 1), 48_000))
    assert abs(decoded_sound(path).shape[1] - 48_000) <= 1024
    assert probe(path).duration_s == Fraction(1, 5)


@pytest.mark.parametrize("length", [1, 10, 1024, 1025, 5000])
def test_sound_is_heard_to_its_last_sample(tmp_path: Path, length: int) -> None:
    path = tmp_path / "clip.mp4"
    steady = np.full((length, 2), 0.25, np.float32)
    write_clip(path, [GREY] * 5, rate=Fraction(25), sound=Sound(steady, 48_000))
    heard = decoded_sound(path)
    assert length <= heard.shape[1] < length + 1024
    np.testing.assert_allclose(heard[:, length - 1], 0.25, atol=0.13)  # a step, smoothed by the codec


def test_nothing_is_left_when_a_frame_is_wrong_and_an_old_clip_stays(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(b"the old one")
    with pytest.raises(BadInput, match=r"clip 'clip.mp4': frame 1 is 100×60, the first is 160×90"):
        write_clip(path, [GREY, GREY[:60, :100]], rate=Fraction(25))

    def breaks() -> Iterator[Pixels]:
        yield from [GREY] * 100  # so many that some are on disk already
        assert len(os.listdir(tmp_path)) == 2
        raise RuntimeError("the scene fell over")

    with pytest.raises(RuntimeError, match="the scene fell over"):
        write_clip(path, breaks(), rate=Fraction(25))
    assert os.listdir(tmp_path) == ["clip.mp4"]
    assert path.read_bytes() == b"the old one"


def test_the_file_has_the_rights_that_any_new_file_has(tmp_path: Path) -> None:
    write_clip(tmp_path / "clip.mp4", [GREY], rate=Fraction(25))
    (tmp_path / "plain").touch()
    assert (tmp_path / "clip.mp4").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_odd_sizes_are_refused_rather_than_padded(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"clip 'a.mp4': frames are 161×90; crop or pad them to even sides"):
        write_clip(tmp_path / "a.mp4", [np.zeros((90, 161, 3), np.uint8)], rate=Fraction(25))


@pytest.mark.parametrize(
    ("frames", "options", "text"),
    [
        ([], {}, "clip 'a.mp4': has no frames; give at least one"),
        ([GREY], {"rate": Fraction(0)}, "clip 'a.mp4': would have 0 frames a second; give a rate above 0"),
        ([GREY], {"crf": 0}, "clip 'a.mp4': crf is 0; give 1 to 51"),
        ([GREY[..., 0]], {}, "clip 'a.mp4': pixels are uint8 of shape 90×160; give uint8 of shape height×width×3"),
        (
            [GREY],
            {"sound": Sound(tone(9, 1), 44_000)},
            "clip 'a.mp4': AAC has no sample rate of 44000 Hz; give one of 8",
        ),
    ],
)
def test_wrong_input_is_named(tmp_path: Path, frames: list[Pixels], options: dict[str, object], text: str) -> None:
    with pytest.raises(BadInput) as caught:
        write_clip(tmp_path / "a.mp4", frames, **{"rate": Fraction(25), **options})  # type: ignore[arg-type]
    assert str(caught.value).startswith(text)
    assert os.listdir(tmp_path) == []


def test_folders_that_are_not_there_or_closed_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"clip 'a.mp4': cannot be written: No such file or directory"):
        write_clip(tmp_path / "no" / "a.mp4", [GREY], rate=Fraction(25))
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    if os.access(closed, os.W_OK):
        pytest.skip("this user may write everywhere")
    with pytest.raises(NoRoom, match=r"clip 'a.mp4': cannot be written: Permission denied"):
        write_clip(closed / "a.mp4", [GREY], rate=Fraction(25))


@pytest.mark.parametrize(
    ("samples", "rate_hz", "text"),
    [
        (np.zeros(0, np.float32), 8000, "sound: has no samples"),
        (np.zeros(4), 8000, r"sound: is float64 of shape \(4,\); give float32 of shape \(n,\) or \(n, 2\)"),
        (np.zeros((4, 3), np.float32), 8000, r"sound: is float32 of shape \(4, 3\)"),
        (np.array([np.nan], np.float32), 8000, "sound: has samples that are not finite numbers"),
        (np.zeros(4, np.float32), 0, "sound: has 0 samples a second; give its rate in Hz"),
    ],
)
def test_sound_is_checked(samples: np.ndarray, rate_hz: int, text: str) -> None:
    with pytest.raises(BadInput, match=text):
        Sound(samples, rate_hz)
