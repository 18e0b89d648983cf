"""Keyed lines: the later value counts, torn lines do not, and all writers see each other."""

import errno
import json
import os
import threading
from pathlib import Path

import pytest

from cutscore.core.errors import BrokenData, NoRoom
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


def test_a_value_that_is_deep_is_none(tmp_path: Path) -> None:
    (tmp_path / "j").write_text(f'["k", {"[" * 200_000}]\n{"[" * 200_000}\n')
    assert KeyedJournal(tmp_path / "j").find("k") is None


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "j")
    for read in (KeyedJournal(tmp_path / "j").keys, lambda: KeyedJournal(tmp_path / "j").find("k")):
        with pytest.raises(
            BrokenData, match=r"^journal '.*': cannot be read: it is a pipe and no regular file; restore"
        ):
            read()


def test_objects_with_a_key_are_read_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "j").write_text('{"key": "k", "reply": "yes"}\n')
    assert KeyedJournal(tmp_path / "j").find("k") == {"key": "k", "reply": "yes"}


def test_a_full_or_closed_disk_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    journal = KeyedJournal(tmp_path / "file" / "j")
    assert journal.find("k") is None
    for write in (journal.check_writable, lambda: journal.put("k", 1)):
        with pytest.raises(
            NoRoom,
            match=r"^journal '.*': cannot be written: Not a directory; free some space or choose another --log-dir",
        ):
            write()


def test_a_line_that_a_disk_takes_half_of_is_said_and_leaves_nothing(tmp_path: Path, monkeypatch) -> None:
    journal = KeyedJournal(tmp_path / "j")
    journal.put("before", 1)
    write, asked = os.write, []

    def fill_up(handle: int, data: bytes) -> int:
        asked.append(data)
        if len(asked) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, bytes(data[:7]))

    monkeypatch.setattr(os, "write", fill_up)
    with pytest.raises(NoRoom, match="cannot be written: the disk is full; free some space") as full:
        journal.put("after", 2)
    assert full.value.exit_code == 3
    assert (tmp_path / "j").read_text() == '["before",1]\n'


def test_a_write_that_is_cut_short_is_continued(tmp_path: Path, monkeypatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, bytes(data[:3])))
    append_line(tmp_path / "j", ["k", "value"])
    assert (tmp_path / "j").read_text() == '["k","value"]\n'


def test_a_disk_that_is_really_full_keeps_whole_lines(mount_disk, tmp_path: Path) -> None:
    journal, kept = KeyedJournal(mount_disk(tmp_path / "tiny", size="64k") / "j"), list[str]()

    def put_until_full() -> None:
        for number in range(1000):
            journal.put(f"k{number}", "x" * 700)
            kept.append(f"k{number}")

    with pytest.raises(NoRoom, match="the disk is full"):
        put_until_full()
    assert KeyedJournal(journal.file).keys() == kept
    assert journal.file.read_bytes().endswith(b"\n")


def test_lines_of_many_threads_do_not_mix(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    threads = [threading.Thread(target=lambda: [append_line(file, ["k" * 2000]) for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [json.loads(line) for line in file.read_bytes().splitlines()] == [["k" * 2000]] * 200
