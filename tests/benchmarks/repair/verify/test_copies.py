"""Copies of the broken clip are found under whatever hides them; repairs are none."""

from dataclasses import replace
from fractions import Fraction

import cv2
import numpy as np
import pytest

from cutscore.benchmarks.repair.edits.effects import add_blur, add_hiss, mute, shift_colour
from cutscore.benchmarks.repair.verify.copies import find_copy
from cutscore.benchmarks.repair.verify.registration import Warp, find_warp
from cutscore.core.timeline import Span
from cutscore.media.edit import join_footage, replace_sound, trim
from cutscore.media.footage import change_pictures, write_footage
from cutscore.media.sound import Sound

WINDOW = Span(start_s=1, end_s=2)


@pytest.fixture(scope="module")
def clips(pancakes, tmp_path_factory):
    """3 s, blurred and hissing from 1 to 2 s: golden and broken as footage and as files."""
    golden = trim(pancakes, Span(start_s=0, end_s=3))
    broken = add_hiss(add_blur(golden, WINDOW, sigma=1.5), WINDOW, snr_db=3, seed=1)
    folder = tmp_path_factory.mktemp("clips")
    write_footage(golden, folder / "golden.mp4")
    write_footage(broken, folder / "broken.mp4")
    return golden, broken, folder / "golden.mp4", folder / "broken.mp4"


def each(footage, change):
    return change_pictures(footage, lambda pictures: map(change, pictures))


def cropped(pixels):
    height, width = pixels.shape[:2]
    return cv2.resize(np.ascontiguousarray(pixels[1:-1, 1:-1]), (width, height), interpolation=cv2.INTER_LINEAR)


def mixed(one, other, share):
    """The first with so much of the second in it."""
    pairs = zip(one.pictures(), other.pictures(), strict=True)
    pictures = [np.rint((1 - share) * a + share * b.astype(float)).astype(np.uint8) for a, b in pairs]
    heard = ((1 - share) * one.sound.samples + share * other.sound.samples).astype(np.float32)
    return replace(one, pictures=lambda: iter(pictures), sound=Sound(heard, 48_000))


HIDDEN = {
    "coarse": (lambda broken, moved: broken, {"crf": 30}),
    "smaller": (lambda broken, moved: broken, {"size": (96, 54), "options": {"crf": "12"}}),
    "a pixel cropped": (lambda broken, moved: each(broken, cropped), {}),
    "a pixel to the right": (lambda broken, moved: each(broken, lambda pixels: np.roll(pixels, 1, axis=1)), {}),
    "a frame late": (lambda broken, moved: moved(broken, 1), {}),
    "lighter by a level": (lambda broken, moved: each(broken, lambda pixels: np.clip(pixels, 0, 254) + 1), {}),
}
QUICK = {"a pixel cropped"}


@pytest.mark.parametrize(
    "hidden", [name if name in QUICK else pytest.param(name, marks=pytest.mark.real) for name in HIDDEN]
)
def test_hidden_copies_of_pictures_are_found(clips, save, moved, hidden):
    _, broken, golden_path, broken_path = clips
    change, how = HIDDEN[hidden]
    refusal = find_copy(save(change(broken, moved), **how), broken_path, WINDOW, "pictures", golden=golden_path)
    assert refusal is not None
    assert refusal.name == "near copy"
    assert "in 00:01.000–00:02.000 its pictures are nearly the broken ones (PSNR " in refusal.reason
    assert refusal.reason.endswith("% of the way to golden")


@pytest.mark.real
@pytest.mark.parametrize("change", [cropped, lambda pixels: np.roll(pixels, 1, axis=1)])
def test_a_sharp_picture_is_compared_where_its_pixels_went(clips, save, change):
    """Where edges are sharp, a pixel more or less is more than any encoder does."""
    golden, _, golden_path, _ = clips
    tinted_there = shift_colour(golden, WINDOW, gains=(1.2, 1, 0.8))
    refusal = find_copy(save(each(tinted_there, change)), save(tinted_there), WINDOW, "pictures", golden=golden_path)
    assert refusal is not None
    assert refusal.name == "near copy"


