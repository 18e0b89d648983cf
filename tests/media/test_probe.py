from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from cutscore.media.probe import Probe, SoundTrack, extent_of, probe
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
        pixel_format="yuv420p",
        rate=Fraction(25),
        container_s=Fraction(2),
        duration_s=Fraction(2),
        frames=50,
        sound=None,
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
    assert found.sound == SoundTrack(codec="aac", rate_hz=44_100, channels=channels)
    assert found.duration_s == 1


def test_json_keeps_exact_time(tmp_path: Path) -> None:
    path = tmp_path / "ntsc.mp4"
    write_clip(path, [np.zeros((90, 160, 3), np.uint8)] * 3, rate=Fraction(30_000, 1001))
    found = probe(path)
    assert found.rate == Fraction(30_000, 1001)
    assert found.duration_s == Fraction(3 * 1001, 30_000)
    assert found.model_dump(mode="json")["duration_s"] == "1001/10000"
    assert Probe.model_validate_json(found.model_dump_json()) == found
