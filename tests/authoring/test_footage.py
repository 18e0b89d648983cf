"""Footage: what is found, what it is called, what is refused while the rest goes on."""

import hashlib
import os
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.footage import SourceFootage, _safe_name, find_scenes, read_footage
from cutscore.authoring.source_facts import origin_of
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.frozen import SAFE_NAME
from cutscore.media.probe import Probe, probe
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound


@pytest.fixture
def clip(tmp_path: Path):
    """Write a clip of one second, of one shade of grey."""

    def write(name: str, shade: int = 100) -> Path:
        path = tmp_path / "films" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_clip(path, (np.full((32, 64, 3), shade, np.uint8) for _ in range(5)), rate=Fraction(5))
        return path

    return write


def take(tmp_path: Path, *words: object, licence: str = "") -> SourceFootage:
    told: list[str] = []
    return read_footage([str(word) for word in words], BuildFolder(tmp_path / "out"), licence=licence, tell=told.append)


def test_footage_is_a_strangers_and_a_rendered_scene_is_not(
    tmp_path: Path, clip, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def looked(path: Path, *, trusted: bool) -> Probe:
        asked.append(trusted)
        return probe(path)

    monkeypatch.setattr("cutscore.authoring.footage.probe", looked)
    take(tmp_path, clip("a.mp4"), "stage:pancakes,length_s=4,height=90,rate=2")
    assert asked == [False, True]


def test_a_file_is_taken_in_with_hash_length_and_name(tmp_path: Path, clip) -> None:
    path = clip("Mein Film (1).mp4")
    (made,) = take(tmp_path, path, licence="CC0-1.0").clips
    assert (made.name, made.ref.name, made.ref.media_type) == ("Mein-Film-1", "media/Mein-Film-1.mp4", "video/mp4")
    assert made.ref.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert made.path.read_bytes() == path.read_bytes()
    assert (made.length_s, made.has_sound, made.licence) == (1, False, "CC0-1.0")
    assert (made.scene, made.procedure, made.transcript) == (None, None, None)


@pytest.mark.parametrize(("peak", "heard"), [(0.0, False), (1e-5, False), (0.01, True)])
def test_a_silent_track_is_no_sound(tmp_path: Path, peak: float, heard: bool) -> None:
    tone = (peak * np.sin(np.arange(16_000) / 5)).astype(np.float32)
    pictures = [np.full((32, 64, 3), 100, np.uint8)] * 5
    write_clip(tmp_path / "a.mp4", pictures, rate=Fraction(5), sound=Sound(tone, 16_000))
    (made,) = take(tmp_path, tmp_path / "a.mp4").clips
    assert made.has_sound == heard


def test_address_and_author_lie_beside_a_film(tmp_path: Path, clip) -> None:
    path = clip("a.mp4")
    path.with_suffix(".source").write_text("address: https://example.org/a?b=1\nauthor: Ann: and friends\n")
    (made,) = take(tmp_path, path).clips
    assert (made.address, made.author) == ("https://example.org/a?b=1", "Ann: and friends")
    origin = origin_of(made, seed=0)
    assert (origin.source, origin.notice) == ("a.mp4", "by Ann: and friends")
    assert origin.recipe == "download https://example.org/a?b=1"
    path.with_suffix(".source").write_text("somebody made it\n")
    with pytest.raises(BadInput, match=r"a\.source: 'somebody made it' is no line of it; write address: …"):
        take(tmp_path, path)


def test_a_folder_gives_its_videos_by_name_and_hides_the_hidden(tmp_path: Path, clip) -> None:
    clip("b.mp4", 10), clip("a/z.MP4", 20), clip(".trash/c.mp4", 30), clip(".d.mp4", 40)
    (tmp_path / "films/notes.txt").write_text("not a film")
    assert [made.name for made in take(tmp_path, tmp_path / "films").clips] == ["z", "b"]


def test_what_cannot_be_used_is_refused_by_name_and_the_rest_goes_on(tmp_path: Path, clip) -> None:
    good = clip("good.mp4")
    bad = good.with_name("bad.mp4")
    bad.write_text("#EXTM3U\nhttp://example.org/secret.ts")
    half = good.with_name("half.mp4")
    half.write_bytes(good.read_bytes()[:300])
    link = good.with_name("link.mp4")
    link.symlink_to(good)
    pipe = good.with_name("pipe.mp4")
    os.mkfifo(pipe)
    again = good.with_name("same.mp4")
    again.write_bytes(good.read_bytes())
    made = take(tmp_path, good, bad, half, link, pipe, again)
    assert [each.name for each in made.clips] == ["good"]
    refused = {Path(each.what).name: each.because for each in made.refused}
    assert set(refused) == {"bad.mp4", "half.mp4", "link.mp4", "pipe.mp4", "same.mp4"}
    assert "is not a video that we decode" in refused["bad.mp4"]
    assert refused["same.mp4"] == f"is the same file as '{good}'"


def test_when_nothing_is_left_every_reason_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_text("text")
    (tmp_path / "b.mp4").symlink_to(tmp_path / "a.mp4")
    with pytest.raises(BadInput, match=r"a\.mp4: is not a video that we decode.* · .*b\.mp4: is a link"):
        take(tmp_path, tmp_path / "a.mp4", tmp_path / "b.mp4")
    with pytest.raises(BadInput, match=r"nothing can be used of .*a.mp4; .*a.mp4: is not a video that we decode"):
        take(tmp_path, tmp_path / "a.mp4")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="there is no video in it"):
        take(tmp_path, tmp_path / "empty")


