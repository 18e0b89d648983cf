"""opencode.

Its database has a row for each message of each session, those of sub-agents among them, so the sum has them, too;
titles are in none. A step that was killed while its tool ran has a row of zeros, which counts as unknown. Its exit code
is 0 for a failure of the model: only an `error` that it prints tells. It puts words of the command line into quotes of
its own, so the prompt reaches it as a file.
"""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from cutscore.core.trajectory import Step
from cutscore.core.usage import Usage
from cutscore.models.endpoint.wire import WireName, data_url
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
    in_package,
    mapping,
    mappings,
    words,
)

CONTEXT, ROOM = 200_000, 32_000  # tokens that it may assume
DATABASE = ".local/share/opencode/opencode.db"
PROMPT = ".config/opencode/prompt.md"
MOST_DATABASE_BYTES = 1 << 30


class OpenCode:
    """The open agent, a program of its own."""

    name = "opencode"
    package = "opencode-ai"
    version = "1.14.41"
    paper_version = "1.14.39"
    node = ""
    wire: WireName = "chat"
    counts_helpers = True

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
        argv = ["sh", "-c", f'exec "$0" "$@" < "$HOME/{PROMPT}"', in_package("opencode-linux-x64/bin/opencode")]
        argv += ["run", "--format", "json", "--dangerously-skip-permissions", "-m", name]
        files = {".config/opencode/opencode.json": json.dumps(settings), PROMPT: job.prompt}
        return AgentSetup(tuple(argv), files, {f"OPENCODE_DISABLE_{each}": "1" for each in off})

    def read_log(self, place: AgentPlace) -> AgentLog:
        """Return how it ended by what it printed, its tokens and steps by its database."""
        printed = JsonLines(place.stdout)
        events = list(printed)
        messages, torn = read_messages(*place.files(DATABASE))
        usages = [usage for each in messages if (usage := _usage(each.data)) is not None]
        steps = read_steps(messages, place)
        ended, error = _end(events)
        return AgentLog(ended, add_up(usages), None, tuple(steps), error, printed.torn + torn)


class _Message:
    """A message of the database with its parts, and the session that spawned its own."""

    def __init__(self, session: str, spawner: str | None, data: Mapping[str, Any]) -> None:
        self.session, self.spawner, self.data = session, spawner, data
        self.parts: list[Mapping[str, Any]] = []


def read_messages(*files: Path) -> tuple[list[_Message], int]:
    """Return the answers of all sessions in the order in which they began; how many rows could not be read."""
    if not files or files[0].stat().st_size > MOST_DATABASE_BYTES:
        return [], len(files)
    found: dict[str, _Message] = {}
    torn = 0
    try:
        with closing(sqlite3.connect(files[0])) as database:
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
    except (TypeError, ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None


def _end(events: list[Mapping[str, Any]]) -> tuple[AgentEnd, str]:
    """Return `error` for the last thing it printed of that kind, unless it went on after it."""
    for each in reversed(events):
        if each.get("type") == "error":
            error = mapping(each.get("error"))
            return "error", words(mapping(error.get("data")).get("message")) or words(error.get("name"))
        if each.get("type") == "step_finish":
            reason = mapping(each.get("part")).get("reason")
            if reason == "content-filter":
                return "refused", "its model's answer was filtered"
            return ("done" if reason == "stop" else "unknown"), ""
    return "unknown", ""


def _usage(data: Mapping[str, Any]) -> Usage | None:
    """Return the tokens of an answer; None for one that has not ended, whose zeros stand for nothing known."""
    tokens, is_whole = mapping(data.get("tokens")), bool(data.get("finish"))
    cache = mapping(tokens.get("cache"))
    usage = Usage(
        input=count(tokens, "input"),
        cached=count(cache, "read"),
        cache_write=count(cache, "write"),
        output=count(tokens, "output"),
        reasoning=count(tokens, "reasoning"),
    )
    return usage if tokens and (is_whole or usage.input or usage.output) else None


def read_steps(messages: list[_Message], place: AgentPlace) -> list[Step]:
    """Return the steps: each answer with its calls, then what they brought back; sub-agents below their spawner."""
    clock = place.clock(mapping(messages[0].data.get("time")).get("created") if messages else None)
    steps: list[Step] = []
    spawned: dict[str, int] = {}  # the last step of each session that calls for a sub-agent
    for message in messages:
        parent = spawned.get(message.spawner or "")
        tools = [(part.get("tool"), mapping(part.get("state"))) for part in message.parts if part.get("type") == "tool"]
        texts = [part.get("text") for part in message.parts if part.get("type") in ("text", "reasoning")]
        number = len(steps) + 1
        steps.append(
            Step(
                n=number,
                at_s=clock.seconds(mapping(message.data.get("time")).get("created")),
                said=words(*texts),
                did=tuple(action(tool, state.get("input")) for tool, state in tools),
                usage=_usage(message.data),
                parent=parent,
            )
        )
        if any(call.tool == "task" for call in steps[-1].did):
            spawned[message.session] = number
        for _, state in tools:
            if state.get("status") in ("completed", "error"):  # another one is still under way
                step = _result(state, place, clock)
                steps.append(step.model_copy(update={"n": len(steps) + 1, "parent": parent}))
    return steps


def _result(state: Mapping[str, Any], place: AgentPlace, clock: LogClock) -> Step:
    text, error = words(state.get("output")), words(state.get("error"))
    if mapping(state.get("metadata")).get("exit"):  # of a command
        text, error = "", text or "failed"
    urls = (each.get("url") for each in mappings(state.get("attachments")))
    media = place.pictures(*(each for url in urls for each in data_url(url)))
    at_s = clock.seconds(mapping(state.get("time")).get("end"))
    return Step(n=1, by="tool", at_s=at_s, saw=text, error=error, media=media)
