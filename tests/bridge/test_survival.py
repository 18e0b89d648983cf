"""Runs that are killed: nothing lost, nothing doubled, nothing torn, and the same rows in the end."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cutscore.bridge.rows import read_rows
from cutscore.core.row import canonical_rows

pytestmark = pytest.mark.real  # long, and needs nothing else

KILLER = Path(__file__).with_name("killer.py")
EVENTS = [
    ("cell-file-written", 1),
    ("subject-about-to-work", 7),
    ("handover-about-to-be-left", 5),
    ("handover-left", 11),
    ("sample-marked", 13),
    ("file-about-to-appear-in-store", 9),
    ("log-about-to-be-flushed", 1),
    ("log-flushed", 1),
    ("call-booked", 6),
]


def command(folder: Path, script: Path, *, limit: int, epochs: int) -> list[str]:
    asked = ["run", "colorbars", "--model", f"scripted/{script}", "--frames", "uniform=1", "--log-dir", str(folder)]
    return [*asked, "--limit", str(limit), "--epochs", str(epochs), "--json"]


def start(args: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "cutscore", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finish(args: list[str]) -> dict:
    done = subprocess.run([sys.executable, "-m", "cutscore", *args], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("survival")


@pytest.fixture(scope="module")
def script(folder: Path) -> Path:
    """Answers by the words alone, after a while that makes a run long enough to be killed."""
    file = folder / "script.json"
    file.write_text(json.dumps({"otherwise": ["orange", "lemon", "1", "purple"], "latency_s": 0.02}))
    return file


@pytest.fixture(scope="module")
def calm(folder: Path, script: Path) -> bytes:
    """The canonical rows of a run that nobody disturbed."""
    finish(command(folder / "calm", script, limit=6, epochs=3))
    return sound(folder / "calm", limit=6, epochs=3)


def sound(folder: Path, *, limit: int, epochs: int) -> bytes:
    """Check that every row is there once, and give the canonical rows."""
    rows = read_rows(folder)
    keys = [row.key for row in rows]
    assert len(keys) == len(set(keys)) == limit * epochs
    assert all(row.ending.status == "marked" for row in rows)
    return canonical_rows(rows)


@pytest.mark.parametrize(("event", "n"), EVENTS)
def test_a_run_that_dies_at_a_named_event_ends_like_one_that_did_not(event, n, tmp_path, script, calm):
    args = command(tmp_path / "killed", script, limit=6, epochs=3)
    died = subprocess.run([sys.executable, str(KILLER), event, str(n), *args], capture_output=True, check=False)
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    finish(args)
    assert sound(tmp_path / "killed", limit=6, epochs=3) == calm


def test_twenty_kills_at_random_points_of_two_hundred_samples(tmp_path, script):
    """Kill after a random number of progress lines plus a random moment; only work in flight is repeated."""
    args, draw = command(tmp_path / "killed", script, limit=50, epochs=4), random.Random(7)
    kills = 0
    while kills < 20:
        child = start(args)
        assert child.stderr is not None
        for _ in range(draw.randint(1, 6)):
            line = child.stderr.readline()
            if b'"event": "end"' in line or not line:
                break
        try:
            child.wait(timeout=draw.random() * 0.3)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            kills += 1
        child.communicate()
        if child.returncode == 0:
            break
    finish(args)
    finish(command(tmp_path / "calm", script, limit=50, epochs=4))
    calm = sound(tmp_path / "calm", limit=50, epochs=4)
    assert sound(tmp_path / "killed", limit=50, epochs=4) == calm
    assert kills == 20, f"the run ended after {kills} kills: make it longer"
    paid = len((tmp_path / "killed" / "ledger.jsonl").read_text().splitlines())
    assert paid < 200 + 20 * 110, "finished samples are not asked again"
