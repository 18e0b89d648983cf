"""Golden as others would deliver it scores 0.97 or more, or meets a gate that the brief announces; and its spread."""

from collections.abc import Callable

import pytest
from release_marks import rest_at_release

from cutscore.authoring.gates.verifier import try_honest
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.repair.dataset import RepairItem
from cutscore.benchmarks.repair.hostile import honest

pytestmark = pytest.mark.real


@pytest.mark.parametrize(
    "kind", rest_at_release(["noise", "lost_sharpness", "swapped_shots", "wrong_sentences"], "wrong_sentences")
)
def test_honest_variants_score_like_golden(bench: Callable[[str], LoadedBenchmark], kind: str) -> None:
    """Three codecs, clocks of milliseconds and of 90 kHz, AAC with its delay, a picture early or late."""
    repair = bench("repair")
    item = next(each for each in repair.items if isinstance(each, RepairItem) and each.defect.kind == kind)
    trials = [try_honest(repair, item, each) for each in honest(item, repair.store)]
    assert len(trials) >= 7
    assert [trial.fault for trial in trials if trial.fault] == []
