"""Picture n is grey of level 4·n + 20, and its 1/10 s of sound is constant at n ÷ 100: order is seen and heard."""

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.benchmarks.repair.edits.insertions import cut_out, insert_sound, mix_sound, repeat_span
from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound

RATE, RATE_HZ, EACH = Fraction(10), 8000, 800


def made(count: int = 20) -> Footage:
    def pictures() -> Iterator[Pixels]:
        return (np.full((4, 4, 3), 4 * number + 20, np.uint8) for number in range(count))

    samples = np.repeat(np.arange(count, dtype=np.float32) / 100, EACH)
    return Footage(pictures, count, RATE, Sound(samples, RATE_HZ), "made")


def shown(footage: Footage) -> list[int]:
    return [(int(pixels[0, 0, 0]) - 20) // 4 for pixels in footage.pictures()]


def heard(footage: Footage) -> list[int]:
    assert footage.sound is not None
    assert len(footage.sound.samples) == footage.count * EACH
    return np.rint(footage.sound.samples[EACH // 2 :: EACH] * 100).astype(int).tolist()


def word(pictures: float, level: float = 0.99) -> Sound:
    return Sound(np.full(int(pictures * EACH), level, np.float32), RATE_HZ)


def span(start: int, end: int) -> Span:
    return Span(start_s=start / RATE, end_s=end / RATE)


def test_a_stretch_is_shown_again_with_or_without_its_sound() -> None:
    again = [*range(8), *range(5, 8), *range(8, 20)]
    assert shown(repeat_span(made(), span(5, 8), heard=True)) == again
    assert heard(repeat_span(made(), span(5, 8), heard=True)) == again
    assert heard(repeat_span(made(), span(5, 8), heard=False)) == [*range(8), 0, 0, 0, *range(8, 20)]


@pytest.mark.parametrize("shift", range(4))
def test_either_copy_may_go_and_all_between_them(shift: int) -> None:
    twice = repeat_span(made(), span(5, 8), heard=True)
    left = cut_out(twice, [span(5 + shift, 8 + shift)])
    assert shown(left) == heard(left) == list(range(20))


def test_an_inserted_word_has_swinging_pictures_and_can_be_cut_out() -> None:
    longer = insert_sound(made(), word(5.5), at_s=Fraction(8, 10))
    assert shown(longer) == [*range(8), 6, 5, 4, 5, 6, 7, *range(8, 20)]
    assert heard(longer) == [*range(8), 99, 99, 99, 99, 99, 0, *range(8, 20)]
    left = cut_out(longer, [span(8, 14)])
    assert shown(left) == heard(left) == list(range(20))


@given(st.integers(1, 19), st.integers(1, 60))
def test_pictures_of_a_word_move_by_one_at_most(at: int, length: int) -> None:
    seen = shown(insert_sound(made(), word(length), at_s=at / RATE))
    assert len(seen) == 20 + length
    assert max(abs(b - a) for a, b in itertools.pairwise(seen)) <= 1


def test_a_word_is_mixed_into_a_pause_and_its_stretch_can_go() -> None:
    over = mix_sound(made(), word(2, 0.5), at_s=Fraction(1, 2))
    assert heard(over) == [*range(5), 55, 56, *range(7, 20)]
    assert shown(over) == list(range(20))
    assert shown(cut_out(over, [span(0, 1), span(5, 7)])) == [*range(1, 5), *range(7, 20)]
    assert heard(mix_sound(made(), word(9, 0.5), at_s=Fraction(19, 10)))[19] == 69


def test_channels_follow_the_footage_and_rates_must_be_equal() -> None:
    stereo = Sound(np.zeros((20 * EACH, 2), np.float32), RATE_HZ)
    footage = Footage(made().pictures, 20, RATE, stereo, "stereo")
    out = mix_sound(footage, word(1), at_s=Fraction(0)).sound
    assert out is not None
    assert out.samples[0].tolist() == pytest.approx([0.99, 0.99])
    with pytest.raises(BadInput, match="has 16000 Hz, 'made' 8000 Hz; resample it"):
        mix_sound(made(), Sound(np.zeros(9, np.float32), 16_000), at_s=Fraction(0))
    with pytest.raises(BadInput, match="lies outside of 'made'"):
        insert_sound(made(), word(1), at_s=Fraction(0))
    with pytest.raises(BadInput, match="has no sound to add to"):
        mix_sound(Footage(made().pictures, 20, RATE, None, "mute"), word(1), at_s=Fraction(0))
