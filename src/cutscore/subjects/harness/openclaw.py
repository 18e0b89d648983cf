"""OpenClaw.

Its session's file has one record for each message; `SESSION.trajectory.jsonl` beside it is another view of the same and
is not read. Output holds reasoning, which it never tells apart. The printed total is that of the last call alone.
"""

import json
from collections.abc import Mapping
from typing import Any

from cutscore.core.trajectory import Step
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
    action,
    add_up,
    base_url,
    count,
    find_spawner,
    in_package,
    mapping,
    mappings,
    words,
)

Record = Mapping[str, Any]

CONTEXT, ROOM = 200_000, 32_000  # tokens that it may assume
SILENCE_S = 300  # that its model may keep, as in the paper; it would break off after 120 s by itself
SESSION = "sample"
LOGS = ".openclaw/agents/main/sessions"


class OpenClaw:
    """The open agent with a gateway, run without it; it wants Node 22."""

    name = "openclaw"
    package = "openclaw"
    version = "2026.5.4"
    paper_version = "2026.5.4"
    node = "22"
    wire: WireName = "chat"
    counts_helpers = False

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
        provider = {
            "baseUrl": base_url("/v1"),
            "apiKey": KEY,
            "api": "openai-completions",
            "models": [model],
            "timeoutSeconds": SILENCE_S,
        }
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
        """Return how it ended, its tokens and its steps by its session; other sessions are its sub-agents'."""
        own = JsonLines(*place.files(f"{LOGS}/{SESSION}.jsonl"))
        records = list(own)
        clock = place.clock(records[0].get("timestamp") if records else None)
        steps = read_steps(_messages(records), place, clock)
        torn, helped = own.torn, list[Usage]()
        for file in place.files(f"{LOGS}/*.jsonl"):
            if file.name.partition(".")[0] == SESSION or file.name.endswith(".trajectory.jsonl"):
                continue
            lines = JsonLines(file)
            theirs = _messages(list(lines))
            spawner = find_spawner(steps, file.stem, "sessions_spawn")
            steps += read_steps(theirs, place, clock, first=len(steps) + 1, parent=spawner)
            torn += lines.torn
            helped += _usages(theirs)
        ended, error = _end(_messages(records))
        return AgentLog(ended, add_up(_usages(_messages(records))), add_up(helped), tuple(steps), error, torn)


def _messages(records: list[Record]) -> list[Record]:
    return [each for each in records if each.get("type") == "message" and isinstance(each.get("message"), dict)]


def _end(messages: list[Record]) -> tuple[AgentEnd, str]:
    last = messages[-1]["message"] if messages else {}
    if last.get("role") != "assistant":
        return "unknown", ""
    if last.get("stopReason") == "error":
        return "error", words(last.get("errorMessage"))
    return ("done" if last.get("stopReason") == "stop" else "unknown"), ""


def _usages(messages: list[Record]) -> list[Usage]:
    return [usage for each in messages if (usage := _usage(each["message"])) is not None]


def _usage(message: Mapping[str, Any]) -> Usage | None:
    """Return the tokens of an answer; an error has zeros that stand for nothing known."""
    said = mapping(message.get("usage"))
    if not said or message.get("stopReason") in ("error", "aborted"):
        return None
    return Usage(
        input=count(said, "input"),
        cached=count(said, "cacheRead"),
        cache_write=count(said, "cacheWrite"),
        output=count(said, "output"),
    )


def read_steps(
    messages: list[Record], place: AgentPlace, clock: LogClock, *, first: int = 1, parent: int | None = None
) -> list[Step]:
    """Return the steps: each answer with its calls, then what they brought back."""
    steps: list[Step] = []
    for record in messages:
        message = record["message"]
        parts = mappings(message.get("content"))
        text = words(*(part.get("text") for part in parts if part.get("type") == "text"))
        if message.get("role") == "assistant":
            calls = [part for part in parts if part.get("type") == "toolCall"]
            did = tuple(action(call.get("name"), call.get("arguments")) for call in calls)
            step = Step(n=1, said=text, did=did, usage=_usage(message), error=words(message.get("errorMessage")))
        elif message.get("role") == "toolResult":
            failed = message.get("isError") or mapping(message.get("details")).get("exitCode")
            error, saw = (text or "failed", "") if failed else ("", text)
            media = place.pictures(*((part.get("mimeType"), part.get("data")) for part in parts))
            step = Step(n=1, by="tool", saw=saw, error=error, media=media)
        else:
            continue
        at_s = clock.seconds(record.get("timestamp"))
        steps.append(step.model_copy(update={"n": first + len(steps), "at_s": at_s, "parent": parent}))
    return steps