@pytest.mark.parametrize("hidden", ["half a dB", pytest.param("Opus, 30 ms late", marks=pytest.mark.real)])
def test_hidden_copies_of_sound_are_found(clips, save, hidden):
    _, broken, golden_path, broken_path = clips
    louder = replace_sound(broken, Sound(broken.sound.samples * np.float32(10 ** (0.5 / 20)), 48_000))
    late = replace_sound(broken, broken.sound, late_s=Fraction(3, 100))
    output = save(louder) if hidden == "half a dB" else save(late, sound="libopus", container="matroska")
    refusal = find_copy(output, broken_path, WINDOW, "sound", golden=golden_path)
    assert refusal is not None
    assert refusal.name == "near copy"
    assert "its sound is nearly the broken one (levels differ by " in refusal.reason


def test_the_same_file_and_the_same_content_in_another(clips, tmp_path):
    _, _, golden_path, broken_path = clips
    (tmp_path / "fixed.mp4").write_bytes(broken_path.read_bytes())
    refusal = find_copy(tmp_path / "fixed.mp4", broken_path, WINDOW, "pictures")
    assert (refusal.name, refusal.reason) == ("same file", "is the broken clip, byte for byte")
    # Other bytes behind the film, and its content is still the same.
    (tmp_path / "padded.mp4").write_bytes(broken_path.read_bytes() + b"\0" * 8)
    for output, stream in ((tmp_path / "padded.mp4", "pictures"), (tmp_path / "padded.mp4", "sound")):
        refusal = find_copy(output, broken_path, WINDOW, stream, golden=golden_path)
        assert refusal.name == "same content"
        assert f"in 00:01.000–00:02.000 it has the {stream} of the broken clip unchanged" in refusal.reason


@pytest.mark.parametrize("share", [0.4, pytest.param(1, marks=pytest.mark.real)])
def test_a_repair_is_no_copy(clips, save, share):
    golden, broken, golden_path, broken_path = clips
    output = save(mixed(broken, golden, share))
    assert find_copy(output, broken_path, WINDOW, "pictures", golden=golden_path) is None
    assert find_copy(output, broken_path, WINDOW, "sound", golden=golden_path) is None


@pytest.mark.real
def test_what_the_window_has_not_does_not_count(clips, save):
    """The defect is in the sound: pictures may be those of the broken clip, and a muted sound is no copy of any."""
    golden, broken, golden_path, broken_path = clips
    mended = save(replace_sound(broken, golden.sound))
    assert find_copy(mended, broken_path, WINDOW, "sound", golden=golden_path) is None
    assert find_copy(save(mute(broken, WINDOW)), broken_path, WINDOW, "sound", golden=golden_path) is None


@pytest.mark.real
def test_without_golden_closeness_alone_tells(clips, save):
    """A stretch that was cut out is no copy; a copy is one also when nobody knows where golden lies."""
    _, broken, _, broken_path = clips
    assert find_copy(save(broken, crf=20), broken_path, WINDOW, "pictures").name == "near copy"
    assert find_copy(save(broken, crf=20), broken_path, WINDOW, "sound").name == "same content"
    ahead = join_footage([trim(broken, Span(start_s=0, end_s="1/2")), trim(broken, Span(start_s="3/2", end_s=3))])
    assert find_copy(save(ahead), broken_path, WINDOW, "pictures") is None
    assert find_copy(save(ahead), broken_path, WINDOW, "sound") is None


@pytest.mark.parametrize("warp", [Warp(), Warp(1, 1), Warp(1, -1, 2, -2), Warp(0, 0, -1, -1)])
def test_a_warp_is_found_again(warp):
    draw = np.random.default_rng(3)
    picture = cv2.resize(draw.integers(0, 255, (12, 16, 3), np.uint8), (96, 72), interpolation=cv2.INTER_CUBIC)
    assert find_warp(picture, warp.applied(picture)) == warp
