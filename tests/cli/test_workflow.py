"""The ready workflow: its commands are commands of ours, and they do what it promises."""

import shlex
from pathlib import Path

import pytest
import yaml


@pytest.fixture
def commands(repository: Path) -> list[list[str]]:
    plain = yaml.safe_load((repository / "examples/ci/cutscore.yml").read_text(encoding="utf-8"))
    steps = plain["jobs"]["measure"]["steps"]
    return [shlex.split(step["run"]) for step in steps if step.get("run", "").startswith("cutscore ")]


@pytest.mark.real  # it measures all of colorbars
def test_it_measures_gates_and_reports(commands, child, tmp_path):
    summary = tmp_path / "summary.md"
    for _, *words in commands:
        done = child(*words, GITHUB_STEP_SUMMARY=str(summary))
        assert done.code == 0, done.err
    assert "cutscore gate: passed" in summary.read_text(encoding="utf-8")
    assert (tmp_path / "site" / "index.html").is_file()
    assert [words[1] for words in commands] == ["run", "gate", "report"]


def test_a_minimum_that_is_not_met_stops_it(commands, cli, finished_run):
    gate = next(words[1:] for words in commands if words[1] == "gate")
    gate[gate.index("logs")] = str(finished_run)
    assert cli(*gate).code == 1  # blind and null are in it
