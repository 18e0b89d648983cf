"""Evidence by a plan: the same recorder with and without a world, and what it does when reads go wrong."""

import time

import anyio
import pytest
from pydantic import ValidationError

from cutscore.cells import evidence as recorder
from cutscore.cells.evidence import evidence_plan, record_evidence, record_without_world, require_reads
from cutscore.cells.marking import mark_one
from cutscore.core.ask import Ask
from cutscore.core.bundle import UnscorableBundle
from cutscore.core.deliverable import Deliverable
from cutscore.core.environment import EvidencePlan, EvidenceRead, ReadResult
from cutscore.core.errors import Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.item import Item
from cutscore.core.turn import Turn
from cutscore.registry import benchmark
from cutscore.store import Store


class Plan:
    """An `evidence.py` with these reads."""

    def __init__(self, *reads: EvidenceRead) -> None:
        self.reads = reads

    def plan(self, item):
        return EvidencePlan(reads=self.reads)


class ReadingPlan(Plan):
    """One that reads deliverables by itself."""

    def read(self, read, deliverable, store):
        if read.kind == "broken":
            raise ValueError("no such frame")
        if read.kind == "slow":
            time.sleep(1)
        files = tuple(store.put_bytes(b"seen", name=name) for name in read.arguments.get("files", ()))
        return ReadResult(fact=len(deliverable.files), files=files, is_live=read.kind == "page")


def read(name, kind="count", **arguments):
    return EvidenceRead(name=name, kind=kind, arguments=arguments)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


@pytest.fixture
def found(monkeypatch):
    """Give a function that puts a plan into a benchmark."""

    def put(plan):
        own = benchmark("colorbars")
        kind = type(own)
        parts = {name: own.part(name) for name in ("ask", "mark")}
        monkeypatch.setattr(kind, "part", lambda _, name: {**parts, "evidence": plan}[name])
        monkeypatch.setattr(kind, "has_part", lambda _, name: name == "evidence")
        return own

    return put


ITEM = Item(id="a", cluster="a")


def test_without_a_plan_the_evidence_is_what_was_handed_over(store):
    delivered = Deliverable(files=(store.put_bytes(b"x", name="x.txt"),))
    assert record_without_world(benchmark("colorbars"), ITEM, delivered, store) == Evidence(files=delivered.files)
    assert evidence_plan(benchmark("colorbars"), ITEM) == EvidencePlan()


def test_each_read_stands_for_itself(found, store):
    bench = found(ReadingPlan(read("one"), read("two", "broken"), read("three", files=["page.html"])))
    made = record_without_world(bench, ITEM, Deliverable(), store)
    assert made.facts == {"one": 0, "three": 0}
    assert made.errors == {"two": "could not be read: ValueError: no such frame"}
    assert [ref.name for ref in made.files] == ["page.html"]
    assert list(made.reads) == ["one", "two", "three"]
    require_reads(bench, ITEM, made)
    assert made.fact("one") == 0
    with pytest.raises(Unscored, match="evidence 'two': could not be read: ValueError: no such frame; run the same"):
        made.fact("two")
    with pytest.raises(Unscored, match="evidence 'four': was not recorded; recorded: one, three"):
        made.fact("four")


def test_what_has_a_clock_of_its_own_is_named(found, store):
    bench = found(ReadingPlan(read("one"), read("two", "page", files=["page.html"])))
    assert record_without_world(bench, ITEM, Deliverable(), store).live == ("two", "page.html")


def test_nobody_can_deliver_what_we_recorded(found, store):
    forged = Deliverable(
        files=tuple(store.put_bytes(b"forged", name=name) for name in ("Page.html", "turn-1/a.txt", "b"))
    )
    bench = found(ReadingPlan(read("page", files=["page.html"]), read("again", files=["PAGE.html"])))
    turn = Turn(
        number=1, ask=Ask(item="a", brief="?"), deliverable=Deliverable(files=(store.put_bytes(b"own", name="a.txt"),))
    )

    async def record():
        return await record_evidence(bench, ITEM, forged, store=store, turns=[turn])

    made = anyio.run(record).bind(store)
    assert [(ref.name, made.text(ref.name)) for ref in made.files] == [
        ("b", "forged"),
        ("page.html", "seen"),
        ("turn-1/a.txt", "own"),
    ]
    assert made.errors == {"again": "file 'PAGE.html' was recorded before"}


def test_all_reads_share_a_clock(found, store, monkeypatch):
    monkeypatch.setattr(recorder, "READS_S", 0.1)
    bench = found(ReadingPlan(read("slow", "slow"), read("late")))
    made = record_without_world(bench, ITEM, Deliverable(), store)
    assert made.errors == {
        "slow": "did not end within the 0.1 s that all reads have",
        "late": "was not read: the reads before it took the 0.1 s for all",
    }


def test_what_nobody_read_is_named_when_it_is_marked(found, store):
    bench = found(Plan(read("page"), read("log")))
    made = record_without_world(bench, ITEM, Deliverable(), store)
    assert made == Evidence()
    ending = mark_one(bench, Deliverable(), made, ITEM, store=store)
    wanted = "evidence 'page', 'log': was not recorded; run the cell again: it is read when the subject has stopped"
    assert (ending.status, ending.because) == ("unscored", wanted)


def test_reads_have_names_of_their_own():
    with pytest.raises(ValidationError, match="two reads are named 'page'"):
        EvidencePlan(reads=(read("page"), read("page", "log")))


def test_an_item_whose_truth_nobody_told_has_no_plan(found, store):
    bench = found(Plan(read("page")))
    untold = UnscorableBundle.model_construct(id="a", cluster="a")
    assert evidence_plan(bench, untold) == EvidencePlan()
