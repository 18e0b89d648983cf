"""covebench: the released checklist loads unmodified, oddities are named, and one bad task is not the end."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.covebench.checklist import Format, taxonomy
from cutscore.benchmarks.covebench.dataset import find_left_out, find_source, items, read_answers
from cutscore.benchmarks.covebench.released import ReleasedChecklist, parse_tasks, read_checklist
from cutscore.benchmarks.covebench.scores import MODES, SCORES, ScoreName, score_checklist, sum_sums
from cutscore.cells.admission import load_admitted
from cutscore.core.errors import BrokenData
from cutscore.registry import benchmark
from cutscore.store import Store

CONSTANT: dict[Format, Any] = {"AB-MCQ": "B", "Single-TF": "Yes", "Dual-TF": "Yes", "Score-MCQ": 8}


def task(id: Any = 1, **more: Any) -> dict[str, Any]:
    asked = {
        "id": "Q1",
        "type": "Single-TF",
        "dimension": "Execution Accuracy",
        "question": "?",
        "expected_answer": "No",
    }
    group = {"target_element": "ball", "questions": [asked], "category": []}
    plain = {"id": id, "editing_instruction": "Do it.", "videoA_path": "data/6.mp4", "evaluation_groups": [group]}
    return plain | more


@pytest.fixture
def sample(shared: Path) -> ReleasedChecklist:
    return read_checklist(shared / "data" / "covebench" / "checklist_sample.json")


def test_the_released_sample_loads_whole(sample: ReleasedChecklist) -> None:
    assert [each.id for each in sample.tasks] == ["1", "64", "117", "369", "472", "532"]
    assert not sample.faults
    assert sum(len(each.checklist.questions) for each in sample.tasks) == 95


def test_a_constant_judge_gets_what_the_released_aggregation_gives_it(sample: ReleasedChecklist) -> None:
    def total(name: ScoreName, mode: Any) -> float | None:
        each = [
            score_checklist(
                task.checklist, {asked.id: CONSTANT[asked.format] for asked in task.checklist.questions}, mode
            )[name]
            for task in sample.tasks
        ]
        return sum_sums(each).value

    for mode in MODES:
        found = {name: total(name, mode) for name in SCORES}
        assert [round(found[name] or 0, 2) for name in ("ifs", "vrs", "uas", "sem")] == [75.00, 84.00, 42.11, 80]


def test_a_bad_task_is_named_and_the_rest_goes_on() -> None:
    nameless = {"id": 3, "videoA_path": "a.mp4"}
    doubled = task(4)
    doubled["evaluation_groups"][0]["questions"] *= 2
    read = parse_tasks([task(1), task(1), "no task", nameless, doubled, task(5)])
    assert [each.id for each in read.tasks] == ["1", "5"]
    assert read.faults["1"] == "its id is that of an earlier task"
    assert set(read.faults) == {"1", "number 3", "3", "4"}
    assert "two questions are called Q1" in read.faults["4"]


def test_keys_with_an_underscore_are_read_and_remarked_on() -> None:
    odd = task(category=[{"Level_1": "Style", "Level 2": "Art Style Transfer", "Level 3": "Anime"}])
    (read,) = parse_tasks([odd]).tasks
    assert read.checklist.categories[0].level_1 == "Style"
    assert "a category writes 'Level_1'" in read.remarks


def test_the_taxonomy_has_the_types_of_table_9() -> None:
    assert sum(len(types) for types in taxonomy().values()) == 19
    assert len(taxonomy()) == 7


def test_what_is_no_checklist_is_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / "checklist.json"
    file.write_text("{")
    with pytest.raises(BrokenData, match=r"checklist 'checklist.json': cannot be read"):
        read_checklist(file)
    file.write_text("{}")
    with pytest.raises(BrokenData, match="is not an array of tasks"):
        read_checklist(file)


def test_sources_are_found_as_the_release_looks_for_them_and_nowhere_else(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "6.mp4").write_bytes(b"a")
    (folder / "7.mp4").write_bytes(b"b")
    (tmp_path / "8.mp4").write_bytes(b"c")
    (folder / "9.mp4").symlink_to(tmp_path / "8.mp4")
    assert find_source("data/6.mp4", folder) == folder / "data" / "6.mp4"
    assert find_source("data/7.mp4", folder) == folder / "7.mp4"
    assert find_source("../8.mp4", folder) is None
    assert find_source(str(tmp_path / "8.mp4"), folder) is None
    assert find_source("9.mp4", folder) is None


def test_tasks_without_their_source_are_left_out_and_named(tmp_path: Path) -> None:
    shutil.copy(Path(__file__), tmp_path / "6.mp4")  # any bytes: nobody decodes a source to list tasks
    written = [task(1), task(2, videoA_path="data/7.mp4"), task(3)]
    (tmp_path / "checklist.json").write_text(json.dumps(written))
    found = items(Store(tmp_path / "store"), tmp_path)
    assert [(item.id, item.cluster) for item in found] == [("1", "data/6.mp4"), ("3", "data/6.mp4")]
    assert found[0].source == found[1].source
    assert find_left_out(tmp_path) == ("task 2 is left out: its source 'data/7.mp4' is not in the folder",)


def test_of_many_tasks_without_their_source_a_few_are_named(tmp_path: Path) -> None:
    (tmp_path / "6.mp4").write_bytes(b"any bytes")
    written = [task(1), *(task(number, videoA_path=f"data/{number}.mov") for number in range(2, 10))]
    (tmp_path / "checklist.json").write_text(json.dumps(written))
    said = find_left_out(tmp_path)
    assert said[0] == "task 2 is left out: its source 'data/2.mov' is not in the folder"
    assert said[5:] == ("so are tasks 7, 8, 9, for want of their sources",)


def test_without_any_source_answers_from_elsewhere_can_still_be_marked(tmp_path: Path) -> None:
    (tmp_path / "checklist.json").write_text(json.dumps([task(1)]))
    (item,) = items(Store(tmp_path / "store"), tmp_path)
    assert item.source is None
    assert "only answers from elsewhere" in find_left_out(tmp_path)[0]


def test_answers_of_a_checklist_that_was_gone_through_are_read() -> None:
    judged = task(1)
    judged["evaluation_groups"][0]["questions"][0]["model_answer"] = "No"
    assert read_answers([judged]) == {"1": {"Q1": "No"}}
    assert read_answers({"1": {"Q1": "No"}}) is None


def test_what_is_left_out_is_said_before_anything_is_run(tmp_path: Path) -> None:
    (tmp_path / "6.mp4").write_bytes(b"any bytes")
    written = [task(1), task(2, videoA_path="data/7.mp4")]
    (tmp_path / "checklist.json").write_text(json.dumps(written))
    admitted = load_admitted(benchmark("covebench"), Store(tmp_path / "store"), tmp_path)
    assert [item.id for item in admitted.items] == ["1"]
    assert admitted.remarks == ("task 2 is left out: its source 'data/7.mp4' is not in the folder",)
