"""Clips without their sound: the same pictures at the same times, nothing to hear, made once."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.core.errors import BadInput, BrokenData
from cutscore.media import silent
from cutscore.media.audio import has_sound
from cutscore.media.frame_cache import FrameCache
from cutscore.media.frames import read_frames
from cutscore.media.plan import FramePlan
from cutscore.media.probe import probe
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound

TONE = Sound(np.sin(np.arange(96_000, dtype=np.float32) / 20), 48_000)


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """Two seconds at 10 frames a second with a tone: red to 1.0 s, then blue."""
    red, blue = np.zeros((18, 34, 3), np.uint8), np.zeros((18, 34, 3), np.uint8)
    red[..., 0], blue[..., 2] = 200, 200
    write_clip(tmp_path / "c.mp4", [red] * 10 + [blue] * 10, rate=Fraction(10), sound=TONE)
    return tmp_path / "c.mp4"


@pytest.mark.parametrize("trusted", [True, False])
def test_pictures_and_times_stay_and_the_sound_is_gone(clip: Path, tmp_path: Path, trusted: bool) -> None:
    cache = FrameCache(tmp_path / "cache")
    made = silent.read_silent_clip(clip, sha256="0" * 64, trusted=trusted, cache=cache)
    copy = tmp_path / "copy.mp4"
    copy.write_bytes(made or b"")
    assert has_sound(clip)
    assert not has_sound(copy)
    assert probe(copy).duration_s == 2
    plan = FramePlan.parse("uniform=8")
    for before, after in zip(read_frames(clip, plan), read_frames(copy, plan), strict=True):
        assert before.at_s == after.at_s
        assert np.abs(before.pixels.astype(int) - after.pixels).max() < 12


def test_it_is_made_once_and_a_clip_without_sound_is_not_copied(
    clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = FrameCache(tmp_path / "cache")
    first = silent.read_silent_clip(clip, sha256="0" * 64, cache=cache)
    monkeypatch.setattr(silent, "load_footage", lambda *a, **k: pytest.fail("it is made again"))
    assert silent.read_silent_clip(clip, sha256="0" * 64, cache=cache) == first
    (tmp_path / "quiet.mp4").write_bytes(first or b"")
    assert silent.read_silent_clip(tmp_path / "quiet.mp4", sha256="1" * 64, cache=cache) is None


def test_odd_sides_get_one_more_line() -> None:
    pixels = np.arange(3 * 5 * 3, dtype=np.uint8).reshape(3, 5, 3)
    (even,) = silent._even(iter([pixels]))
    assert even.shape == (4, 6, 3)
    assert (even[3, :5] == pixels[2]).all()


def test_a_clip_that_cannot_be_copied_is_broken(clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise BadInput("clip 'silent.mp4'", "frame 3 is 8×8, the first is 34×18")

    monkeypatch.setattr(silent, "write_clip", refuse)
    cannot = r"clip 'c\.mp4': cannot be copied without its sound: frame 3 is 8×8, the first is 34×18"
    with pytest.raises(BrokenData, match=cannot):
        silent.read_silent_clip(clip, sha256="2" * 64, trusted=False, cache=FrameCache(tmp_path / "cache"))
