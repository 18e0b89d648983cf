"""A disk that fails in the middle of a run: named, counted, nobody asked in vain, and the same command goes on."""

import errno
import shutil
from pathlib import Path

import pytest

from cutscore.bridge.disk import disk_fault
from cutscore.bridge.rows import read_rows
from cutscore.bridge.run import CellRun, prepare, run_cell
from cutscore.cells.progress import SampleDone
from cutscore.cells.request import CellRequest
from cutscore.cells.run_context import RunContext
from cutscore.cells.selection import ItemSelection
from cutscore.cells.work_journal import WorkJournal
from cutscore.core.errors import NoRoom, RunBroken
from cutscore.settings import Settings
from cutscore.store import Store
from cutscore.subjects.function import FunctionSubject

FULL = OSError(errno.ENOSPC, "No space left on device")


def run(folder: Path, worker, *, heard: list | None = None) -> CellRun:
    subject = FunctionSubject("python:worker", worker, "0" * 64)
    request = CellRequest("colorbars", "worker=python:worker", worker=subject)
    prepared = prepare(request, RunContext(run=folder), selection=ItemSelection(limit=9))
    prepared.task.metadata["at_once"] = 1  # so that tests know how many have begun
    return run_cell(prepared, settings=Settings(), listener=(heard if heard is not None else []).append)


def check_rest(folder: Path, asked: list[str], kept: int) -> None:
    """Check that the same command asks for the rest alone."""
    before = len(asked)
    done = run(folder, lambda ask, _context: asked.append(ask.item) or "blue")
    assert (done.fault, done.missing, {row.ending.status for row in done.rows}) == (None, 0, {"marked"})
    assert len(asked) - before == 9 - kept
    assert len(read_rows(folder)) == 9


def test_a_journal_that_takes_nothing_more_ends_the_run(tmp_path, monkeypatch):
    asked: list[str] = []
    heard: list = []
    keep = WorkJournal.end_sample

    def fill_up(self, item, epoch, sample):
        if len(heard) == 4:
            raise NoRoom.of("journal 'work.jsonl'", FULL, "free some space")
        keep(self, item, epoch, sample)

    monkeypatch.setattr(WorkJournal, "end_sample", fill_up)
    done = run(tmp_path, lambda ask, _context: asked.append(ask.item) or "blue", heard=heard)
    assert str(done.fault) == (
        "journal 'work.jsonl': cannot be written: the disk is full; 4 of 9 samples are kept; "
        "make room there, and run the same command again for the other 5"
    )
    assert done.fault.exit_code == 3
    assert len(asked) == 5, "nobody is asked for what cannot be kept"
    assert [event.unscored for event in heard if isinstance(event, SampleDone)] == [False] * 4, "only what is kept"
    monkeypatch.undo()
    check_rest(tmp_path, asked, 4)


@pytest.mark.real  # long, and needs nothing else
def test_a_log_that_cannot_be_written_ends_the_run_and_the_journal_has_all(tmp_path, monkeypatch):
    from inspect_ai.log._recorders import eval as recorder

    asked: list[str] = []
    copy, copied = recorder._copy_temp_to_local, []

    def fill_up(*words):
        if copied:
            raise FULL
        copied.append(words)
        return copy(*words)

    monkeypatch.setattr("cutscore.bridge.run.LOG_BUFFER", 3)
    monkeypatch.setattr(recorder, "_copy_temp_to_local", fill_up)
    done = run(tmp_path, lambda ask, _context: asked.append(ask.item) or "blue")
    kept = len(done.rows)
    assert (type(done.fault), done.fault.exit_code) == (NoRoom, 3)
    assert done.fault.fact == f"cannot be written: the disk is full; {kept} of 9 samples are kept"
    assert done.fault.next == f"make room there, and run the same command again for the other {9 - kept}"
    assert 3 <= kept < 9
    monkeypatch.undo()
    check_rest(tmp_path, asked, kept)


@pytest.mark.real  # long, and needs nothing else
def test_a_store_that_takes_nothing_more_ends_the_run(tmp_path, monkeypatch):
    asked: list[str] = []
    put = Store.put_bytes

    def fill_up(self, data, **rest):
        if data == b"film 3":
            raise NoRoom.of("store 'logs/store'", FULL, "make room or choose another folder")
        return put(self, data, **rest)

    def work(ask, context):
        asked.append(ask.item)
        context.store.put_bytes(f"film {len(asked)}".encode(), name="film.txt")
        return "blue"

    monkeypatch.setattr(Store, "put_bytes", fill_up)
    done = run(tmp_path, work)
    assert str(done.fault).startswith("store 'logs/store': cannot be written: the disk is full; 2 of 9 samples")
    assert len(asked) == 3
    monkeypatch.undo()
    check_rest(tmp_path, asked, 2)


@pytest.mark.real  # long, and needs nothing else
@pytest.mark.parametrize("gone", ["colorbars", "store", "."])
def test_a_folder_that_is_deleted_ends_the_run_and_what_inspect_has_is_saved(tmp_path, gone):
    asked: list[str] = []

    def work(ask, _context):
        asked.append(ask.item)
        if len(asked) == 4:
            shutil.rmtree(tmp_path / "logs" / gone)
        return "blue"

    done = run(tmp_path / "logs", work)
    assert (type(done.fault), done.fault.exit_code) == (RunBroken, 4)
    assert "was deleted or moved while the run worked in it; 4 of 9 samples are kept" in str(done.fault)
    assert done.fault.next == "run the same command again for the other 5"
    assert len(asked) == 4
    assert len(read_rows(tmp_path / "logs")) == 4
    check_rest(tmp_path / "logs", asked, 4)


def test_what_inspect_says_of_a_disk_is_understood(tmp_path):
    assert "the disk quota is used up" in str(disk_fault(repr(OSError(errno.EDQUOT, "Disk quota exceeded")), tmp_path))
    assert disk_fault(repr(ConnectionRefusedError(errno.ECONNREFUSED, "no")), tmp_path) is None
    assert disk_fault("RuntimeError('OSError(28, ')", tmp_path) is None
