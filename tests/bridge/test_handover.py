"""What a subject leaves behind, above all its steps: kept however its work ends."""

import json
from pathlib import Path

import anyio
import pytest

from cutscore.bridge.handover import Handover, hand_over
from cutscore.bridge.rows import read_rows
from cutscore.bridge.run import CellRun, prepare, run_cell
from cutscore.bridge.stored_files import references
from cutscore.cells.provider_breaker import ProviderBreaker
from cutscore.cells.request import CellRequest
from cutscore.cells.run_context import RunContext
from cutscore.cells.sample_work import TRAJECTORY
from cutscore.cells.selection import ItemSelection
from cutscore.cells.world import SampleParts
from cutscore.core.ask import Ask
from cutscore.core.files import FileStore
from cutscore.core.item import Item
from cutscore.core.row import Row
from cutscore.core.trajectory import Step, Trajectory
from cutscore.registry import benchmark
from cutscore.settings import Settings
from cutscore.store import Store
from cutscore.subjects.function import open_function


@pytest.fixture(autouse=True)
def _tellers(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def run_one(folder: Path, subject: str) -> CellRun:
    prepared = prepare(CellRequest("colorbars", subject), RunContext(run=folder), selection=ItemSelection(limit=1))
    return run_cell(prepared, settings=Settings())


def only_row(folder: Path, subject: str) -> tuple[Row, Store]:
    done = run_one(folder, f"python:teller:{subject}")
    (row,) = done.rows
    return row, done.record.store


def steps_of(row: Row, store: FileStore) -> tuple[Step, ...]:
    assert row.deliverable.trajectory is not None, row.ending
    with store.path(row.deliverable.trajectory).open("rb") as lines:
        return Trajectory.from_jsonl(lines).steps


@pytest.mark.parametrize(
    ("subject", "failure"),
    [
        ("answers", ""),
        ("crashes", "subject 'python:teller:crashes': raised RuntimeError: out of paint"),
        ("runs_into_a_limit", "subject 'python:teller:runs_into_a_limit': Token limit exceeded. value: 11; limit: 10"),
    ],
)
def test_steps_are_kept_however_it_ends(tmp_path, subject, failure):
    row, store = only_row(tmp_path, subject)
    (step,) = steps_of(row, store)
    assert (row.deliverable.failure, row.ending.status) == (failure, "marked")
    assert (step.n, step.by, step.said, step.saw) == (1, "tool", "I look.", "something blue")
    assert (step.did[0].tool, step.did[0].arguments) == ("look", {"clip": row.ask.files[0].name})
    assert step.at_s is not None
    assert row.deliverable.trajectory.name == TRAJECTORY
    assert {row.deliverable.trajectory, *step.media} <= set(references(row, store))


@pytest.mark.real  # a limit of Inspect's is at least a second
def test_a_time_limit_ends_the_work_and_keeps_its_steps(tmp_path):
    from inspect_ai import eval

    context = RunContext(run=tmp_path)
    prepared = prepare(CellRequest("colorbars", "python:teller:never_ends"), context, selection=ItemSelection(limit=1))
    eval(prepared.task, model="none/none", log_dir=str(prepared.folder), time_limit=1, display="none")
    (row,) = read_rows(tmp_path)
    assert row.deliverable.failure == "subject 'python:teller:never_ends': was stopped before it had finished"
    assert [step.said for step in steps_of(row, context.store)] == ["I look."]
    assert (row.ending.status, row.ending.scores) == ("marked", {"accuracy": 0.0})


def test_who_is_stopped_leaves_its_steps_for_the_marker(tmp_path):
    context, left = RunContext(run=tmp_path), list[Handover]()
    clip = context.store.put_bytes(b"clip", name="clip.mp4")

    async def stopped() -> None:
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:

                async def work() -> None:
                    subject = open_function("teller:never_ends")
                    ask, calls = Ask(item="a", brief="?", files=(clip,)), ProviderBreaker(0, 0).calls_of({})
                    parts = SampleParts(benchmark("colorbars"), Item(id="a", cluster="a"))
                    options = {"context": context, "calls": calls, "leave": left.append, "parts": parts}
                    await hand_over(subject, ask, epoch=1, name="me", frames="", **options)

                tasks.start_soon(work)
                await anyio.wait_all_tasks_blocked()
                scope.cancel()

    anyio.run(stopped)
    (made,) = left
    assert made.deliverable.failure == "subject 'me': was stopped before it had finished"
    assert b"something blue" in context.store.path(made.deliverable.trajectory).read_bytes()


def test_a_trajectory_of_its_own_wins(tmp_path):
    row, store = only_row(tmp_path, "brings_its_own")
    assert (row.deliverable.trajectory.name, steps_of(row, store)) == ("mine.jsonl", (Step(n=1, said="my own"),))


@pytest.mark.parametrize("subject", ["oracle", "blind", "null"])
def test_who_says_nothing_leaves_no_trajectory(tmp_path, subject):
    assert [row.deliverable.trajectory for row in run_one(tmp_path, subject).rows] == [None]


def test_no_secret_gets_into_the_steps_not_even_half_of_one(tmp_path, monkeypatch):
    monkeypatch.setenv("CANARY_API_KEY", "sk-canary-4f1d9a77c0")
    row, store = only_row(tmp_path, "tells_a_secret")
    (step,) = steps_of(row, store)
    assert step.said == "with [redacted:CANARY_API_KEY]"
    assert step.did[0].arguments == {"key": "[redacted:CANARY_API_KEY]"}
    assert "sk-" not in step.model_dump_json()


@pytest.mark.parametrize(
    ("fault", "status", "kind", "because"),
    [
        ("400", "unscored", None, "its server refused the request (HTTP 400: scripted fault 400); mend that, then run"),
        ("503", "unscored", None, "the last one ended in HTTP 503; run the same command again"),
        ("refusal", "marked", "refused", "the model or its provider refused to answer: I cannot help with that."),
    ],
)
def test_what_a_provider_fails_at_is_no_work_of_the_subjects_though_it_hides_it(
    tmp_path, monkeypatch, fault, status, kind, because
):
    monkeypatch.setenv("CUTSCORE_MAX_RETRIES", "1")
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"faults": [{"kind": fault, "times": 99}], "backoff_s": 0.001}))
    request = CellRequest("colorbars", "python:teller:hides_a_fault", model=f"scripted/{script}")
    prepared = prepare(request, RunContext(run=tmp_path / "logs"), selection=ItemSelection(limit=1))
    (row,) = run_cell(prepared, settings=Settings(max_retries=1)).rows
    assert (row.ending.status, row.ending.failure_class, row.deliverable.text) == (status, kind, "")
    assert because in (row.ending.because or row.deliverable.failure)
    assert row.retries == ({"503": 2} if fault == "503" else {})
