"""Logs that others wrote: whatever is in them, they are read or refused in words, and never without a limit."""

import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutscore.bridge import log_members
from cutscore.bridge.rows import read_cells, read_rows
from cutscore.core.errors import OldRecord


@pytest.fixture
def own_log(own_run: Path) -> Path:
    """The log of a finished run, in a folder without a `cell.json`, as `inspect eval` would leave it."""
    (log,) = sorted(own_run.rglob("*.eval"))[:1]
    alone = own_run.parent / "foreign"
    alone.mkdir()
    return Path(shutil.copy(log, alone / "foreign.eval"))


def rewrite(log: Path, change: Callable[[str, bytes], bytes]) -> None:
    """Change the members of a log."""
    with zipfile.ZipFile(log) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(log, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, change(name, data))


def change_samples(**fields: object) -> Callable[[str, bytes], bytes]:
    def change(name: str, data: bytes) -> bytes:
        return json.dumps({**json.loads(data), **fields}).encode() if name.startswith("samples/") else data

    return change


def of_samples(text: bytes) -> Callable[[str, bytes], bytes]:
    return lambda name, data: text if name.startswith("samples/") else data


def test_a_log_by_itself_tells_its_cell(own_log: Path) -> None:
    (record,) = read_cells(own_log.parent)
    assert record.cell.benchmark == "colorbars"
    assert all(row.ending.status == "marked" for row in read_rows(own_log.parent))


def test_a_sample_is_read_up_to_a_length(own_log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_members, "MOST_MEMBER_BYTES", 1 << 20)
    rewrite(own_log, of_samples(b" " * (1 << 20) + b"{}"))
    fact = r"log 'foreign.eval': cannot be read \(ValueError: 'samples/.*' has 1,048,578 bytes, 1,048,576 are allowed\)"
    with pytest.raises(OldRecord, match=fact):
        read_rows(own_log.parent)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"[" * 100_000, "cannot be read (RecursionError"),
        (b"[]", "is not a JSON object"),
        (b"", "cannot be read (JSONDecodeError"),
        (b"\xff\xfe\x00", "cannot be read (UnicodeDecodeError"),
        (b"{}", "sample 'None' of a log: is none of ours (KeyError: 'id')"),
    ],
)
def test_what_is_no_sample_is_refused_in_words(text: bytes, words: str, own_log: Path) -> None:
    rewrite(own_log, of_samples(text))
    with pytest.raises(OldRecord) as refused:
        read_rows(own_log.parent)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    "fields",
    [
        {"epoch": float("nan")},
        {"epoch": [1]},
        {"metadata": None},
        {"metadata": {"cluster": 7}},
        {"input": 7},
        {"scores": ["marks"]},
        {"scores": {"marks": "high"}},
        {
            "scores": {
                "marks": {"value": 1, "metadata": {"ending": {"status": "marked", "scores": {"a": float("nan")}}}}
            }
        },
        {"error": "it failed"},
    ],
)
def test_wrong_types_and_no_numbers_are_refused_in_words(fields: dict[str, Any], own_log: Path) -> None:
    rewrite(own_log, change_samples(**fields))
    with pytest.raises(OldRecord):
        read_rows(own_log.parent)


@pytest.mark.parametrize("said", [b"{}", b"[]", b'{"eval": 3}'])
def test_a_header_that_says_nothing_is_refused_in_words(said: bytes, own_log: Path) -> None:
    rewrite(own_log, lambda name, data: said if name in ("header.json", "_journal/start.json") else data)
    with pytest.raises(OldRecord, match=r"log 'foreign.eval': cannot be read \(ValueError: "):
        read_cells(own_log.parent)


def test_nobody_waits_for_a_pipe(own_log: Path) -> None:
    own_log.unlink()
    os.mkfifo(own_log)
    with pytest.raises(OldRecord, match="it is a pipe and no regular file"):
        read_cells(own_log.parent)


def test_folders_without_end_hide_no_cell(own_run: Path) -> None:
    here = os.open(own_run, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=here)
        deeper = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    try:
        assert len(read_cells(own_run)) == 3
    finally:
        subprocess.run(["rm", "-rf", str(own_run / "d")], check=True)  # deeper than Python's own removal goes


def test_marking_again_writes_through_no_link_and_waits_for_no_ledger(cli: Callable[..., Any], own_run: Path) -> None:
    elsewhere = own_run.parent / "elsewhere"
    (own_run / "store").rename(elsewhere)
    (own_run / "store").symlink_to(elsewhere)
    before = sorted(elsewhere.rglob("*"))
    ran = cli("rescore", own_run)
    assert (ran.code, "its store is a link, and marking again would write to where it leads; put" in ran.err) == (
        2,
        True,
    )
    assert sorted(elsewhere.rglob("*")) == before
    (own_run / "store").unlink()
    elsewhere.rename(own_run / "store")
    (own_run / "ledger.jsonl").unlink(missing_ok=True)
    os.mkfifo(own_run / "ledger.jsonl")
    assert "ledger.jsonl': cannot be read: it is a pipe and no regular file" in cli("rescore", own_run).err


def test_an_id_that_cannot_be_written_is_refused(cli: Callable[..., Any], own_run: Path) -> None:
    (log, *_) = sorted(own_run.rglob("*.eval"))
    rewrite(log, change_samples(id="\ud83d"))
    for words in (("rescore", own_run), ("report", own_run, "-o", "site")):
        ran = cli(*words)
        assert ran.code in (2, 4)
        assert "surrogates not allowed" in ran.err
        assert "unexpected" not in ran.err
