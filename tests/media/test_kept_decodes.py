"""Decodes that are kept: equal pictures and sound, one decode, and nothing kept where nobody asked or room is short."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.media import audio, deliverable, frames, planes
from cutscore.media.kept_decodes import keep_decodes
from cutscore.media.plan import FramePlan
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound

ALL = FramePlan.parse("times=0;0.5")


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """12 pictures of 64×48 at 12 a second, no two alike, with a tone."""
    return write(tmp_path / "clip.mp4", step=5)


def write(path: Path, *, step: int) -> Path:
    slope = np.linspace(0, 200, 64, dtype=np.uint8)[None, :, None].repeat(48, axis=0).repeat(3, axis=2)
    tone = Sound(np.sin(np.arange(8000, dtype=np.float32) / 5), 8000)
    write_clip(path, (np.roll(slope, step * number, axis=1) for number in range(12)), rate=Fraction(12), sound=tone)
    return path


def seen(clip: Path) -> list[bytes]:
    """All that can be decoded of a clip, in every way."""
    found = [each.rgb.tobytes() for each in planes.iter_pictures(clip)]
    found += [each.luma.samples.tobytes() for each in deliverable.iter_pictures(clip, forms=("luma",))]
    found += [each.rgb.tobytes() for each in deliverable.iter_pictures(clip)]
    found += [each.pixels.tobytes() for each in frames.iter_frames(clip, ALL)]
    found += [each.pixels.tobytes() for each in deliverable.iter_frames(clip, ALL)]
    found += [block.tobytes() for block in deliverable.iter_sound(clip, rate_hz=8000, channels="mono")]
    return [*found, *(block.tobytes() for block in audio.iter_sound(clip, rate_hz=8000, channels="mono"))]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were opened to be decoded, in this process or in a child."""
    names: list[str] = []
    for module in (planes, frames, audio):
        monkeypatch.setattr(module, "open_source", _noted(module.open_source, names))
    monkeypatch.setattr(planes, "open_video", _noted(planes.open_video, names))
    return names


def _noted(open_it, names: list[str]):
    def noted(path, **options):
        names.append(path.name)
        return open_it(path, **options)

    return noted


def test_a_clip_is_decoded_once_and_looks_the_same(clip: Path, opened: list[str]) -> None:
    plain = seen(clip)
    once = len(opened)
    with keep_decodes():
        assert seen(clip) == plain
        assert len(opened) == 2 * once
        assert seen(clip) == plain
        assert len(opened) == 2 * once
    seen(clip)
    assert len(opened) == 3 * once


def test_another_file_at_the_same_place_is_another(clip: Path) -> None:
    with keep_decodes():
        before = seen(clip)
        write(clip, step=7)
        assert seen(clip) != before


def test_what_does_not_fit_streams(clip: Path, opened: list[str]) -> None:
    plain = seen(clip)
    once = len(opened)
    with keep_decodes(room_bytes=20_000):
        assert seen(clip) == plain == seen(clip)
    assert len(opened) > 2 * once


def test_a_look_that_is_broken_off_keeps_nothing(clip: Path, opened: list[str]) -> None:
    with keep_decodes():
        next(iter(planes.iter_pictures(clip)))
        assert len(list(planes.iter_pictures(clip))) == 12
    assert len(opened) == 2
