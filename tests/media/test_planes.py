"""Planes are what the decoder gives: same pictures and times as frames by plan, luma untouched."""

import gc
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from cutscore.core.errors import BadInput, BrokenData
from cutscore.media.budget import Budget
from cutscore.media.frames import read_frames
from cutscore.media.plan import FramePlan
from cutscore.media.planes import iter_pictures
from cutscore.media.render import write_clip


def test_pictures_are_those_of_frames_by_plan(encoded: Path) -> None:
    frames = read_frames(encoded, FramePlan.parse("every@0-99"))
    pictures = list(iter_pictures(encoded))
    assert [picture.at_s for picture in pictures] == [frame.at_s for frame in frames]
    for picture, frame in zip(pictures, frames, strict=True):
        assert np.array_equal(picture.rgb, frame.pixels)
        assert picture.luma.samples.shape == frame.pixels.shape[:2]
        assert not picture.luma.samples.flags.writeable


def test_a_child_sends_the_same_pictures(encoded: Path) -> None:
    for one, other in zip(iter_pictures(encoded), iter_pictures(encoded, trusted=False), strict=True):
        assert (one.at_s, one.clock_s) == (other.at_s, other.clock_s)
        assert (one.luma.bits, one.luma.full_range) == (other.luma.bits, other.luma.full_range)
        assert one.luma.samples.dtype == other.luma.samples.dtype
        assert np.array_equal(one.luma.samples, other.luma.samples)
        assert np.array_equal(one.rgb, other.rgb)
        assert not other.rgb.flags.writeable


def test_a_thumbnail_is_the_picture_in_small_also_from_a_child(tmp_path: Path) -> None:
    """A ramp of colours over stripes of two pixels, 320 wide and 240 high: taking single pixels would show."""
    across, down = np.meshgrid(np.linspace(0, 255, 320), np.linspace(0, 255, 240))
    drawn = np.dstack([across, down, np.where(across > 127, 200, 20)]).astype(np.uint8)
    drawn[120:] = np.where(np.arange(320) % 4 < 2, 40, 200)[:, None]
    write_clip(tmp_path / "ramp.mp4", [drawn] * 2, rate=Fraction(10))
    ours = next(iter_pictures(tmp_path / "ramp.mp4"))
    sent = next(iter_pictures(tmp_path / "ramp.mp4", forms=("thumbnail",), trusted=False))
    assert np.array_equal(ours.thumbnail, sent.thumbnail)
    assert ours.thumbnail.shape == (90, 120, 3)
    small = cv2.resize(ours.rgb, (120, 90), interpolation=cv2.INTER_AREA)
    assert cv2.PSNR(small, ours.thumbnail) > 35


@pytest.mark.parametrize("trusted", [True, False])
def test_pictures_by_number(red_blue: Path, trusted: bool) -> None:
    every = list(iter_pictures(red_blue))
    numbers = (0, 7, len(every) - 1, len(every))  # the last one does not exist
    chosen = list(iter_pictures(red_blue, forms=("rgb",), numbers=numbers, trusted=trusted))
    assert [each.at_s for each in chosen] == [every[number].at_s for number in numbers[:3]]
    assert all(np.array_equal(one.rgb, every[number].rgb) for one, number in zip(chosen, numbers, strict=False))
    assert list(iter_pictures(red_blue, numbers=(), trusted=trusted)) == []


def test_a_child_sends_what_was_asked_for_and_no_more(red_blue: Path) -> None:
    light = next(iter_pictures(red_blue, forms=("luma",), trusted=False))
    assert light.luma.samples.shape == (90, 160)
    with pytest.raises(BadInput, match="picture: has no rgb, because it was not asked for; name 'rgb' among the forms"):
        _ = light.rgb
    colour = next(iter_pictures(red_blue, forms=("rgb",), trusted=False))
    assert colour.rgb.shape == (90, 160, 3)
    with pytest.raises(BadInput, match="picture: has no luma"):
        _ = colour.luma
    with pytest.raises(BrokenData, match="has more than 3 frames"):
        list(iter_pictures(red_blue, trusted=False, budget=Budget(frames=3)))


@pytest.mark.parametrize(
    ("pix_fmt", "bits"), [("yuv420p", 8), ("yuvj420p", 8), ("yuv444p", 8), ("yuv420p10le", 10), ("gray", 8)]
)
@pytest.mark.parametrize("size", [(160, 90), (98, 50), (64, 64)])
def test_luma_is_the_first_plane_of_the_decoder(encode, tmp_path, pix_fmt, bits, size):
    path = encode([0, 40, 80], pix_fmt=pix_fmt, size=size, options={"crf": "20"}).write(tmp_path / "clip.mp4")
    with av.open(str(path)) as clip:
        decoded = [frame.to_ndarray() for frame in clip.decode(video=0)]
    for picture, array in zip(iter_pictures(path), decoded, strict=True):
        plane = array[0] if pix_fmt == "yuv444p" and array.ndim == 3 and array.shape[0] == 3 else array[: size[1]]
        assert np.array_equal(picture.luma.samples, plane)
        assert picture.luma.bits == bits
        assert picture.luma.samples.dtype == (np.uint8 if bits == 8 else np.uint16)
        assert picture.luma.full_range == (pix_fmt == "yuvj420p")


def test_luma_is_turned_upright(encode, tmp_path):
    plain = encode([0, 40]).write(tmp_path / "plain.mp4")
    turned = encode([0, 40], turn=90).write(tmp_path / "turned.mp4")
    for flat, upright in zip(iter_pictures(plain), iter_pictures(turned), strict=True):
        assert np.array_equal(np.rot90(flat.luma.samples), upright.luma.samples)


def test_a_stream_of_rgb_has_a_luma_too(encode, tmp_path):
    path = encode([0, 40], codec="libx264rgb", pix_fmt="rgb24", options={"qp": "0"}).write(tmp_path / "clip.mp4")
    for picture in iter_pictures(path):
        red, green, blue = np.moveaxis(picture.rgb.astype(float), -1, 0)
        by_formula = 0.299 * red + 0.587 * green + 0.114 * blue  # RGB is full range, and so is its luma
        assert (picture.luma.bits, picture.luma.full_range) == (8, True)
        assert np.abs(picture.luma.samples - by_formula).mean() < 1.5


def test_a_form_is_made_once(red_blue):
    picture = next(iter_pictures(red_blue))
    assert picture.luma is picture.luma
    assert picture.rgb is picture.rgb


def test_a_picture_outlives_the_clip(red_blue):
    pictures = list(iter_pictures(red_blue))
    again = [picture.luma.samples.copy() for picture in iter_pictures(red_blue)]
    assert all(np.array_equal(one.luma.samples, other) for one, other in zip(pictures, again, strict=True))


def test_pictures_do_not_wait_for_the_garbage_collector(red_blue):
    """A picture in a circle of references stays until a collection comes, and hundreds of 720p are a gigabyte."""
    gc.collect()
    gc.disable()
    try:
        for picture in iter_pictures(red_blue):
            assert picture.luma.samples.shape == picture.rgb.shape[:2]
        del picture
        assert gc.collect() < 50  # which is the number of pictures; the clip itself leaves a few
    finally:
        gc.enable()


def test_what_is_no_clip_is_refused(tmp_path):
    (tmp_path / "note.mp4").write_text("ffconcat version 1.0")
    with pytest.raises(BrokenData, match=r"clip 'note.mp4': is not a video that we decode"):
        next(iter_pictures(tmp_path / "note.mp4"))
    with pytest.raises(BadInput, match="does not exist"):
        next(iter_pictures(tmp_path / "absent.mp4"))
