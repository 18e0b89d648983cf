"""Packs of shuffled films: cut where the film cuts, heard as it sounds, and silent about where it came from."""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from cutscore.authoring.build_folder import open_build_folder
from cutscore.authoring.contract import oracle_gets_full_marks, subject_sees_no_truth
from cutscore.authoring.footage import read_footage
from cutscore.authoring.gates.verifier import try_honest, try_hostile
from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, parse_options
from cutscore.authoring.source_facts import scene_shots
from cutscore.benchmarks.sequencing import build as recipe
from cutscore.benchmarks.sequencing.dataset import SequencingItem, items
from cutscore.benchmarks.sequencing.hostile import honest, hostile
from cutscore.core.errors import BadInput
from cutscore.core.subject import WorkContext
from cutscore.media.audio import read_sound
from cutscore.media.footage import change_pictures, load_footage, write_footage
from cutscore.media.orientation import Pixels
from cutscore.media.probe import probe
from cutscore.media.render import write_clip
from cutscore.registry import benchmark
from cutscore.stage import library
from cutscore.stage.render import write
from cutscore.stage.sound import sound
from cutscore.store import Store

STAGE = "stage:lost-kite,seed=1,length_s=8,height=54,rate=8"
TOLD = "A child loses a toy to the wind and gets it back."


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., BuildResult]:
    def call(
        *words: object, into: str = "pack", seed: int = 0, model: str = "", licence: str = "", **own: str
    ) -> BuildResult:
        options = BuildOptions(model=model, seed=seed, own=parse_options(own, recipe.OPTIONS, recipe="sequencing"))
        with open_build_folder(tmp_path / into, {"words": [str(word) for word in words], "seed": seed}) as out:
            taken = read_footage([str(word) for word in words], out, licence=licence, tell=lambda line: None)
            return recipe.build(taken, out, options)

    return call


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Eight seconds of the lost kite with its sound, 96×54 at 8 pictures a second, and its synopsis beside it."""
    scene = library.scene("lost-kite", seed=1, length_s=8)
    path = tmp_path / "films" / "Secret Title.mp4"
    path.parent.mkdir()
    write(scene.model_copy(update={"width": 96, "height": 54, "rate": Fraction(8)}), path)
    path.with_name("Secret Title.synopsis.md").write_text(f"  {TOLD}\n", encoding="utf-8")
    path.with_name("Secret Title.narrative.md").write_text(
        "First the kite flies.\nThen it is gone.\n", encoding="utf-8"
    )
    return path


def read(folder: Path) -> list[SequencingItem]:
    return list(items(Store(folder.parent / f"{folder.name}-store"), folder))


@pytest.mark.real
def test_own_footage_becomes_clips_with_sound_and_without_its_name(
    build: Callable[..., BuildResult], film: Path, tmp_path: Path
) -> None:
    built = build(film, licence="CC-BY-4.0", clips="7")
    (item,) = read(tmp_path / "pack")
    assert (built.items, built.clips, built.refused, built.warnings) == (1, 7, (), ())
    bench = load_benchmark(benchmark("sequencing"), Store(tmp_path / "store"), data=tmp_path / "pack")
    assert oracle_gets_full_marks(bench) == subject_sees_no_truth(bench) == []
    assert (item.brief, item.licence, len(item.order)) == (TOLD, "CC-BY-4.0", 7)
    assert item.hints["narrative"].endswith("shot by shot:\n\nFirst the kite flies. Then it is gone.")
    assert item.provenance[item.order[0]].source == "Secret Title.mp4"
    assert "Secret" not in str(item.without_truth())
    paths = [tmp_path / "pack" / name for name in item.order]
    facts = [probe(path) for path in paths]
    assert sum((each.frames or 0) for each in facts) == 64
    assert item.deliveries[1].length_s == 8
    heard = np.concatenate([read_sound(path, rate_hz=8000, channels="mono").samples for path in paths])
    whole = read_sound(film, rate_hz=8000, channels="mono").samples
    # Each clip ends with up to one block of silence of its own encoding.
    assert abs(len(heard) - len(whole)) < 7 * 8000 * 2 * 1024 / 48000
    assert float(np.square(heard).sum()) == pytest.approx(float(np.square(whole).sum()), rel=0.1)


@pytest.mark.real
def test_a_scene_of_the_stage_is_cut_where_it_says_and_sounds(
    build: Callable[..., BuildResult], tmp_path: Path
) -> None:
    build(STAGE, clips="7")
    (item,) = read(tmp_path / "pack")
    scene = library.scene("lost-kite", seed=1, length_s=8).model_copy(update={"rate": Fraction(8)})
    wanted = [end - first for first, end in scene_shots(scene)]
    facts = [probe(tmp_path / "pack" / name) for name in item.order]
    assert [each.frames for each in facts] == wanted
    assert all(each.sound is not None for each in facts)
    assert sound(scene).length_s == item.deliveries[1].length_s
    assert (item.brief, item.licence) == ("The lost kite", "Apache-2.0")
    assert "Close shot of the person: the person looks sad." in item.hints["narrative"]


@pytest.mark.real
def test_equal_seeds_shuffle_alike_and_others_otherwise(build: Callable[..., BuildResult], tmp_path: Path) -> None:
    for into, seed in (("one", 1), ("again", 1), ("two", 2)):
        build(STAGE, into=into, seed=seed, clips="7")
    one, again, two = ((tmp_path / into / "items.jsonl").read_bytes() for into in ("one", "again", "two"))
    assert one == again != two


STILL = "stage:letter,length_s=8,height=54,rate=8"  # nothing moves in its long takes, so their halves are equal


def test_a_film_whose_clips_look_alike_is_refused(build: Callable[..., BuildResult]) -> None:
    with pytest.raises(BadInput, match="6 clips can be told apart, 7 are the fewest"):
        build(STILL, clips="8")


@pytest.mark.real
def test_clips_that_look_alike_are_left_out_by_name(build: Callable[..., BuildResult], tmp_path: Path) -> None:
    built = build(STAGE, STILL, clips="8")
    assert built.items == 1
    assert built.dropped[recipe.LOOKS_ALIKE] >= 1
    assert any("looks like 00:00" in each.because for each in built.refused)
    assert "clips can be told apart" in built.refused[-1].because
    assert "looks like" in (tmp_path / "pack" / "DATASHEET.md").read_text()


@pytest.mark.parametrize("said", ["6", "21", "-9", "nine", "9.5", ""])
def test_a_number_of_clips_outside_the_paper_is_refused(build: Callable[..., BuildResult], said: str) -> None:
    with pytest.raises(BadInput, match="is no number from 7 to 20"):
        build(STAGE, clips=said)


def test_what_nobody_tells_or_is_too_short_is_refused(build: Callable[..., BuildResult], tmp_path: Path) -> None:
    path = tmp_path / "short.mp4"
    write_clip(path, [np.full((32, 32, 3), grey, np.uint8) for grey in range(0, 240, 12)], rate=Fraction(10))
    with pytest.raises(BadInput, match="nobody says what it tells"):
        build(path, into="untold")
    (tmp_path / "short.synopsis.md").write_text("It gets lighter.")
    with pytest.raises(BadInput, match=r"2\.0 s are too short for 9 clips of 0\.5 s"):
        build(path, into="short")
    (tmp_path / "short.synopsis.md").write_text("It gets lighter. " * 50)
    with pytest.raises(BadInput, match="its synopsis has"):
        build(path, into="long")
    (tmp_path / "short.synopsis.md").write_text("It gets lighter.")
    (tmp_path / "short.narrative.md").write_text(" ")
    with pytest.raises(BadInput, match="its narrative has 0 characters"):
        build(path, into="untold again")


@pytest.mark.real
def test_a_model_writes_what_nobody_wrote(build: Callable[..., BuildResult], film: Path, tmp_path: Path) -> None:
    for beside in film.parent.glob("*.md"):
        beside.unlink()
    rules = [
        {"when": "what it tells", "say": json.dumps({"synopsis": TOLD})},
        {"when": "shot by shot", "say": json.dumps({"narrative": "A kite flies, falls and flies again."})},
    ]
    (tmp_path / "script.json").write_text(json.dumps({"rules": rules}))
    build(film, model=f"scripted/{tmp_path}/script.json", clips="7", narrative="yes")
    (item,) = read(tmp_path / "pack")
    assert item.brief == TOLD
    assert item.hints["narrative"].endswith("A kite flies, falls and flies again.")
    assert "scripted" in (tmp_path / "pack" / "DATASHEET.md").read_text()
    build(film, into="other", model=f"scripted/{tmp_path}/script.json", clips="7")
    assert read(tmp_path / "other")[0].hints == {}


@pytest.mark.real
def test_a_real_film_of_one_shot_is_cut_where_something_happens(
    build: Callable[..., BuildResult], sample_film: Path, tmp_path: Path
) -> None:
    """Big Buck Bunny steps out of the burrow and stretches: one shot, much at first and little in the end."""
    small = tmp_path / "bunny.mp4"
    write_footage(change_pictures(load_footage(sample_film), lambda old: (_quarter(each) for each in old)), small)
    small.with_suffix(".synopsis.md").write_text("A rabbit gets up on a fine morning.")
    built = build(small, licence="CC-BY-3.0", clips="9")
    (item,) = read(tmp_path / "pack")
    assert len(item.order) + built.dropped[recipe.LOOKS_ALIKE] == 9
    bench = load_benchmark(benchmark("sequencing"), Store(tmp_path / "store"), data=tmp_path / "pack")
    assert oracle_gets_full_marks(bench) == []
    assert [
        trial.fault for trial in map(partial(try_honest, bench, item), honest(item, bench.store)[1:3]) if trial.fault
    ] == []
    attacks = [each for each in hostile(item, bench.store) if each.name.startswith("solution.mp4: ")][:4]
    assert [trial.fault for trial in map(partial(try_hostile, bench, item), attacks) if trial.fault] == []
    ask = bench.found.part("ask").ask(item, bench.prompts)
    context = WorkContext(store=bench.store, make_workspace=lambda: tmp_path, epoch=1, seed=1)
    ending = bench.mark(bench.found.part("keyless").reader(ask, context), item)
    assert ending.scores["score@strict"] == ending.scores["score@paper"] > 0


def _quarter(pixels: Pixels) -> Pixels:
    """Scale 720p to a quarter of its sides, so that a hundred films of it are marked in seconds."""
    return np.asarray(pixels.reshape(180, 4, 320, 4, 3).mean(axis=(1, 3)), np.uint8)
