"""What is said in a tutorial: how long a sentence takes, the sound of all, and the transcript."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from cutscore.media.sound import Sound
from cutscore.media.transcript import Segment, Transcript
from cutscore.stage.setting import Voice
from cutscore.stage.speech import speak, speaker_name
from cutscore.stage.tones import FULL, RATE_HZ

THINNED = 3  # 48 kHz to 16, which speech needs no more than


@dataclass(frozen=True)
class NarratedLine:
    """A sentence, and when it begins."""

    start_s: Fraction
    text: str


def spoken_s(text: str, voice: Voice) -> Fraction:
    """Return how long a sentence takes."""
    return Fraction(len(speak(text, voice).samples), RATE_HZ)


def make_sound(lines: Sequence[NarratedLine], voice: Voice, length_s: Fraction) -> Sound:
    """Return the sound of a tutorial: its sentences, and silence between them."""
    track = np.zeros(int(length_s * RATE_HZ) // THINNED * THINNED, np.int32)
    for line in lines:
        start, samples = int(line.start_s * RATE_HZ), speak(line.text, voice).samples
        track[start : start + len(samples)] += samples[: len(track) - start]
    thin = np.clip(track, -FULL, FULL).reshape(-1, THINNED).mean(axis=1, dtype=np.float32)
    return Sound(thin / np.float32(FULL + 1), RATE_HZ // THINNED)


def make_transcript(lines: Sequence[NarratedLine], voice: Voice, length_s: Fraction) -> Transcript:
    """Return what is said, sentence by sentence."""
    segments = [
        Segment(start_s=line.start_s, end_s=line.start_s + spoken_s(line.text, voice), text=line.text) for line in lines
    ]
    return Transcript(language="en", made_by=speaker_name(voice), length_s=length_s, segments=tuple(segments))
