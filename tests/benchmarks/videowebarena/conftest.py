"""Made-up folders in the released layout.

make_entry        returns a task as a file has it, with changes
write_task        writes tasks into a folder, and returns the folder
released          the released folder; skips where it is not at hand
released_items    its items by id, loaded once
one               makes one task of an `eval` section, and a record in which all is as it wants
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from web_records import png

from cutscore.benchmarks.videowebarena.dataset import WebItem, items
from cutscore.benchmarks.videowebarena.made_records import RecordMaker
from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.store import Store

Make = Callable[..., dict[str, Any]]


def _make_entry(**changes: Any) -> dict[str, Any]:
    """Return a factual task that is as it should be; a change to `...` leaves a field out."""
    entry = {
        "task_id": 0,
        "sites": ["shopping"],
        "require_login": True,
        "storage_state": "./.auth/shopping_state.json",
        "start_url": "__SHOPPING__",
        "geolocation": None,
        "require_reset": False,
        "intent_template": "Buy {thing}.",
        "intent_template_id": 1,
        "intent": "Buy a red cup.",
        "instantiation_dict": {"thing": "a red cup"},
        "video": "buy_cup",
        "eval": {"eval_types": ["string_match"], "reference_answers": {"must_include": ["9.50"]}},
        "intermediate_intent": "Which cup is bought?",
        "intermediate_eval": {"eval_types": ["string_match"], "reference_answers": {"must_include": ["red"]}},
        "intermediate_difficulty": "easy",
        "overall_difficulty": "hard",
        "visual_reasoning": True,
    }
    return {name: value for name, value in {**entry, **changes}.items() if value is not ...}


@pytest.fixture
def make_entry() -> Make:
    return _make_entry


@pytest.fixture
def write_task(tmp_path: Path) -> Callable[..., Path]:
    def write(*entries: dict[str, Any], set: str = "videowa", site: str = "shopping", **changes: Any) -> Path:
        folder = tmp_path / "released"
        file = folder / set / f"test_{site}.raw.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(list(entries) or [_make_entry(**changes)]), encoding="utf-8")
        return folder

    return write


@pytest.fixture(scope="session")
def released(shared: Path) -> Path:
    folder = shared / "data" / "videowebarena"
    if not folder.is_dir():
        pytest.skip("the released task files are not in the shared reference data")
    return folder


@pytest.fixture(scope="session")
def released_items(released: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, WebItem]:
    return {item.id: item for item in items(Store(tmp_path_factory.mktemp("store")), released)}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def one(store: Store, write_task: Callable[..., Path]) -> Callable[..., tuple[WebItem, Deliverable, Evidence]]:
    """Make one task with an `eval` section, and a record in which all is as it wants."""

    def make(**section: Any) -> tuple[WebItem, Deliverable, Evidence]:
        (item,) = items(store, write_task(eval=section, image=None))
        return item, *RecordMaker(store, png()).make(item)

    return make
