"""videowebarena: the released folder loads whole, and a file that is torn or hostile is told in one sentence."""

import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.videowebarena.dataset import WebItem
from cutscore.benchmarks.videowebarena.released_files import read_tasks, require_whole
from cutscore.core.errors import BrokenData

COUNTS = {
    "factual": {"reddit": 87, "classifieds": 60, "shopping": 121, "shopping_admin": 47, "gitlab": 70, "map": 15},
    "vwa": {"classifieds": 206, "reddit": 206, "shopping": 464},
    "wa": {"gitlab": 191, "shopping": 190, "shopping_admin": 182, "reddit": 114, "map": 68},
}


def test_all_released_tasks_are_counted_by_set_and_site(released_items: dict[str, WebItem]) -> None:
    found = Counter((item.set, item.site) for item in released_items.values())
    assert found == Counter({(kind, site): n for kind, sites in COUNTS.items() for site, n in sites.items()})
    assert len(released_items) == 2021


def test_the_authors_repository_is_a_folder_too(write_task: Callable[..., Path], tmp_path: Path) -> None:
    folder = write_task()
    (tmp_path / "repository").mkdir()
    folder.rename(tmp_path / "repository" / "config_files")
    assert [entry.id for entry in read_tasks(tmp_path / "repository").entries] == ["factual-shopping-0"]


def test_ids_name_set_site_and_number(write_task: Callable[..., Path]) -> None:
    write_task(task_id=7)
    write_task(task_id=40, set="vwa")
    folder = write_task(task_id=225, set="wa", site="webarena", sites=["wikipedia", "map"])
    read = read_tasks(folder)
    assert [entry.id for entry in read.entries] == ["factual-shopping-7", "vwa-shopping-40", "wa-225"]
    assert read.entries[2].site == "map"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"colour": "red"}, "task 'factual-shopping-0': colour: is no field of a released task"),
        ({"eval": {"eval_types": [], "note": 1}}, "eval.note: is no field of a released task"),
        ({"eval": {"eval_types": ["regex"]}}, "eval.eval_types.0: Input should be 'string_match'"),
        ({"intent": ["Buy"]}, "intent: Input should be a valid string"),
        ({"intent": ""}, "intent: String should have at least 1 character"),
        ({"intent": "x" * 10_000_000}, "intent: String should have at most 20000 characters"),
        ({"x" * 10_000_000: 1}, "task 'factual-shopping-0': xxx"),
        ({"require_login": "yes"}, "require_login: Input should be a valid boolean"),
        ({"task_id": "7"}, "entry 0 of 'videowa/test_shopping.raw.json': task_id: Input should be a valid integer"),
        ({"task_id": -1}, "entry 0 of 'videowa/test_shopping.raw.json': task_id: Input should be greater"),
        ({"task_id": 10**40}, "entry 0 of 'videowa/test_shopping.raw.json': task_id: Input should be less"),
        ({"sites": ["../../etc"]}, "sites.0: String should match pattern"),
        ({"sites": []}, "sites: Tuple should have at least 1 item"),
        ({"viewport_size": {"width": 0}}, "viewport_size.width: Input should be greater than or equal to 1"),
        ({"intermediate_eval": ...}, "intermediate_eval: a factual task has one"),
        ({"intermediate_intent": ""}, "intermediate_intent: a factual task has one"),
        (
            {"eval": {"eval_types": ["string_match"], "reference_answers": {"exact_match": ["a"]}}},
            "eval.reference_answers.0: 'exact_match' is one text, not a list",
        ),
        (
            {"eval": {"eval_types": ["string_match"], "reference_answers": {"must_include": "a"}}},
            "eval.reference_answers.0: 'must_include' is a list, not one text",
        ),
        (
            {"eval": {"eval_types": ["string_match"], "reference_answers": {"regex": ["a"]}}},
            "eval.reference_answers.0.kind: Input should be 'exact_match'",
        ),
    ],
)
def test_a_fault_names_task_and_field(write_task: Callable[..., Path], changes: dict[str, Any], told: str) -> None:
    with pytest.raises(BrokenData) as error:
        require_whole(read_tasks(write_task(**changes)))
    assert told in str(error.value)
    assert len(str(error.value)) < 1_000


def test_every_fault_is_kept_and_five_are_told(write_task: Callable[..., Path], make_entry: Callable[..., Any]) -> None:
    broken = [make_entry(task_id=number, intent=number) for number in range(8)]
    read = read_tasks(write_task(*broken, make_entry(task_id=8)))
    assert (len(read.faults), len(read.entries)) == (8, 1)
    with pytest.raises(BrokenData, match=r"and 3 more; restore the released files") as error:
        require_whole(read)
    assert error.value.faults == read.faults


def test_two_tasks_with_one_number_are_told(write_task: Callable[..., Path], make_entry: Callable[..., Any]) -> None:
    read = read_tasks(write_task(make_entry(), make_entry()))
    assert read.faults == ("task 'factual-shopping-0': its task_id is that of an earlier task",)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b'[{"task_id": 0, "sites": [', "is not JSON from character 27 on"),
        (b'{"task_id": 0}', "is not an array of tasks"),
        (b"[" * 100_000, "is nested too deeply"),
        (b"\xff\xfe[]", "is not UTF-8"),
        (b'[{"task_id": 0, "task_id": 1}]', "has the key 'task_id' twice"),
        (b"[null]", "entry 0 of 'videowa/test_shopping.raw.json': is not an object"),
        (b'["' + b"x" * 10_000_000 + b'"]', "entry 0 of 'videowa/test_shopping.raw.json': is not an object"),
    ],
)
def test_a_torn_file_is_told(write_task: Callable[..., Path], data: bytes, told: str) -> None:
    folder = write_task()
    (folder / "videowa" / "test_shopping.raw.json").write_bytes(data)
    (fault,) = read_tasks(folder).faults
    assert told in fault
    assert len(fault) < 500


def test_a_pipe_is_not_waited_for(write_task: Callable[..., Path]) -> None:
    folder = write_task()
    os.mkfifo(folder / "videowa" / "test_map.raw.json")
    (fault,) = read_tasks(folder).faults
    assert fault == "file 'videowa/test_map.raw.json' cannot be read: it is a pipe and no regular file"


def test_a_folder_without_tasks_is_told(tmp_path: Path) -> None:
    with pytest.raises(BrokenData, match="has none of videowa/, vwa/, wa/; name the folder of the released task files"):
        read_tasks(tmp_path)
    (tmp_path / "wa").mkdir()
    (tmp_path / "wa" / "notes.raw.json").write_text(json.dumps([]))
    with pytest.raises(BrokenData, match=r"has no file test_SITE\.raw\.json in its sets"):
        read_tasks(tmp_path)
