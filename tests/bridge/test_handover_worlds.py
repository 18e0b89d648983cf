"""A sample in a world: opened from the ask, acted in, read by a plan, closed whatever ends it."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command_fixtures import CUTSCORE

from cutscore.api.scoring import score
from cutscore.bridge.rows import read_rows
from cutscore.bridge.run import prepare, run_cell
from cutscore.cells import evidence, world
from cutscore.cells.request import CellRequest
from cutscore.cells.run_context import RunContext
from cutscore.cells.selection import ItemSelection
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import SubjectFailed
from cutscore.core.trajectory import Trajectory
from cutscore.settings import Settings
from cutscore.store import Store


@pytest.fixture
def kiosk(worlds, cli, tmp_path, monkeypatch):
    """Run `kiosk` by the command line; give its rows by item, and what the command said."""

    def run(*words, fault="", folder="logs"):
        monkeypatch.setenv("KIOSK_FAULT", fault)
        monkeypatch.chdir(tmp_path)
        done = cli("run", "kiosk", "--log-dir", folder, *words)
        return {row.item: row for row in read_rows(tmp_path / folder)}, done

    return run


def opened():
    from kiosk_bench.environment import opened

    return opened


def test_the_oracle_acts_and_null_does_not(kiosk, tmp_path):
    rows, done = kiosk("--subject", "oracle")
    assert done.code == 0, done.err
    assert [row.ending.scores for row in rows.values()] == [{"served": 1.0}] * 2
    row = rows["order-1"]
    assert (row.evidence.facts, row.evidence.errors) == ({"orders": ["milk"]}, {})
    assert list(row.evidence.reads) == ["orders"]
    with row.evidence.bind(Store(tmp_path / "logs/store")).path("requests.json").open() as file:
        assert json.load(file) == [["/order", "milk"]]
    with Store(tmp_path / "logs/store").path(row.deliverable.trajectory).open("rb") as lines:
        (step,) = Trajectory.from_jsonl(lines).steps
    assert (step.did[0].arguments, step.saw) == ({"drink": "milk"}, "{'ordered': 'milk'}")
    assert row.environment == {"peak_memory_bytes": 12345}
    assert "environment" not in row.canonical()
    assert [part.role for part in row.ask.parts] == ["board", "start_page"]
    assert len(opened()) == 2
    assert all(each.is_closed for each in opened())
    rows, _ = kiosk("--subject", "null", folder="null")
    assert [row.ending.findings[0].because for row in rows.values()] == [
        "ordered nothing; milk comes first",
        "ordered nothing; juice comes first",
    ]


@pytest.mark.parametrize(("who", "orders"), [("orders", ["milk"]), ("acts", ["beer", "milk"])])
def test_a_function_works_in_the_world(kiosk, who, orders):
    rows, done = kiosk("--subject", f"python:visitors:{who}", "--item", "order-1")
    assert rows["order-1"].evidence.facts == {"orders": orders}, done.err
    assert rows["order-1"].ending.scores == {"served": float(orders == ["milk"])}


def test_who_fails_is_marked_by_what_the_world_shows(kiosk):
    rows, _ = kiosk("--subject", "python:visitors:gives_up", "--item", "order-2")
    row = rows["order-2"]
    assert (row.deliverable.failure_class, row.ending.failure_class) == ("exit_code", "exit_code")
    assert (row.ending.scores, row.evidence.facts) == ({"served": 1.0}, {"orders": ["juice"]})


def test_a_world_that_this_machine_cannot_open_stops_the_sample_until_it_can(kiosk):
    rows, done = kiosk("--subject", "oracle", fault="lacks power")
    assert {(row.ending.status, row.ending.because) for row in rows.values()} == {
        ("stopped", "kiosk: has no power here; plug it in")
    }
    assert done.code == 3, done.err
    rows, done = kiosk("--subject", "oracle")
    assert [row.ending.status for row in rows.values()] == ["marked"] * 2, done.err


@pytest.mark.parametrize("who", ["oracle", "python:visitors:acts"])
def test_a_world_that_dies_is_our_failure_also_where_the_subject_hides_it(kiosk, who):
    rows, _ = kiosk("--subject", who, "--item", "order-1", fault="dies")
    because = "environment: broke at the action 'post': ConnectionResetError: the kiosk burnt down; run the same"
    assert rows["order-1"].ending.status == "unscored"
    assert rows["order-1"].ending.because.startswith(because)
    assert all(each.is_closed for each in opened())
    rows, _ = kiosk("--subject", who, "--item", "order-1")
    assert rows["order-1"].ending.status == "marked"


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("hangs in read", "did not end within the 0.2 s that all reads have"),
        ("fails in read", "could not be read: OSError: the paper roll is empty"),
    ],
)
def test_a_read_that_fails_is_unscored_and_the_same_command_works_again(kiosk, monkeypatch, fault, error):
    monkeypatch.setattr(evidence, "READS_S", 0.2)
    rows, _ = kiosk("--subject", "oracle", "--item", "order-1", fault=fault)
    row = rows["order-1"]
    assert row.evidence.errors == {"orders": error}
    assert (row.ending.status, row.ending.because) == (
        "unscored",
        f"evidence 'orders': {error}; run the same command again",
    )
    assert all(each.is_closed for each in opened())
    rows, _ = kiosk("--subject", "oracle", "--item", "order-1")
    assert rows["order-1"].ending.scores == {"served": 1.0}


def test_a_world_that_does_not_close_holds_up_nobody(kiosk, monkeypatch):
    monkeypatch.setattr(world, "CLOSE_S", 0.2)
    rows, _ = kiosk("--subject", "oracle", "--item", "order-1", fault="hangs in close")
    assert rows["order-1"].ending.scores == {"served": 1.0}
    assert rows["order-1"].warnings == ("the environment did not close within 0.2 s",)


def test_outputs_are_taken_in_without_links_and_pipes(kiosk):
    rows, _ = kiosk("--subject", "python:visitors:leaves_files", "--item", "order-1", fault="has outputs")
    row = rows["order-1"]
    assert [ref.name for ref in row.deliverable.files] == ["receipt.txt"]
    assert row.warnings == ("refused: 'link.txt' is a link; 'pipe' is a pipe",)
    assert [ref.name for ref in row.evidence.files] == ["receipt.txt", "requests.json"]
    assert row.ending.scores == {"served": 1.0}


def test_marking_again_reads_what_is_stored_and_names_what_a_mended_plan_lacks(kiosk, cli, tmp_path, monkeypatch):
    kiosk("--subject", "oracle")
    monkeypatch.setenv("KIOSK_FAULT", "lacks power")
    assert cli("rescore", "logs").code == 0
    again = [row for row in read_rows(tmp_path / "logs") if "rescored" in row.subject]
    assert [row.ending.scores for row in again] == [{"served": 1.0}] * 2
    from kiosk_bench import evidence as kiosk_evidence

    from cutscore.core.environment import EvidencePlan, EvidenceRead

    mended = EvidencePlan(reads=(EvidenceRead(name="orders", kind="request_log", arguments={"since": 1}),))
    monkeypatch.setattr(kiosk_evidence, "plan", lambda item: mended)
    cli("rescore", "logs", "--json")
    again = [row for row in read_rows(tmp_path / "logs") if "rescored" in row.subject]
    assert {(row.ending.status, row.ending.because) for row in again} == {
        (
            "unscored",
            "evidence 'orders': was read in another way: the plan has changed; "
            "run the cell again: it is read when the subject has stopped",
        )
    }


def test_a_deliverable_alone_cannot_be_scored_where_the_plan_reads_a_world(worlds, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/answer.txt").write_text("milk")
    made = score("kiosk", "order-1", tmp_path / "mine")
    assert (made.status, made.ending.because) == (
        "unscored",
        "evidence 'orders': was not recorded; run the cell again: it is read when the subject has stopped",
    )


class Box:
    """The world that a subject brings: a folder for files. It knows no plan."""

    def __init__(self, folder: Path) -> None:
        self.outputs, self.is_closed = folder, False

    async def close(self) -> None:
        self.is_closed = True


class Boxed:
    """A subject that works in a box of its own, and fails when it has answered."""

    def __init__(self) -> None:
        self.boxes: list[Box] = []

    async def open_environment(self, ask, context):
        self.boxes.append(Box(context.workspace))
        return self.boxes[-1]

    async def work(self, ask, context):
        assert context.environment.outputs == context.workspace
        (context.workspace / "answer.txt").write_text(ask.choices[0])
        raise SubjectFailed("boxed", "ran out of air", failure_class="exit_code")


def test_a_subject_may_bring_its_own_world(tmp_path):
    request = CellRequest("colorbars", "box", worker=(boxed := Boxed()))
    done = run_cell(prepare(request, RunContext(run=tmp_path), selection=ItemSelection(limit=1)), settings=Settings())
    (row,) = done.rows
    assert row.deliverable.model_dump(include={"text", "failure", "failure_class"}) == {
        "text": row.ask.choices[0],
        "failure": "boxed: ran out of air",
        "failure_class": "exit_code",
    }
    assert [ref.name for ref in row.evidence.files] == ["answer.txt"]
    assert [box.is_closed for box in boxed.boxes] == [True]
    assert row.deliverable != Deliverable()


@pytest.mark.real
def test_ctrl_c_closes_the_world_and_ends_every_child(kiosk, worlds, tmp_path):
    number, closed = tmp_path / "number", tmp_path / "closed"
    words = ["run", "kiosk", "--subject", "python:visitors:waits", "--item", "order-1", "--log-dir", "logs"]
    env = {**os.environ, **worlds, "KIOSK_WAITS": str(number), "KIOSK_CLOSES": str(closed)}
    process = subprocess.Popen([*CUTSCORE, *words], cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True)
    try:
        until = time.monotonic() + 60
        while not (number.exists() and number.read_text()) and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert (process.returncode, "Traceback" in err) == (130, False), err
    assert closed.read_text() == "closed"
    with pytest.raises(ProcessLookupError):
        os.kill(int(number.read_text()), 0)
    assert read_rows(tmp_path / "logs") == []
