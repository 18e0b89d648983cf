"""Sounds: beeps with their pitch, noises, silence."""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.core.timeline import Span
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound
from cutscore.perception.analysis import analyze_clip
from cutscore.perception.sounds import RATE_HZ, detect_sounds

sys.path.append(str(Path(__file__).parent))

from drawing import plain  # lies beside this file


def tone(hz: float, length_s: float, *, level: float = 0.3, rate_hz: int = RATE_HZ) -> np.ndarray:
    at = np.arange(round(length_s * rate_hz)) / rate_hz
    return (level * np.sin(2 * np.pi * hz * at)).astype(np.float32)


def rest(length_s: float, *, rate_hz: int = RATE_HZ) -> np.ndarray:
    return np.zeros(round(length_s * rate_hz), np.float32)


def crash(length_s: float, *, level: float = 0.2) -> np.ndarray:
    return np.random.default_rng(3).normal(0, level, round(length_s * RATE_HZ)).astype(np.float32).clip(-1, 1)


def told(sounds) -> list[tuple[str, float, float]]:
    return [(each.kind, float(each.span.start_s), float(each.span.end_s)) for each in sounds]


def near(found: list[tuple[str, float, float]], expected: list[tuple[str, float, float]]) -> bool:
    return [row[0] for row in found] == [row[0] for row in expected] and bool(
        np.abs(np.array([row[1:] for row in found]) - np.array([row[1:] for row in expected])).max() <= 0.021
    )


def test_beeps_noises_and_silence_in_order() -> None:
    sound = np.concatenate([rest(0.5), tone(880, 0.3), rest(0.4), crash(0.3), rest(0.5)])
    found = detect_sounds([sound])
    expected = [
        ("silence", 0, 0.5),
        ("beep", 0.5, 0.8),
        ("silence", 0.8, 1.2),
        ("noise", 1.2, 1.5),
        ("silence", 1.5, 2),
    ]
    assert near(told(found), expected), told(found)


def test_a_noise_lies_where_its_samples_are() -> None:
    found = detect_sounds([np.concatenate([rest(0.5), crash(0.04), rest(0.5)])])
    assert [each.span for each in found if each.kind == "noise"] == [Span(start_s="1/2", end_s="27/50")]


@pytest.mark.parametrize("hz", [220.0, 440.0, 1000.0, 2637.0, 5000.0])
def test_pitch_is_right_within_a_percent(hz: float) -> None:
    (beep,) = [each for each in detect_sounds([tone(hz, 0.4)]) if each.kind == "beep"]
    assert beep.pitch_hz == pytest.approx(hz, rel=0.01)


def test_two_pitches_are_two_beeps() -> None:
    found = [each for each in detect_sounds([np.concatenate([tone(440, 0.3), tone(660, 0.3)])]) if each.kind == "beep"]
    assert [round(each.pitch_hz, -1) for each in found] == [440, 660]


def test_a_repeated_beep_is_heard_as_often_as_it_sounds() -> None:
    once = np.concatenate([tone(700, 0.15), rest(0.2)])
    assert [each.kind for each in detect_sounds([np.tile(once, 4)])].count("beep") == 4


def test_loud_and_soft_are_against_the_rest() -> None:
    gap = rest(0.4)
    sound = np.concatenate(
        [tone(500, 0.3), gap, tone(500, 0.3, level=0.9), gap, tone(500, 0.3), gap, tone(500, 0.3, level=0.05)]
    )
    beeps = [each for each in detect_sounds([sound]) if each.kind == "beep"]
    assert [each.loudness for each in beeps] == ["as usual", "loud", "as usual", "soft"]
    assert beeps[0].level_dbfs == pytest.approx(20 * np.log10(0.3 / np.sqrt(2)), abs=0.5)


def test_blocks_of_any_length_are_heard_alike() -> None:
    sound = np.concatenate([rest(0.4), tone(880, 0.3), crash(0.2), rest(0.5)])
    pieces = np.split(sound, [7, 1000, 1001, 9000, 15000])
    assert detect_sounds(pieces) == detect_sounds([sound])


def test_no_sound_at_all_is_nothing_and_zeros_are_silence() -> None:
    assert detect_sounds([]) == ()
    (silence,) = detect_sounds([rest(1)])
    assert (silence.kind, silence.level_dbfs) == ("silence", -120.0)


def test_a_clip_is_heard_at_its_own_times(tmp_path: Path) -> None:
    """A beep of 1000 Hz from 0.4 s to 0.7 s in a clip of one second at 48 kHz."""
    samples = np.concatenate([rest(0.4, rate_hz=48000), tone(1000, 0.3, rate_hz=48000), rest(0.3, rate_hz=48000)])
    path = tmp_path / "beep.mp4"
    write_clip(path, [plain()] * 25, rate=Fraction(25), sound=Sound(samples, 48000))
    beeps = [each for each in analyze_clip(path).sounds if each.kind == "beep"]
    assert len(beeps) == 1
    assert beeps[0].pitch_hz == pytest.approx(1000, rel=0.01)
    assert abs(beeps[0].span.start_s - Fraction(2, 5)) <= Fraction(2, 25)
