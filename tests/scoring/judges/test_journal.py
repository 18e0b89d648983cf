"""The journal: a call is made once, whoever asks, and survives kills."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cutscore.core.errors import NoRoom, Unscored
from cutscore.core.usage import Usage
from cutscore.scoring.judges.journal import Journal, JournalEntry


def entry(key: str, reply: str = "yes") -> JournalEntry:
    return JournalEntry(key=key, judge="a/b", questions=("q",), reply=reply, usage=Usage(input=3), cost_usd=0.5)


def never() -> JournalEntry:
    raise AssertionError("the call was made again")


def test_what_was_written_is_found_by_another_process(tmp_path: Path) -> None:
    file = tmp_path / "run" / "journal.jsonl"
    first = Journal(file).call_once("k", lambda: entry("k", "línea"))
    assert Journal(file).call_once("k", never) == first
    assert Journal(file).find("other") is None


def test_another_runners_lines_are_seen(tmp_path: Path) -> None:
    one, other = Journal(tmp_path / "j"), Journal(tmp_path / "j")
    assert one.find("k") is None
    other.call_once("k", lambda: entry("k"))
    assert one.call_once("k", never).reply == "yes"


def test_without_a_file_every_call_is_new() -> None:
    journal, calls = Journal(None), []
    for _ in range(2):
        journal.call_once("k", lambda: calls.append(1) or entry("k"))  # type: ignore[func-returns-value]
    assert len(calls) == 2


def test_two_threads_never_both_call(tmp_path: Path) -> None:
    journal, calls, together = Journal(tmp_path / "j"), [], threading.Barrier(8)

    def call() -> JournalEntry:
        calls.append(1)
        return entry("k")

    def ask(_number: int) -> str:
        together.wait()
        return journal.call_once("k", call).reply

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(8))) == ["yes"] * 8
    assert len(calls) == 1


def test_a_call_that_failed_leaves_nothing_and_is_made_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")

    def fail() -> JournalEntry:
        raise Unscored("model", "gave up")

    with pytest.raises(Unscored):
        journal.call_once("k", fail)
    assert journal.call_once("k", lambda: entry("k", "now")).reply == "now"


@pytest.mark.parametrize("torn", [b'{"key":"k","judge":"a/b","qu', b'{"key":"k","later":1}\n', b"\xff\xfe\n"])
def test_a_torn_or_foreign_line_is_passed_over(tmp_path: Path, torn: bytes) -> None:
    file = tmp_path / "j"
    Journal(file).call_once("before", lambda: entry("before"))
    with file.open("ab") as lines:
        lines.write(torn)
    assert Journal(file).call_once("k", lambda: entry("k", "again")).reply == "again"
    fresh = Journal(file)
    assert [fresh.call_once(key, never).reply for key in ("k", "before")] == ["again", "yes"]


def test_a_folder_that_cannot_be_written_is_said_before_anybody_is_paid(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    words = r"journal '.*': cannot be written: Not a directory; free some space or choose another --log-dir"
    with pytest.raises(NoRoom, match=words):
        Journal(tmp_path / "file" / "j").call_once("k", never)


def test_lines_of_earlier_versions_are_read(tmp_path: Path) -> None:
    old = '{"key":"k","judge":"a/b","questions":["q"],"reply":"yes","usage":{"input":3,"cached":null},"cost_usd":0.5}\n'
    (tmp_path / "j").write_text(old)
    assert Journal(tmp_path / "j").call_once("k", never) == entry("k")
