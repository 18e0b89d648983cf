"""OpenClaw.

Its session's file has one record for each message; `SESSION.trajectory.jsonl` beside it is another view of the same and
is not read. Output holds reasoning, which it never tells apart. The printed total is that of the last call alone.
"""

import json
from collections.abc import Mapping
from typing import Any

from cutscore.core.trajectory import Action, Step
from cutscore.core.usage import Usage
from cutscore.environments.sandbox.layout import WORKSPACE
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

CONTEXT, ROOM = 200_000, 32_000  # tokens that it may assume
SESSION = "sample"


class OpenClaw:
    """The open agent with a gateway, run without it; it wants Node 22."""

    name = "openclaw"
    package = "openclaw"
    version = "2026.5.4"
    paper_version = "2026.5.4"
    node = "22"
    wire: WireName = "chat"

    def set_up(self, job: AgentJob) -> AgentSetup:
        """Return its command and its settings."""
        model = {
            "id": job.model,
            "name": job.model,
            "reasoning": False,
            "input": ["text", "image"],
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
            "contextWindow": CONTEXT,
            "maxTokens": ROOM,
        }
        provider = {"baseUrl": base_url("/v1"), "apiKey": KEY, "api": "openai-completions", "models": [model]}
        agent = {
            "model": {"primary": f"cutscore/{job.model}"},
            "workspace": WORKSPACE,
            "skipBootstrap": True,
            "timeoutSeconds": int(job.time_limit_s),
            "sandbox": {"mode": "off"},
        }
        settings = {
            "models": {"mode": "replace", "providers": {"cutscore": provider}},
            "agents": {"defaults": agent},
            "tools": {"exec": {"security": "full", "ask": "off"}},
            "plugins": {"enabled": False},
            "update": {"checkOnStart": False},
        }
        argv = ["node", in_package("openclaw/openclaw.mjs"), "agent", "--local", "--agent", "main"]
        argv += ["--session-id", SESSION, "--message", job.prompt, "--json", "--timeout", str(int(job.time_limit_s))]
        files = {".openclaw/openclaw.json": json.dumps(settings)}
        return AgentSetup(tuple(argv), files, {"OPENCLAW_NO_RESPAWN": "1"})

    def read_log(self, place: AgentPlace) -> AgentLog:
        """Return how it ended, its tokens and its steps by its session."""
        lines = JsonLines(place.home / ".openclaw" / "agents" / "main" / "sessions" / f"{SESSION}.jsonl")
        records = list(lines)
        messages = [each for each in records if each.get("type") == "message" and isinstance(each.get("message"), dict)]
        usages = [_buckets(usage) for each in messages if isinstance(usage := each["message"].get("usage"), dict)]
        usage = sum(usages[1:], usages[0]) if usages else None
        steps = read_steps(messages, LogClock(records[0].get("timestamp") if records else None))
        ended, error = _end(messages)
        return AgentLog(ended, usage, tuple(steps), error, lines.torn)


def _end(messages: list[Mapping[str, Any]]) -> tuple[AgentEnd, str]:
    last = messages[-1]["message"] if messages else {}
    if last.get("role") != "assistant":
        return "unknown", ""
    if last.get("stopReason") == "error":
        return "error", str(last.get("errorMessage", ""))
    return ("done" if last.get("stopReason") == "stop" else "unknown"), ""


def _buckets(said: Mapping[str, Any]) -> Usage:
    return Usage(
        input=count(said, "input"),
        cached=count(said, "cacheRead"),
        cache_write=count(said, "cacheWrite"),
        output=count(said, "output"),
    )


def read_steps(messages: list[Mapping[str, Any]], clock: LogClock) -> list[Step]:
    """Return the steps: each answer with its calls, then what they brought back."""
    steps: list[Step] = []
    for record in messages:
        message = record["message"]
        parts = [part for part in message.get("content") or () if isinstance(part, dict)]
        words = "\n".join(str(part["text"]) for part in parts if part.get("type") == "text" and "text" in part)
        at_s, number = clock.seconds(record.get("timestamp")), len(steps) + 1
        if message.get("role") == "assistant":
            calls = [part for part in parts if part.get("type") == "toolCall"]
            did = tuple(
                Action(tool=str(call.get("name")), arguments=dict(call.get("arguments") or {})) for call in calls
            )
            usage = _buckets(message["usage"]) if isinstance(message.get("usage"), dict) else None
            steps.append(Step(n=number, at_s=at_s, said=words, did=did, usage=usage))
        elif message.get("role") == "toolResult":
            error, saw = (words or "failed", "") if message.get("isError") else ("", words)
            steps.append(Step(n=number, by="tool", at_s=at_s, saw=saw, error=error))
    return steps
