"""Narration: spoken by eSpeak NG as a separate program where it is installed, else one tone a word.

A scene says which of both it has (`Scene.voice`), so that footage with another voice is another item. Word times are
exact: eSpeak is told to pause between words, longer than any silence inside one, and the pauses are found in its
samples. Where their number does not fit, the line's time is shared out by letters, and the words say so.
"""

import shutil
import zlib
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BrokenData, Stopped
from cutscore.process import ProgramLimits, run
from cutscore.stage.scene import Scene
from cutscore.stage.setting import SceneLine, Voice
from cutscore.stage.tones import RATE_HZ, Wave, fade, tone

PROGRAM = "espeak-ng"
_GAP_MS = 80  # asked for; silences inside words stay below 50
# eSpeak speaks "on the" and its like as one word, unless something that has no sound stands between them.
_SEPARATOR = " \u200b "
_QUIET = 60  # of 32768
_SCALE_HZ = (262, 294, 330, 392, 440, 523, 587, 659)
_LIMITS = ProgramLimits(wall_s=60, output_bytes=40_000_000)


@dataclass(frozen=True)
class TimedWord:
    """A spoken word; times count from the beginning of its line. `exact` is false where they were shared out."""

    text: str
    start_s: Fraction
    end_s: Fraction
    exact: bool = True


@dataclass(frozen=True, eq=False)
class SpokenAudio:
    """A line that was spoken: 16-bit samples at `RATE_HZ`, and its words."""

    samples: Wave
    words: tuple[TimedWord, ...]


def available_voice() -> Voice:
    """Return the best voice that this machine has."""
    return "espeak-ng" if shutil.which(PROGRAM) else "tones"


def with_voice(scene: Scene, voice: Voice | None = None) -> Scene:
    """Return the scene with another voice; by default the best that this machine has."""
    return scene.model_copy(update={"voice": voice or available_voice()})


@lru_cache(maxsize=4)
def speaker_name(voice: Voice) -> str:
    """Return who speaks, with a version."""
    if voice == "tones":
        return "tones, one a word"
    done = _espeak(["--version"])
    return done.decode("utf-8", "replace").partition("  ")[0].strip()


@lru_cache(maxsize=256)
def speak(text: str, voice: Voice) -> SpokenAudio:
    """Speak a line; `Stopped` where the voice is eSpeak NG and it is not installed."""
    return _hum(text) if voice == "tones" else _speak_with_espeak(text)


def _hum(text: str) -> SpokenAudio:
    waves: list[Wave] = []
    words = []
    at = 0
    gap = np.zeros(RATE_HZ * 60 // 1000, np.int32)
    for word in text.split():
        pitch = _SCALE_HZ[zlib.crc32(word.lower().encode()) % len(_SCALE_HZ)]
        count = RATE_HZ * (140 + 28 * min(12, len(word))) // 1000
        waves += [fade(tone(pitch, count, 7000), RATE_HZ // 50), gap]
        words.append(TimedWord(word, Fraction(at, RATE_HZ), Fraction(at + count, RATE_HZ)))
        at += count + len(gap)
    return SpokenAudio(np.concatenate(waves), tuple(words))


def _speak_with_espeak(text: str) -> SpokenAudio:
    apart = _SEPARATOR.join(text.split())
    options = ["-v", "en-us", "-s", "150", "-g", str(_GAP_MS // 10), "--stdin", "--stdout"]
    rate_hz, samples = _wav(_espeak(options, apart))
    loud = np.flatnonzero(np.abs(samples) >= _QUIET)
    if not len(loud):
        raise BrokenData(f"line '{text[:40]}'", "is silent when spoken", "write words that can be spoken")
    samples = samples[loud[0] : loud[-1] + 1]
    # Linear, in integers; eSpeak gives 22,050 samples a second.
    wanted = np.arange(len(samples) * RATE_HZ // rate_hz, dtype=np.int64) * rate_hz
    left, part = wanted // RATE_HZ, wanted % RATE_HZ
    right = np.minimum(left + 1, len(samples) - 1)
    even = (samples[left] * (RATE_HZ - part) + samples[right] * part) // RATE_HZ
    return SpokenAudio(even.astype(np.int32), _words(text, samples, rate_hz))


def _words(text: str, samples: npt.NDArray[np.int64], rate_hz: int) -> tuple[TimedWord, ...]:
    """Find the words between the pauses."""
    names = text.split()
    loud = np.flatnonzero(np.abs(samples) >= _QUIET)
    breaks = np.flatnonzero(np.diff(loud) > rate_hz * (_GAP_MS - 15) // 1000)
    starts = [int(loud[0]), *(int(loud[n + 1]) for n in breaks)]
    ends = [*(int(loud[n]) + 1 for n in breaks), int(loud[-1]) + 1]
    if len(starts) == len(names):
        spans = zip(names, starts, ends, strict=True)
        return tuple(TimedWord(name, Fraction(a, rate_hz), Fraction(b, rate_hz)) for name, a, b in spans)
    letters = [0, *accumulate(len(name) for name in names)]
    times = [Fraction(len(samples) * done, rate_hz * letters[-1]) for done in letters]
    return tuple(TimedWord(name, times[n], times[n + 1], exact=False) for n, name in enumerate(names))


def _espeak(words: list[str], text: str = "") -> bytes:
    try:
        done = run([PROGRAM, *words], limits=_LIMITS, stdin=text.encode())
    except Stopped as stopped:
        hint = "install espeak-ng, or give the scene the voice 'tones'"
        raise Stopped("spoken narration", stopped.fact, hint) from None
    if not done.ok:
        raise Stopped("spoken narration", str(done), "give the scene the voice 'tones'")
    return done.out


def _wav(data: bytes) -> tuple[int, npt.NDArray[np.int64]]:
    """Read what eSpeak writes to a pipe: a WAV whose lengths are not filled in."""
    at = data.find(b"data")
    if data[:4] != b"RIFF" or at < 0:
        raise BrokenData("spoken narration", "is not a WAV", "give the scene the voice 'tones'")
    body = data[at + 8 :]
    samples = np.frombuffer(body[: len(body) // 2 * 2], "<i2").astype(np.int64)
    return int.from_bytes(data[24:28], "little"), samples


@dataclass(frozen=True)
class TimedLine:
    """A line with its words, whose times count from the beginning of the scene; what comes after its end is cut off."""

    line: SceneLine
    words: tuple[TimedWord, ...]


def timed_lines(scene: Scene) -> list[TimedLine]:
    """Return what is heard in a scene, line by line, in order of time."""
    found = []
    end_s = scene.frames / scene.rate
    for line in sorted(scene.lines, key=lambda line: line.start_s):
        words = (
            replace(word, start_s=line.start_s + word.start_s, end_s=min(end_s, line.start_s + word.end_s))
            for word in speak(line.text, scene.voice).words
        )
        heard = tuple(word for word in words if word.start_s < word.end_s)
        found += [TimedLine(line, heard)] if heard else []
    return found
