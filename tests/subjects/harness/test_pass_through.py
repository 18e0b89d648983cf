"""The real agents in real boxes, with their own requests passed through to a provider on the loopback."""

import json
from pathlib import Path
from typing import Any

import pytest
from agent_fixtures import FIRST, LATER, require_agent
from provider_fixtures import LoopbackProvider, Sent, loopback_provider, play_turns

import cutscore
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.core.row import Row
from cutscore.core.usage import Usage
from cutscore.ledger.call_book import CallBook
from cutscore.store import Store

pytestmark = pytest.mark.real

KEY = "fake-Key-7d1f0c9a55e2"
# The model of each agent, the beginning of the variables that lead to it, and whether its address ends with /v1.
MODELS = {
    "claude_code": ("anthropic/claude-opus-4-7", "ANTHROPIC", ""),
    "codex_cli": ("openai/gpt-5.5", "OPENAI", "/v1"),
    "gemini_cli": ("google/gemini-3.1-pro-preview", "GOOGLE", ""),
    "opencode": ("openai-api/my-box/lab/m1", "MY_BOX", "/v1"),
    "openclaw": ("openrouter/lab/m1", "OPENROUTER", "/v1"),
}
KEY_HEADERS = {"claude_code": "x-api-key", "gemini_cli": "x-goog-api-key"}
# What is to be found in the box: the name of the model's key, the key, the true address.
LOOK = "env > outputs/answer.txt; cat $HOME/.codex/config.toml $HOME/.*/*.json >> outputs/answer.txt 2>&1; true"
QUICK = ("claude_code", "codex_cli", "gemini_cli")


def _run(name: str, server: LoopbackProvider, folder: Path, monkeypatch: pytest.MonkeyPatch, **conditions: Any) -> Row:
    require_agent(name)
    model, variable, below = MODELS[name]
    monkeypatch.setenv(f"{variable}_BASE_URL", server.url + below)
    monkeypatch.setenv(f"{variable}_API_KEY", KEY)
    set_ = {"model_path": "pass-through", **conditions}
    run = cutscore.run("colorbars", subject=name, model=model, limit=1, conditions=set_, log_dir=folder / "logs")
    return run.samples[0]


def _usages(name: str) -> list[Usage]:
    """Return tokens in the buckets that the wire of an agent has."""
    has = {"claude_code": ("input", "cached", "cache_write", "output")}.get(
        name, ("input", "cached", "output", "reasoning")
    )
    return [Usage(**{bucket: turn[bucket] for bucket in has}) for turn in (FIRST, LATER)]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.release) for name in MODELS]
)
def test_an_agent_works_through_its_providers_server(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usages = _usages(name)
    with loopback_provider(play_turns([LOOK], usages)) as server:
        row = _run(name, server, tmp_path, monkeypatch)
    assert row.ending.failure_class is None, (row.ending, row.deliverable.failure)
    assert (row.environment["model_path"], row.environment["turns"]) == ("pass-through", 2)

    # Each request is the agent's own, for its model by the name that the provider has for it, and with the true key.
    bare = MODELS[name][0].partition("/")[2].removeprefix("my-box/")
    assert {bare in (asked.path + asked.data.decode()) for asked in server.arrived} == {True}
    header = KEY_HEADERS.get(name, "authorization")
    keys = {(asked.header(header) or "").removeprefix("Bearer ") for asked in server.arrived}
    assert keys == {KEY}

    # Nothing of key and address is in the box, in the log or anywhere else.
    store = Store(tmp_path / "logs" / "store")
    (answer,) = row.deliverable.files
    seen_inside = store.path(answer).read_text()
    assert "PATH=" in seen_inside
    assert KEY not in seen_inside
    assert server.url.partition("//")[2] not in seen_inside
    kept = [file for file in (tmp_path / "logs").rglob("*") if file.is_file() and KEY.encode() in file.read_bytes()]
    assert kept == []

    # Every call is in the ledger, with its tokens, and the sums are those of the agent's own log.
    book = CallBook(tmp_path / "logs" / "ledger.jsonl")
    book.catch_up()
    assert (book.total().answered, book.under_way) == (len(server.arrived), {})
    ref = FileRef.model_validate(row.environment["calls"])
    calls = json.loads(store.path(ref).read_bytes())["calls"]
    main = [call for call in calls if call["by"] == "main"]
    assert [Usage.model_validate(call["usage"]) for call in main] == usages
    assert row.told_usage is not None
    assert row.told_usage.cached == sum(usage.cached or 0 for usage in usages)


@pytest.mark.parametrize("name", ["claude_code", pytest.param("codex_cli", marks=pytest.mark.release)])
def test_a_provider_that_fails_leaves_the_sample_unscored(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = {"type": "error", "error": {"type": "rate_limit_error", "message": f"slow down, {KEY}"}}
    failing = Sent([json.dumps(error).encode()], 429, {"content-type": "application/json", "retry-after": "0"})
    with loopback_provider(lambda _: failing) as server:
        row = _run(name, server, tmp_path, monkeypatch)
    assert row.ending.status == "unscored"
    assert "429" in row.ending.because
    assert row.retries["429"] == len(server.arrived) > 0
    assert not any(KEY.encode() in file.read_bytes() for file in (tmp_path / "logs").rglob("*") if file.is_file())


def test_the_turn_limit_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with loopback_provider(play_turns(["echo 1 > outputs/answer.txt", "true", "true"], _usages("codex_cli"))) as server:
        row = _run("codex_cli", server, tmp_path, monkeypatch, turn_limit=2)
    assert (row.ending.status, row.ending.failure_class) == ("marked", "limit")
    assert [ref.name for ref in row.deliverable.files] == ["answer.txt"]
    assert len(server.arrived) == 2


def test_a_model_that_cannot_be_is_refused_before_anything_is_spent(tmp_path: Path) -> None:
    require_agent("codex_cli")
    with pytest.raises(BadInput, match="model 'scripted/any': no server of its provider speaks as agent 'codex_cli'"):
        cutscore.run(
            "colorbars",
            subject="codex_cli",
            model="scripted/any",
            limit=1,
            conditions={"model_path": "pass-through"},
            log_dir=tmp_path / "logs",
        )
    assert not (tmp_path / "logs" / "ledger.jsonl").exists()
