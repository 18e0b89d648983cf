"""Keyed lines: the later value counts, torn lines do not, and all writers see each other."""

import json
import threading
from pathlib import Path

import pytest

from cutscore.core.errors import NoRoom
from cutscore.journal import KeyedJournal, append_line


def test_a_value_is_found_by_its_key_in_another_process_too(tmp_path: Path) -> None:
    file = tmp_path / "cell" / "work.jsonl"
    mine, theirs = KeyedJournal(file), KeyedJournal(file)
    assert (mine.find("a"), mine.keys()) == (None, [])
    theirs.put("a", {"said": "línea\n"})
    theirs.put("b,]", [1])
    theirs.put("a", "later")
    assert (mine.find("a"), mine.find("b,]")) == ("later", [1])
    assert list(mine.values()) == [("a", "later"), ("b,]", [1])]


@pytest.mark.parametrize(
    "torn", [b'["k", {"said": "he', b'["k', b"\xff\xfe\n", b"[1, 2]\n", b'["k"]\n', b'{"key": 3}\n']
)
def test_a_torn_or_foreign_line_is_passed_over(torn: bytes, tmp_path: Path) -> None:
    journal = KeyedJournal(tmp_path / "j")
    journal.put("before", 1)
    with journal.file.open("ab") as lines:
        lines.write(torn)
    journal.put("after", 2)
    assert dict(KeyedJournal(journal.file).values()) == {"before": 1, "after": 2}


def test_a_value_that_is_broken_inside_is_none(tmp_path: Path) -> None:
    (tmp_path / "j").write_bytes(b'["k", {"said": "he]\n')
    assert KeyedJournal(tmp_path / "j").find("k") is None


def test_objects_with_a_key_are_read_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "j").write_text('{"key": "k", "reply": "yes"}\n')
    assert KeyedJournal(tmp_path / "j").find("k") == {"key": "k", "reply": "yes"}


def test_a_full_or_closed_disk_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    journal = KeyedJournal(tmp_path / "file" / "j")
    assert journal.find("k") is None
    for write in (journal.check_writable, lambda: journal.put("k", 1)):
        with pytest.raises(
            NoRoom, match=r"^journal '.*': Not a directory; free some space or choose another --log-dir"
        ):
            write()


def test_lines_of_many_threads_do_not_mix(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    threads = [threading.Thread(target=lambda: [append_line(file, ["k" * 2000]) for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [json.loads(line) for line in file.read_bytes().splitlines()] == [["k" * 2000]] * 200
