"""How the real agents end when something ends them: the model's server, a limit, a kill, their own impatience.

Quick agents are tried always, and each of the five before a release.
"""

import json
from pathlib import Path

import pytest
from agent_fixtures import (
    AGENT_PROCESS,
    AGENTS,
    BEGIN,
    calls_of,
    find_processes,
    quick,
    read_answer,
    run_agent,
    steps_of,
    sum_turns,
    told_by,
)
from inspect_ai.model._model import _models

pytestmark = pytest.mark.real


@pytest.mark.parametrize(
    ("name", "status"),
    [
        *(pytest.param(name, 401, marks=pytest.mark.release if name != "claude_code" else ()) for name in AGENTS),
        *(pytest.param(name, 500, marks=pytest.mark.release if name != "codex_cli" else ()) for name in AGENTS),
    ],
)
def test_a_server_that_fails_leaves_it_unscored_and_the_same_command_tries_again(
    name: str, status: int, tmp_path: Path
) -> None:
    row = run_agent(name, tmp_path, [BEGIN, {"status": status}])
    assert row.ending.status == "unscored"
    assert f"HTTP {status}" in row.ending.because
    _models.clear()  # a command of its own would read the script again
    row = run_agent(name, tmp_path, [BEGIN, {"say": "Done."}])
    assert (row.ending.status, row.ending.failure_class) == ("marked", None)
    assert [ref.name for ref in row.deliverable.files] == ["answer.txt"]


@pytest.mark.parametrize("name", quick("codex_cli", "claude_code"))
def test_the_request_past_the_turn_limit_is_refused_and_files_count(name: str, tmp_path: Path) -> None:
    turns = [BEGIN, *({"shell": f"echo {number} > outputs/answer.txt"} for number in (2, 3, 4)), {"say": "Done."}]
    row = run_agent(name, tmp_path, turns, turn_limit=2)
    assert (row.ending.status, row.ending.failure_class) == ("marked", "limit")
    assert row.deliverable.failure == f"agent '{name}': was ended by its limit of 2 turns"
    assert row.deliverable.text.strip() == "2", "files count as they stand"
    refused = [call for call in calls_of(row, tmp_path) if call["status"] == 400]
    assert [call["error"] for call in refused] == ["the turn limit of 2 is reached"], "it was not asked again"
    assert row.environment["turns"] == 2
    assert told_by(row) == sum_turns(2)


@pytest.mark.parametrize("name", quick("codex_cli"))
def test_the_clock_ends_it_with_all_that_it_started(name: str, tmp_path: Path) -> None:
    asleep = f"sleep 27182{AGENTS.index(name)}"
    limit_s = {"openclaw": 60, "codex_cli": 8}.get(name, 12)
    # Two of them get control back after 10 s, and look once more.
    row = run_agent(name, tmp_path, [BEGIN, *[{"shell": asleep}] * 20, {"say": "Done."}], time_limit_s=limit_s)
    assert (row.ending.status, row.ending.failure_class) == ("marked", "limit")
    assert f"limit: {limit_s} seconds" in row.deliverable.failure
    assert row.deliverable.text.strip() == "begun"
    assert find_processes(asleep) == []
    # A row of opencode's for a step that was killed is all zeros: unknown, and told as the cause.
    assert row.environment["turns"] in (2, 3, 4, 5, 6)
    assert told_by(row) == sum_turns(int(row.environment["turns"]) - (name == "opencode"))
    assert ("killed_step" in row.environment["usage_difference"]) == (name == "opencode")  # type: ignore[operator]
    last = [step for step in steps_of(row, tmp_path) if step.by == "model"][-1]
    assert asleep in json.dumps([call.arguments for call in last.did])


@pytest.mark.parametrize("name", quick("codex_cli", "claude_code"))
def test_an_agent_that_is_killed_has_failed_with_what_it_left(name: str, tmp_path: Path) -> None:
    # After a moment, in which it writes down what it was told: agents do that when they find the time.
    killed = {"shell": f"sleep 2; kill -9 {AGENT_PROCESS}; sleep 100"}
    row = run_agent(name, tmp_path, [BEGIN, killed, {"say": "Done."}])
    assert (row.ending.status, row.ending.failure_class) == ("marked", "crash")
    assert row.deliverable.failure == f"agent '{name}': was killed by signal 9"
    assert row.deliverable.text.strip() == "begun"
    assert row.told_usage is not None
    assert steps_of(row, tmp_path)[0].did[0].arguments


@pytest.mark.parametrize("name", quick("codex_cli"))
def test_a_model_that_refuses_ends_it_though_the_agent_may_say_that_it_is_done(name: str, tmp_path: Path) -> None:
    look = {"shell": "echo begun > outputs/answer.txt; echo ver''ily"}  # only the result of the call has the word
    row = run_agent(name, tmp_path, [look, {"say": "Done."}], [{"kind": "refusal", "when": "verily"}])
    assert (row.ending.status, row.ending.failure_class) == ("marked", "refused")
    assert f"agent '{name}': was refused: the model or its provider refused to answer" in row.deliverable.failure
    assert row.deliverable.text.strip() == "begun"


@pytest.mark.parametrize("name", quick("codex_cli"))
def test_an_agent_goes_on_when_a_command_of_its_took_too_much_memory(name: str, tmp_path: Path) -> None:
    hog = "python3 -c 'held = bytearray(2 << 30)'; echo it ended with $? > outputs/answer.txt"
    row = run_agent(name, tmp_path, [{"shell": hog}, {"say": "Done."}], memory_gb=1)
    if row.environment["isolation"] == "full":
        assert (row.ending.failure_class, read_answer(row, tmp_path)) == (None, "it ended with 137")
        assert row.environment["memory_kills"] == 1
    else:  # where nobody kills one alone, the box is ended
        assert row.deliverable.failure == f"agent '{name}': used more memory than its box has"


@pytest.mark.parametrize("name", quick("codex_cli"))
def test_an_agent_without_memory_has_reached_a_limit_whatever_it_says(name: str, tmp_path: Path) -> None:
    # Files in memory are of no process: the kernel ends the largest one, the agent. Elsewhere the sum of all ends it.
    full = "cat /dev/zero > /tmp/a & cat /dev/zero > /dev/shm/b & python3 -c 'held = bytearray(2 << 30)'; wait"
    row = run_agent(name, tmp_path, [BEGIN, {"shell": full}, {"say": "Done."}], memory_gb=1)
    assert (row.ending.status, row.ending.failure_class) == ("marked", "limit")
    assert row.deliverable.failure == f"agent '{name}': used more memory than its box has"
    assert row.deliverable.text.strip() == "begun"
