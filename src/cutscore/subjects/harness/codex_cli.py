"""Codex CLI.

Each thread writes a rollout of its own: the main one has the source `exec`, a sub-agent's names the thread that spawned
it. The paper counts the last total of the main thread, which leaves sub-agents out.
"""

import json
from collections.abc import Mapping
from typing import Any

from cutscore.core.trajectory import Action, Step
from cutscore.core.usage import Usage
from cutscore.models.endpoint.wire import WireName
from cutscore.subjects.harness.adapter import (
    KEY,
    AgentEnd,
    AgentJob,
    AgentLog,
    AgentPlace,
    AgentSetup,
    JsonLines,
    LogClock,
    base_url,
    count,
    in_package,
)

CONFIG = """\
model = {model}
model_provider = "cutscore"
check_for_update_on_startup = false

[model_providers.cutscore]
name = "cutscore"
base_url = "{url}"
env_key = "CUTSCORE_KEY"
wire_api = "responses"
request_max_retries = 2
stream_max_retries = 2

[analytics]
enabled = false

[feedback]
enabled = false
"""
RUNS = "vendor/x86_64-unknown-linux-musl/codex/codex"


class CodexCli:
    """OpenAI's agent, a program of its own."""

    name = "codex_cli"
    package = "@openai/codex"
    version = "0.128.0"
    paper_version = "0.128.0"
    node = ""
    wire: WireName = "responses"

    def set_up(self, job: AgentJob) -> AgentSetup:
        """Return its command and its settings."""
        argv = [in_package(f"@openai/codex-linux-x64/{RUNS}"), "exec", "--json", "--skip-git-repo-check"]
        argv += ["--dangerously-bypass-approvals-and-sandbox", "--disable", "plugins", "--disable", "apps", job.prompt]
        config = CONFIG.format(model=json.dumps(job.model), url=base_url("/v1"))
        return AgentSetup(tuple(argv), files={".codex/config.toml": config}, env={"CUTSCORE_KEY": KEY})

    def read_log(self, place: AgentPlace) -> AgentLog:
        """Return how it ended by what it printed, its tokens and steps by its rollouts."""
        printed = JsonLines(place.stdout)
        events = list(printed)
        lines = JsonLines(*sorted((place.home / ".codex" / "sessions").rglob("rollout-*.jsonl")))
        threads = _threads(lines)
        main = next((records for records in threads if _source(records) == "exec"), [])
        steps = read_steps(main)
        for records in threads:
            if records is not main:
                steps += read_steps(records, first=len(steps) + 1, parent=_spawner(steps))
        ended, error = _end(events)
        return AgentLog(ended, _usage(main), tuple(steps), error, printed.torn + lines.torn)


def _threads(lines: JsonLines) -> list[list[Mapping[str, Any]]]:
    """Return the records of each rollout."""
    threads: list[list[Mapping[str, Any]]] = []
    for record in lines:
        if record.get("type") == "session_meta":
            threads.append([])
        if threads and isinstance(record.get("payload"), dict):
            threads[-1].append(record)
    return threads


def _source(records: list[Mapping[str, Any]]) -> Any:
    return records[0]["payload"].get("source") if records else None


def _spawner(steps: list[Step]) -> int | None:
    return next((step.n for step in reversed(steps) if any(call.tool == "spawn_agent" for call in step.did)), None)


def _end(events: list[Mapping[str, Any]]) -> tuple[AgentEnd, str]:
    for each in reversed(events):
        if each.get("type") == "turn.completed":
            return "done", ""
        if each.get("type") == "turn.failed":
            error = each.get("error")
            return "error", str(error.get("message", "") if isinstance(error, dict) else error)
    return "unknown", ""


def _usage(records: list[Mapping[str, Any]]) -> Usage | None:
    """Return the last total: input without what was cached, output without reasoning; it has no cache writes."""
    infos = [record["payload"].get("info") for record in records if record["payload"].get("type") == "token_count"]
    totals = [info["total_token_usage"] for info in infos if isinstance(info, dict) and "total_token_usage" in info]
    return _buckets(totals[-1]) if totals else None


def _buckets(total: Mapping[str, Any]) -> Usage:
    read, cached = count(total, "input_tokens"), count(total, "cached_input_tokens")
    said, thought = count(total, "output_tokens"), count(total, "reasoning_output_tokens")
    return Usage(
        input=None if read is None else read - (cached or 0),
        cached=cached,
        output=None if said is None else said - (thought or 0),
        reasoning=thought,
    )


def read_steps(records: list[Mapping[str, Any]], *, first: int = 1, parent: int | None = None) -> list[Step]:
    """Return the steps of a thread: its messages, its calls, and what they brought back."""
    clock, steps = LogClock(records[0].get("timestamp") if records else None), list[Step]()
    for record in records:
        made = _step(record["payload"], record.get("type"))
        if made is not None:
            step = {"n": first + len(steps), "at_s": clock.seconds(record.get("timestamp")), "parent": parent}
            steps.append(Step.model_validate({**step, **made}))
    return steps


def _step(said: Mapping[str, Any], kind: Any) -> dict[str, Any] | None:
    if kind != "response_item":
        return None
    if said.get("type") == "message" and said.get("role") == "assistant":
        words = [str(part.get("text", "")) for part in said.get("content") or () if isinstance(part, dict)]
        return {"said": "\n".join(words)}
    if said.get("type") == "function_call":
        return {"did": (Action(tool=str(said.get("name")), arguments=_arguments(said.get("arguments"))),)}
    if said.get("type") == "function_call_output":
        output = said.get("output")
        return {"by": "tool", "saw": output if isinstance(output, str) else json.dumps(output)}
    return None


def _arguments(text: Any) -> dict[str, Any]:
    try:
        read = json.loads(text)
    except (TypeError, ValueError):
        return {"text": str(text)}
    return read if isinstance(read, dict) else {"text": str(text)}
