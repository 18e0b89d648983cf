"""Packs from footage: what comes out is sound, the oracle knows it all, and a kill in the middle costs nothing."""

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.authoring import recipe as shared_recipe
from cutscore.authoring.build_folder import open_build_folder
from cutscore.authoring.contract import CHECKS
from cutscore.authoring.footage import read_footage
from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, parse_options
from cutscore.benchmarks.vidwork import build as recipe
from cutscore.benchmarks.vidwork.dataset import AXES, AnyQuestion, CausalQuestion, CrossModalQuestion, items
from cutscore.benchmarks.vidwork.packs import recipe as pack_recipe
from cutscore.benchmarks.vidwork.packs.leak_probe import Leak
from cutscore.benchmarks.vidwork.procedures.annotation import annotation_prompts
from cutscore.benchmarks.vidwork.words import content_words
from cutscore.core.errors import BadInput
from cutscore.core.estimate import Estimate
from cutscore.media.render import write_clip
from cutscore.registry import benchmark
from cutscore.store import Store

SCENE = "stage:pancakes,length_s=20,height=90,rate=2"
STEPS = ("Fill the kettle with water", "Boil 2 cups of water", "Put the tea bag into the cup", "Pour the water on it")


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., BuildResult]:
    def call(
        *words: object,
        into: str = "pack",
        licence: str = "",
        seed: int = 0,
        model: str = "",
        baselines: Sequence[str] = (),
        **own: str,
    ) -> BuildResult:
        set_ = parse_options(own, recipe.OPTIONS, recipe="vidwork")
        options = BuildOptions(model=model, seed=seed, baselines=tuple(baselines), own=set_)
        with open_build_folder(tmp_path / into, {"words": [str(word) for word in words]}) as out:
            taken = read_footage(
                [str(word) for word in words],
                out,
                licence=licence,
                tell=lambda line: None,
                staging=lambda scene: recipe.staging(scene, seed=seed),
            )
            return recipe.build(taken, out, options)

    return call


@pytest.fixture
def tea(tmp_path: Path) -> Path:
    """A clip of eight seconds with a record that a person wrote beside it, sights that are said and unsaid included."""
    path = tmp_path / "films" / "tea.mp4"
    path.parent.mkdir()
    write_clip(path, (np.full((90, 160, 3), shade, np.uint8) for shade in range(0, 160, 10)), rate=Fraction(2))
    steps = [
        {"id": f"s{n}", "text": text, "start_s": 2 * n, "end_s": 2 * n + 1, "why": "the tea would taste of nothing"}
        for n, text in enumerate(STEPS)
    ]
    said = {"made_by": "Ann", "segments": [{"start_s": 0, "end_s": 1, "text": "Take the green kettle"}]}
    sights = [
        {"question": "What colour is the kettle?", "answer": "It is green.", "start_s": 0, "end_s": 1},
        {"question": "What colour is the cup?", "answer": "It is yellow.", "start_s": 4, "end_s": 5},
    ]
    record = {"name": "x", "title": "Tea", "domain": "cooking", "length_s": 8, "steps": steps, "author": "Ann"}
    path.with_name("tea.procedure.json").write_text(json.dumps({**record, "sights": sights, "transcript": said}))
    return path


def read(folder: Path) -> list[AnyQuestion]:
    return items(Store(folder.parent / "reading"), folder)


def test_a_pack_of_staged_footage_is_sound(tmp_path: Path, build) -> None:
    built = build(SCENE)
    made = read(tmp_path / "pack")
    assert (built.items, built.clips) == (len(made), 1)
    assert {item.axis for item in made} == set(AXES)
    assert built.counts["axis"] == {axis: sum(item.axis == axis for item in made) for axis in AXES}
    assert {item.author for item in made} == {"stage"}
    assert {item.licence for item in made} == {"Apache-2.0"}
    opened = load_benchmark(benchmark("vidwork"), Store(tmp_path / "store"), data=tmp_path / "pack")
    for promise in ("the oracle gets full marks", "an empty deliverable gets the floor", "every blank is filled"):
        assert CHECKS[promise](opened) == []
    sheet = (tmp_path / "pack/DATASHEET.md").read_text()
    assert f"{len(made)} items about 1 clips" in sheet
    assert "| cooking | 1 | 0 | 0 | 0 |" in sheet


