"""What a scene sounds like: cues, knocks where things hit each other, rain, and the voice. Mono at 48 kHz."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from cutscore.core.timeline import Span
from cutscore.media.sound import Sound, sample_at
from cutscore.stage.camera import timed_shots
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Cue, Effect
from cutscore.stage.speech import speak
from cutscore.stage.states import Animation
from cutscore.stage.tones import FULL, RATE_HZ, Wave, decay, fade, noise, tone

_KNOCK_S = Fraction(3, 25)
_RAIN = 900
_EDGE = RATE_HZ // 100
_LOOP = 10 * RATE_HZ  # long rain repeats itself, unnoticed, and needs little memory


def sound(scene: Scene) -> Sound:
    """Return the sound of a scene, as long as its frames to the sample."""
    track = np.zeros(sample_at(scene.frames / scene.rate, RATE_HZ), np.int32)
    for cue in all_cues(scene):
        _add(track, cue.at_s, _EFFECTS[cue.sound](cue, scene.seed))
    for number, span in enumerate(_rainy(scene)):
        count = sample_at(span.length_s, RATE_HZ)
        drops = noise(scene.seed + number, min(count, _LOOP), _RAIN, smooth=6)
        _add(track, span.start_s, fade(np.resize(drops, count), RATE_HZ // 10))
    for line in scene.lines:
        _add(track, line.start_s, speak(line.text, scene.voice).samples)
    samples = np.clip(track, -FULL, FULL, out=track).astype(np.float32)
    samples /= np.float32(FULL + 1)
    return Sound(samples, RATE_HZ)


def all_cues(scene: Scene) -> list[Cue]:
    """Return every sound besides voice and weather, in order: those of the scene, and a knock for each hit."""
    hits = Animation(scene).motion.hits
    knocks = [Cue(at_s=hit.at_s, sound="knock", for_s=_KNOCK_S) for hit in hits if hit.at_s < scene.length_s]
    return sorted([*scene.cues, *knocks], key=lambda cue: cue.at_s)


def _rainy(scene: Scene) -> list[Span]:
    wet = {place.id for place in scene.places if place.weather == "rain"}
    return [take.span for take in timed_shots(scene) if take.shot.place in wet]


def _add(track: Wave, at_s: Fraction, wave: Wave) -> None:
    first = sample_at(at_s, RATE_HZ)
    wave = wave[: max(0, len(track) - first)]
    track[first : first + len(wave)] += wave


def _count(cue: Cue) -> int:
    return sample_at(cue.for_s, RATE_HZ)


def _beep(cue: Cue, seed: int) -> Wave:
    return fade(tone(cue.pitch_hz, _count(cue), 9000), _EDGE)


def _buzz(cue: Cue, seed: int) -> Wave:
    wave = sum(tone(cue.pitch_hz * n, _count(cue), 5000 // n) for n in (1, 3, 5))
    return fade(np.asarray(wave, np.int32), _EDGE)


def _ding(cue: Cue, seed: int) -> Wave:
    return decay(tone(cue.pitch_hz, _count(cue), 9000) + tone(cue.pitch_hz * 3, _count(cue), 3000))


def _knock(cue: Cue, seed: int) -> Wave:
    return decay(tone(190, _count(cue), 12000) + noise(seed, _count(cue), 1500, smooth=4))


def _step(cue: Cue, seed: int) -> Wave:
    return decay(tone(120, _count(cue), 8000) + noise(seed, _count(cue), 1000, smooth=8))


def _pour(cue: Cue, seed: int) -> Wave:
    count = _count(cue)
    ripple = 700 + tone(9, count, 300)
    return fade((noise(seed, count, 3000, smooth=10).astype(np.int64) * ripple // 1000).astype(np.int32), _EDGE * 8)


def _whoosh(cue: Cue, seed: int) -> Wave:
    return fade(noise(seed, _count(cue), 3200, smooth=16), _count(cue) // 2)


_EFFECTS: dict[Effect, Callable[[Cue, int], Wave]] = {
    "beep": _beep,
    "buzz": _buzz,
    "ding": _ding,
    "knock": _knock,
    "pour": _pour,
    "step": _step,
    "whoosh": _whoosh,
}
