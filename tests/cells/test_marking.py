"""How a subject failed: what it says of itself, nothing at all, or something that nobody can read."""

from pathlib import Path

import pytest

from cutscore.cells.marking import classify_failure, mark_one
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.registry import benchmark
from cutscore.store import Store


def ended(*findings: Finding) -> Ending:
    return Ending(status="marked", scores={"score@paper": 0.0}, findings=findings)


@pytest.mark.parametrize(
    ("deliverable", "evidence", "failed"),
    [
        (Deliverable(text="an answer"), Evidence(), None),
        (Deliverable(text=" \n"), Evidence(), "nothing"),
        (Deliverable(), Evidence(facts={"final_url": "shop"}), None),
        (Deliverable(text="half", failure="cut off", failure_class="limit"), Evidence(), "limit"),
        (Deliverable(failure="boom"), Evidence(), "crash"),
    ],
)
def test_what_a_subject_says_comes_first_then_what_there_is(
    deliverable: Deliverable, evidence: Evidence, failed: str | None
) -> None:
    assert classify_failure(deliverable, evidence, ended(), headline="score@paper") == failed
    unmarked = Ending(status="unscored", because="no judge")
    assert classify_failure(deliverable, evidence, unmarked, headline="score@paper") is None


def test_only_the_headline_makes_something_unreadable() -> None:
    text = Deliverable(text="x")

    def failed(name: str, mode: str = "") -> str | None:
        broken = Finding(name=name, value=0, because="not a film", mode=mode, unreadable=True)
        return classify_failure(text, Evidence(), ended(broken), headline="score@paper")

    assert [failed("score", "paper"), failed("score")] == ["unreadable"] * 2
    assert [failed("score", "strict"), failed("rendered")] == [None] * 2


@pytest.mark.parametrize(
    ("answer", "failed"), [('{"answer": "mauve"}', None), ("{", "unreadable"), ('{"reply": 1}', "unreadable")]
)
def test_a_broken_answer_file_is_unreadable_and_a_wrong_answer_is_not(
    tmp_path: Path, answer: str, failed: str | None
) -> None:
    found, store = benchmark("colorbars"), Store(tmp_path / "store")
    item = found.part("dataset").items(store, None)[0]
    made = Deliverable(files=(store.put_bytes(answer.encode(), name="answer.json"),))
    ending = mark_one(found, made, Evidence(files=made.files), item, store=store)
    assert (ending.status, ending.scores, ending.failure_class) == ("marked", {"accuracy": 0.0}, failed)


@pytest.mark.parametrize(
    ("bench", "mode", "files", "failed"),
    [
        ("sequencing", "paper", {"solution.json": b"{"}, "unreadable"),
        ("sequencing", "paper", {"solution.json": b"[]", "solution.mp4": b"no film"}, None),
        ("assembly", "paper", {"solution.json": b"nonsense"}, "unreadable"),
        ("repair", "paper", {"fixed.mp4": b"no film"}, "unreadable"),
        ("repair", "strict", {"report.md": b"# done"}, None),
        ("repurpose", "paper", {"final.mp4": b"no film"}, "unreadable"),
    ],
)
def test_benchmarks_say_what_cannot_be_read(
    tmp_path: Path, bench: str, mode: str, files: dict[str, bytes], failed: str | None
) -> None:
    found, store = benchmark(bench), Store(tmp_path / "store")
    item = found.part("dataset").items(store, None)[0]
    made = Deliverable(files=tuple(store.put_bytes(data, name=name) for name, data in files.items()))
    ending = mark_one(found, made, Evidence(files=made.files), item, store=store, mode=mode)
    assert (ending.status, ending.failure_class) == ("marked", failed)
