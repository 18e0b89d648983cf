"""Which defects fit a clip, and what is said where one does not."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cutscore.authoring.footage import SourceClip
from cutscore.benchmarks.repair.defect import KINDS, SPOKEN, VISUAL
from cutscore.benchmarks.repair.planting import clips
from cutscore.benchmarks.repair.planting.clips import OpenClip, fitting_kinds, plant_defect
from cutscore.benchmarks.repair.planting.injection import Injection
from cutscore.benchmarks.repair.planting.options import DefectOptions
from cutscore.benchmarks.repair.planting.voices import speak_text
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.media.footage import Footage
from cutscore.media.sound import Sound
from cutscore.stage import library
from cutscore.stage.scene import Scene


def clip(scene: Scene | None = None, transcript: Path | None = None, source: str = "my.mp4") -> SourceClip:
    ref = FileRef(name="media/my.mp4", sha256="a" * 64, size_bytes=1)
    return SourceClip("my", ref, Path("my.mp4"), source, Fraction(4), scene=scene, transcript=transcript)


def opened(*, sound: bool = True, shots: int = 2, **of_clip: Scene | Path) -> OpenClip:
    heard = Sound(np.ones(64_000, np.float32), 16_000) if sound else None
    whole = Footage(lambda: iter([np.zeros((4, 4, 3), np.uint8)] * 32), 32, Fraction(8), heard, "my.mp4")
    return OpenClip(clip(**of_clip), whole, [(0, 16), (16, 32)][:shots])  # type: ignore[arg-type]


def test_kinds_fit_what_a_clip_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clips, "available_voice", lambda: "espeak-ng")
    assert fitting_kinds(opened(sound=False, shots=1), DefectOptions()) == [*VISUAL, "repeated_frames"]
    assert fitting_kinds(opened(), DefectOptions()) == [kind for kind in KINDS if kind not in SPOKEN]
    beside = Path("my.srt")
    assert fitting_kinds(opened(transcript=beside), DefectOptions()) == [
        kind for kind in KINDS if kind != "wrong_sentences"
    ]
    assert fitting_kinds(opened(transcript=beside), DefectOptions(sentence="It is red.")) == list(KINDS)
    assert fitting_kinds(opened(scene=library.scene("race")), DefectOptions()) == list(KINDS)
    monkeypatch.setattr(clips, "available_voice", lambda: "tones")
    assert "filler_words" not in fitting_kinds(opened(transcript=beside), DefectOptions())
    assert "filler_words" in fitting_kinds(
        opened(transcript=beside), DefectOptions(insert=(speak_text("um", "tones"),))
    )


def test_who_cannot_speak_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clips, "available_voice", lambda: "tones")
    with pytest.raises(BadInput, match="no speech synthesis is installed; install espeak-ng, or add --set insert=FILE"):
        plant_defect(opened(), "filler_words", DefectOptions(), Random(1))
    with pytest.raises(BadInput, match="nobody says what is wrong about it; add --set sentence=TEXT"):
        plant_defect(opened(), "wrong_sentences", DefectOptions(), Random(1))


def test_several_fillers_are_said_each_once_and_at_most_three() -> None:
    """Speech that pauses four times for half a second; the recordings differ by their pitch and are drawn."""
    loud = np.sin(np.arange(8_000) * 0.3).astype(np.float32)
    speech = Sound(np.concatenate([loud, np.zeros(8_000, np.float32)] * 4), 16_000)
    whole = Footage(lambda: iter([np.zeros((4, 4, 3), np.uint8)] * 32), 32, Fraction(8), speech, "my.mp4")
    said = tuple(Sound(np.sin(np.arange(4_000) * pitch).astype(np.float32), 16_000) for pitch in (0.1, 0.2, 0.4, 0.8))
    talk = OpenClip(clip(), whole, [(0, 32)])
    for own, words in ((said[:1], 1), (said[:2], 2), (said, 3)):
        made = plant_defect(talk, "filler_words", DefectOptions(insert=own), Random(1))
        assert (len(made.ranges), made.defect.strength["words"]) == (words, words)
    orders = {
        _pitches(plant_defect(talk, "filler_words", DefectOptions(insert=said), Random(n)), said) for n in range(6)
    }
    assert len(orders) > 1
    assert all(len(set(each)) == 3 for each in orders)


def _pitches(made: Injection, said: Sequence[Sound]) -> tuple[int, ...]:
    """Name the recording that is heard in each range, by the one that is most like it."""
    heard = made.broken.sound
    assert heard is not None
    found = []
    for true in made.ranges:
        first = round(true.spans[0].start_s * heard.rate_hz)
        part = heard.mono()[first : first + 4_000]
        likeness = [abs(float(np.dot(part, each.mono()))) for each in said]
        found.append(int(np.argmax(likeness)))
    return tuple(found)


def test_of_several_sentences_one_is_drawn() -> None:
    drawn = {
        len(clips._sentence(clip(), DefectOptions(insert=sounds), Random(n)).samples)
        for n in range(8)
        for sounds in [tuple(Sound(np.zeros(length, np.float32), 16_000) for length in (100, 200))]
    }
    assert drawn == {100, 200}
