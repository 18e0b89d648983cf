"""What real agents leave beside their own words: sub-agents, programs that still run when they end, torn logs."""

import json
from pathlib import Path
from typing import Any

import pytest
from agent_fixtures import (
    AGENT_PROCESS,
    BEGIN,
    calls_of,
    find_processes,
    quick,
    run_agent,
    steps_of,
    sum_turns,
    told_by,
)

from cutscore.subjects.harness.catalogue import HARNESSES

pytestmark = pytest.mark.real

SPAWNS = {
    "claude_code": {"description": "count", "prompt": "Count the files.", "subagent_type": "general-purpose"},
    "codex_cli": {"message": "Count the files."},
    "gemini_cli": {"agent_name": "generalist", "prompt": "Count the files."},
    "opencode": {"description": "count", "prompt": "Count the files.", "subagent_type": "general"},
}
SPAWN_TOOLS = {
    "claude_code": "Agent",
    "codex_cli": "spawn_agent",
    "gemini_cli": "invoke_agent",
    "opencode": "task",
}


@pytest.mark.parametrize("name", [each for each in quick("codex_cli") if each.values[0] in SPAWNS])
def test_a_sub_agent_is_counted_apart(name: str, tmp_path: Path) -> None:
    spawn = {"tool": SPAWN_TOOLS[name], "arguments": SPAWNS[name]}
    # To the sub-agent the same script is played; it is not offered to start another one.
    row = run_agent(name, tmp_path, [BEGIN, spawn, {"shell": "sleep 3"}, {"say": "Done."}])
    assert row.ending.failure_class is None, row.deliverable.failure
    assert row.environment["turns"] == 4
    below = [step for step in steps_of(row, tmp_path) if step.parent is not None]
    assert below
    assert {steps_of(row, tmp_path)[step.parent - 1].did[0].tool for step in below if step.parent} == {
        SPAWN_TOOLS[name]
    }
    helpers = [call for call in calls_of(row, tmp_path) if call["by"] == "helper" and call["tools"]]
    assert helpers
    difference: Any = row.environment["usage_difference"]
    if HARNESSES[name].counts_helpers:
        assert "sub_agents" not in difference
        assert told_by(row)[0] == sum_turns(4)[0] + sum(call["usage"]["cached"] for call in helpers)
    else:
        assert told_by(row) == sum_turns(4)
        assert difference["sub_agents"]["cached"] == sum(call["usage"]["cached"] for call in helpers)
    assert "unexplained" not in difference


@pytest.mark.release
def test_openclaw_has_no_sub_agents_without_its_gateway_and_goes_on(tmp_path: Path) -> None:
    spawn = {"tool": "sessions_spawn", "arguments": {"task": "Count the files."}}
    row = run_agent("openclaw", tmp_path, [BEGIN, spawn, {"say": "Done."}])
    assert (row.ending.failure_class, row.environment["turns"]) == (None, 3)
    assert any("gateway closed" in f"{step.saw}{step.error}" for step in steps_of(row, tmp_path))


@pytest.mark.parametrize("name", quick())
def test_a_command_that_takes_long(name: str, tmp_path: Path) -> None:
    """Codex gets control back after 10 s, and what still runs when it ends is killed; others wait, or let it end."""
    render = "sleep 14; echo rendered > outputs/answer.txt"
    row = run_agent(name, tmp_path, [{"shell": render}, {"say": "Done."}])
    assert row.ending.failure_class is None, row.deliverable.failure
    assert bool(row.deliverable.files) == (name != "codex_cli")
    assert find_processes("sleep 14") == []


@pytest.mark.parametrize("name", quick("codex_cli", "claude_code"))
def test_a_render_in_the_background_ends_with_the_agent(name: str, tmp_path: Path) -> None:
    film = f"outputs/film-{name}.mkv"
    words = f"-v error -re -f lavfi -i testsrc=size=64x64:rate=5 -t 900 -flush_packets 1 -y {film}"
    begin = f"setsid nohup ffmpeg {words} < /dev/null > /dev/null 2>&1 & sleep 2; echo begun > outputs/answer.txt"
    row = run_agent(name, tmp_path, [{"shell": begin}, {"say": "Done."}])
    assert row.ending.failure_class is None, row.deliverable.failure
    assert find_processes(film) == []
    assert {ref.name for ref in row.deliverable.files} == {"answer.txt", Path(film).name}, "as far as it had come"
    assert float(str(row.environment["wall_s"])) < 300


# Half a line at the end of each log; of a database nonsense first, and its last pages lost. Nobody is left to mend it.
TEAR = f"""\
find ~ -name '*.jsonl' | while read -r log; do printf '{{"torn' >> "$log"; done
find ~ -name opencode.db | while read -r db; do printf torn | dd of="$db" conv=notrunc; truncate -s 50 "$db-wal"; done
kill -9 {AGENT_PROCESS}; sleep 100"""


@pytest.mark.parametrize("name", quick("codex_cli", "claude_code"))
def test_of_a_torn_log_the_rest_is_read(name: str, tmp_path: Path) -> None:
    row = run_agent(name, tmp_path, [BEGIN, {"shell": TEAR}, {"say": "Done."}])
    assert row.deliverable.failure == f"agent '{name}': was killed by signal 9"
    assert int(str(row.environment["torn_log_lines"])) >= 1
    assert row.deliverable.text.strip() == "begun"
    if name == "opencode":  # all that it tells is in one database
        assert row.told_usage is None
    else:
        assert told_by(row) in (sum_turns(1), sum_turns(2))
        assert "outputs/answer.txt" in json.dumps(steps_of(row, tmp_path)[0].did[0].arguments)
