"""videowebarena: evidence of packs that ship counts for the very work and the very task of which it was taken."""

from pathlib import Path

import pytest

from cutscore.benchmarks.videowebarena.dataset import SOFTWARE, WebItem, items
from cutscore.benchmarks.videowebarena.evidence import plan
from cutscore.benchmarks.videowebarena.mark import mark
from cutscore.benchmarks.videowebarena.oracle import empty, near_miss, perfect, recorded
from cutscore.core.deliverable import Deliverable
from cutscore.core.environment import ActionScript
from cutscore.core.finding import Finding
from cutscore.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture(params=[None, SOFTWARE], ids=["starter", "software"])
def pack(request: pytest.FixtureRequest, store: Store) -> list[WebItem]:
    return items(store, request.param)


def test_all_known_work_of_the_packs_is_recorded_by_the_plan_of_today(pack: list[WebItem], store: Store) -> None:
    for item in pack:
        for work in (perfect, near_miss, empty):
            evidence = recorded(item, work(item, store), store)
            assert evidence is not None, f"{item.id} {work.__name__}: run tools/web_evidence.py"
            assert [*evidence.reads] == [read.name for read in plan(item).reads]
            assert all(store.path(file).is_file() for file in evidence.files)


def test_what_is_recorded_gets_the_marks_that_it_should(pack: list[WebItem], store: Store) -> None:
    for item in pack:
        for work, wanted in ((perfect, {1.0}), (near_miss, {0.0}), (empty, {0.0})):
            known = work(item, store)
            evidence = recorded(item, known, store)
            assert evidence is not None
            delivered = known.deliverable if isinstance(known, ActionScript) else known
            found = mark(delivered, evidence.bind(store), item, {}, options={"overlay": "on"})
            marks = {each.value for each in found if isinstance(each, Finding) and each.name == "final"}
            assert marks == wanted, (item.id, work.__name__)


def test_a_near_miss_gets_nothing_for_the_question_about_the_tutorial_either(store: Store) -> None:
    item = next(item for item in items(store, SOFTWARE) if item.question)
    known = near_miss(item, store)
    evidence = recorded(item, known, store)
    assert evidence is not None
    found = mark(known.deliverable, evidence.bind(store), item, {}, options={"overlay": "on"})
    said = {each.because for each in found if each.name == "intermediate"}
    assert said == {"string_match-2: seen 'green muggle', wanted 'mug' as a word: it stands inside a longer one"}


def test_who_only_answers_leaves_pages_as_they_were(pack: list[WebItem], store: Store) -> None:
    item = pack[0]
    said = store.put_bytes(b"a guess", name="intermediate.txt")
    nothing = recorded(item, empty(item, store), store)
    answered = recorded(item, Deliverable(text="other", files=(said,)), store)
    assert nothing is not None
    assert answered is not None
    assert answered.facts == nothing.facts
    assert [file.name for file in answered.files] == [*(file.name for file in nothing.files), "intermediate.txt"]


def test_other_work_and_another_task_have_no_evidence(pack: list[WebItem], store: Store) -> None:
    item = pack[0]
    work = perfect(item, store)
    assert recorded(item, work.model_copy(update={"actions": work.actions[1:]}), store) is None
    for change in ({"start_urls": ("__OSCAR__/other",)}, {"site_seed": 2}):
        assert recorded(item.model_copy(update=change), empty(item, store), store) is None
