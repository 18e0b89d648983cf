"""Keyframes: one a second, 720p at most, decoded once."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.footage import SourceClip, read_footage
from cutscore.benchmarks.vidwork.packs import keyframes as module
from cutscore.benchmarks.vidwork.packs.keyframes import fit_720p, keyframes
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.media.render import write_clip


@pytest.fixture
def clip(tmp_path: Path) -> SourceClip:
    """A clip of three seconds whose seconds have the shades 50, 100 and 150."""
    shades = (50, 50, 100, 100, 150, 150)
    write_clip(tmp_path / "a.mp4", (np.full((36, 64, 3), shade, np.uint8) for shade in shades), rate=Fraction(2))
    return read_footage(
        [str(tmp_path / "a.mp4")], BuildFolder(tmp_path / "pack"), licence="", tell=lambda line: None
    ).clips[0]


def picture(out: BuildFolder, ref) -> Pixels:
    return opencv().imdecode(np.frombuffer(out.store.path(ref).read_bytes(), np.uint8), 1)


def test_one_picture_a_second_in_order(tmp_path: Path, clip: SourceClip, monkeypatch: pytest.MonkeyPatch) -> None:
    out = BuildFolder(tmp_path / "pack")
    made = keyframes(clip, out)
    assert [ref.name for ref in made] == [f"media/a/00000{number}.jpg" for number in (1, 2, 3)]
    assert {ref.media_type for ref in made} == {"image/jpeg"}
    assert [round(picture(out, ref).mean(), -1) for ref in made] == [50, 100, 150]
    monkeypatch.setattr(module, "iter_frames", None)
    assert keyframes(clip, out) == made


def test_a_change_is_made_to_each_picture_and_kept_apart(tmp_path: Path, clip: SourceClip) -> None:
    out = BuildFolder(tmp_path / "pack")

    def black(pixels: Pixels) -> Pixels:
        return np.zeros_like(pixels)

    plain = keyframes(clip, out)
    changed = keyframes(clip, out, change=black)
    assert [picture(out, ref).max() for ref in changed] == [0, 0, 0]
    assert keyframes(clip, out) == plain != changed


@settings(max_examples=25)
@given(st.integers(1, 2000), st.integers(1, 2000))
def test_pictures_fit_and_are_never_enlarged(height: int, width: int) -> None:
    made = fit_720p(np.zeros((height, width, 3), np.uint8))
    tall, wide = made.shape[:2]
    assert min(tall, wide) <= 720
    assert max(tall, wide) <= 1280
    assert tall <= height
    assert wide <= width
    if min(height, width) <= 720 and max(height, width) <= 1280:
        assert (tall, wide) == (height, width)
    else:
        assert abs(tall * width - wide * height) <= max(height, width)  # the shape stays, but for whole pixels
