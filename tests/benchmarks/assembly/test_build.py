"""Packs of storyboards: shots of any film, filmed anew, measured, and silent about where they came from."""

import json
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.authoring.build_folder import open_build_folder
from cutscore.authoring.contract import oracle_gets_full_marks, subject_sees_no_truth
from cutscore.authoring.footage import read_footage
from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, parse_options
from cutscore.benchmarks.assembly import build as recipe
from cutscore.benchmarks.assembly.construction.candidates import DistractorRequest
from cutscore.benchmarks.assembly.construction.distractors import CHANGED
from cutscore.benchmarks.assembly.construction.makers import open_maker
from cutscore.benchmarks.assembly.dataset import DIMENSIONS, AssemblyItem, items
from cutscore.core.errors import BadInput
from cutscore.media.render import write_clip
from cutscore.registry import benchmark
from cutscore.stage import library
from cutscore.stage.render import write
from cutscore.store import Store

STAGE = "stage:birthday,seed=2,length_s=12,height=120,rate=8"


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., BuildResult]:
    def call(*words: object, into: str = "pack", seed: int = 0, model: str = "", **own: str) -> BuildResult:
        options = BuildOptions(model=model, seed=seed, own=parse_options(own, recipe.OPTIONS, recipe="assembly"))
        with open_build_folder(tmp_path / into, {"words": [str(word) for word in words], "seed": seed}) as out:
            taken = read_footage([str(word) for word in words], out, licence="CC-BY-4.0", tell=lambda line: None)
            return recipe.build(taken, out, options)

    return call


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """Two seconds that get lighter, 32×32."""
    path = tmp_path / "short.mp4"
    write_clip(path, [np.full((32, 32, 3), grey, np.uint8) for grey in range(0, 240, 12)], rate=Fraction(10))
    return path


def read(folder: Path) -> list[AssemblyItem]:
    return list(items(Store(folder.parent / f"{folder.name}-store"), folder))


@pytest.mark.parametrize("said", ["2", "7", "four", "", "-4"])
def test_a_number_of_slots_outside_the_paper_is_refused(
    build: Callable[..., BuildResult], short: Path, said: str
) -> None:
    with pytest.raises(BadInput, match="is no number from 3 to 6"):
        build(short, slots=said)


def test_what_nobody_tells_or_can_be_made_is_refused(
    build: Callable[..., BuildResult], short: Path, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match="is no folder"):
        build(short, into="nowhere", maker="nowhere")
    with pytest.raises(BadInput, match="is no number from 32 to 2160"):
        build(short, into="tall", height="5000")
    with pytest.raises(BadInput, match="nobody says what its shots show"):
        build(short, into="untold")
    slot = {"start_s": 0, "end_s": 2, "description": "It gets lighter."}
    (tmp_path / "short.storyboard.json").write_text(json.dumps({"story": "Light.", "slots": [slot]}))
    with pytest.raises(BadInput, match="1 shots last 1 s or more, 3 are the fewest"):
        build(short, into="one")


GENERATOR = """
def generate(ask, context):
    if "lens" in ask.brief:
        raise RuntimeError("out of credits")
    assert 'shot_size is to be "medium shot" instead of "wide shot"' in ask.brief, ask.brief
    path = context.workspace / "distractor.mp4"
    path.write_bytes(context.store.path(ask.files[0]).read_bytes() + b"0")
    return path
"""


def test_a_generator_is_asked_like_a_subject(tmp_path: Path, short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cutscore_test_generator.py").write_text(GENERATOR)
    monkeypatch.syspath_prepend(tmp_path)
    with open_build_folder(tmp_path / "pack", {}) as out:
        make = open_maker("python:cutscore_test_generator:generate", out, 72, seed=0).maker
        right = out.store.put(short, name="clip.mp4", media_type="video/mp4")
        made = make(DistractorRequest(right, "shot_size", "medium shot", "wide shot"))
        assert made.read_bytes() == short.read_bytes() + b"0"
        with pytest.raises(BadInput, match="out of credits"):
            make(DistractorRequest(right, "lens", "long lens", "normal lens"))
    sys.modules.pop("cutscore_test_generator")


@pytest.mark.real
def test_a_scene_of_the_stage_becomes_a_storyboard(build: Callable[..., BuildResult], tmp_path: Path) -> None:
    built = build(STAGE, slots="3", height="72")
    (item,) = read(tmp_path / "pack")
    assert (built.items, built.clips, sum(built.counts["dimension"].values())) == (1, 9, 3)
    bench = load_benchmark(benchmark("assembly"), Store(tmp_path / "store"), data=tmp_path / "pack")
    assert oracle_gets_full_marks(bench) == subject_sees_no_truth(bench) == []
    sheet = (tmp_path / "pack" / "DATASHEET.md").read_text()
    for name, each in item.distractors.items():
        assert abs(each.measured[each.dimension]) >= CHANGED
        assert all(abs(each.measured[other]) <= 1 for other in DIMENSIONS if other != each.dimension)
        assert f"`{name}`" in sheet
    assert item.licence == "Apache-2.0"
    assert "stage:" not in str(item.without_truth())


@pytest.mark.real
def test_own_footage_is_told_by_a_file_or_a_model(build: Callable[..., BuildResult], tmp_path: Path) -> None:
    film = tmp_path / "films" / "Secret Title.mp4"
    film.parent.mkdir()
    size = {"width": 214, "height": 120, "rate": Fraction(8)}
    write(library.scene("lantern", seed=2, length_s=12).model_copy(update=size), film)
    camera = {"shot_size": "", "camera_angle": "eye level", "lens": "normal lens", "camera_movement": ""}
    spans = ((0, 3), (3.25, 4.75), (8, 10.25))
    slots = [{"start_s": a, "end_s": b, "description": f"Shot {a}.", **camera} for a, b in spans]
    sidecar = film.with_name("Secret Title.storyboard.json")
    sidecar.write_text(json.dumps({"story": "A walk.", "slots": slots}))
    build(film, slots="3", height="72")
    (item,) = read(tmp_path / "pack")
    assert item.brief == "A walk."
    assert [shot.description for shot in item.storyboard] == ["Shot 0.", "Shot 3.25.", "Shot 8."]
    assert {item.dimension(slot) for slot in item.slots} <= set(DIMENSIONS) - {"shot_size"}
    assert "Secret" not in str(item.without_truth())
    assert item.provenance[item.golden["slot-1"]].source == "Secret Title.mp4"
    sidecar.unlink()
    told = {"description": "Somebody is there.", "shot_size": "wide shot", "camera_angle": "", "lens": ""}
    script = {"rules": [{"when": "slot of a storyboard", "say": json.dumps(told)}]}
    (tmp_path / "script.json").write_text(json.dumps(script))
    build(film, into="written", model=f"scripted/{tmp_path}/script.json", slots="3", height="72")
    (item,) = read(tmp_path / "written")
    assert {shot.description for shot in item.storyboard} == {"Somebody is there."}
    assert "scripted" in (tmp_path / "written" / "DATASHEET.md").read_text()
