"""What a scene sounds like: cues, knocks where things hit each other, rain, and the voice. Mono at 48 kHz."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

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
        _add(track, cue.at_s, _EFFECTS[cue.sound](cue.pitch_hz, sample_at(cue.for_s, RATE_HZ), scene.seed))
    wet = {place.id for place in scene.places if place.weather == "rain"}
    for number, span in enumerate(take.span for take in timed_shots(scene) if take.shot.place in wet):
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


def _add(track: Wave, at_s: Fraction, wave: Wave) -> None:
    first = sample_at(at_s, RATE_HZ)
    wave = wave[: max(0, len(track) - first)]
    track[first : first + len(wave)] += wave


def _buzz(pitch_hz: int, count: int, seed: int) -> Wave:
    wave = sum(tone(pitch_hz * n, count, 5000 // n) for n in (1, 3, 5))
    return fade(np.asarray(wave, np.int32), _EDGE)


def _pour(pitch_hz: int, count: int, seed: int) -> Wave:
    ripple = 700 + tone(9, count, 300)
    return fade((noise(seed, count, 3000, smooth=10).astype(np.int64) * ripple // 1000).astype(np.int32), _EDGE * 8)


# Pitch in Hz, number of samples and seed → the wave.
_EFFECTS: dict[Effect, Callable[[int, int, int], Wave]] = {
    "beep": lambda hz, count, seed: fade(tone(hz, count, 9000), _EDGE),
    "buzz": _buzz,
    "ding": lambda hz, count, seed: decay(tone(hz, count, 9000) + tone(hz * 3, count, 3000)),
    "knock": lambda hz, count, seed: decay(tone(190, count, 12000) + noise(seed, count, 1500, smooth=4)),
    "pour": _pour,
    "step": lambda hz, count, seed: decay(tone(120, count, 8000) + noise(seed, count, 1000, smooth=8)),
    "whoosh": lambda hz, count, seed: fade(noise(seed, count, 3200, smooth=16), count // 2),
}
