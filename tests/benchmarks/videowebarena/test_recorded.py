"""videowebarena: evidence of the starter pack counts for the very work and the very task of which it was taken."""

from pathlib import Path

import pytest

from cutscore.benchmarks.videowebarena.dataset import WebItem, items
from cutscore.benchmarks.videowebarena.evidence import plan
from cutscore.benchmarks.videowebarena.mark import mark
from cutscore.benchmarks.videowebarena.oracle import empty, near_miss, perfect, recorded
from cutscore.core.deliverable import Deliverable
from cutscore.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def pack(store: Store) -> list[WebItem]:
    return items(store)


def test_all_known_work_of_the_pack_is_recorded_by_the_plan_of_today(pack: list[WebItem], store: Store) -> None:
    for item in pack:
        for work in (perfect, near_miss, empty):
            evidence = recorded(item, work(item, store), store)
            assert evidence is not None, f"{item.id} {work.__name__}: run tools/web_evidence.py"
            assert [*evidence.reads] == [read.name for read in plan(item).reads]
            assert all(store.path(file).is_file() for file in evidence.files)


def test_a_near_miss_gets_nothing_for_the_question_about_the_tutorial_either(pack: list[WebItem], store: Store) -> None:
    item = next(item for item in pack if item.question)
    known = near_miss(item, store)
    evidence = recorded(item, known, store)
    assert evidence is not None
    found = mark(known.deliverable, evidence.bind(store), item, {}, options={"overlay": "on"})
    said = {each.because for each in found if each.name == "intermediate"}
    assert said == {"string_match-2: seen 'green muggle', wanted 'mug' as a word: it stands inside a longer one"}


def test_other_work_and_another_task_have_no_evidence(pack: list[WebItem], store: Store) -> None:
    item = pack[0]
    assert recorded(item, Deliverable(text="other"), store) is None
    moved = item.model_copy(update={"start_urls": ("__OSCAR__/other",)})
    assert recorded(moved, empty(item, store), store) is None
