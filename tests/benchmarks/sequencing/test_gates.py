"""The gates of sequencing: no hostile submission scores, honest films do, and shortcuts are known."""

from collections.abc import Callable

import pytest

from cutscore.authoring.gates.shortcuts import judge_shortcuts, shortcut_scores
from cutscore.authoring.gates.verifier import check_verifier, try_hostile
from cutscore.authoring.hostile import FEWEST
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.sequencing.dataset import SequencingItem
from cutscore.benchmarks.sequencing.hostile import hostile


@pytest.fixture
def sequencing(bench: Callable[[str], LoadedBenchmark]) -> LoadedBenchmark:
    return bench("sequencing")


@pytest.fixture
def film(sequencing: LoadedBenchmark) -> SequencingItem:
    """The fifth film: a lamp is repaired, in seven clips."""
    item = sequencing.items[4]
    assert isinstance(item, SequencingItem)
    return item


# One of each kind; all of them, on every film, are for `make test-real`.
QUICK = {
    "solution.json with a bool in the first place": "wrong type: entry 1 of solution.json is not a text but bool",
    "solution.json: two orders in one object": "shape: ",
    "solution.mp4 is a link to the golden file": "missing file: solution.mp4 was not taken in; refused: 'solution.mp4'",
    "solution.json is a link to nowhere": "missing file: solution.json was not taken in; refused: 'solution.json'",
    "solution.mp4 is ffconcat text": "not a film: ",
    "solution.mp4: the clips in the order of their names": "other order: place ",
    "solution.mp4: each clip backwards in its place": "not played: the clips are backwards",
    "solution.mp4: the first picture of each clip": "not played: the clips are still",
    "the order in words beside the film": "missing file: solution.json was not delivered",
}


def test_one_attack_of_each_kind_gets_nothing_and_its_reason(sequencing: LoadedBenchmark, film: SequencingItem) -> None:
    known = {each.name: each for each in hostile(film, sequencing.store)}
    assert len(known) >= 4 * FEWEST
    for name, reason in QUICK.items():
        trial = try_hostile(sequencing, film, known[name])
        assert trial.fault == ""
        assert trial.scores == {"paper": 1.0 if name.startswith("solution.mp4") else 0.0, "strict": 0.0}
        assert trial.because.startswith(reason), name


@pytest.mark.real
@pytest.mark.parametrize("number", [0, 4])
def test_every_gate_of_the_verifier_is_passed(sequencing: LoadedBenchmark, number: int) -> None:
    item = sequencing.items[number]
    assert isinstance(item, SequencingItem)
    gate, trials, noise = check_verifier(sequencing, item)
    assert (gate.state, gate.faults) == ("passed", ())
    hostile = [trial for trial in trials if trial.kind == "hostile"]
    assert all(trial.because and trial.scores["strict"] == 0 for trial in hostile)
    assert noise["strict"].model_dump() == {"low": 1.0, "high": 1.0, "n": 5}
    assert all(trial.scores["paper"] == (1.0 if trial.spared else 0.0) for trial in hostile)


@pytest.mark.real
def test_only_what_goes_on_at_the_ends_tells_the_order(sequencing: LoadedBenchmark) -> None:
    found = judge_shortcuts(sequencing, [shortcut_scores(sequencing, item) for item in sequencing.items])
    scores = {each.name: each.mean for each in found}
    assert scores.keys() == {"brief only", "file names", "file sizes", "lengths", "boundary continuity", "waveform"}
    assert all(mean < 0.15 for name, mean in scores.items() if name != "boundary continuity")
    assert scores["boundary continuity"] > 0.3
    assert [each.name for each in found if each.printed] == ["boundary continuity"]
