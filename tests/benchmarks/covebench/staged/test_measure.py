"""covebench: what is measured of staged films is what was staged, through encoders and other sizes."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore.benchmarks.covebench.staged.measure import VideoSeen, difference, measure_video, points, shows_edit
from cutscore.benchmarks.covebench.staged.script import StagedTask, write_checklist
from cutscore.benchmarks.covebench.staged.scripts import TASKS
from cutscore.media.render import write_clip
from cutscore.stage.edits import Remove, apply
from cutscore.stage.render import frames, write
from cutscore.stage.scene import Scene

BY_NAME = {task.name: task for task in TASKS}
PARK = BY_NAME["park-1"]


def measure(scene: Scene, task: StagedTask, folder: Path, *, crf: int = 23) -> VideoSeen:
    write(scene, folder / "edited.mp4", crf=crf)
    return measure_video(folder / "edited.mp4", task)


def done(seen: VideoSeen) -> list[bool]:
    return [edit.is_done for edit in seen.edits]


def test_sixteen_tasks_in_six_places_with_all_seven_dimensions() -> None:
    checklists = [write_checklist(task) for task in TASKS]
    assert len(TASKS) == 16
    assert len({task.scene.name for task in TASKS}) == 6, "a verdict takes six clusters"
    assert sum(len(each.questions) for each in checklists) >= 180
    assert {entry.level_1 for each in checklists for entry in each.categories} == {
        *("Subject", "Background", "Style", "Motion", "Position", "Camera", "Visual Effects")
    }
    options = [each.expected for one in checklists for each in one.questions if each.format == "AB-MCQ"]
    assert 0.3 <= options.count("A") / len(options) <= 0.7
    judged = [each.expected for one in checklists for each in one.questions if each.format == "Single-TF"]
    assert 0.4 <= judged.count("Yes") / len(judged) <= 0.6


def test_every_edit_point_keeps_what_asks_for_it_alone() -> None:
    for task in TASKS:
        checklist = write_checklist(task)
        assert [point.instruction for point in checklist.edit_points] == [edit.clause for edit in task.edits]
        assert all(point.instruction in task.instruction for point in checklist.edit_points)
        assert checklist.points[-1].instruction == ""  # what stays is asked for by nobody


@pytest.mark.real
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_every_choice_of_edits_is_told_from_the_pixels(task: StagedTask, tmp_path: Path) -> None:
    choices: Sequence[tuple[int, ...]] = [(), tuple(task.everything), *((number,) for number in task.everything)]
    for chosen in choices:
        seen = measure(task.film(chosen), task, tmp_path)
        assert done(seen) == [number in chosen for number in task.everything], chosen
        assert all(edit.is_steady for edit in seen.edits)
        assert all(given >= 9 for given, _ in seen.kept.values())


@pytest.mark.real
@pytest.mark.parametrize("crf", [18, 28, 35])
def test_encoders_change_nothing(crf: int, tmp_path: Path) -> None:
    seen = measure(PARK.film(PARK.everything), PARK, tmp_path, crf=crf)
    assert done(seen) == [True] * 3
    assert all(given >= 9 for given, _ in seen.kept.values())


@pytest.mark.real
def test_a_film_of_another_size_and_rate_is_measured_alike(tmp_path: Path) -> None:
    doubled = [np.kron(picture, np.ones((2, 2, 1), np.uint8)) for picture in frames(PARK.film([0])) for _ in range(2)]
    write_clip(tmp_path / "edited.mp4", doubled, rate=Fraction(20))
    assert done(measure_video(tmp_path / "edited.mp4", PARK)) == [True, False, False]


@pytest.mark.real
def test_an_edit_in_half_of_the_film_is_not_steady(tmp_path: Path) -> None:
    whole, without = list(frames(PARK.film(PARK.everything))), list(frames(PARK.film([1, 2])))
    half = len(whole) // 2
    write_clip(tmp_path / "edited.mp4", whole[:half] + without[half:], rate=PARK.scene.rate)
    first, *others = measure_video(tmp_path / "edited.mp4", PARK).edits
    assert not first.is_steady
    assert all(edit.is_done and edit.is_steady for edit in others)


@pytest.mark.real
def test_what_is_taken_away_beside_the_edits_loses_its_points(tmp_path: Path) -> None:
    spoiled = apply(PARK.film(PARK.everything), Remove(thing="dog"))
    seen = measure(spoiled, PARK, tmp_path)
    assert done(seen) == [True] * 3
    assert seen.kept["dog"][0] <= 6
    assert seen.kept["tree"][0] == 10


@pytest.mark.real
def test_noise_and_another_film_show_no_edit(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (20, 180, 320, 3), dtype=np.uint8)
    write_clip(tmp_path / "edited.mp4", list(noise), rate=Fraction(10))
    assert done(measure_video(tmp_path / "edited.mp4", PARK)) == [False] * 3
    assert done(measure(BY_NAME["room-1"].scene, PARK, tmp_path)) == [False] * 3


def test_a_picture_shows_an_edit_where_it_is_nearer_to_the_films_that_have_it() -> None:
    has, lacks = frozenset({0}), frozenset[int]()
    where = np.ones((8, 8), bool)

    def shows(done: float, left: float, where: Any = where) -> bool | None:
        return shows_edit({has: np.full((8, 8), done), lacks: np.full((8, 8), left)}, where, 0)

    assert shows(3, 150) is True
    assert shows(150, 3) is False
    assert shows(75, 75) is False  # half mixed in
    assert shows(60, 200) is False  # like none of the films
    assert shows(3, 150, np.zeros((8, 8), bool)) is None  # nothing of it can be seen


def test_points_fall_with_the_difference() -> None:
    given = [points(far) for far in (0, 10, 15, 20, 30, 40, 60, 80, 100, 130)]
    assert given == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]


def test_a_difference_is_the_mean_over_colours_to_the_bit() -> None:
    one, other = (np.random.default_rng(seed).integers(0, 256, (90, 160, 3), dtype=np.uint8) for seed in (1, 2))
    one[0, 0], other[0, 0] = 255, 0
    plain = np.abs(one.astype(int) - other.astype(int)).mean(axis=2, dtype=np.float32)
    assert np.array_equal(difference(one, other), plain)
