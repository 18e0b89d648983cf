"""Samples that have ended: on disk before anybody hears of them, and never worked on, marked or paid for again."""

import json
import zipfile
from pathlib import Path

import pytest

from cutscore.bridge.rows import read_cells, read_rows
from cutscore.bridge.run import CellRun, prepare, run_cell
from cutscore.bridge.stored_files import collect_garbage
from cutscore.cells.progress import SampleDone
from cutscore.cells.request import CellRequest
from cutscore.cells.run_context import RunContext
from cutscore.cells.selection import ItemSelection
from cutscore.cells.work_journal import WORK_FILE, WorkJournal
from cutscore.core.errors import OldRecord
from cutscore.core.row import canonical_rows
from cutscore.registry import benchmark
from cutscore.settings import Settings


class Worker:
    """Answers with one word, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def __call__(self, ask, context):
        self.asked.append((ask.item, context.epoch))
        return "blue"


def run(folder: Path, worker: Worker, *, limit: int = 6, **options) -> CellRun:
    from cutscore.subjects.function import FunctionSubject

    made = FunctionSubject("python:worker", worker, "0" * 64)
    request = CellRequest("colorbars", "worker=python:worker", worker=made)
    prepared = prepare(request, RunContext(run=folder), selection=ItemSelection(limit=limit))
    return run_cell(prepared, settings=Settings(), **options)


@pytest.fixture
def broken_marker(monkeypatch):
    """Break the marking of colorbars for the items that are in the set."""
    part, broken = benchmark("colorbars").part("mark"), set()
    mark = part.mark

    def fail_some(deliverable, evidence, item, judges, **rest):
        if item.id in broken:
            raise RuntimeError("the marker has a bad day")
        return mark(deliverable, evidence, item, judges, **rest)

    monkeypatch.setattr(part, "mark", fail_some)
    return broken


def test_a_sample_is_kept_before_anybody_hears_that_it_is_done(tmp_path):
    heard = []

    def listen(event):
        if isinstance(event, SampleDone):
            (cell,) = (tmp_path / "colorbars").iterdir()
            heard.append(WorkJournal(cell).ended(event.item, event.epoch) is not None)

    run(tmp_path, Worker(), listener=listen)
    assert heard == [True] * 6


def test_a_finished_cell_has_no_journal(tmp_path):
    done = run(tmp_path, Worker())
    assert not (done.record.folder / WORK_FILE).exists()


def test_rows_of_a_run_whose_log_a_kill_took_are_read_from_the_journal_and_then_logged(tmp_path, monkeypatch):
    monkeypatch.setattr(WorkJournal, "drop", lambda self: None)
    worker = Worker()
    first = run(tmp_path, worker, epochs=2)
    first.record.log.unlink()
    assert canonical_rows(read_rows(tmp_path)) == canonical_rows(first.rows)
    monkeypatch.undo()
    heard = []
    again = run(tmp_path, worker, epochs=2, listener=heard.append)
    assert len(worker.asked) == 12, "nobody works again"
    assert heard == [], "and nobody hears again that it is done"
    assert canonical_rows(again.rows) == canonical_rows(first.rows)
    (record,) = read_cells(tmp_path)
    assert len(record.logs) == 1
    assert not (record.folder / WORK_FILE).exists(), "the new log has what the lost one had"
    assert [row.seconds for row in again.rows] == [row.seconds for row in read_rows(tmp_path)]
    assert all(row.seconds for row in again.rows)


def test_a_torn_log_gives_what_is_whole_and_the_rest_alone_is_asked(tmp_path, caplog):
    worker = Worker()
    first = run(tmp_path, worker)
    with zipfile.ZipFile(first.record.log) as archive:
        samples = [info for info in archive.infolist() if info.filename.startswith("samples/")]
    first.record.log.write_bytes(first.record.log.read_bytes()[: samples[4].header_offset + 9])
    with pytest.raises(
        OldRecord, match=r"is torn; 4 samples in it are whole; .* again, which asks only for the others"
    ):
        read_rows(tmp_path)
    again = run(tmp_path, worker)
    assert f"log '{first.record.log.name}' is torn: 4 samples in it are kept; it stays as *.torn" in caplog.messages
    assert len(worker.asked) == 6 + 2
    assert canonical_rows(again.rows) == canonical_rows(first.rows)
    assert canonical_rows(read_rows(tmp_path)) == canonical_rows(first.rows)


def test_what_could_not_be_marked_is_marked_again_without_working_again(tmp_path, broken_marker):
    worker = Worker()
    broken_marker.add("bars-01-b")
    first = run(tmp_path, worker, epochs=2)
    assert sorted(row.epoch for row in first.rows if row.ending.status == "unscored") == [1, 2]
    assert (first.record.folder / WORK_FILE).exists(), "something is owed"
    broken_marker.clear()
    heard: list = []
    second = run(tmp_path, worker, epochs=2, listener=heard.append)
    assert {row.ending.status for row in second.rows} == {"marked"}
    assert len(worker.asked) == 12
    assert [(event.item, event.failed) for event in heard] == [("bars-01-b", False)] * 2
    assert not (second.record.folder / WORK_FILE).exists()


def test_a_handover_that_only_an_old_log_has_is_not_made_again(tmp_path, broken_marker):
    worker = Worker()
    broken_marker.add("bars-01-b")
    first = run(tmp_path, worker)
    (first.record.folder / WORK_FILE).unlink()
    broken_marker.clear()
    assert {row.ending.status for row in run(tmp_path, worker).rows} == {"marked"}
    assert len(worker.asked) == 6


def test_a_log_has_only_what_was_owed(tmp_path):
    worker = Worker()
    run(tmp_path, worker, limit=4)
    run(tmp_path, worker, epochs=2)
    assert len(worker.asked) == len(set(worker.asked)) == 12
    newest, oldest = read_cells(tmp_path)[0].logs
    from cutscore.bridge.logfile import read_samples

    assert sorted((each["id"], each["epoch"]) for each in read_samples(oldest)) == sorted(set(worker.asked[:4]))
    assert sorted((each["id"], each["epoch"]) for each in read_samples(newest)) == sorted(set(worker.asked[4:]))


def test_what_is_paid_for_beyond_the_samples_of_today_stays(tmp_path):
    """A smaller run is complete, and yet a reply of a larger one that was killed is still to be used."""
    done = run(tmp_path, Worker())
    WorkJournal(done.record.folder).notes("bars-09-a", 1).put("reply/1", "paid")
    run(tmp_path, Worker())
    assert WorkJournal(done.record.folder).notes("bars-09-a", 1).get("reply/1") == "paid"


def test_files_that_only_a_journal_names_are_not_collected(tmp_path):
    done = run(tmp_path, Worker())
    store = done.record.store
    kept, stray = (store.put_bytes(data, name="film.txt") for data in (b"of a turn that was made", b"of nobody"))
    WorkJournal(done.record.folder).notes("bars-09-a", 1).put("turn/1", kept.model_dump(mode="json"))
    collect_garbage(tmp_path, older_than_s=0)
    assert (store.has(kept.sha256), store.has(stray.sha256)) == (True, False)


def test_an_error_is_kept_with_the_words_that_its_log_has(tmp_path, monkeypatch):
    async def fail(*_words, **_options):
        raise RuntimeError("a fault of our own")

    with monkeypatch.context() as broken:
        broken.setattr("cutscore.bridge.task.hand_over", fail)
        first = run(tmp_path, Worker(), limit=2)
    assert [row.ending.status for row in first.rows] == ["unscored"] * 2
    (kept, _) = WorkJournal(first.record.folder).ended_samples()
    (first.record.folder / WORK_FILE).unlink()
    assert kept["error"]["message"] == read_rows(tmp_path)[0].ending.because
    worker = Worker()
    assert {row.ending.status for row in run(tmp_path, worker, limit=2).rows} == {"marked"}, "it is owed"


@pytest.mark.parametrize("at_once", [1, 3])
def test_how_many_work_at_once_is_in_the_log_and_moves_no_row(tmp_path, monkeypatch, at_once):
    from inspect_ai.log import read_eval_log

    monkeypatch.setattr("cutscore.bridge.task.settle_at_once", lambda *_, **__: at_once)
    done = run(tmp_path, Worker())
    log = read_eval_log(str(done.record.log), header_only=True)
    assert log.eval.metadata["at_once"] == log.eval.config.max_samples == at_once
    monkeypatch.undo()
    assert canonical_rows(done.rows) == canonical_rows(run(tmp_path / "usual", Worker()).rows)


def test_no_database_is_written_into_the_home_of_the_user(tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home))
    run(tmp_path / "run", Worker(), limit=1)
    assert not [path for path in home.rglob("*buffer*/**/*") if path.is_file()]


def test_a_line_that_a_kill_cut_short_is_passed_over(tmp_path, broken_marker):
    broken_marker.add("bars-01-b")
    done = run(tmp_path, Worker(), limit=2)
    file = done.record.folder / WORK_FILE
    file.write_bytes(file.read_bytes() + json.dumps(["bars-09-a/1/reply/1", "x" * 50]).encode()[:30])
    assert len(read_rows(tmp_path)) == 2
    broken_marker.clear()
    assert {row.ending.status for row in run(tmp_path, Worker(), limit=2).rows} == {"marked"}


def test_a_long_run_is_several_evaluations_of_whole_items(tmp_path, monkeypatch):
    from cutscore.bridge.logfile import read_samples

    monkeypatch.setattr("cutscore.bridge.run.BATCH", 5)
    monkeypatch.setattr("cutscore.bridge.run.BATCH_ROUNDS", 0)
    worker = Worker()
    done = run(tmp_path, worker, epochs=2)
    logged = [[(each["id"], each["epoch"]) for each in read_samples(log)] for log in done.record.logs]
    assert [len(each) for each in logged] == [4, 4, 4]
    assert all(len({item for item, _ in each}) == 2 for each in logged)
    assert len(worker.asked) == len(done.rows) == 12
    assert not (done.record.folder / WORK_FILE).exists()
