"""Four seconds of texture that moves, cut at 2.0 s, with words and gaps; a fault is planted and must be found."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import pytest

from cutscore.benchmarks.repair.blemishes import Blemish, PictureWatcher, sound_blemishes
from cutscore.benchmarks.repair.edits import effects as defects
from cutscore.benchmarks.repair.edits.cleaning import change_volume, reduce_noise, sharpen
from cutscore.benchmarks.repair.edits.insertions import repeat_span
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound

RATE, RATE_HZ, COUNT = Fraction(10), 16_000, 40
WINDOW = Span(start_s=1, end_s="2.5")  # the cut lies in it


def _pictures() -> Iterator[Pixels]:
    for number in range(COUNT):
        rng = np.random.default_rng(number // 20)
        texture = np.kron(rng.integers(40, 200, (9, 24, 3)), np.ones((8, 8, 1))).astype(np.uint8)
        yield np.ascontiguousarray(np.roll(texture, number, axis=1)[:72, :128])


def _words() -> Sound:
    at = np.arange(4 * RATE_HZ)
    wave = np.sin(2 * np.pi * 300 * at / RATE_HZ) + 0.5 * np.sin(2 * np.pi * 440 * at / RATE_HZ)
    return Sound((0.2 * wave * (at % 6400 < 4000)).astype(np.float32), RATE_HZ)


def footage() -> Footage:
    return Footage(_pictures, COUNT, RATE, _words(), "clip")


def blemishes(clip: Footage) -> list[Blemish]:
    eyes = PictureWatcher(clip.rate)
    for pixels in clip.pictures():
        eyes.see(pixels)
    assert clip.sound is not None
    return [*eyes.blemishes(), *sound_blemishes(clip.sound)]


PLANTED: dict[str, Callable[[Footage], Footage]] = {
    "colour": lambda clip: defects.shift_colour(clip, WINDOW, gains=(1.25, 1.0, 0.75)),
    "detail": lambda clip: defects.add_blur(clip, WINDOW, sigma=2),
    "noise": lambda clip: defects.add_hiss(clip, WINDOW, snr_db=5, seed=1),
    "clipping": lambda clip: defects.clip_waves(clip, WINDOW, level=0.05),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_fault_is_found_where_it_was_planted_and_nothing_else_is(fault: str) -> None:
    (found,) = blemishes(PLANTED[fault](footage()))
    assert found.fault == fault
    assert found.span.iou(WINDOW) > 0.9
    assert found.strength > 1


def test_a_clean_clip_with_a_cut_has_none() -> None:
    assert blemishes(footage()) == []


def test_another_shot_of_other_colours_is_no_fault_and_a_tone_is_not_clipped() -> None:
    first, red = next(_pictures()), next(_pictures())[:, ::-1] // np.array([1, 2, 3], np.uint8)
    pictures = [red.astype(np.uint8) if 10 <= number < 25 else first for number in range(COUNT)]
    at = np.arange(4 * RATE_HZ)
    tone = np.sin(2 * np.pi * 300 * at / RATE_HZ) * (at % 16_000 < 12_000)
    clip = Footage(lambda: iter(pictures), COUNT, RATE, Sound(tone.astype(np.float32), RATE_HZ), "shots")
    assert blemishes(clip) == []


def test_the_gains_of_a_tint_are_told() -> None:
    (found,) = blemishes(PLANTED["colour"](footage()))
    assert found.gains == pytest.approx((1.25, 1.0, 0.75), rel=0.03)


def test_a_stretch_that_is_shown_twice_is_found_the_second_time() -> None:
    found = blemishes(repeat_span(footage(), Span(start_s="0.5", end_s="1.2"), heard=True))[0]
    assert (found.fault, found.span) == ("repeat", Span(start_s="1.2", end_s="1.9"))


def test_silence_and_a_still_are_without_blemish() -> None:
    still = next(_pictures())
    quiet = Sound(np.zeros(4 * RATE_HZ, np.float32), RATE_HZ)
    assert blemishes(Footage(lambda: iter([still] * COUNT), COUNT, RATE, quiet, "still")) == []
    assert blemishes(Footage(lambda: iter([still]), 1, RATE, Sound(np.zeros(9, np.float32), RATE_HZ), "short")) == []


def _off(one: Footage, other: Footage) -> float:
    pairs = zip(one.pictures(), other.pictures(), strict=True)
    return float(np.mean([np.square(a.astype(float) - b).mean() for a, b in pairs]))


def _sound_off(one: Footage, other: Footage) -> float:
    assert one.sound is not None
    assert other.sound is not None
    return float(np.square(one.sound.samples.astype(float) - other.sound.samples).sum())


def test_plain_repairs_bring_a_stretch_nearer_to_what_it_was_and_leave_the_rest() -> None:
    dull, noisy = PLANTED["detail"](footage()), PLANTED["noise"](footage())
    mended = sharpen(dull, WINDOW, sigma=2)
    assert _off(mended, footage()) < 0.7 * _off(dull, footage())
    for number, (before, after) in enumerate(zip(dull.pictures(), mended.pictures(), strict=True)):
        assert np.array_equal(before, after) == (not 10 <= number < 25)
    quieter = reduce_noise(noisy, WINDOW)
    assert _sound_off(quieter, footage()) < 0.5 * _sound_off(noisy, footage())
    assert quieter.sound is not None
    assert np.array_equal(quieter.sound.samples[:RATE_HZ], _words().samples[:RATE_HZ])
    half = change_volume(footage(), WINDOW, gain=0.5).sound
    assert half is not None
    assert np.array_equal(half.samples[RATE_HZ : 2 * RATE_HZ], _words().samples[RATE_HZ : 2 * RATE_HZ] / 2)


def test_noise_is_taken_from_both_channels_and_a_moment_stays_as_it_is() -> None:
    noisy = PLANTED["noise"](footage()).sound
    assert noisy is not None
    both = Footage(_pictures, COUNT, RATE, Sound(np.stack([noisy.samples] * 2, axis=1), RATE_HZ), "stereo")
    out = reduce_noise(both, WINDOW).sound
    assert out is not None
    assert np.array_equal(out.samples[:, 0], out.samples[:, 1])
    one = reduce_noise(Footage(_pictures, COUNT, Fraction(1000), noisy, "fast"), Span(start_s=0, end_s="0.02")).sound
    assert one is not None
    assert np.array_equal(one.samples, noisy.samples)
