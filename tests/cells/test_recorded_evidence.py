"""Evidence as files: what is written is what is read, and what was changed since is named."""

from pathlib import Path

import pytest

from cutscore.cells.evidence import join_deliverable
from cutscore.cells.recorded_evidence import FILES, INDEX, RecordedWork, read_recorded, take_files_of, write_recorded
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BrokenData
from cutscore.core.evidence import Evidence
from cutscore.store import Store


@pytest.fixture
def work(tmp_path: Path) -> RecordedWork:
    """One piece of work, written into the folder `out`."""
    store = Store(tmp_path / "store")
    page = store.put_bytes(b"<p>", name="stop.html", media_type="text/html")
    evidence = Evidence(files=(page,), facts={"stop": {"url": "a"}}, reads={"stop": "0" * 64}, live=("stop",))
    made = RecordedWork(item="a", work="1", evidence=evidence)
    write_recorded([made], store, tmp_path / "out")
    return made


def test_what_is_written_is_what_is_read(work: RecordedWork, tmp_path: Path) -> None:
    out, other = tmp_path / "out", Store(tmp_path / "other")
    assert read_recorded(tmp_path) == []
    assert read_recorded(out) == [work]
    assert take_files_of(work, out, other).bind(other).text("stop.html") == "<p>"
    later = work.model_copy(update={"item": "b"})
    write_recorded([*read_recorded(out), later], Store(tmp_path / "empty"), out)
    assert read_recorded(out) == [work, later]


def test_nobody_delivers_what_was_recorded(work: RecordedWork, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    forged = store.put_bytes(b"other", name="STOP.html", media_type="text/html")
    answer = store.put_bytes(b"9.50", name="answer.txt", media_type="text/plain")
    joined = join_deliverable(work.evidence, Deliverable(files=(answer, forged)))
    assert [file.name for file in joined.files] == ["answer.txt", "stop.html"]


@pytest.mark.parametrize(
    ("text", "fact"),
    [("[{", "is not JSON from character 3 on"), ("{}", "is no list"), ('[{"item": "a"}]', "work: Field required")],
)
def test_a_broken_index_is_one_sentence(work: RecordedWork, tmp_path: Path, text: str, fact: str) -> None:
    (tmp_path / "out" / INDEX).write_text(text)
    with pytest.raises(BrokenData, match=rf"evidence '.*evidence.json': {fact}; record it again"):
        read_recorded(tmp_path / "out")


def test_a_file_that_changed_or_is_gone_is_named(work: RecordedWork, tmp_path: Path) -> None:
    file = tmp_path / "out" / FILES / work.evidence.files[0].sha256
    file.write_bytes(b"other")
    with pytest.raises(BrokenData, match=r"'stop.html' has changed; record it again"):
        take_files_of(work, tmp_path / "out", Store(tmp_path / "other"))
    file.unlink()
    with pytest.raises(BrokenData, match=r"'stop.html' is not there; record it again"):
        take_files_of(work, tmp_path / "out", Store(tmp_path / "other"))
