"""covebench: hub metrics of a task with models that a test plays: modes, gaps, and what is kept of a source."""

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore.benchmarks.covebench.checklist import Category, Checklist
from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.benchmarks.covebench.metrics.hub_file import HubFile
from cutscore.benchmarks.covebench.metrics.hub_metrics import Hub, HubVideo, open_hub
from cutscore.benchmarks.covebench.metrics.mark_metrics import measure_pixels
from cutscore.core.ending import ScoreGap
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.media.render import write_clip
from cutscore.models.hub.region_consistency import GroundedBox, RegionFeatures, Regions
from cutscore.models.hub.weights import Placement
from cutscore.store import Store

pytestmark = pytest.mark.real

CPU = Placement("cpu", "float32")
DIGEST = "0" * 64
LEVELS = (0, 120), (136, 255)


@dataclass
class PlayedModel:
    """Scores brightness, says it, and finds the phrases that it is told to; counts how often it is asked."""

    sees: tuple[str, ...] = ("dog",)
    placement: Placement = CPU
    asked: list[int] = field(default_factory=list)

    def score(self, frames: list[Any], text: str = "") -> list[float]:
        self.asked.append(len(frames))
        return [float(each.mean()) / 100 for each in frames]

    def reply(self, frames: list[Any], prompt: str) -> list[str]:
        return ["nothing" if each.mean() < 50 else "<answer>4</answer>" for each in frames]

    def find_regions(self, frames: list[Any], phrases: list[str]) -> Regions:
        self.asked.append(len(frames))
        boxes = tuple(GroundedBox(each, 0.9, (0, 0, 0.5, 0.5)) for each in phrases if each in self.sees)
        return Regions(boxes, tuple(np.ones(each.shape[:2], bool) for each in frames) if boxes else ())

    def embed_regions(self, frames: list[Any], masks: list[Any]) -> RegionFeatures:
        vectors = np.array([[1.0, float(each.mean() > 120)] for each in frames[: len(masks)]], np.float32)
        return RegionFeatures(np.array([mask.sum() for mask in masks]), vectors.reshape(-1, 2))


@pytest.fixture
def world(tmp_path: Path) -> tuple[Evidence, EditTask]:
    """Two seconds of grey at 10 frames a second, dark as source and light as edit, at half the size; one task."""
    store = Store(tmp_path / "store")
    for name, level, side in (("source", 80, 64), ("edited", 160, 32)):
        write_clip(tmp_path / f"{name}.mp4", [np.full((side, side, 3), level, np.uint8)] * 20, rate=Fraction(10))
    source = store.put(tmp_path / "source.mp4", name="source.mp4", media_type="video/mp4")
    edited = store.put(tmp_path / "edited.mp4", name=EDITED, media_type="video/mp4")
    kept = {"format": "Score-MCQ", "dimension": "Semantic Preservation"}
    asked = [{"id": f"Q{n}", "text": f"how well is the {n} kept?", **kept} for n in ("dog", "tree")]
    checklist = Checklist.model_validate({"points": [{"target": "it", "questions": asked}]})
    item = EditTask(id="one", cluster="one", instruction="x", source=source, target="a cat", checklist=checklist)
    return Evidence(files=(edited,)).bind(store), item


def hub_of(monkeypatch: pytest.MonkeyPatch, model: PlayedModel, **tables: Any) -> Hub:
    """A hub whose models are played."""
    monkeypatch.setattr(Hub, "_digest", lambda self, name: DIGEST)
    hub = Hub(HubFile.model_validate(tables))
    hub.__dict__.update(_aesthetics=model, _clip=model, _rater=model, _regions=model)
    monkeypatch.setattr("cutscore.benchmarks.covebench.metrics.mark_metrics.open_hub", lambda file: hub)
    return hub


def said(world: tuple[Evidence, EditTask], name: str) -> dict[str, Finding | ScoreGap]:
    """What was said of one score, by mode."""
    return {each.mode: each for each in measure_pixels(*world, "hub.toml") if each.name == name}


