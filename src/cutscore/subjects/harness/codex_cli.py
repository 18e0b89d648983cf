"""Codex CLI.

Each thread writes a rollout of its own: the main one has the source `exec`, a sub-agent's names the thread that spawned
it. The paper counts the last total of the main thread, which leaves sub-agents out.
"""

import json
import re
from collections.abc import Mapping
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
    find_spawner,
    in_package,
    mapping,
    mappings,
    subtract,
    words,
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
FAILED = re.compile(r"^Process exited with code [1-9]", re.MULTILINE)
CALLS, RESULTS = ("function_call", "custom_tool_call"), ("function_call_output", "custom_tool_call_output")
Record = Mapping[str, Any]

RUNS = "vendor/x86_64-unknown-linux-musl/codex/codex"


class CodexCli:
    """OpenAI's agent, a program of its own."""

    name = "codex_cli"
    package = "@openai/codex"
    version = "0.128.0"
    paper_version = "0.128.0"
    node = ""
    wire: WireName = "responses"
    counts_helpers = False

    def set_up(self, job: AgentJob) -> AgentSetup:
        """Return its command and its settings."""
        argv = [in_package(f"@openai/codex-linux-x64/{RUNS}"), "exec", "--json", "--skip-git-repo-check"]
        argv += ["--dangerously-bypass-approvals-and-sandbox", "--disable", "plugins", "--disable", "apps", job.prompt]
        config = CONFIG.format(model=json.dumps(job.model), url=base_url("/v1"))
        return AgentSetup(tuple(argv), files={".codex/config.toml": config}, env={"CUTSCORE_KEY": KEY})

    def read_log(self, place: AgentPlace) -> AgentLog:
        """Return how it ended by what it printed, its tokens and steps by its rollouts."""
        printed = JsonLines(place.stdout)
        ended, error = _end(list(printed))
        lines = JsonLines(*place.files(".codex/sessions/*/*/*/rollout-*.jsonl"))
        threads = _threads(lines)
        main = next((records for records in threads if _meta(records).get("source") == "exec"), [])
        helpers = [records for records in threads if records is not main]
        clock = place.clock(main[0].get("timestamp") if main else None)
        steps = read_steps(main, place, clock)
        for records in helpers:
            spawner = find_spawner(steps, _meta(records).get("id"), "spawn_agent")
            steps += read_steps(records, place, clock, first=len(steps) + 1, parent=spawner)
        helped = [total for records in helpers if (total := _total(records)) is not None]
        return AgentLog(ended, _total(main), add_up(helped), tuple(steps), error, printed.torn + lines.torn)


def _threads(lines: JsonLines) -> list[list[Record]]:
    """Return the records of each rollout."""
    threads: list[list[Record]] = []
    for record in lines:
        if record.get("type") == "session_meta":
            threads.append([])
        if threads and isinstance(record.get("payload"), dict):
            threads[-1].append(record)
    return threads


def _meta(records: list[Record]) -> Mapping[str, Any]:
    return mapping(records[0]["payload"]) if records else {}


def _end(events: list[Record]) -> tuple[AgentEnd, str]:
    for each in reversed(events):
        if each.get("type") == "turn.completed":
            return "done", ""
        if each.get("type") == "turn.failed":
            return "error", words(mapping(each.get("error")).get("message"))
    return "unknown", ""


def _total(records: list[Record]) -> Usage | None:
    """Return the last total of a thread; the first record of that kind may have none."""
    totals = [total for record in records if (total := _tokens(record, "total_token_usage"))]
    return _buckets(totals[-1]) if totals else None


def _tokens(record: Record, name: str) -> Mapping[str, Any]:
    said = record["payload"]
    return mapping(mapping(said.get("info")).get(name)) if said.get("type") == "token_count" else {}


def _buckets(total: Mapping[str, Any]) -> Usage:
    """Return its buckets: input without what was cached, output without reasoning; it has no cache writes."""
    cached, thought = count(total, "cached_input_tokens"), count(total, "reasoning_output_tokens")
    return Usage(
        input=subtract(count(total, "input_tokens"), cached),
        cached=cached,
        output=subtract(count(total, "output_tokens"), thought),
        reasoning=thought,
    )


def read_steps(
    records: list[Record], place: AgentPlace, clock: LogClock, *, first: int = 1, parent: int | None = None
) -> list[Step]:
    """Return the steps of a thread: each answer with its words and calls, then what they brought back."""
    steps: list[Step] = []
    answering = False  # whether the last step is an answer whose tokens are not told yet
    for record in records:
        said, at_s = record["payload"], clock.seconds(record.get("timestamp"))
        if answering and (tokens := _tokens(record, "last_token_usage")):
            steps[-1] = steps[-1].model_copy(update={"usage": _buckets(tokens)})
            answering = False
        if record.get("type") != "response_item":
            continue
        if said.get("type") in RESULTS:
            steps.append(_result(said, place, n=first + len(steps), at_s=at_s, parent=parent))
            answering = False
        elif said.get("type") in CALLS or said.get("role") == "assistant":
            if not answering:
                steps.append(Step(n=first + len(steps), at_s=at_s, parent=parent))
            steps[-1], answering = _add_item(steps[-1], said), True
    return steps


def _add_item(step: Step, said: Mapping[str, Any]) -> Step:
    if said.get("type") in CALLS:
        call = action(said.get("name"), said.get("arguments", said.get("input")))
        return step.model_copy(update={"did": (*step.did, call)})
    texts = (part.get("text") for part in mappings(said.get("content")))
    return step.model_copy(update={"said": words(step.said, *texts)})


def _result(said: Mapping[str, Any], place: AgentPlace, *, n: int, at_s: float | None, parent: int | None) -> Step:
    output = said.get("output")
    parts = mappings(output)
    text = words(output, *(part.get("text") for part in parts))
    media = place.pictures(*(each for part in parts for each in data_url(part.get("image_url"))))
    saw, error = ("", text) if FAILED.search(text) else (text, "")
    return Step(n=n, by="tool", at_s=at_s, saw=saw, error=error, media=media, parent=parent)
