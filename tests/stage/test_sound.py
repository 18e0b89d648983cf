import shutil
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cutscore.core.errors import Stopped
from cutscore.media.sound import Sound
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Cue, Effect, Place, SceneLine
from cutscore.stage.sound import sound
from cutscore.stage.speech import PROGRAM, speak, speaker_name, with_voice
from cutscore.stage.things import Body, Thing


def scene(**fields: Any) -> Scene:
    return Scene(name="a", title="A", **{"length_s": 2, **fields})


def loudness(heard: Sound, start_s: Any, end_s: Any) -> float:
    first, last = int(Fraction(start_s) * heard.rate_hz), int(Fraction(end_s) * heard.rate_hz)
    return float(np.abs(heard.samples[first:last]).mean())


def test_it_is_as_long_as_the_frames_to_the_sample() -> None:
    heard = sound(scene(length_s="1001/600", rate="30000/1001"))
    assert len(heard.samples) == round(Fraction(50 * 1001, 30000) * 48_000)
    assert not heard.samples.any()


@pytest.mark.parametrize("effect", ["beep", "knock", "ding", "pour", "whoosh", "step", "buzz"])
def test_a_cue_is_heard_when_it_should_be(effect: Effect) -> None:
    heard = sound(scene(cues=(Cue(at_s=1, sound=effect, for_s="1/2"),)))
    assert loudness(heard, 0, 1) == 0
    assert loudness(heard, 1, "3/2") > 0.005
    assert loudness(heard, "3/2", 2) == 0


def test_a_beep_has_its_pitch() -> None:
    heard = sound(scene(cues=(Cue(at_s=0, sound="beep", for_s=1, pitch_hz=1000),)))
    spectrum = np.abs(np.fft.rfft(heard.samples[:48_000]))
    assert int(spectrum.argmax()) == 1000


def test_a_bounce_knocks_and_rain_rustles() -> None:
    ball = Thing(id="ball", kind="ball", x=800, y=650, width=100, body=Body())
    knocked = sound(scene(things=(ball,)))
    assert loudness(knocked, 0, "1/4") == 0
    assert loudness(knocked, "1/4", 1) > 0.001
    assert loudness(sound(scene(places=(Place(backdrop="park", weather="rain"),))), 1, 2) > 0.001


def test_equal_scenes_sound_equal_and_seeds_differ() -> None:
    cues = (Cue(at_s=0, sound="pour", for_s=1),)
    one, same, other = (sound(scene(cues=cues, seed=seed)).samples for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_tones_speak_one_a_word() -> None:
    said = speak("pour the milk", "tones")
    assert [word.text for word in said.words] == ["pour", "the", "milk"]
    for word in said.words:
        first, last = (int(at_s * 48_000) for at_s in (word.start_s, word.end_s))
        assert np.abs(said.samples[first:last]).mean() > 1000
        assert not said.samples[last : last + 2000].any()


def test_a_missing_voice_is_said_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    spoken = scene(lines=(SceneLine(start_s=0, text="never heard before"),), voice="espeak-ng")
    with pytest.raises(Stopped, match=r"spoken narration: was not found; install espeak-ng, or give .* 'tones'"):
        sound(spoken)
    assert with_voice(spoken).voice == "tones"


@pytest.mark.real
@pytest.mark.skipif(shutil.which(PROGRAM) is None, reason="espeak-ng is not installed: 'apt-get install espeak-ng'")
@pytest.mark.parametrize(
    "text", ["Pour the milk into the glass", "The red ball hits the blue ball twice", "Now heat the pan"]
)
def test_spoken_words_lie_between_pauses(text: str) -> None:
    said = speak(text, "espeak-ng")
    assert [word.text for word in said.words] == text.split()
    assert all(word.exact for word in said.words)
    for before, after in zip(said.words, said.words[1:], strict=False):
        assert after.start_s - before.end_s > Fraction(6, 100)
        middle = int((before.end_s + after.start_s) / 2 * 48_000)
        assert np.abs(said.samples[middle - 400 : middle + 400]).max() < 100
    assert speaker_name("espeak-ng").startswith("eSpeak NG")