def test_a_word_that_leads_nowhere_is_an_error_before_anything_is_done(tmp_path: Path, clip) -> None:
    with pytest.raises(BadInput, match=r"footage 'nowhere\.mp4': there is no such file or folder; or write stage:NAME"):
        take(tmp_path, clip("a.mp4"), "nowhere.mp4")
    assert not (tmp_path / "out").exists()


def test_files_beside_a_clip_are_found(tmp_path: Path, clip) -> None:
    path = clip("tea.mp4")
    for name in ("tea.procedure.json", "tea.srt", "tea.vtt", "other.vtt"):
        path.with_name(name).write_text("x")
    (made,) = take(tmp_path, path).clips
    assert made.procedure == path.with_name("tea.procedure.json")
    assert made.transcript == path.with_name("tea.vtt")


def test_the_nearest_licence_counts(tmp_path: Path, clip) -> None:
    a, b, c = clip("one/a.mp4", 1), clip("one/b.mp4", 90), clip("two/c.mp4", 200)
    a.with_name("a.licence").write_text("\n  CC-BY-4.0 by\x1b[31m somebody  \nmore")
    a.with_name("LICENSE").write_text("CC0-1.0")
    assert [made.licence for made in take(tmp_path, a, b, c).clips] == ["CC-BY-4.0 by�[31m somebody", "CC0-1.0", ""]
    asked = take(tmp_path, a, b, c, licence="own").clips
    assert [made.licence for made in asked] == ["CC-BY-4.0 by�[31m somebody", "own", "own"]


def test_names_of_strangers_stay_apart(tmp_path: Path, clip) -> None:
    words = [clip("x/tea.mp4", 1), clip("y/TEA.mp4", 50), clip("y/茶.mp4", 90), clip("z/..mp4.mp4", 200)]
    assert [made.name for made in take(tmp_path, *words).clips] == ["tea", "TEA-2", "clip", "mp4"]


@settings(max_examples=40)
@given(st.text(max_size=200), st.sets(st.text(max_size=5)))
def test_every_name_is_safe_and_new(wanted: str, taken: set[str]) -> None:
    name = _safe_name(wanted, {each.casefold() for each in taken})
    assert re.fullmatch(SAFE_NAME, name)
    assert name.casefold() not in {each.casefold() for each in taken}


def test_a_scene_is_rendered_once_and_known_by_its_truth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    word = "stage:pancakes,seed=3,length_s=4,height=90,rate=2"
    (made,) = take(tmp_path, word).clips
    assert (made.name, made.length_s, made.licence, made.source) == ("pancakes", 4, "Apache-2.0", word)
    assert made.scene is not None
    assert (made.scene.seed, made.scene.width, made.scene.height) == (3, 160, 90)
    monkeypatch.setattr("cutscore.authoring.footage.write_clip", None)
    assert take(tmp_path, word).clips == (made,)


def test_a_tag_gives_all_its_scenes() -> None:
    names = [scene.name for scene in find_scenes("stage:kitchen")]
    assert len(names) >= 2
    assert "pancakes" in names
    assert {scene.tags[1] for scene in find_scenes("stage:kitchen")} == {"kitchen"}


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("stage:pancake", r"no scene or tag of the stage 'pancake'; did you mean 'pancakes'\?"),
        ("stage:", r"no scene or tag of the stage ''"),
        ("stage:pancakes,speed=2", r"no setting of a scene 'speed'; did you mean 'seed'\?"),
        ("stage:pancakes,seed", r"'seed' is not NAME=VALUE; write seed=…"),
        ("stage:pancakes,seed=x", r"footage 'stage:pancakes,seed=x': invalid literal"),
        ("stage:pancakes,length_s=1", r"cannot be told in 1 s; give at least 4"),
        ("stage:pancakes,height=7", r"footage 'stage:pancakes,height=7': "),
    ],
)
def test_scenes_that_there_are_not(word: str, said: str) -> None:
    with pytest.raises((BadInput, UnknownName), match=said):
        find_scenes(word)
