"""Evidence is read through the store it is bound to, and only by name."""

from pathlib import Path

import pytest

from cutscore.core import evidence as module
from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def test_a_recorded_file_is_read_by_name(store: Store) -> None:
    evidence = Evidence(files=(store.put_bytes("42 µs".encode(), name="answer.txt"),)).bind(store)
    assert evidence.path("answer.txt").read_bytes() == "42 µs".encode()
    assert evidence.text("answer.txt") == "42 µs"
    assert evidence.text("other.txt") is None


def test_what_was_not_recorded(store: Store) -> None:
    evidence = Evidence(files=(store.put_bytes(b"x", name="a.txt"),)).bind(store)
    with pytest.raises(BadInput, match=r"file 'b.txt': was not recorded; recorded: a.txt"):
        evidence.path("b.txt")
    with pytest.raises(BadInput, match=r"recorded: nothing"):
        Evidence().path("b.txt")


def test_binding_gives_another_evidence_with_the_same_value(store: Store) -> None:
    loose = Evidence(files=(store.put_bytes(b"x", name="a.txt"),), facts={"code": 0})
    bound = loose.bind(store)
    assert bound == loose
    assert bound.digest() == loose.digest()
    assert "_store" not in bound.model_dump_json()
    with pytest.raises(BadInput, match=r"evidence: cannot be read; bind the evidence to a store first"):
        loose.path("a.txt")
    assert bound != Evidence(facts={"code": 0})
    assert bound != "evidence"


def test_text_of_any_bytes_is_text_up_to_a_length(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_TEXT_BYTES", 4)
    evidence = Evidence(files=(store.put_bytes(b"a\xffbcdef", name="a.txt"),)).bind(store)
    assert evidence.text("a.txt") == "a\ufffdbc"
