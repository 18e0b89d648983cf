"""One film as others encode it: the same pictures at the same times, by another codec or clock."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.authoring.hostile_films import HEVC, VP9, honest_films
from cutscore.media import deliverable
from cutscore.media.frames import read_frames
from cutscore.media.plan import FramePlan
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound

NAME = "fixed.mp4"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """12 pictures of 64×48 at 12 a second, each brighter than the last, with a click in the middle."""
    path = tmp_path_factory.mktemp("variants") / "good.mp4"
    click = np.zeros(8000, np.float32)
    click[4000:4100] = 0.5
    pictures = [np.full((48, 64, 3), 20 + 15 * number, np.uint8) for number in range(12)]
    write_clip(path, pictures, rate=Fraction(12), sound=Sound(click, 8000))
    return path


def test_honest_films_show_the_same_at_the_same_times(good: Path, tmp_path: Path) -> None:
    plan = FramePlan.parse("times=0.25;0.55;0.8")
    base = [frame.pixels.mean() for frame in read_frames(good, plan)]
    facts = {}
    for name, write in honest_films(NAME, good).items():
        write(tmp_path)
        facts[name] = deliverable.probe(tmp_path / NAME)
        seen = [frame.pixels.mean() for frame in deliverable.read_frames(tmp_path / NAME, plan)]
        shift = {"one picture late": -15, "one picture early": 15}.get(name, 0)
        assert np.allclose(np.subtract(seen, base), shift, atol=3), name
        assert float(facts[name].duration_s or 0) == pytest.approx(1, abs=0.01), name
        assert facts[name].sound == deliverable.probe(good).sound, name
        sound = deliverable.read_sound(tmp_path / NAME, rate_hz=48_000, channels="mono")
        at_s = float(np.abs(sound.samples).argmax()) / 48_000
        late_s = 1024 / 8000 if name == "sound late by a block of AAC" else 0
        assert 0.49 < at_s - late_s < 0.53, name
    assert {name: each.codec for name, each in facts.items() if each.codec != "h264"} == {HEVC: "hevc", VP9: "vp9"}
    assert facts["a clock of 90 kHz"].time_base == Fraction(1, 90_000)
    assert facts["a clock of milliseconds"].time_base != facts["H.264, in haste"].time_base
