"""Which ways out of a box can be, and what is said of those that cannot."""

import re
from pathlib import Path

import pytest
from agent_fixtures import AGENTS, require_agent, write_script

import cutscore
from cutscore.core.errors import BadInput
from cutscore.environments.sandbox.package_index import PackageIndexes
from cutscore.subjects.harness import ways_out
from cutscore.subjects.harness.catalogue import HARNESSES
from cutscore.subjects.harness.ways_out import check_ways

PASS = {"model_path": "pass-through"}


@pytest.mark.parametrize(
    ("name", "model", "conditions", "says"),
    [
        (
            *("claude_code", "openai/gpt-x", PASS),
            "model 'openai/gpt-x': no server of its provider speaks as agent 'claude_code' does (messages), so "
            "requests cannot pass through; take a model 'anthropic/…', or '--set model_path=translated'",
        ),
        (
            *("opencode", "anthropic/claude-x", PASS),
            "model 'anthropic/claude-x': no server of its provider speaks as agent 'opencode' does (chat), so requests "
            "cannot pass through; take a model 'openai/…' or 'openrouter/…' or 'openai-api/…', or "
            "'--set model_path=translated'",
        ),
        ("gemini_cli", "google/vertex/gemini-x", PASS, "no server of its provider speaks as agent 'gemini_cli' does"),
        ("codex_cli", "scripted//home/me/script.json", PASS, "no server of its provider speaks as agent 'codex_cli'"),
        (
            *("codex_cli", "openai/gpt-x", {**PASS, "temperature": "0"}),
            "--set temperature=0: cannot reach the model: an agent's requests pass through as they are; leave it out, "
            "or take '--set model_path=translated'",
        ),
        (
            *("codex_cli", "scripted/any", {"network": "packages", "isolation": "none"}),
            "--set network=packages: cannot be held without a box; leave out '--set isolation=none'",
        ),
    ],
)
def test_what_cannot_be_is_said(name: str, model: str, conditions: dict[str, str], says: str) -> None:
    with pytest.raises(BadInput, match=re.escape(says)):
        check_ways(HARNESSES[name], model, conditions)


@pytest.mark.parametrize(
    ("name", "model", "conditions"),
    [
        ("claude_code", "anthropic/claude-x", PASS),
        ("codex_cli", "openai/gpt-x", {**PASS, "temperature": "", "network": "packages", "isolation": "box"}),
        ("codex_cli", "openai-api/my-box/lab/m", PASS),
        ("gemini_cli", "google/gemini-x", PASS),
        ("opencode", "openrouter/lab/m", PASS),
        ("claude_code", "", PASS),
        ("claude_code", "scripted/any", {"model_path": "translated", "temperature": "0"}),
    ],
)
def test_what_can_be_passes(name: str, model: str, conditions: dict[str, str]) -> None:
    check_ways(HARNESSES[name], model, conditions)


TRY = (
    "python3 -c 'import urllib.request as u; u.urlopen(\"http://198.51.100.7/\")' 2>&1 | tail -n 1 > outputs/answer.txt"
)
QUICK = ("codex_cli",)


@pytest.mark.real
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.release) for name in AGENTS]
)
def test_an_agent_with_a_way_to_packages_reaches_its_model_and_is_refused_elsewhere(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_agent(name)
    monkeypatch.setattr(ways_out, "find_indexes", lambda: PackageIndexes(frozenset(), left_out=1))
    model = write_script(tmp_path / "script.json", [{"shell": TRY}, {"say": "Done."}])
    set_ = {"network": "packages"}
    run = cutscore.run("colorbars", subject=name, model=model, limit=1, conditions=set_, log_dir=tmp_path / "logs")
    row = run.samples[0]
    assert row.ending.failure_class is None, row.deliverable.failure
    assert (row.environment["network"], row.environment["model_path"]) == ("packages", "translated")
    refused = row.environment["refused_hosts"]
    assert isinstance(refused, dict)
    assert refused["198.51.100.7:80"] == 1
    assert row.environment["indexes_with_password"] == 1
