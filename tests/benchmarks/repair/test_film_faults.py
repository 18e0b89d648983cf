"""What a viewer would send back of a mended clip costs in `strict`, with a finding at its second."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.repair import oracle
from cutscore.benchmarks.repair.dataset import RepairItem
from cutscore.benchmarks.repair.edits.insertions import cut_out
from cutscore.benchmarks.repair.report import FIXED
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.media.edit import apply_filters, replace_sound
from cutscore.media.footage import Footage, load_whole_clip
from cutscore.media.sound import Sound
from cutscore.media.variants import write_as

pytestmark = pytest.mark.real

Change = Callable[[Footage], Footage]


def heard(change: Callable[[np.ndarray, int], np.ndarray]) -> Change:
    def changed(film: Footage) -> Footage:
        assert film.sound is not None
        samples = change(film.sound.samples, film.sound.rate_hz)
        return replace_sound(film, Sound(np.clip(samples, -1, 1).astype(np.float32), film.sound.rate_hz))

    return changed


def delay(samples: np.ndarray, by: int) -> np.ndarray:
    return np.concatenate([np.zeros_like(samples[:by]), samples])[: len(samples)]


FAULTS: dict[str, Change] = {
    "blurred": lambda film: apply_filters(film, pictures="gblur=sigma=2"),
    "out of step": heard(lambda samples, rate_hz: delay(samples, rate_hz * 3 // 10)),
    "doubled": heard(lambda samples, rate_hz: samples + delay(samples, rate_hz // 4)),
    "clipped": heard(lambda samples, rate_hz: samples * 8),
}


@pytest.fixture(scope="module")
def repair(bench: Callable[[str], LoadedBenchmark]) -> LoadedBenchmark:
    return bench("repair")


def deliver(
    bench: LoadedBenchmark, kind: str, folder: Path, change: Change = lambda film: film, **options: str
) -> Ending:
    """Mark golden with something done to all of it, and a right report."""
    item = next(each for each in bench.items if isinstance(each, RepairItem) and each.defect.kind == kind)
    film = change(load_whole_clip(bench.store.path(item.golden)))
    write_as(film, folder / FIXED, codec="libx264", options={"crf": "18", **options})
    fixed = bench.store.put(folder / FIXED, name=FIXED, media_type="video/mp4")
    report = oracle.report(bench.store, kind, oracle.true_spans(item))
    return bench.mark(Deliverable(files=(fixed, report)), item)


def faults(ending: Ending) -> list[str]:
    return [each.name.removeprefix("fault/") for each in ending.findings if each.name.startswith("fault/")]


@pytest.mark.parametrize("kind", ["colour_shift", "swapped_shots"])
@pytest.mark.parametrize("name", ["out of step", "doubled", "clipped"])
def test_sound_that_is_not_goldens_costs(repair: LoadedBenchmark, kind: str, name: str, tmp_path: Path) -> None:
    ending = deliver(repair, kind, tmp_path, FAULTS[name])
    assert name in faults(ending)
    assert ending.scores["reward@strict"] < 0.5 < 0.9 <= ending.scores["reward@paper"]


def test_a_silent_stretch_costs_its_share(repair: LoadedBenchmark, tmp_path: Path) -> None:
    def mute(samples: np.ndarray, rate_hz: int) -> np.ndarray:
        return np.concatenate([np.zeros_like(samples[: 2 * rate_hz]), samples[2 * rate_hz :]])

    ending = deliver(repair, "blur", tmp_path, heard(mute))
    (fault,) = (each for each in ending.findings if each.name == "fault/silent")
    assert fault.at is not None
    assert fault.at.end_s <= 2
    assert 0.4 < ending.scores["reward@strict"] < 0.9 < ending.scores["reward@paper"]


@pytest.mark.parametrize("kind", ["noise", "filler_words"])
def test_a_blurred_film_costs(repair: LoadedBenchmark, kind: str, tmp_path: Path) -> None:
    ending = deliver(repair, kind, tmp_path, FAULTS["blurred"])
    assert faults(ending) == ["blurred"]
    assert ending.scores["reward@strict"] == 0
    assert ending.scores["reward@paper"] > 0.9


@pytest.mark.parametrize("kind", ["blur", "noise", "swapped_shots", "repeated_frames"])
@pytest.mark.parametrize(("options", "name"), [("sar=4/1", "aspect"), ("transfer=smpte2084", "hdr")])
def test_labels_that_change_what_a_player_shows_cost(
    repair: LoadedBenchmark, kind: str, options: str, name: str, tmp_path: Path
) -> None:
    ending = deliver(repair, kind, tmp_path, **{"x264-params": options})
    assert faults(ending) == [name]
    assert ending.scores["reward@strict"] == 0
    assert ending.scores["reward@paper"] > 0.96


@pytest.mark.parametrize("crf", ["18", "28", "35"])
@pytest.mark.parametrize("kind", ["noise", "blur", "swapped_shots", "filler_words"])
def test_encodes_have_no_faults(repair: LoadedBenchmark, kind: str, crf: str, tmp_path: Path) -> None:
    assert faults(deliver(repair, kind, tmp_path, crf=crf)) == []


def test_a_defect_that_is_left_is_no_fault_of_the_film(repair: LoadedBenchmark, tmp_path: Path) -> None:
    """One of three fillers is cut out; the broken sound of the others is what the report says."""
    item = next(each for each in repair.items if isinstance(each, RepairItem) and each.defect.kind == "filler_words")
    first = oracle.true_spans(item)[:1]
    film = cut_out(load_whole_clip(repair.store.path(item.broken)), first)
    write_as(film, tmp_path / FIXED, codec="libx264", options={"crf": "18"})
    fixed = repair.store.put(tmp_path / FIXED, name=FIXED, media_type="video/mp4")
    ending = repair.mark(Deliverable(files=(fixed, oracle.report(repair.store, "filler_words", first))), item)
    assert faults(ending) == []
    assert ending.scores["reward@strict"] == pytest.approx(1 / 3)
