"""opencode.

Its database has a row for each message of each session, those of sub-agents among them, so the sum has them, too;
titles are in none. A step that was killed while its tool ran has a row of zeros. Its exit code is 0 for a failure of
the model: only an `error` that it prints tells.
"""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
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

CONTEXT, ROOM = 200_000, 32_000  # tokens that it may assume
DATABASE = ".local/share/opencode/opencode.db"


class OpenCode:
    """The open agent, a program of its own."""

    name = "opencode"
    package = "opencode-ai"
    version = "1.14.41"
    paper_version = "1.14.39"
    node = ""
    wire: WireName = "chat"

    def set_up(self, job: AgentJob) -> AgentSetup:
        """Return its command and its settings."""
        name = f"cutscore/{job.model}"
        model = {
            "name": job.model,
            "tool_call": True,
            "reasoning": True,
            "attachment": True,
            "modalities": {"input": ["text", "image"], "output": ["text"]},
            "limit": {"context": CONTEXT, "output": ROOM},
        }
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": base_url("/v1"), "apiKey": KEY},
            "models": {job.model: model},
        }
        settings = {
            "autoupdate": False,
            "share": "disabled",
            "enabled_providers": ["cutscore"],
            "model": name,
            "small_model": name,
            "provider": {"cutscore": provider},
            "permission": {"*": "allow"},
        }
        off = ("AUTOUPDATE", "MODELS_FETCH", "DEFAULT_PLUGINS", "LSP_DOWNLOAD")
        argv = [in_package("opencode-linux-x64/bin/opencode"), "run", "--format", "json"]
        argv += ["--dangerously-skip-permissions", "-m", name, job.prompt]
        files = {".config/opencode/opencode.json": json.dumps(settings)}
        return AgentSetup(tuple(argv), files, {f"OPENCODE_DISABLE_{each}": "1" for each in off})

    def read_log(self, place: AgentPlace) -> AgentLog:
        """Return how it ended by what it printed, its tokens and steps by its database."""
        printed = JsonLines(place.stdout)
        events = list(printed)
        messages, torn = read_messages(place.home / DATABASE)
        usages = [_buckets(each.data["tokens"]) for each in messages if isinstance(each.data.get("tokens"), dict)]
        usage = sum(usages[1:], usages[0]) if usages else None
        ended, error = _end(events)
        return AgentLog(ended, usage, tuple(read_steps(messages)), error, printed.torn + torn)


class _Message:
    """A message of the database with its parts, and the session that spawned its own."""

    def __init__(self, session: str, spawner: str | None, data: Mapping[str, Any]) -> None:
        self.session, self.spawner, self.data = session, spawner, data
        self.parts: list[Mapping[str, Any]] = []


def read_messages(file: Path) -> tuple[list[_Message], int]:
    """Return the answers of all sessions in the order in which they began; how many rows could not be read."""
    if not file.is_file():
        return [], 0
    found: dict[str, _Message] = {}
    torn = 0
    try:
        with closing(sqlite3.connect(file)) as database:
            rows = database.execute(
                "select m.id, m.session_id, s.parent_id, m.data from message m join session s on s.id = m.session_id "
                "order by m.time_created, m.id"
            )
            for id, session, spawner, data in rows:
                said = _json(data)
                torn += said is None
                if said is not None and said.get("role") == "assistant":
                    found[id] = _Message(session, spawner, said)
            for id, data in database.execute("select message_id, data from part order by time_created, id"):
                said = _json(data)
                if id in found and said is not None:
                    found[id].parts.append(said)
    except sqlite3.DatabaseError:
        torn += 1
    return list(found.values()), torn


def _json(text: Any) -> Mapping[str, Any] | None:
    try:
        read = json.loads(text)
    except (TypeError, ValueError):
        return None
    return read if isinstance(read, dict) else None


def _end(events: list[Mapping[str, Any]]) -> tuple[AgentEnd, str]:
    """Return `error` for the last thing it printed of that kind, unless it went on after it."""
    for each in reversed(events):
        if each.get("type") == "error":
            error = each.get("error")
            data = error.get("data") if isinstance(error, dict) else None
            return "error", str(data.get("message", "") if isinstance(data, dict) else error)
        if each.get("type") == "step_finish":
            part = each.get("part")
            is_last = isinstance(part, dict) and part.get("reason") == "stop"
            return ("done" if is_last else "unknown"), ""
    return "unknown", ""


def _buckets(tokens: Mapping[str, Any]) -> Usage:
    said = tokens.get("cache")
    cache: Mapping[str, Any] = said if isinstance(said, dict) else {}
    return Usage(
        input=count(tokens, "input"),
        cached=count(cache, "read"),
        cache_write=count(cache, "write"),
        output=count(tokens, "output"),
        reasoning=count(tokens, "reasoning"),
    )


def read_steps(messages: list[_Message]) -> list[Step]:
    """Return the steps: each answer with its calls, then what they brought back; sub-agents below their spawner."""
    clock = LogClock(_at(messages[0].data) if messages else None)
    steps: list[Step] = []
    spawned: dict[str, int] = {}  # the last step of each session that calls for a sub-agent
    for message in messages:
        parent = spawned.get(message.spawner or "")
        tools = [part for part in message.parts if part.get("type") == "tool"]
        words = [str(part.get("text", "")) for part in message.parts if part.get("type") in ("text", "reasoning")]
        states = [state if isinstance(state := part.get("state"), dict) else {} for part in tools]
        did = tuple(
            Action(tool=str(part.get("tool")), arguments=dict(state.get("input") or {}))
            for part, state in zip(tools, states, strict=True)
        )
        tokens = message.data.get("tokens")
        usage = _buckets(tokens) if isinstance(tokens, dict) else None
        at_s = clock.seconds(_at(message.data))
        number = len(steps) + 1
        steps.append(Step(n=number, at_s=at_s, said="\n".join(words), did=did, usage=usage, parent=parent))
        if any(call.tool == "task" for call in did):
            spawned[message.session] = number
        for state in states:
            saw, error = str(state.get("output") or ""), str(state.get("error") or "")
            steps.append(Step(n=len(steps) + 1, by="tool", saw=saw, error=error, parent=parent))
    return steps


def _at(data: Mapping[str, Any]) -> Any:
    time = data.get("time")
    return time.get("created") if isinstance(time, dict) else None
