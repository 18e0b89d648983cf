"""Which ways out of a box can be, and what is said of those that cannot."""

import re

import pytest

from cutscore.core.errors import BadInput
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