WEIGHTS = {"weights": "w"}
REGIONS = {"detector": "d", "segmenter": "s", "encoder": "e"}


def test_keyframes_count_in_the_paper_alone(world, monkeypatch: pytest.MonkeyPatch) -> None:
    model = PlayedModel()
    hub_of(monkeypatch, model, aes={**WEIGHTS, "head": "h"})
    monkeypatch.setattr(model, "score", lambda frames: [float(n) for n in range(len(frames))])
    found = said(world, "aes")  # 10 frames and the first of the only shot, in one batch
    assert {mode: each.value for mode, each in found.items()} == {"reference": 4.5, "paper": 5.0}
    assert found["reference"].because.endswith("mean of 10 frames; weights 000000000000 on cpu, float32")
    assert "10 frames and 1 keyframes" in found["paper"].because


def test_each_shot_has_a_keyframe(world, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A dark shot of 1.2 s and a light one, whose first frame is none of the ten."""
    evidence, item = world
    random = np.random.default_rng(2)
    shots = [np.kron(random.integers(*ends, (8, 8, 3), np.uint8), np.ones((8, 8, 1), np.uint8)) for ends in LEVELS]
    write_clip(tmp_path / "cut.mp4", [shots[n >= 12] for n in range(24)], rate=Fraction(10))
    ref = evidence.store.put(tmp_path / "cut.mp4", name=EDITED, media_type="video/mp4")
    seen: list[Any] = []
    model = PlayedModel()
    monkeypatch.setattr(model, "score", lambda frames: seen.extend(frames) or [1.0] * len(frames))
    hub_of(monkeypatch, model, aes={**WEIGHTS, "head": "h"})
    found = said((Evidence(files=(ref,)).bind(evidence.store), item), "aes")
    assert "10 frames and 2 keyframes" in found["paper"].because
    assert [each.mean() > 128 for each in seen[10:]] == [False, True]


def test_clip_reads_the_wanted_video(world, monkeypatch: pytest.MonkeyPatch) -> None:
    hub_of(monkeypatch, PlayedModel(), clip=WEIGHTS)
    assert isinstance(said(world, "clip")[""], Finding)
    evidence, item = world
    gap = said((evidence, item.model_copy(update={"target": ""})), "clip")[""]
    assert (gap.status, gap.because) == ("excluded", "the task does not describe the wanted video")


def test_regions_of_a_source_are_found_once(world, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CUTSCORE_CACHE", str(tmp_path / "cache"))
    model = PlayedModel()
    hub_of(monkeypatch, model, src=REGIONS)
    first, second = (said(world, "src")[""] for _ in range(2))
    assert first == second
    assert first.value == pytest.approx((1 / np.sqrt(2) + 1) / 2, abs=1e-6)
    assert "4 frames with dog" in first.because
    assert model.asked == [4, 4, 4]  # source and edit, then the edit alone


@pytest.mark.parametrize(
    ("sees", "edit_sees", "status"),
    [(("dog",), (), "target_no_grounded_entities"), ((), (), "no_grounded_entities")],
)
def test_what_is_nowhere_is_excluded_and_told(world, monkeypatch, tmp_path: Path, sees, edit_sees, status) -> None:
    monkeypatch.setenv("CUTSCORE_CACHE", str(tmp_path / "cache"))
    model = PlayedModel()
    seen = iter([sees, edit_sees])
    find = model.find_regions

    def find_next(frames: list[Any], phrases: list[str]) -> Regions:
        model.sees = next(seen)
        return find(frames, phrases)

    monkeypatch.setattr(model, "find_regions", find_next)
    hub_of(monkeypatch, model, src=REGIONS)
    gap = said(world, "src")[""]
    assert (gap.status, gap.because.split(":")[0]) == ("excluded", status)


def test_a_file_of_entities_stands_in_for_the_rule(world, monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "e.json").write_text('{"one": [], "two": ["dog"]}')
    hub_of(monkeypatch, PlayedModel(), src={**REGIONS, "entities": str(tmp_path / "e.json")})
    assert said(world, "src")[""].because.startswith("no_concrete_entities")


def test_scores_from_elsewhere_follow_the_exclusions(world, monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("task_id,score\none,0.25\n")
    csv = {"scores": str(tmp_path / "s.csv")}
    hub_of(monkeypatch, PlayedModel(), tq=csv, mf=csv)
    assert said(world, "tq")[""].value == 0.25
    assert {mode: each.value for mode, each in said(world, "mf").items()} == {"reference": 0.25, "paper": 0.25}
    evidence, item = world
    for dimension, left in (("Background", "reference"), ("Motion", "paper")):
        entry = Category(level_1=dimension, level_2="any")
        point = item.checklist.points[0].model_copy(update={"categories": (entry,)})
        changed = item.model_copy(update={"checklist": item.checklist.model_copy(update={"points": (point,)})})
        found = said((evidence, changed), "mf")
        assert [mode for mode, each in found.items() if isinstance(each, ScoreGap)] == [left]


def test_one_metric_that_fails_leaves_the_others(world, monkeypatch, tmp_path: Path) -> None:
    model = PlayedModel()
    (tmp_path / "s.csv").write_text("task_id,score\ntwo,1\n")
    hub_of(monkeypatch, model, clip=WEIGHTS, vqr=WEIGHTS, tq={"scores": str(tmp_path / "s.csv")})
    monkeypatch.setattr(model, "score", lambda *_: (_ for _ in ()).throw(RuntimeError("out of memory\nmore")))
    found = {each.name: each for each in measure_pixels(*world, "hub.toml")}
    assert found["clip"] == ScoreGap(name="clip", status="unscored", because="RuntimeError: out of memory")
    assert found["tq"] == ScoreGap(name="tq", status="unscored", because="scores 's.csv': have none for task 'one'")
    assert found["vqr"].value == 4.0
    assert "ssim" in found


def test_without_a_file_each_says_that_it_is_not_computed(world) -> None:
    found = {each.name: each for each in measure_pixels(*world)}
    for name in ("aes", "vqr", "src", "clip", "tq", "mf"):
        because = "not computed: no hub file names what it takes (--set hub=FILE)"
        assert found[name] == ScoreGap(name=name, status="excluded", because=because)


def test_a_file_that_cannot_be_read_stops_its_metrics_alone(world, tmp_path: Path) -> None:
    found = list(measure_pixels(*world, str(tmp_path / "none.toml")))
    gaps = [each for each in found if isinstance(each, ScoreGap) and each.status == "stopped"]
    assert [each.name for each in gaps] == ["aes", "clip", "vqr", "src", "tq", "mf"]
    assert "correct --set hub=FILE" in gaps[0].because
    assert any(each.name == "ssim" for each in found)


def test_weights_that_are_not_there_stop_their_metric_and_are_told_once(
    world, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "hub.toml").write_text('[clip]\nweights = "gone"\n')
    for _ in range(2):
        list(measure_pixels(*world, str(tmp_path / "hub.toml")))
    assert [each.getMessage().split(":")[0] for each in caplog.records] == ["no score 'clip'"]
    gap = next(each for each in measure_pixels(*world, str(tmp_path / "hub.toml")) if each.name == "clip")
    assert isinstance(gap, ScoreGap)
    assert gap.status == "stopped"
    assert "gone': are not there; correct the hub file" in gap.because


def test_other_weights_than_the_pinned_ones_are_refused(world, tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "config.json").write_text("{}")
    (tmp_path / "hub.toml").write_text(f'[clip]\nweights = "w"\nsha256 = "{DIGEST}"\n')
    gap = next(each for each in measure_pixels(*world, str(tmp_path / "hub.toml")) if each.name == "clip")
    assert "the hub file pins 000000000000…" in gap.because


def test_only_what_is_named_is_decoded() -> None:
    assert open_hub("none").needs == ()
    assert len(Hub(HubFile.model_validate({"clip": WEIGHTS})).needs) == 1
    assert HubVideo(Path("x"), ()).frames == ()
