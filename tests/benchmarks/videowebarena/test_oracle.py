"""videowebarena: known work is what a pack's scripts do; where there are none, nobody knows it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cutscore.benchmarks.videowebarena.dataset import WebItem, items
from cutscore.benchmarks.videowebarena.oracle import PLANTED, empty, near_miss, perfect
from cutscore.benchmarks.videowebarena.scripts import TaskScripts
from cutscore.core.errors import BadInput, Unscored
from cutscore.store import Store

SCRIPTS = {
    "perfect": {"about": "answers", "actions": [{"tool": "goto"}], "answer": "9.50", "intermediate": "red"},
    "near_misses": [{"about": "a longer word", "answer": "19.50"}, {"about": "another value", "answer": "9"}],
}


@pytest.fixture
def item(write_task: Callable[..., Path], tmp_path: Path) -> WebItem:
    return items(Store(tmp_path / "store"), write_task())[0]


def test_scripts_are_played(item: WebItem, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    known = item.model_copy(update={"scripts": TaskScripts.model_validate(SCRIPTS)})
    made = perfect(known, store)
    assert [action.tool for action in made.actions] == ["goto"]
    assert made.deliverable.text == "9.50"
    assert [file.name for file in made.deliverable.files] == ["intermediate.txt"]
    assert near_miss(known, store).deliverable.text == "19.50"
    assert [PLANTED["nearly"](known, store, n).deliverable.text for n in ("1", "2", "9")] == ["19.50", "9", "9"]
    assert empty(known, store).empty


def test_without_a_script_nobody_knows(item: WebItem, tmp_path: Path) -> None:
    with pytest.raises(Unscored, match=r"nobody wrote down how it is done; add it to scripts\.json of the folder"):
        perfect(item, Store(tmp_path / "store"))


@pytest.mark.parametrize("spec", ["", "0", "one"])
def test_a_near_miss_has_a_number(item: WebItem, tmp_path: Path, spec: str) -> None:
    with pytest.raises(BadInput, match="does not say which near miss it plays; write nearly:1"):
        PLANTED["nearly"](item, Store(tmp_path / "store"), spec)
