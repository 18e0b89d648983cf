"""Packs of commissions: from footage with files beside it, and from the stage."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from cutscore.authoring.build_folder import open_build_folder
from cutscore.authoring.contract import empty_gets_the_floor, oracle_gets_full_marks, subject_sees_no_truth
from cutscore.authoring.footage import read_footage
from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, parse_options
from cutscore.benchmarks.repurpose import build as recipe
from cutscore.benchmarks.repurpose.dataset import Commission, items
from cutscore.core.errors import BadInput
from cutscore.media.probe import probe
from cutscore.registry import benchmark
from cutscore.stage import library
from cutscore.stage.render import write
from cutscore.store import Store

BRIEF = "form: teaser\nlength_s: 3\nwithin_s: 1\n\nA teaser for the club. It begins with the bounce."
RUBRIC = [
    {"id": "bounce", "pillar": "narrative", "points": 2, "text": "The bounce is in the film."},
    {"id": "ball", "pillar": "visual", "points": 1, "text": "The ball is in the picture."},
    {"id": "knock", "pillar": "sound", "points": 1, "text": "The knock is heard.", "evidence": "sound"},
]


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., BuildResult]:
    def call(*words: object, into: str = "pack", model: str = "", **own: str) -> BuildResult:
        options = BuildOptions(model=model, own=parse_options(own, recipe.OPTIONS, recipe="repurpose"))
        with open_build_folder(tmp_path / into, {"words": [str(word) for word in words], "model": model}) as out:
            taken = read_footage([str(word) for word in words], out, licence="CC-BY-4.0", tell=lambda line: None)
            return recipe.build(taken, out, options)

    return call


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Four seconds of discs that bounce, 64×36 at 8 pictures a second, with a brief and a rubric beside them."""
    path = tmp_path / "films" / "Secret Title.mp4"
    path.parent.mkdir()
    scene = library.scene("bounces", length_s=4).model_copy(update={"width": 64, "height": 36, "rate": Fraction(8)})
    write(scene, path)
    path.with_name("Secret Title.brief.md").write_text(BRIEF)
    path.with_name("Secret Title.rubric.json").write_text(json.dumps(RUBRIC))
    path.with_name("Secret Title.reference.md").write_text("A disc falls, and bounces.")
    path.with_name("Secret Title.vtt").write_text("WEBVTT\n\n00:00.500 --> 00:01.500\nIt falls.\n")
    return path


def read(folder: Path) -> Commission:
    (item,) = items(Store(folder.parent / f"{folder.name}-store"), folder)
    return item


def test_own_footage_becomes_a_commission_without_its_name(
    build: Callable[..., BuildResult], film: Path, tmp_path: Path
) -> None:
    built = build(film)
    item = read(tmp_path / "pack")
    assert (built.items, built.warnings, built.failures, built.refused) == (1, (), (), ())
    assert (item.form, item.film.length_s, item.licence) == ("teaser", 3, "CC-BY-4.0")
    assert item.brief == "A teaser for the club. It begins with the bounce."
    assert item.hints == {"reference": "A disc falls, and bounces."}
    assert [line.text for line in item.said] == ["It falls."]
    assert [each.pillar for each in item.rubric].count("format") == 5
    assert "Secret" not in str(item.without_truth())
    assert item.source.name == f"{item.id}/film.mp4"
    facts = probe(tmp_path / "pack" / item.source.name)
    assert (facts.frames, facts.sound is not None) == (32, True)
    bench = load_benchmark(benchmark("repurpose"), Store(tmp_path / "store"), data=tmp_path / "pack")
    assert subject_sees_no_truth(bench) == empty_gets_the_floor(bench) == []


def test_what_is_wrong_with_a_rubric_fails_the_pack(build: Callable[..., BuildResult], film: Path) -> None:
    bad = [*RUBRIC[:2], {"id": "pace", "pillar": "visual", "points": 1, "text": "The pace is good."}]
    film.with_name("Secret Title.rubric.json").write_text(json.dumps(bad))
    failures = build(film).failures
    assert [each.partition(": ")[2] for each in failures] == [
        "'pace' asks for taste ('good')",
        "rubric has no item of the pillar sound",
    ]


def test_a_film_without_a_brief_is_refused(build: Callable[..., BuildResult], film: Path) -> None:
    film.with_name("Secret Title.brief.md").unlink()
    with pytest.raises(BadInput, match=r"has no brief; write Secret Title\.brief\.md beside it, or add --model"):
        build(film)


@pytest.mark.real
def test_a_programme_of_the_stage_brings_its_commission_and_its_judge(
    build: Callable[..., BuildResult], tmp_path: Path
) -> None:
    build("stage:match,seed=4,length_s=16,height=72,rate=8")
    bench = load_benchmark(benchmark("repurpose"), Store(tmp_path / "store"), data=tmp_path / "pack")
    assert oracle_gets_full_marks(bench) == subject_sees_no_truth(bench) == []


@pytest.mark.real
def test_a_model_drafts_and_the_pack_says_so(build: Callable[..., BuildResult], film: Path, tmp_path: Path) -> None:
    for ending in ("brief.md", "rubric.json"):
        film.with_name(f"Secret Title.{ending}").unlink()
    draft = {
        "brief": "A teaser of discs that bounce, for the club's page.",
        "rubric": [*RUBRIC, {**RUBRIC[0], "id": "b2"}],
    }
    script = {"rules": [{"when": "A client wants", "say": json.dumps(draft)}]}
    (tmp_path / "script.json").write_text(json.dumps(script))
    built = build(film, model=f"scripted/{tmp_path}/script.json", form="teaser")
    item = read(tmp_path / "pack")
    assert item.drafted_by.startswith("scripted/")
    assert [each for each in built.warnings if "is not signed off" in each]
    assert [each for each in built.failures if "asks what another item asks" in each]
