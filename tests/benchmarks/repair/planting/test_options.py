"""What the user wants, read; and which defects fit a clip."""

from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cutscore.authoring.footage import Clip
from cutscore.authoring.recipe_options import checked
from cutscore.benchmarks.repair.defect import KINDS, VISUAL
from cutscore.benchmarks.repair.planting.briefs import LONGEST, request, wordings
from cutscore.benchmarks.repair.planting.options import WISHES, Taken, Wishes, broken, fitting, span_of, wishes_of
from cutscore.benchmarks.repair.planting.voices import contradiction, fillers, said
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.files import FileRef
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage
from cutscore.media.sound import Sound
from cutscore.stage import library
from cutscore.stage.scene import Scene


def wishes(**own: str) -> Wishes:
    return wishes_of(checked(own, WISHES, recipe="repair"))


def clip(scene: Scene | None = None, transcript: Path | None = None, source: str = "my.mp4") -> Clip:
    ref = FileRef(name="media/my.mp4", sha256="a" * 64, size_bytes=1)
    return Clip("my", ref, Path("my.mp4"), source, Fraction(4), scene=scene, transcript=transcript)


def taken(*, sound: bool = True, shots: int = 2, **of_clip: Scene | Path) -> Taken:
    heard = Sound(np.ones(64_000, np.float32), 16_000) if sound else None
    whole = Footage(lambda: iter([np.zeros((4, 4, 3), np.uint8)] * 32), 32, Fraction(8), heard, "my.mp4")
    return Taken(clip(**of_clip), whole, [(0, 16), (16, 32)][:shots])  # type: ignore[arg-type]


def test_options_are_read() -> None:
    assert wishes() == Wishes()
    said_ = wishes(defect="echo", at="12-17", tolerance="0.5", speech="no")
    assert (said_.kinds, said_.at, said_.tolerance_s) == (("echo",), Span(start_s=12, end_s=17), Fraction(1, 2))
    assert wishes(defect="all").kinds == KINDS


@pytest.mark.parametrize("text", ["12", "17-12", "12-12", "a-b", "-3-4", "12-", "1-2-3"])
def test_a_place_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is no stretch of time; write START-END in seconds: 12-17"):
        span_of(text)


def test_what_is_wrong_with_an_option_is_said() -> None:
    with pytest.raises(UnknownName, match="no defect 'ecko'; did you mean 'echo'"):
        wishes(defect="ecko")
    with pytest.raises(BadInput, match=r"--set insert=nowhere\.wav: there is no such file"):
        wishes(insert="nowhere.wav")
    for said_ in ("0", "-1", "soon"):
        with pytest.raises(BadInput, match="is no number of seconds above 0"):
            wishes(tolerance=said_)


def test_kinds_fit_what_a_clip_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "voice_here", lambda: "espeak-ng")
    assert fitting(taken(sound=False, shots=1), Wishes()) == [*VISUAL, "repeated_frames"]
    assert fitting(taken(), Wishes()) == [kind for kind in KINDS if kind not in options.SPOKEN]
    beside = Path("my.srt")
    assert fitting(taken(transcript=beside), Wishes()) == [kind for kind in KINDS if kind != "wrong_sentences"]
    assert fitting(taken(transcript=beside), Wishes(sentence="It is red.")) == list(KINDS)
    assert fitting(taken(scene=library.scene("race")), Wishes()) == list(KINDS)
    monkeypatch.setattr(options, "voice_here", lambda: "tones")
    assert "filler_words" not in fitting(taken(transcript=beside), Wishes())
    assert "filler_words" in fitting(taken(transcript=beside), Wishes(insert=said("um", "tones")))


def test_who_cannot_speak_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "voice_here", lambda: "tones")
    with pytest.raises(BadInput, match="nobody here can speak; install espeak-ng, or add --set insert=FILE"):
        broken(taken(), "filler_words", Wishes(), Random(1))
    with pytest.raises(BadInput, match="nobody says what is wrong about it; add --set sentence=TEXT"):
        broken(taken(), "wrong_sentences", Wishes(), Random(1))


def test_words_of_the_stage_are_tones_and_its_lies_are_seen_to_be_lies() -> None:
    assert [float(sound.length_s) for sound in fillers("tones")] == pytest.approx([0.256, 0.256, 0.284])
    scene = library.scene("race", seed=1)
    colours = {thing.kind.replace("-", " "): thing.colour for thing in scene.things}
    for seed in range(20):
        kind, _, colour = contradiction(scene, Random(seed)).removeprefix("The ").removesuffix(".").partition(" is ")
        assert kind in colours
        assert colour not in {thing.colour for thing in scene.things if thing.kind.replace("-", " ") == kind}


def test_a_client_may_write_his_own_request(tmp_path: Path) -> None:
    mine = clip(source=str(tmp_path / "my.mp4"))
    assert request(mine, "blur", Random(1)) in wordings("blur")
    (tmp_path / "my.request.md").write_text("  Please\nmend it. ")
    assert request(mine, "blur", Random(1)) == "Please mend it."
    (tmp_path / "my.request.md").write_text("x" * (LONGEST + 1))
    with pytest.raises(BadInput, match="its request has 1201 characters; write 1 to 1200"):
        request(mine, "blur", Random(1))
