"""What goes on from clip to clip: one shot cut in two, a tone under a cut; and the order that follows from it."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.benchmarks.sequencing.continuity import ClipEnds, discontinuity, shortest_chain, sound_ends
from cutscore.media.sound import Sound
from cutscore.perception.shots import lab_thumbnail

RATE_HZ = 16_000


def flat(grey: int) -> np.ndarray:
    return lab_thumbnail(np.full((54, 96, 3), grey, np.uint8))


def tone(pitch_hz: float, *, level: float = 0.3, seconds: float = 0.5) -> Sound:
    at_s = np.arange(int(seconds * RATE_HZ)) / RATE_HZ
    return Sound((level * np.sin(2 * np.pi * pitch_hz * at_s)).astype(np.float32), RATE_HZ)


def clip(grey: int, sound: Sound) -> ClipEnds:
    return ClipEnds(flat(grey), flat(grey), *sound_ends(sound))


SILENCE = tone(440, level=0)


def test_nothing_breaks_within_a_shot_and_a_tone() -> None:
    assert discontinuity(clip(100, tone(440)), clip(100, tone(440))) < 0.1
    assert discontinuity(clip(100, SILENCE), clip(101, SILENCE)) < 0.3


def test_another_picture_or_another_sound_breaks_once_and_both_twice() -> None:
    one = clip(100, tone(440))
    assert discontinuity(one, clip(200, tone(440))) == pytest.approx(1, abs=0.05)
    assert discontinuity(one, clip(100, tone(1000))) == pytest.approx(1, abs=0.05)
    assert discontinuity(one, clip(100, SILENCE)) == pytest.approx(1, abs=0.05)
    assert 1.9 < discontinuity(one, clip(200, tone(1000))) <= 2
    # How far off another picture is says nothing more.
    assert discontinuity(one, clip(160, tone(440))) == discontinuity(one, clip(250, tone(440)))


def test_silences_are_alike_though_coded_otherwise() -> None:
    noise = np.random.default_rng(1).normal(0, 1e-5, 8000).astype(np.float32)
    assert discontinuity(clip(100, SILENCE), clip(100, Sound(noise, RATE_HZ))) < 0.1


def test_faded_ends_and_very_short_sounds_are_heard() -> None:
    assert discontinuity(clip(100, tone(440).fade(tone(440).length_s / 50)), clip(100, tone(440))) < 0.2
    assert sound_ends(Sound(np.zeros(1, np.float32), RATE_HZ))[0].sum() == 0


def test_a_chain_is_found_from_anywhere() -> None:
    line = np.array([3.0, 0.0, 2.0, 1.0])
    forth = np.where(line[None, :] > line[:, None], line[None, :] - line[:, None], 9.0)
    assert shortest_chain(forth) == [1, 3, 2, 0]
    assert shortest_chain(np.zeros((1, 1))) == [0]


@given(st.integers(2, 8), st.integers(0, 2**32 - 1))
def test_no_stretch_lies_better_elsewhere_and_all_are_there_once(count: int, seed: int) -> None:
    apart = np.random.default_rng(seed).random((count, count))

    def length(way: list[int]) -> float:
        return sum(float(apart[pair]) for pair in pairwise(way))

    way = shortest_chain(apart)
    assert sorted(way) == list(range(count))
    for first, end in combinations(range(count + 1), 2):
        rest = way[:first] + way[end:]
        for place in range(len(rest) + 1):
            assert length(rest[:place] + way[first:end] + rest[place:]) >= length(way) - 1e-6
