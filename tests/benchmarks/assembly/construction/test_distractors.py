"""Distractors: one dimension at a time, on three steps, measured; ready ones by their names."""

from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cutscore.benchmarks.assembly.construction.distractors import (
    CHANGED,
    DIMENSIONS,
    LADDERS,
    SIZES,
    Ladder,
    check_distractor,
    draw_steps,
    ladders,
    order_ladders,
    ready_distractors,
)
from cutscore.benchmarks.assembly.framing import Reframing, frame_picture
from cutscore.media.orientation import Pixels

PLAIN = {"shot_size": "wide shot", "camera_angle": "eye level", "lens": "normal lens", "camera_movement": "static"}


@pytest.fixture(scope="module")
def scene() -> Pixels:
    """Fifty boxes of drawn colours on grey, 384×216."""
    draw = np.random.default_rng(11)
    pixels = np.full((216, 384, 3), 110, np.uint8)
    for _ in range(50):
        left, top = int(draw.integers(0, 350)), int(draw.integers(0, 195))
        wide, tall = draw.integers(10, 50, 2).tolist()
        pixels[top : top + tall, left : left + wide] = draw.integers(0, 256, 3)
    return pixels


def filmed(scene: Pixels, framing: Reframing) -> list[Pixels]:
    return [frame_picture(scene, framing.at(progress), size=(128, 72)) for progress in (-0.5, 0.5)]


EACH = (LADDERS[1], *LADDERS[-5:])  # one of each kind


def changes_one_dimension(right: list[Pixels], other: list[Pixels], dimension: str) -> None:
    found = check_distractor(right, other, dimension)
    assert found.fault == ""
    assert abs(found.amounts[dimension]) >= CHANGED
    assert all(abs(found.amounts[name]) <= 1 for name in DIMENSIONS if name != dimension)


@pytest.mark.parametrize("ladder", EACH, ids=lambda ladder: ladder.terms[0])
def test_a_ladder_changes_its_own_dimension_and_no_other(scene: Pixels, ladder: Ladder) -> None:
    low, _, high = (filmed(scene, framing) for framing in ladder.framings)
    changes_one_dimension(low, high, ladder.dimension)


@pytest.mark.real
@pytest.mark.parametrize("ladder", EACH[::2], ids=lambda ladder: ladder.terms[0])
def test_neighbouring_steps_differ_enough_and_in_one_dimension(scene: Pixels, ladder: Ladder) -> None:
    low, middle, high = (filmed(scene, framing) for framing in ladder.framings)
    changes_one_dimension(low, middle, ladder.dimension)
    changes_one_dimension(high, middle, ladder.dimension)


def test_what_changed_nothing_something_else_or_too_much_is_refused(scene: Pixels) -> None:
    right = filmed(scene, Reframing())
    assert "lens changed by 0.0 tolerances, 2 are wanted" in check_distractor(right, right, "lens").fault
    both = filmed(scene, Reframing(tilt=0.16, zoom=1.3))
    assert "shot_size changed, too" in check_distractor(right, both, "camera_angle").fault
    assert "camera_angle changed, too" in check_distractor(right, both, "shot_size").fault
    other = filmed(scene[::-1, ::-1].copy(), Reframing())
    assert "cannot be compared with the right clip" in check_distractor(right, other, "lens").fault


def test_footage_is_changed_only_where_it_can_be() -> None:
    assert {ladder.dimension for ladder in ladders(PLAIN)} == set(DIMENSIONS)
    assert [ladder.terms for ladder in ladders({"shot_size": "medium shot"})] == [
        ("medium shot", "medium close-up", "close-up")
    ]
    assert ladders({"shot_size": "close-up", "camera_movement": "pan left", "lens": "", "camera_angle": "bird"}) == []
    assert ladders({}) == []


def test_no_step_is_likelier_than_another_and_most_golden_clips_are_not_in_the_middle() -> None:
    steps = Counter(step for seed in range(200) for step in draw_steps(6, Random(seed)))
    assert steps == {0: 400, 1: 400, 2: 400}
    for slots in range(3, 7):
        for seed in range(50):
            drawn = draw_steps(slots, Random(seed))
            assert 2 * sum(step != 1 for step in drawn) >= slots


def test_dimensions_take_turns() -> None:
    used: Counter[str] = Counter({"lens": 2, "shot_size": 1})
    order = order_ladders(ladders(PLAIN), used, Random(1))
    assert [used[ladder.dimension] for ladder in order] == [0, 0, 0, 0, 1, 2]


def test_sizes_are_steps_of_one_ladder() -> None:
    climbed = [ladder.terms for ladder in LADDERS if ladder.dimension == "shot_size"]
    assert climbed == [SIZES[first : first + 3] for first in range(5)]


def test_ready_distractors_are_found_by_slot_and_dimension(tmp_path: Path) -> None:
    for name in ("kite.slot1.lens.mp4", "kite.slot1.lens.2.mp4", "kite.slot2.shot_size.mp4", "kite.slot1.mood.mp4"):
        (tmp_path / name).touch()
    assert [(dimension, path.name) for dimension, path in ready_distractors(tmp_path, "kite", 1)] == [
        ("lens", "kite.slot1.lens.mp4"),
        ("lens", "kite.slot1.lens.2.mp4"),
    ]
    assert list(ready_distractors(tmp_path, "kite", 3)) == []
