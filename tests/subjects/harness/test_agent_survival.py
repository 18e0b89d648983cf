"""A run of an agent that is killed with -9 and started again: every row once, every call booked once, nobody left."""

import json
import os
import signal
import time
from collections import Counter
from pathlib import Path

import pytest
from agent_fixtures import require_agent, write_script
from forked_cli import ForkedCli

from cutscore.bridge.rows import read_rows
from cutscore.core.row import canonical_rows

pytestmark = pytest.mark.real

EPOCHS, TURNS = 3, 3
ASLEEP = "sleep 1.61803"
# Before the second sample works; in the midst of the second one; when one is kept and others are not.
POINTS = [("subject-about-to-work", 2), ("reply-written", TURNS + 2), ("sample-kept", 2)]


def _start(folder: Path, plant: tuple[str, int] | None = None) -> ForkedCli:
    model = write_script(
        folder / "script.json",
        [{"shell": "echo '[]' > outputs/solution.json"}, {"shell": ASLEEP}, {"say": "Done."}],
    )
    words = ["run", "sequencing", "--subject", "codex_cli", "--model", model, "--limit", "1", "--log-dir", "logs"]
    env = {name: os.environ[name] for name in ("CUTSCORE_AGENTS", "CUTSCORE_CACHE")}
    return ForkedCli(folder, [*words, "--epochs", str(EPOCHS), "--json"], env=env, plant=plant)


def _finish(folder: Path) -> bytes:
    """Let a run end; check that each row is there once, and give the canonical rows."""
    child = _start(folder)
    assert child.end() == 0, child.said
    rows = read_rows(folder / "logs")
    assert sorted(row.epoch for row in rows) == [1, 2, 3]
    assert {row.ending.status for row in rows} == {"marked"}
    assert all(row.environment["turns"] == TURNS for row in rows)
    return canonical_rows(rows)


def _check_ledger(folder: Path, *, lost: bool) -> None:
    """Check that what was sent was answered once or lost, and that each row has paid for its answers."""
    lines = [json.loads(line) for line in (folder / "logs" / "ledger.jsonl").read_text().splitlines()]
    states = Counter((line["call"], line["state"]) for line in lines)
    assert set(states.values()) == {1}, "no call is booked twice"
    last = Counter({line["call"]: line["state"] for line in lines}.values())
    assert sum(state == "sent" for _, state in states) == last["done"] + last["lost"]
    assert last["done"] >= EPOCHS * TURNS
    assert lost or last == {"done": EPOCHS * TURNS}


def _asleep() -> list[bytes]:
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(file.read_bytes().replace(b"\0", b" "))
        except OSError:  # it ended meanwhile
            continue
    return [line for line in found if line.startswith(ASLEEP.encode())]


def test_a_killed_run_of_an_agent_ends_like_one_that_was_not(tmp_path: Path) -> None:
    require_agent("codex_cli")
    folder = tmp_path / "run"
    folder.mkdir()
    calm = _finish(folder)
    _check_ledger(folder, lost=False)
    for event, n in POINTS:
        os.rename(folder / "logs", tmp_path / f"logs-before-{event}")
        died = _start(folder, (event, n))
        assert died.end() == -signal.SIGKILL, died.said
        time.sleep(1)
        assert _asleep() == [], "its box ends with it"
        assert _finish(folder) == calm, event
        _check_ledger(folder, lost=True)
