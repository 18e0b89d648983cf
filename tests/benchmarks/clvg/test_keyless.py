"""clvg: the reader does what it has a skill for on films whose truth is known, and hands over nothing else."""

from pathlib import Path

import numpy as np
import pytest

from cutscore.benchmarks.clvg.keyless import reader
from cutscore.benchmarks.clvg.reading.enhancing import average_moments
from cutscore.benchmarks.clvg.reading.mazes import clearance, find_way
from cutscore.benchmarks.clvg.staged.registry import find_kind
from cutscore.cells.scoring_code import reached_from
from cutscore.core.ask import Ask, AskPart, RequestedFile
from cutscore.core.subject import WorkContext
from cutscore.registry import benchmark
from cutscore.store import Store


def ask_for(store: Store, name: str, number: int = 0) -> Ask:
    """What a generator is given of a staged case: its words and its pieces."""
    kind = find_kind(name)
    case = kind.cases[number]
    given = kind.context(case.settings, store)
    length = float(kind.film(case.settings, 0).length_s)
    return Ask(
        item=case.name,
        brief=case.instruction,
        files=given.files,
        wanted=(RequestedFile(name="generated.mp4"),),
        parts=(
            AskPart(role="instruction", text=case.instruction),
            *(AskPart(role=part.role, file=part.file) for part in given.parts),
            AskPart(role="length", value=length),
        ),
    )


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("enhancement", 0),
        ("edge_drawing", 0),
        ("inpainting", 0),
        ("style_reference", 0),
        ("subject_motion", 0),
        ("maze", 0),
    ],
)
def test_its_work_stands_before_the_verifier(name: str, number: int, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    made = reader(ask_for(store, name, number), WorkContext(store, make_workspace=lambda: tmp_path, epoch=1, seed=1))
    kind = find_kind(name)
    assert kind.verify(store.path(made.files[0]), kind.cases[number].settings) == []


def test_what_it_has_no_skill_for_it_says(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    context = WorkContext(store, make_workspace=lambda: tmp_path, epoch=1, seed=1)
    assert reader(ask_for(store, "pouring"), context).files == ()
    told = context.steps.trajectory()
    assert told is not None
    assert "no skill" in told.steps[-1].said


def test_a_skill_without_its_files_is_not_tried(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    asked = ask_for(store, "edge_drawing").with_files(())
    assert reader(asked, WorkContext(store, make_workspace=lambda: tmp_path, epoch=1, seed=1)).files == ()


def test_it_knows_neither_the_stage_nor_the_truth() -> None:
    found = benchmark("clvg")
    reached = reached_from([found.folder / "keyless.py"], found)
    strange = [name for name in reached if ".stage" in name or ".oracle" in name or ".judge_stage" in name]
    assert strange == []
    assert "cutscore.benchmarks.clvg.reading.detectors" in reached


def test_a_way_through_a_wall_is_never_taken() -> None:
    """A white field with a black wall that is open at its lower end."""
    picture = np.full((60, 80, 3), 255, np.uint8)
    picture[:44, 38:42] = 0
    way = find_way(clearance(picture, np.zeros((60, 80), bool)), (10, 10), (70, 10))
    assert max(y for _, y in way) > 44
    assert all((picture[y, x] == 255).all() for x, y in way)
    picture[:, 38:42] = 0
    assert find_way(clearance(picture, np.zeros((60, 80), bool)), (10, 10), (70, 10)) == []


def test_noise_is_averaged_and_what_moves_stays() -> None:
    """A dark bar goes to the right over a bright field, under noise of 20 levels."""
    draw, clean = np.random.default_rng(3), []
    for number in range(12):
        picture = np.full((48, 96, 3), 180.0)
        picture[:, 6 * number : 6 * number + 12] = 40
        clean.append(picture)
    noisy = [np.clip(each + draw.normal(0, 20, each.shape), 0, 255).astype(np.uint8) for each in clean]
    made = list(average_moments(noisy))
    before, after = (
        np.mean([np.abs(a - b).mean() for a, b in zip(each, clean, strict=True)]) for each in (noisy, made)
    )
    assert after < 0.6 * before
    assert made[6][24, 42].max() < 90
