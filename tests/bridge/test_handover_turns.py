"""A sample in which something answers back: asks, deliverables, feedback and cost of every turn are evidence."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from command_fixtures import CUTSCORE

from cutscore.bridge.rows import read_rows
from cutscore.bridge.stored_files import references
from cutscore.core.row import canonical_rows
from cutscore.store import Store


@pytest.fixture
def dialogue(worlds, cli, tmp_path, monkeypatch):
    """Run `dialogue` by the command line; give its rows."""
    monkeypatch.setenv("DIALOGUE_COUNT", str(tmp_path / "count"))

    def run(*words, folder="logs"):
        done = cli("run", "dialogue", "--log-dir", folder, *words)
        assert done.code == 0, done.err
        return read_rows(tmp_path / folder)

    return run


def test_three_turns_are_asked_one_after_the_other(dialogue, tmp_path):
    row, _ = dialogue("--subject", "python:visitors:follows")
    assert row.ending.scores == {"letters": 1.0}
    assert [
        (turn.number, turn.ask.brief.strip(), turn.deliverable.text, turn.feedback) for turn in row.evidence.turns
    ] == [
        (1, "Which letter follows a?", "b", "I heard 'b'."),
        (2, "Which letter follows b?", "c", "I heard 'c'."),
        (3, "Which letter follows c?", "d", "I heard 'd'."),
    ]
    assert [ref.name for ref in row.evidence.files] == [
        "letter.txt",
        *("turn-1/letter.txt", "turn-2/letter.txt", "turn-3/letter.txt"),
    ]
    store = Store(tmp_path / "logs/store")
    assert row.evidence.bind(store).text("turn-2/letter.txt") == "c"
    assert (row.deliverable.text, row.told_cost_usd) == ("d", 1.5)
    assert [turn.cost_usd for turn in row.evidence.turns] == [0.0] * 3
    kept = set(references(row, store))
    assert {turn.deliverable.trajectory for turn in row.evidence.turns} <= kept
    assert {ref.sha256 for turn in row.evidence.turns for ref in turn.deliverable.files} <= {r.sha256 for r in kept}


def test_the_oracle_has_something_for_every_turn(dialogue):
    assert [row.ending.scores for row in dialogue("--subject", "oracle")] == [{"letters": 1.0}] * 2
    assert [row.ending.scores for row in dialogue("--subject", "null", folder="null")] == [{"letters": 0.0}] * 2


def test_a_limit_of_turns_ends_it(dialogue):
    row, _ = dialogue("--subject", "python:visitors:follows", "--set", "turn_limit=2")
    assert [turn.number for turn in row.evidence.turns] == [1, 2]
    assert (row.deliverable.failure, row.ending.failure_class) == ("was ended by its limit of 2 turns", "limit")
    assert row.ending.scores == {"letters": pytest.approx(2 / 3)}


def test_what_an_arm_leaves_out_cannot_be_left_out_of_later_turns(worlds, cli):
    done = cli("run", "dialogue", "--subject", "python:visitors:follows", "--ablate", "input=question")
    assert done.code == 2
    assert "input 'question': benchmark 'dialogue' asks in turns" in done.err


@pytest.mark.real
def test_who_is_cut_off_by_a_limit_is_marked_by_what_it_has_left(dialogue, tmp_path):
    row, _ = dialogue("--subject", "python:visitors:writes_and_hangs", "--set", "time_limit_s=5")
    assert row.ending.scores == {"letters": pytest.approx(1 / 3)}
    assert (row.deliverable.failure_class, row.ending.failure_class) == ("limit", "limit")
    assert row.deliverable.failure.endswith("Time limit exceeded. limit: 5 seconds")
    assert [ref.name for ref in row.deliverable.files] == ["letter.txt"]
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "count").read_text()), 0)


@pytest.mark.real
def test_a_killed_sample_goes_on_at_its_turn(dialogue, worlds, tmp_path):
    words = ["run", "dialogue", "--subject", "python:visitors:follows", "--log-dir", "killed", "--item", "from-a"]
    env = {**os.environ, **worlds, "DIALOGUE_DIES": "1"}
    died = subprocess.run([*CUTSCORE, *words], cwd=tmp_path, env=env, capture_output=True, check=False, timeout=120)
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    assert (tmp_path / "count").read_text() == "from-a 1\nfrom-a 2\nfrom-a 3\n"
    (row,) = dialogue(*words[2:4], "--item", "from-a", folder="killed")
    assert (tmp_path / "count").read_text() == "from-a 1\nfrom-a 2\nfrom-a 3\nfrom-a 3\n"
    (calm,) = dialogue(*words[2:4], "--item", "from-a", folder="calm")
    assert canonical_rows([row]) == canonical_rows([calm])
    assert (row.told_cost_usd, row.cost_usd) == (calm.told_cost_usd, calm.cost_usd) == (1.5, 0.0)
    assert not list(Path(tmp_path / "killed").rglob("work.jsonl"))
