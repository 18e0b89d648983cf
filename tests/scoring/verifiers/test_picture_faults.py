"""Pictures of a film beside those of its clips: stills, blur and black, told from pictures that are made here."""

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest

from cutscore.media.orientation import Pixels
from cutscore.media.render import write_clip
from cutscore.scoring.metrics.metric import MetricFrame
from cutscore.scoring.verifiers.picture_faults import BLURRED, PictureLook, find_picture_faults
from cutscore.scoring.verifiers.rendered import ClipRun

SIZE = (128, 72)


def scene(at: int, *, dot: int = 200) -> Pixels:
    """Return a textured picture in which a dot of 8 by 8 pixels goes to the right, as large as a part that is seen."""
    base = np.random.default_rng(3).integers(60, 120, (9, 16)).repeat(8, 0).repeat(8, 1).astype(np.uint8)
    base[32:40, 4 + 6 * at : 12 + 6 * at] = dot
    return base


def look_at(pictures: Iterable[Pixels]) -> PictureLook:
    look = PictureLook(SIZE)
    for number, pixels in enumerate(pictures):
        look.see(MetricFrame(Fraction(number, 8), pixels))
    return look


def write(path: Path, numbers: Iterable[int | None]) -> Path:
    """Write the scene at some moments; None is black."""
    pictures = [np.zeros((72, 128), np.uint8) if each is None else scene(each) for each in numbers]
    write_clip(path, [np.stack([one] * 3, axis=2) for one in pictures], rate=Fraction(8))
    return path


def faults(film: Path, clip: Path, length_s: int = 2) -> list[tuple[str, Fraction, Fraction]]:
    runs = [ClipRun("clip", Fraction(0), Fraction(length_s))]
    found = find_picture_faults(film, runs, {"clip": clip})
    return [(each.name, each.at.start_s, each.at.end_s) for each in found]


def test_a_small_thing_that_stops_is_a_still(tmp_path: Path) -> None:
    clip = write(tmp_path / "clip.mp4", range(16))
    assert faults(clip, clip) == []
    held = write(tmp_path / "held.mp4", [0, 1, 2, 3, *[4] * 8, 12, 13, 14, 15])
    assert faults(held, clip) == [("still", Fraction(1, 2), Fraction(3, 2))]


def test_what_stands_still_in_the_clip_counts_once(tmp_path: Path) -> None:
    """The first second of the clip stands still; a film may do so, and no second more."""
    clip = write(tmp_path / "clip.mp4", [*[0] * 8, *range(1, 9)])
    assert faults(clip, clip) == []
    slower = write(tmp_path / "slower.mp4", [*[0] * 10, *range(1, 9)])
    assert faults(slower, clip) == []
    both = write(tmp_path / "both.mp4", [*[0] * 8, *[5] * 8])
    assert [name for name, _, _ in faults(both, clip)] == ["still"]


def test_black_is_measured_by_the_clips(tmp_path: Path) -> None:
    clip = write(tmp_path / "clip.mp4", [None, None, *range(14)])
    black = write(tmp_path / "black.mp4", [None, None, *range(6), *[None] * 6, 12, 13])
    assert faults(clip, clip) == []
    assert faults(black, clip) == [("black", Fraction(1), Fraction(7, 4))]


@pytest.mark.parametrize(("sigma", "seen"), [(0, False), (1, True), (1.5, True)])
def test_blur_is_not_darkness(sigma: float, seen: bool) -> None:
    pictures = [scene(number) for number in range(8)]
    known = np.median(look_at(pictures).sharp)
    darker = np.median(look_at((one * 0.6).astype(np.uint8) for one in pictures).sharp)
    assert darker / known > 0.95
    soft = look_at(cv2.GaussianBlur(one, (0, 0), sigma) if sigma else one for one in pictures)
    assert bool(np.median(soft.sharp) / known < BLURRED) == seen
