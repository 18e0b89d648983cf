"""covebench: which tasks a metric leaves out, what is told where there is no value, and one decode of a source."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.benchmarks.covebench.checklist import Category, Checklist
from cutscore.benchmarks.covebench.dataset import EDITED, EditTask, items
from cutscore.benchmarks.covebench.metrics import pixel_metrics
from cutscore.benchmarks.covebench.metrics.mark_metrics import METRICS, measure_pair, measure_pixels
from cutscore.benchmarks.covebench.metrics.pixel_metrics import VideoFeatures, follow_grid
from cutscore.benchmarks.covebench.released import read_checklist
from cutscore.core.ending import ScoreGap
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.media.render import write_clip
from cutscore.scoring.metrics.one_pass import CollectedFrames
from cutscore.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def video(count: int = 10, lost: int = 0) -> VideoFeatures:
    stills = tuple(np.roll(np.arange(224 * 224, dtype=np.uint8).reshape(224, 224), 3 * n, 1) for n in range(count))
    tracks = follow_grid([np.resize(each, (384, 384)) for each in stills[:2]])
    return VideoFeatures(stills[: count - lost], tracks, count, Fraction(count, 5))


VIDEO, SHORT = video(), video(3)


def task(points: Sequence[Sequence[Category]], whole: Sequence[Category] = ()) -> EditTask:
    """A task whose edit points, and which as a whole, are of these categories."""
    question = {"format": "Single-TF", "text": "?", "expected": "Yes"}
    groups = [
        {
            "target": "it",
            "questions": [{"id": f"Q{n}", **question}],
            "categories": [each.model_dump() for each in kinds],
        }
        for n, kinds in enumerate(points)
    ]
    checklist = Checklist.model_validate({"points": groups, "categories": [each.model_dump() for each in whole]})
    return EditTask(id="one", cluster="one", instruction="Do it.", checklist=checklist)


def left_out(item: EditTask) -> set[str]:
    """The metrics that an item leaves out, with their modes."""
    found = measure_pair(VIDEO, SHORT, item)
    return {f"{each.name}@{each.mode}" for each in found if isinstance(each, ScoreGap)}


SCENE, WEATHER = (Category(level_1="Background", level_2=f"{each} Change") for each in ("Scene", "Weather"))
TYPE, SPEED = (Category(level_1="Motion", level_2=f"Motion {each}") for each in ("Type", "Speed and Amplitude"))
COLOUR = Category(level_1="Subject", level_2="Subject Attribute Modification")
BY_BACKGROUND = {"ssim@reference", "ssim@paper", "psnr@reference", "psnr@paper", "mf_lk@reference"}


@pytest.mark.parametrize(
    ("points", "whole", "names"),
    [
        ([[COLOUR]], [], set()),
        ([[COLOUR], [COLOUR, SCENE]], [], BY_BACKGROUND),
        ([[WEATHER]], [], BY_BACKGROUND),
        ([[TYPE]], [], {"mf_lk@paper"}),  # the released list of motions is read by no code: msm is there
        ([[SPEED]], [], {"mf_lk@paper"}),
        ([[SCENE], [TYPE]], [], BY_BACKGROUND | {"mf_lk@paper"}),
        ([[COLOUR]], [SCENE, TYPE], set()),  # groups count, the whole task does not
    ],
)
def test_which_metrics_an_edit_leaves_out(points: list, whole: list, names: set[str]) -> None:
    assert left_out(task(points, whole)) == names


def test_the_released_tasks_that_are_left_out(shared: Path) -> None:
    tasks = read_checklist(shared / "data" / "covebench" / "checklist_sample.json").tasks
    found = {
        each.id: left_out(EditTask(id=each.id, cluster="?", instruction="?", checklist=each.checklist))
        for each in tasks
    }
    assert {id for id, names in found.items() if "mf_lk@reference" in names} == {"1", "532"}
    assert {id for id, names in found.items() if "mf_lk@paper" in names} == {"117", "369", "472"}
    assert not any("msm@reference" in names for names in found.values())


def gaps(found: Sequence[Finding | ScoreGap]) -> dict[str, str]:
    return {each.name: f"{each.status}: {each.because}" for each in found if isinstance(each, ScoreGap)}


def test_too_few_frames_are_told_and_never_a_number() -> None:
    two = list(measure_pair(VIDEO, video(2), task([[COLOUR]])))
    assert gaps(two) == {"msm": "excluded: edited.mp4 has 2 frames, the source 10; msm needs 3"}
    assert set(gaps(list(measure_pair(VIDEO, video(1), task([[COLOUR]]))))) == {"msm", "mf_lk"}
    assert set(gaps(list(measure_pair(VIDEO, video(0), task([[COLOUR]]))))) == set(METRICS)
    values = [each.value for each in two if isinstance(each, Finding)]
    assert np.isfinite(values).all()


def test_how_long_it_is_and_what_was_lost_is_told() -> None:
    found = {each.name: each for each in measure_pair(VIDEO, video(5, lost=2), task([[COLOUR]]))}
    ratio, lost = found["duration ratio"], found["lost frames"]
    assert isinstance(ratio, Finding)
    assert (ratio.value, ratio.because) == (0.5, "1.00 s in 5 frames, the source 2.00 s in 10 frames")
    assert lost.because == "2 of 10 frames cannot be decoded, the last ones; the others were measured"
    assert "lost frames" not in {each.name for each in measure_pair(VIDEO, SHORT, task([[COLOUR]]))}


@pytest.fixture
def item(store: Store) -> EditTask:
    return items(store)[0]


def delivered(item: EditTask, store: Store) -> Evidence:
    assert item.source is not None
    return Evidence(files=(item.source.model_copy(update={"name": EDITED}),)).bind(store)


def test_a_source_is_decoded_once_for_all_editors(
    item: EditTask, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUTSCORE_CACHE", str(tmp_path / "cache"))
    decoded: list[Path] = []
    real = pixel_metrics.collect_frames

    def collect(path: Path, needs: Sequence[pixel_metrics.Needs]) -> CollectedFrames:
        decoded.append(path)
        return real(path, needs)

    monkeypatch.setattr(pixel_metrics, "collect_frames", collect)
    marks = [list(measure_pixels(delivered(item, store), item)) for _ in range(3)]
    assert len(decoded) == 3 + 1  # each edited video, and the source once
    assert marks[0] == marks[1] == marks[2]
    values = {each.name: each.value for each in marks[0] if isinstance(each, Finding) and each.mode != "paper"}
    assert values["duration ratio"] == 1


def test_what_cannot_be_decoded_has_no_metric_and_a_reason(item: EditTask, store: Store, tmp_path: Path) -> None:
    assert item.source is not None
    whole = tmp_path / "whole.mp4"
    write_clip(whole, (np.full((48, 64, 3), 8 * n, np.uint8) for n in range(25)), rate=Fraction(10))
    data = whole.read_bytes()
    at = data.index(b"mdat") + 4
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(data[:at] + b"\xff" * 300 + data[at + 300 :])
    ref = store.put(broken, name=EDITED, media_type="video/mp4")
    found = list(measure_pixels(Evidence(files=(ref,)).bind(store), item))
    told = "excluded: edited.mp4 cannot be decoded: Invalid data found when processing input; no frame of it was seen"
    assert gaps(found) == dict.fromkeys(METRICS, told)
    ours = item.model_copy(update={"source": ref.model_copy(update={"name": "source.mp4"})})
    found = list(measure_pixels(delivered(item, store), ours))
    assert {gaps(found)[name].partition(":")[0] for name in METRICS} == {"unscored"}
    assert gaps(found)["ssim"].startswith("unscored: the source cannot be decoded")
