"""Sounds against what is expected, as waves: each fault is found with its second, and what is no fault is not."""

from fractions import Fraction

import numpy as np
import pytest

from cutscore.core.timeline import Span
from cutscore.scoring.verifiers.sound_comparison import (
    RATE_HZ,
    Wave,
    compare_sounds,
    envelope_lag_s,
    find_lag,
    find_silences,
    lay_in_step,
)

WHOLE = Span(start_s=0, end_s=4)


@pytest.fixture(scope="module")
def speech() -> Wave:
    """Four seconds of noise in bursts, as loud and as sparse as speech."""
    noise = np.random.default_rng(0).normal(0, 0.1, 4 * RATE_HZ)
    bursts = np.random.default_rng(1).uniform(0.1, 1, 32).repeat(RATE_HZ // 8)
    return np.asarray(noise * bursts)


def late(wave: Wave, by_s: float) -> Wave:
    by = round(by_s * RATE_HZ)
    return np.concatenate([np.zeros(by), wave])[: len(wave)] if by >= 0 else np.concatenate([wave[-by:], np.zeros(-by)])


def names(expected: Wave, heard: Wave) -> list[str]:
    return [fault.name for fault in compare_sounds(expected, heard, WHOLE)]


def test_what_encoders_do_is_no_fault(speech: Wave) -> None:
    coarse = speech + np.random.default_rng(2).normal(0, 0.01, len(speech))
    assert names(speech, speech) == names(speech, coarse) == names(speech, 0.5 * speech) == []
    assert names(speech, late(speech, 0.15)) == names(speech, late(speech, -0.15)) == []


@pytest.mark.parametrize(("by_s", "said"), [(0.3, "0.30 s too late"), (-0.25, "0.25 s too early")])
def test_sound_out_of_step(speech: Wave, by_s: float, said: str) -> None:
    (fault,) = compare_sounds(speech, late(speech, by_s), WHOLE)
    assert (fault.name, fault.because, fault.at) == ("out of step", f"has its sound {said}", WHOLE)


def test_a_second_voice_and_tops_that_are_cut_off(speech: Wave) -> None:
    (echo,) = compare_sounds(speech, speech + 0.6 * late(speech, 0.25), WHOLE)
    assert (echo.name, echo.because) == ("doubled", "has its sound twice, 0.25 s apart")
    assert names(speech, np.clip(12 * speech, -1, 1)) == ["clipped"]


def test_another_sound_is_not_compared_where_it_may_be_another(speech: Wave) -> None:
    music = np.random.default_rng(9).normal(0, 0.1, len(speech))
    assert list(compare_sounds(speech, music, WHOLE, least_alike=0.3, within_s=1)) == []
    under = late(speech, 0.3) + 0.3 * music
    assert [each.name for each in compare_sounds(speech, under, WHOLE, least_alike=0.3, within_s=1)] == ["out of step"]


def test_clips_that_wait_at_each_cut_are_not_doubled(speech: Wave) -> None:
    """Eight clips of half a second, each followed by 20 ms of silence, as files that are joined are."""
    clips = [speech[start : start + RATE_HZ // 2] for start in range(0, 4 * RATE_HZ, RATE_HZ // 2)]
    gap = np.zeros(RATE_HZ // 50)
    film = np.concatenate([part for clip in clips for part in (clip, gap)])
    seen = [(clip, Fraction(52 * number, 100)) for number, clip in enumerate(clips)]

    def told(heard: Wave) -> list[str]:
        return names(lay_in_step(seen, heard), heard)

    assert names(np.concatenate([speech, np.zeros(8 * len(gap))]), film) == ["doubled"]  # laid end to end
    assert told(film) == told(late(film, 0.15)) == told(late(film, -0.15)) == []
    assert told(film + 0.6 * late(film, 0.1)) == told(film + late(film, 0.25)) == ["doubled"]
    assert told(late(film, 0.3)) == told(late(film, -0.25)) == ["out of step"]


def test_a_muted_stretch_is_found_at_its_second(speech: Wave) -> None:
    muted = speech.copy()
    muted[RATE_HZ : 2 * RATE_HZ] = 0
    (fault,) = find_silences(speech, muted)
    assert (fault.name, fault.at) == ("silent", Span(start_s=1, end_s=2))
    assert list(find_silences(speech, muted, longer_than_s=Fraction(5, 4))) == []
    assert list(find_silences(muted, muted)) == list(find_silences(muted, speech)) == []
    (fault,) = find_silences(muted, np.zeros(len(muted)))
    assert fault.at == WHOLE


def test_a_clip_is_found_by_itself(speech: Wave) -> None:
    heard = np.concatenate([np.zeros(RATE_HZ), late(speech, 0.3), np.zeros(RATE_HZ)])
    lag, alike = find_lag(speech[: 2 * RATE_HZ], heard, RATE_HZ, (-RATE_HZ, RATE_HZ))
    assert (lag, round(alike, 3)) == (2400, 1)
    lag, alike = find_lag(speech[800 : 2 * RATE_HZ], late(speech, 0), 2400, (-RATE_HZ, RATE_HZ))
    assert (lag, round(alike, 3)) == (-1600, 1)


def test_loudness_tells_lateness_at_another_pace(speech: Wave) -> None:
    stretched = np.interp(np.arange(0, len(speech), 1 / 1.1), np.arange(len(speech)), speech)
    as_shown = speech[np.linspace(0, len(speech) - 1, len(stretched)).astype(int)]
    assert envelope_lag_s(as_shown, stretched) == envelope_lag_s(as_shown, late(stretched, 0.1)) == 0
    assert envelope_lag_s(as_shown, late(stretched, 0.4)) == pytest.approx(0.4, abs=0.05)
    assert envelope_lag_s(as_shown, np.ones(len(stretched))) == 0