def test_pack_json_has_every_file_by_its_hash(tmp_path: Path, build, tea: Path) -> None:
    build(tea, licence="CC-BY-4.0")
    record = json.loads((tmp_path / "pack/pack.json").read_text())
    there = {
        path.relative_to(tmp_path / "pack").as_posix() for path in (tmp_path / "pack").rglob("*") if path.is_file()
    }
    ours = {name for name in there if not name.startswith(".work/")}
    assert ours == {*record["files"], "items.jsonl", "pack.json", "DATASHEET.md"}
    assert record["files"]["media/tea.mp4"] == read(tmp_path / "pack")[0].clip.sha256  # type: ignore[union-attr]
    assert record["sources"][0]["licence"] == "CC-BY-4.0"


def test_equal_seeds_build_equal_packs_and_others_do_not(tmp_path: Path, build, tea: Path) -> None:
    build(tea, into="a"), build(tea, into="b"), build(tea, into="c", seed=1)
    a, b, c = ((tmp_path / name / "items.jsonl").read_bytes() for name in "abc")
    assert a == b != c


def test_faces_are_blurred_in_pictures_alone(build, tea: Path) -> None:
    with pytest.raises(
        BadInput, match=r"--set faces=blur: faces are blurred in keyframes alone; add --set keyframes=yes"
    ):
        build(tea, faces="blur")


