"""How the real agents end when something ends them: the model's server, a limit, a kill, their own impatience.

Those that take long are marked `release`, and so is openclaw, which takes half a minute to start.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from agent_fixtures import AGENTS, FIRST, LATER, require_agent, write_script
from inspect_ai.model._model import _models

import cutscore
from cutscore.core.files import FileRef
from cutscore.core.row import Row
from cutscore.core.trajectory import Step, Trajectory
from cutscore.store import Store

pytestmark = pytest.mark.real

SLOW = ("openclaw",)
BEGIN = {"shell": "echo begun > outputs/answer.txt"}
AGENT = 3  # its process in a box: 1 is the box, 2 the relay


def agents(*quick: str) -> list[Any]:
    """Return all agents, those that are not quick marked for a release."""
    return [pytest.param(name, marks=() if name in quick else pytest.mark.release) for name in AGENTS]


ALL_BUT_SLOW = agents(*(name for name in AGENTS if name not in SLOW))


def _run(
    name: str, folder: Path, turns: Sequence[dict[str, Any]], faults: Sequence[dict[str, Any]] = (), **conditions: float
) -> Row:
    require_agent(name)
    model = write_script(folder / "script.json", turns, faults=faults)
    run = cutscore.run("colorbars", subject=name, model=model, limit=1, conditions=conditions, log_dir=folder / "logs")
    return run.samples[0]


def _steps(row: Row, folder: Path) -> tuple[Step, ...]:
    assert row.deliverable.trajectory is not None
    data = Store(folder / "logs" / "store").path(row.deliverable.trajectory).read_bytes()
    return Trajectory.from_jsonl(data.splitlines()).steps


def _calls(row: Row, folder: Path) -> list[dict[str, Any]]:
    ref = FileRef.model_validate(row.environment["calls"])
    found: list[dict[str, Any]] = json.loads(Store(folder / "logs" / "store").path(ref).read_bytes())["calls"]
    return found


def _left(row: Row, folder: Path) -> str:
    """Return its answer as the file that it left has it."""
    return Store(folder / "logs" / "store").path(row.deliverable.files[0]).read_text().strip()


def _left_behind(words: str) -> list[str]:
    """Return the processes of this machine that have these words."""
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(file.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:  # it ended meanwhile
            continue
    return [line for line in lines if words in line]


def _told(row: Row) -> tuple[int, int]:
    """Return its cached and visible tokens, which every agent tells; reasoning is in the latter where it is unsplit."""
    assert row.told_usage is not None
    return row.told_usage.cached or 0, (row.told_usage.output or 0) + (row.told_usage.reasoning or 0)


def _sums(turns: int) -> tuple[int, int]:
    sums = {bucket: FIRST[bucket] + (turns - 1) * LATER[bucket] for bucket in FIRST}
    return sums["cached"], sums["output"] + sums["reasoning"]


@pytest.mark.parametrize(
    ("name", "status"),
    [
        *(pytest.param(name, 401, marks=pytest.mark.release if name != "claude_code" else ()) for name in AGENTS),
        *(pytest.param(name, 500, marks=pytest.mark.release if name in SLOW else ()) for name in AGENTS),
    ],
)
def test_a_server_that_fails_leaves_it_unscored_and_the_same_command_tries_again(
    name: str, status: int, tmp_path: Path
) -> None:
    row = _run(name, tmp_path, [BEGIN, {"status": status}])
    assert row.ending.status == "unscored"
    assert f"HTTP {status}" in row.ending.because
    _models.clear()  # a command of its own would read the script again
    row = _run(name, tmp_path, [BEGIN, {"say": "Done."}])
    assert (row.ending.status, row.ending.failure_class) == ("marked", None)
    assert [ref.name for ref in row.deliverable.files] == ["answer.txt"]


@pytest.mark.parametrize("name", ALL_BUT_SLOW)
def test_the_request_past_the_turn_limit_is_refused_and_files_count(name: str, tmp_path: Path) -> None:
    turns = [BEGIN, *({"shell": f"echo {number} > outputs/answer.txt"} for number in (2, 3, 4)), {"say": "Done."}]
    row = _run(name, tmp_path, turns, turn_limit=2)
    assert (row.ending.status, row.ending.failure_class) == ("marked", "limit")
    assert row.deliverable.failure == f"agent '{name}': was ended by its limit of 2 turns"
    assert row.deliverable.text.strip() == "2", "files count as they stand"
    refused = [call for call in _calls(row, tmp_path) if call["status"] == 400]
    assert [call["error"] for call in refused] == ["the turn limit of 2 is reached"], "it was not asked again"
    assert row.environment["turns"] == 2
    assert _told(row) == _sums(2)


@pytest.mark.parametrize("name", ALL_BUT_SLOW)
def test_the_clock_ends_it_with_all_that_it_started(name: str, tmp_path: Path) -> None:
    asleep = f"sleep 27182{AGENTS.index(name)}"
    limit_s = 60 if name in SLOW else 12
    # Two of them get control back after 10 s, and look once more.
    row = _run(name, tmp_path, [BEGIN, *[{"shell": asleep}] * 20, {"say": "Done."}], time_limit_s=limit_s)
    assert (row.ending.status, row.ending.failure_class) == ("marked", "limit")
    assert f"limit: {limit_s} seconds" in row.deliverable.failure
    assert row.deliverable.text.strip() == "begun"
    assert _left_behind(asleep) == []
    # A row of opencode's for a step that was killed is all zeros: unknown, and told as the cause.
    assert row.environment["turns"] in (2, 3, 4, 5, 6)
    assert _told(row) == _sums(int(row.environment["turns"]) - (name == "opencode"))
    assert ("killed_step" in row.environment["usage_difference"]) == (name == "opencode")  # type: ignore[operator]
    last = [step for step in _steps(row, tmp_path) if step.by == "model"][-1]
    assert asleep in json.dumps([call.arguments for call in last.did])


@pytest.mark.parametrize("name", ALL_BUT_SLOW)
def test_an_agent_that_is_killed_has_failed_with_what_it_left(name: str, tmp_path: Path) -> None:
    row = _run(name, tmp_path, [BEGIN, {"shell": f"kill -9 {AGENT}; sleep 100"}, {"say": "Done."}])
    assert (row.ending.status, row.ending.failure_class) == ("marked", "crash")
    assert row.deliverable.failure == f"agent '{name}': was killed by signal 9"
    assert row.deliverable.text.strip() == "begun"
    assert row.told_usage is not None
    assert _steps(row, tmp_path)[0].did[0].arguments


@pytest.mark.parametrize("name", agents("codex_cli", "claude_code"))
def test_a_model_that_refuses_ends_it_though_the_agent_may_say_that_it_is_done(name: str, tmp_path: Path) -> None:
    look = {"shell": "echo begun > outputs/answer.txt; echo ver''ily"}  # only the result of the call has the word
    row = _run(name, tmp_path, [look, {"say": "Done."}], [{"kind": "refusal", "when": "verily"}])
    assert (row.ending.status, row.ending.failure_class) == ("marked", "refused")
    assert f"agent '{name}': was refused: the model or its provider refused to answer" in row.deliverable.failure
    assert row.deliverable.text.strip() == "begun"


@pytest.mark.parametrize("name", agents("codex_cli"))
def test_an_agent_goes_on_when_a_command_of_its_took_too_much_memory(name: str, tmp_path: Path) -> None:
    hog = "python3 -c 'held = bytearray(2 << 30)'; echo it ended with $? > outputs/answer.txt"
    row = _run(name, tmp_path, [{"shell": hog}, {"say": "Done."}], memory_gb=1)
    if row.environment["isolation"] == "full":
        assert (row.ending.failure_class, _left(row, tmp_path)) == (None, "it ended with 137")
        assert row.environment["memory_kills"] == 1
    else:  # where nobody kills one alone, the box is ended
        assert row.deliverable.failure == f"agent '{name}': used more memory than its box has"


@pytest.mark.parametrize("name", agents("codex_cli"))
def test_an_agent_without_memory_has_reached_a_limit_whatever_it_says(name: str, tmp_path: Path) -> None:
    # Files in memory are of no process: the kernel ends the largest one, the agent. Elsewhere the sum of all ends it.
    full = "cat /dev/zero > /tmp/a & cat /dev/zero > /dev/shm/b & python3 -c 'held = bytearray(2 << 30)'; wait"
    row = _run(name, tmp_path, [BEGIN, {"shell": full}, {"say": "Done."}], memory_gb=1)
    assert (row.ending.status, row.ending.failure_class) == ("marked", "limit")
    assert row.deliverable.failure == f"agent '{name}': used more memory than its box has"
    assert row.deliverable.text.strip() == "begun"


SPAWNS = {
    "claude_code": {"description": "count", "prompt": "Count the files.", "subagent_type": "general-purpose"},
    "codex_cli": {"message": "Count the files."},
    "opencode": {"description": "count", "prompt": "Count the files.", "subagent_type": "general"},
}
SPAWN_TOOLS = {"claude_code": "Agent", "codex_cli": "spawn_agent", "opencode": "task"}


@pytest.mark.parametrize("name", SPAWNS)
def test_a_sub_agent_is_counted_apart(name: str, tmp_path: Path) -> None:
    spawn = {"tool": SPAWN_TOOLS[name], "arguments": SPAWNS[name]}
    # To the sub-agent the same script is played; it is not offered to start another one.
    row = _run(name, tmp_path, [BEGIN, spawn, {"shell": "sleep 5"}, {"say": "Done."}])
    assert row.ending.failure_class is None, row.deliverable.failure
    assert row.environment["turns"] == 4
    below = [step for step in _steps(row, tmp_path) if step.parent is not None]
    assert below
    assert {_steps(row, tmp_path)[step.parent - 1].did[0].tool for step in below if step.parent} == {SPAWN_TOOLS[name]}
    helpers = [call for call in _calls(row, tmp_path) if call["by"] == "helper" and call["tools"]]
    assert helpers
    difference: Any = row.environment["usage_difference"]
    if name == "opencode":  # its own sum has them
        assert "sub_agents" not in difference
        assert _told(row)[0] == _sums(4)[0] + sum(call["usage"]["cached"] for call in helpers)
    else:
        assert _told(row) == _sums(4)
        assert difference["sub_agents"]["cached"] == sum(call["usage"]["cached"] for call in helpers)
    assert "unexplained" not in difference


@pytest.mark.parametrize("name", agents("codex_cli"))
def test_a_render_in_the_background(name: str, tmp_path: Path) -> None:
    """Codex gets control back after 10 s, and what still runs when it ends is killed; others wait, or let it end."""
    render = "sleep 14; echo rendered > outputs/answer.txt"
    row = _run(name, tmp_path, [{"shell": render}, {"say": "Done."}])
    assert row.ending.failure_class is None, row.deliverable.failure
    assert bool(row.deliverable.files) == (name != "codex_cli")
    assert _left_behind("sleep 14") == []
