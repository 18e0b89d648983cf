"""clvg_turns: the verifier of staged films tells right films from frozen, wrong and broken ones, with its reason."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.authoring.clip_cache import put_pictures
from cutscore.authoring.loaded_benchmark import LoadedBenchmark, load_benchmark
from cutscore.benchmarks.clvg_turns import oracle
from cutscore.benchmarks.clvg_turns.dataset import InteractionCase
from cutscore.benchmarks.clvg_turns.judge_stage import FEWEST, follow, judge_by_truth
from cutscore.benchmarks.clvg_turns.questions import turn_questions
from cutscore.benchmarks.clvg_turns.staged import FRAMES, iter_turn, last_picture
from cutscore.bridge.rows import read_rows
from cutscore.cells.known_work import KnownWork
from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.registry import benchmark
from cutscore.store import Store


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> LoadedBenchmark:
    return load_benchmark(benchmark("clvg_turns"), Store(tmp_path_factory.mktemp("store")))


def item_of(bench: LoadedBenchmark, name: str) -> InteractionCase:
    item = next(item for item in bench.items if item.id == name)
    assert isinstance(item, InteractionCase)
    return item


def reasons(bench: LoadedBenchmark, item: InteractionCase, known: KnownWork) -> dict[str, tuple[float, str]]:
    ending = bench.mark(known, item)
    return {each.name: (each.value, each.because) for each in ending.findings if "/" in each.name}


def test_a_held_picture_fails_since_nothing_came_of_the_answer(bench: LoadedBenchmark) -> None:
    item = item_of(bench, "fire-b")
    found = reasons(bench, item, oracle.PLANTED["frozen"](item, bench.store, ""))
    value, because = found["turn2/branch"]
    assert value == 0
    assert "like the film before: nothing came of the answer" in because
    assert found["turn2/focus"][0] == 0


def test_another_branch_fails_by_its_name(bench: LoadedBenchmark) -> None:
    item = item_of(bench, "doors-b")
    found = reasons(bench, item, oracle.PLANTED["ahead"](item, bench.store, ""))
    assert found["turn2/branch"] == (0, "stage says 'no': it ends like state 'right', and not like 'wrong_pink'")


def test_a_jump_and_noise_fail(bench: LoadedBenchmark) -> None:
    item = item_of(bench, "cups-a")
    path = item.paths["scripted"]
    last = last_picture(item, path[:2])

    def made(pictures: list[np.ndarray]) -> list[Deliverable]:
        first = put_pictures(bench.store, "turn_1.mp4", iter_turn(item, path[:1]), rate=Fraction(10))
        second = put_pictures(bench.store, "turn_2.mp4", pictures, rate=Fraction(10))
        return [Deliverable(files=(first,)), Deliverable(files=(second,)), Deliverable()]

    jump = reasons(bench, item, made([last] * FRAMES))
    assert jump["turn2/branch"][0] == jump["turn2/focus"][0] == 1, "it ends as it should"
    assert jump["turn2/action"][0] == 0
    assert jump["turn2/action"][1].endswith("a jump")
    noise = np.random.default_rng(1).integers(0, 255, (FRAMES, 180, 320, 3), dtype=np.uint8)
    found = reasons(bench, item, made(list(noise)))
    assert found["turn2/branch"][0] == 0
    assert "none of the states" in found["turn2/branch"][1]


def test_other_size_rate_and_pace_are_no_fault(bench: LoadedBenchmark) -> None:
    import cv2

    item = item_of(bench, "shapes-a")
    path = item.paths["scripted"]
    films = []
    for turn in range(1, len(path) + 1):
        pictures = [cv2.resize(each, (640, 360)) for each in iter_turn(item, path[:turn])]
        slow = [pictures[0]] * 10 + [picture for picture in pictures for _ in range(2)]
        films.append(Deliverable(files=(put_pictures(bench.store, f"turn_{turn}.mp4", slow, rate=Fraction(25)),)))
    ending = bench.mark(films, item, "strict")
    assert ending.scores["case_passed@strict"] == 1, [each.because for each in ending.findings if not each.value]


def test_pictures_are_followed_in_order_and_not_backwards() -> None:
    there = np.abs(np.subtract.outer(np.arange(0.0, 9.0, 2.0), np.arange(9.0)))
    assert follow(there).max() == 0
    assert follow(there[::-1]).max() > 3


def test_what_was_not_staged_has_no_verdict(bench: LoadedBenchmark) -> None:
    item = item_of(bench, "sums-a").model_copy(update={"stage": {}})
    assert [each.answer for each in judge_by_truth(turn_questions(2), Evidence(), item)] == [None] * 3


@pytest.mark.real
def test_every_state_can_be_told_from_every_other(bench: LoadedBenchmark) -> None:
    """Of each case, after each film, the films that may follow end otherwise, and otherwise than it did."""
    for item in bench.items:
        assert isinstance(item, InteractionCase)
        for path in item.paths.values():
            for turn in range(1, len(path)):
                ways = item.state(path[turn - 1]).transitions
                ends = [last_picture(item, (*path[:turn], way.next_state_id)) for way in ways]
                ends.append(last_picture(item, path[:turn]))
                for one in range(len(ends)):
                    for two in range(one):
                        unlike = (np.abs(ends[one].astype(int) - ends[two]).mean(axis=2) >= 24).sum()
                        assert unlike >= FEWEST, (item.id, path[turn - 1], one, two)


@pytest.mark.real
@pytest.mark.parametrize(("who", "wanted"), [("oracle", 1.0), ("frozen", 0.0), ("ahead", 0.0)])
def test_known_generators_get_known_marks_with_a_sampled_user(who: str, wanted: float, tmp_path: Path) -> None:
    import cutscore

    cutscore.run(
        "clvg_turns", subject=who, conditions={"user": "sampled"}, log_dir=tmp_path / "logs", mode="strict", limit=8
    )
    rows = read_rows(tmp_path / "logs")
    assert [row.ending.scores["case_passed@strict"] for row in rows] == [wanted] * 8
