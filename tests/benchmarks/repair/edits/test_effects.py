"""Picture n is grey of level 4·n + 20, the sound is known, and each defect is compared with its definition."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import ndimage, signal

from cutscore.benchmarks.repair.edits import effects as defects
from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.edit import replace_sound
from cutscore.media.footage import Footage, load_footage, write_footage
from cutscore.media.levels import find_clippings, find_silences
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound

RATE = Fraction(25)
WINDOW = Span(start_s="0.4", end_s="0.8")  # pictures 10 to 19, samples 19200 to 38399
PICTURES, SAMPLES = range(10, 20), slice(19_200, 38_400)


def hum() -> Sound:
    white = np.random.default_rng(3).standard_normal(96_008)
    return Sound((0.1 * np.convolve(white, np.ones(8) / 8, "valid")[:96_000]).astype(np.float32), 48_000)


def made() -> Footage:
    def pictures() -> Iterator[Pixels]:
        return (np.full((64, 96, 3), 4 * number + 20, np.uint8) for number in range(50))

    return Footage(pictures, 50, RATE, hum(), "made")


def levels(footage: Footage) -> list[int]:
    return [round((float(pixels.mean()) - 20) / 4) for pixels in footage.pictures()]


ROOM = [(Fraction(1, 50), 0.6), (Fraction(1, 20), 0.4), (Fraction(1, 10), 0.2)]

Defect = Callable[[Footage], Footage]
ON_PICTURES: dict[str, Defect] = {
    "tint": lambda f: defects.shift_colour(f, WINDOW, gains=(1.2, 1, 0.5)),
    "black": lambda f: defects.black_out(f, WINDOW),
    "freeze": lambda f: defects.freeze(f, WINDOW),
}
ON_SOUND: dict[str, Defect] = {
    "mute": lambda f: defects.mute(f, WINDOW),
    "echo": lambda f: defects.add_echo(f, WINDOW, taps=[(Fraction(1, 10), 0.5)]),
    "clip": lambda f: defects.clip_waves(f, WINDOW, level=0.05),
    "hiss": lambda f: defects.add_hiss(f, WINDOW, snr_db=10, seed=1),
    "hum": lambda f: defects.add_hum(f, WINDOW, snr_db=10),
    "babble": lambda f: defects.add_babble(f, WINDOW, snr_db=10, seed=1),
    "room": lambda f: defects.add_echo(f, WINDOW, taps=ROOM),
}


@pytest.mark.parametrize("name", [*ON_PICTURES, *ON_SOUND])
def test_outside_of_the_window_nothing_changes(name: str) -> None:
    before, after = made(), {**ON_PICTURES, **ON_SOUND}[name](made())
    changed = [
        number
        for number, (a, b) in enumerate(zip(before.pictures(), after.pictures(), strict=True))
        if not np.array_equal(a, b)
    ]
    assert set(changed) <= set(PICTURES if name in ON_PICTURES else [])
    assert bool(changed) == (name in ON_PICTURES)
    assert before.sound is not None
    assert after.sound is not None
    differs = np.flatnonzero(before.sound.samples != after.sound.samples)
    assert (len(differs) > 10_000) == (name in ON_SOUND)
    assert ((SAMPLES.start <= differs) & (differs < SAMPLES.stop)).all()


def test_blur_is_near_a_gaussian() -> None:
    picture = np.zeros((64, 96, 3), np.uint8)
    picture[20:40, 30:60] = (200, 120, 60)
    footage = Footage(lambda: iter([picture] * 50), 50, RATE, None, "box")
    blurred = list(defects.add_blur(footage, WINDOW, sigma=3).pictures())
    truth = ndimage.gaussian_filter(picture.astype(float), (3, 3, 0))
    assert np.array_equal(blurred[9], picture)
    assert np.abs(blurred[10] - truth).mean() < 1
    assert np.abs(blurred[10] - truth).max() < 10  # FFmpeg approximates the bell by three recursions


def test_tint_multiplies_each_colour() -> None:
    pixels = list(ON_PICTURES["tint"](made()).pictures())[15]
    assert pixels[0, 0].tolist() == [96, 80, 40]


def test_freeze_and_black_show_what_they_say() -> None:
    whole = list(range(50))
    assert levels(ON_PICTURES["freeze"](made())) == whole[:10] + [10] * 10 + whole[20:]
    assert not list(ON_PICTURES["black"](made()).pictures())[10].any()


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (("0", "0.2"), ("0.4", "0.6"), [*range(10, 15), *range(5, 10), *range(5), *range(15, 50)]),
        (("0.2", "0.4"), ("0.4", "1"), [*range(5), *range(10, 25), *range(5, 10), *range(25, 50)]),
        (("0", "1"), ("1", "2"), [*range(25, 50), *range(25)]),
    ],
)
def test_swapped_shots_take_their_sound_along(first: tuple, second: tuple, expected: list[int]) -> None:
    spans = [Span(start_s=start, end_s=end) for start, end in (first, second)]
    after = defects.swap_shots(made(), *spans)
    assert levels(after) == expected
    assert after.sound is not None
    truth = hum().samples.reshape(50, 1920)[expected].reshape(-1)
    assert np.array_equal(after.sound.samples, truth)


def window_of(footage: Footage) -> np.ndarray:
    assert footage.sound is not None
    return footage.sound.samples[SAMPLES].astype(np.float64)


def test_echo_is_the_sum_with_itself() -> None:
    dry = window_of(made())
    truth = signal.lfilter([1, *[0] * 4799, 0.5], 1, dry)
    assert np.allclose(window_of(ON_SOUND["echo"](made())), truth, atol=1e-6)
    never = defects.add_echo(made(), WINDOW, taps=[(Fraction(9), 1)])
    assert np.array_equal(window_of(never), dry)


def test_clipping_and_mute_are_found_by_our_own_ears() -> None:
    clipped = ON_SOUND["clip"](made()).sound
    assert clipped is not None
    tops = find_clippings(clipped)
    assert len(tops) > 100
    assert tops[0].start_s >= WINDOW.start_s
    assert tops[-1].end_s <= WINDOW.end_s
    muted = ON_SOUND["mute"](made()).sound
    assert muted is not None
    assert find_silences(muted, at_least_s=Fraction(1, 10)) == [WINDOW]


def test_a_room_is_the_sum_of_its_echoes() -> None:
    dry = window_of(made())
    taps = np.zeros(4801)
    taps[[0, 960, 2400, 4800]] = 1, 0.6, 0.4, 0.2
    assert np.allclose(window_of(ON_SOUND["room"](made())), signal.lfilter(taps, 1, dry), atol=1e-6)


@pytest.mark.parametrize("name", ["hiss", "hum", "babble"])
def test_noise_has_the_stated_ratio(name: str) -> None:
    dry = window_of(made())
    noise = window_of(ON_SOUND[name](made())) - dry
    assert 10 * np.log10(np.mean(dry**2) / np.mean(noise**2)) == pytest.approx(10, abs=1e-3)


def test_hum_is_the_mains_and_babble_is_voices() -> None:
    mains, babble = (window_of(ON_SOUND[name](made())) - window_of(made()) for name in ("hum", "babble"))
    spectrum = np.abs(np.fft.rfft(mains))
    assert np.argmax(spectrum) == 20  # 50 Hz in 0.4 s
    assert spectrum[20] == pytest.approx(2 * spectrum[80], rel=0.01)  # the fourth harmonic, half as strong
    power = np.abs(np.fft.rfft(babble)) ** 2
    assert power[int(90 * 0.4) : int(4000 * 0.4)].sum() > 0.95 * power.sum()
    stereo = Sound(np.repeat(hum().samples[:, None], 2, axis=1), 48_000)
    both = window_of(defects.add_babble(replace_sound(made(), stereo), WINDOW, snr_db=10, seed=1))
    assert np.array_equal(both[:, 0], both[:, 1])


def test_lost_sharpness_keeps_the_light_and_loses_the_stripes() -> None:
    picture = np.zeros((64, 96, 3), np.uint8)
    picture[:, ::2] = 200
    footage = Footage(lambda: iter([picture] * 50), 50, RATE, None, "stripes")
    dull = list(defects.reduce_detail(footage, WINDOW, factor=4).pictures())
    assert np.array_equal(dull[9], picture)
    assert np.array_equal(dull[20], picture)
    assert dull[10].shape == picture.shape
    assert dull[10].mean() == pytest.approx(100, abs=2)
    assert dull[10].std() < 5


def test_defects_survive_being_written(tmp_path: Path) -> None:
    broken = ON_SOUND["mute"](ON_PICTURES["freeze"](made()))
    write_footage(broken, tmp_path / "a.mp4")
    again = load_footage(tmp_path / "a.mp4", channels="mono")
    assert levels(again) == levels(broken)
    assert again.sound is not None
    (found,) = find_silences(again.sound, at_least_s=Fraction(1, 10), below_dbfs=-50)
    assert found.iou(WINDOW) > 0.95  # AAC smears up to a block over each edge


def test_errors_say_what_is_the_case() -> None:
    with pytest.raises(BadInput, match="has no picture inside 'made'"):
        defects.black_out(made(), Span(start_s=1, end_s=3))
    with pytest.raises(BadInput, match="overlap or are in the wrong order"):
        defects.swap_shots(made(), Span(start_s=1, end_s=2), Span(start_s=0, end_s=1))
    with pytest.raises(BadInput, match="has no sound to change"):
        defects.mute(replace_sound(made(), None), WINDOW)
    with pytest.raises(BadInput, match="has no ratio to a silent sound"):
        defects.add_hiss(ON_SOUND["mute"](made()), WINDOW, snr_db=3, seed=1)
    with pytest.raises(BadInput, match="cannot begin at level 0"):
        defects.clip_waves(made(), WINDOW, level=0)
    with pytest.raises(BadInput, match="cannot come from pictures 1 times smaller"):
        defects.reduce_detail(made(), WINDOW, factor=1)
    with pytest.raises(BadInput, match="cannot come 0 s late"):
        defects.add_echo(made(), WINDOW, taps=[(Fraction(0), 1)])