def test_a_killed_build_goes_on_where_it_was(tmp_path: Path, build, tea: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(pack_recipe, "publish_pack", lambda *args, **more: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            build(tea, keyframes="yes")
    assert not (tmp_path / "pack/items.jsonl").exists()
    # The pictures are there already.
    monkeypatch.setattr("cutscore.benchmarks.vidwork.packs.keyframes.iter_frames", None)
    assert build(tea, keyframes="yes").items == len(read(tmp_path / "pack"))


def test_a_persons_record_is_asked_about(tmp_path: Path, build, tea: Path) -> None:
    built = build(tea, licence="CC-BY-4.0")
    made = read(tmp_path / "pack")
    assert {item.author for item in made} == {"Ann"}
    assert {item.licence for item in made} == {"CC-BY-4.0"}
    sights = [item for item in made if isinstance(item, CrossModalQuestion)]
    assert [item.question for item in sights] == ["What colour is the cup?"]
    assert not any(item.terms.wanted & set(content_words(item.narration)) for item in sights)
    refused = {(each.what, each.because) for each in built.refused}
    assert ("tea", "'What colour is the kettle?': 'green' of the answer is said in the transcript") in refused


def test_a_clip_without_a_licence_is_said(build, tea: Path) -> None:
    built = build(tea, domain="repair_manufacturing")  # which is meant for those that a model watches
    assert "the licence of tea is unknown; say it with --licence or NAME.licence" in built.warnings


def test_keyframes_stand_for_the_clip(tmp_path: Path, build, tea: Path) -> None:
    build(tea, keyframes="yes")
    made = read(tmp_path / "pack")
    assert all(item.clip is None for item in made)
    assert [ref.name for ref in made[0].keyframes] == [f"media/tea/00000{second}.jpg" for second in range(1, 9)]
    assert not list((tmp_path / "pack/media").glob("*.mp4"))


def test_what_cannot_be_asked_refuses_its_clip_and_not_the_rest(tmp_path: Path, build, tea: Path) -> None:
    record = json.loads(tea.with_name("tea.procedure.json").read_text())
    record["steps"][0]["text"] = "…"
    bad = tea.with_name("bad.mp4")
    write_clip(bad, (np.full((90, 160, 3), 200, np.uint8) for _ in range(16)), rate=Fraction(2))
    bad.with_name("bad.procedure.json").write_text(json.dumps(record))
    built = build(tea.parent)
    assert {item.cluster for item in read(tmp_path / "pack")} == {"tea"}
    assert ("bad", "step 1 has no word") in {(each.what, each.because) for each in built.refused}
    bad.with_name("tea.mp4").unlink()
    with pytest.raises(BadInput, match="clip 'bad': step 1 has no word; nothing can be asked about this footage"):
        build(tea.parent, into="other")


def test_a_model_writes_what_nobody_wrote_and_is_named(tmp_path: Path, build, tea: Path) -> None:
    record = json.loads(tea.with_name("tea.procedure.json").read_text())
    tea.with_name("tea.procedure.json").unlink()
    tea.with_name("tea.vtt").write_text("WEBVTT\n\n00:00.000 --> 00:01.000\nTake the green kettle\n")
    steps = [{name: step[name] for name in ("text", "start_s", "end_s")} for step in record["steps"]]
    replies = {
        "Write down the steps": {"title": "Tea", "domain": "cooking", "steps": steps},
        "say why it is done": {"reasons": [{"step": 2, "why": "cold water draws no taste from leaves"}]},
        "Write questions whose answers": {"sights": record["sights"]},
    }
    rules = [{"when": words, "say": json.dumps(reply)} for words, reply in replies.items()]
    (tmp_path / "script.json").write_text(json.dumps({"rules": rules}))
    model = f"scripted/{tmp_path}/script.json"
    built = build(tea, model=model)
    made = read(tmp_path / "pack")
    assert {item.author for item in made} == {model}
    assert [item.question for item in made if isinstance(item, CrossModalQuestion)] == ["What colour is the cup?"]
    settings = json.loads((tmp_path / "pack/pack.json").read_text())["settings"]
    assert settings["prompt for sights"] == annotation_prompts({})["sights"].digest
    with pytest.raises(BadInput, match="wrote no usable steps in 3 attempts: domain is none of first_aid_safety"):
        build(tea, into="other", model=model, domain="first_aid_safety")
    assert any("'green' of the answer is said in the transcript" in each.because for each in built.refused)
    assert "Cold water draws no taste from leaves." in [
        item.reference for item in made if isinstance(item, CausalQuestion)
    ]


def answered(*items: str) -> Callable[..., dict[str, dict[str, float | None]]]:
    """Stand where baselines run: all of them answer the items whose ids end so, and nothing else."""

    def run(baselines: Sequence[str], data: Path, *args: object, **more: object) -> dict[str, dict[str, float | None]]:
        pool = [json.loads(line)["id"] for line in (data / "items.jsonl").read_text().splitlines()]
        return {name: {item: float(item.endswith(items)) for item in pool} for name in baselines}

    return run


def test_what_all_baselines_answer_is_dropped_and_their_names_are_kept(
    tmp_path: Path, build, tea: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = build(tea, into="all")
    # One question by itself, a whole pair, and half of one.
    monkeypatch.setattr(shared_recipe, "run_baselines", answered("-c1", "-o1a", "-o1b", "-o2a"))
    built = build(tea, baselines=("x", "y", "z"))
    made = read(tmp_path / "pack")
    assert {item.id for item in read(tmp_path / "all")} - {item.id for item in made} == {"tea-c1", "tea-o1a", "tea-o1b"}
    assert (built.items, built.dropped) == (everything.items - 3, {"all 3 baselines answer it": 3})
    assert {item.filtered_by for item in made} == {("x", "y", "z")}
    sheet = (tmp_path / "pack/DATASHEET.md").read_text()
    assert f"3 of {everything.items} items dropped, answered by x and y and z" in sheet
    monkeypatch.setattr(shared_recipe, "run_baselines", answered(""))
    with pytest.raises(BadInput, match="every item is answered by every baseline"):
        build(tea, into="none", baselines=("x", "y", "z"))


def test_two_baselines_are_no_consensus(tmp_path: Path, build, tea: Path) -> None:
    with pytest.raises(BadInput, match="--baseline: a consensus of 2 says little; give 3 or more, or none"):
        build(tea, baselines=("blind", "null"))


def test_words_that_give_descriptions_away_fail_the_build(
    tmp_path: Path, build, tea: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    area = Estimate(name="auc", value=0.9, low=0.8, high=1.0, n=10, clusters=5, method="by hand")
    found = [Leak("step_swap", area, "leaks", carriers=("never → wrong",)), Leak("all", area, "holds")]
    monkeypatch.setattr(pack_recipe, "probe_leaks", lambda *columns: found)
    built = build(tea)
    said = "words give it away: step_swap: leaks, AUC 0.900 [0.800, 1.000], 10 texts of 5 clips, by never → wrong"
    assert built.failures == (said,)
    assert "## Gates that it does not pass" in (tmp_path / "pack/DATASHEET.md").read_text()
    allowed = build(tea, into="allowed", leaks="allow")
    assert (allowed.failures, said in allowed.warnings) == ((), True)


@pytest.mark.real
def test_real_baselines_run_and_what_they_did_is_kept(tmp_path: Path, build, tea: Path) -> None:
    baselines = ("a=oracle", "b=oracle", "blind")
    first = build(tea, baselines=baselines)
    logs = sorted((tmp_path / "pack/.work/logs").rglob("*.eval"))
    assert len(logs) == 3
    assert 0 < sum(first.dropped.values()) < first.items
    assert build(tea, baselines=baselines) == first
    assert sorted((tmp_path / "pack/.work/logs").rglob("*.eval")) == logs
