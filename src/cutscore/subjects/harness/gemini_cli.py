"""Gemini CLI.

The paper counts the `stats` of its last line: every model that it asked, sub-agents and answers that it threw away
included. After a kill there are none; then its session's file counts, with one record for each answer, written again
when its tool has ended: the last one of each id counts. A call under way when it was killed is only in what it printed.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from cutscore.core.trajectory import Step
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
    action,
    add_up,
    base_url,
    count,
    in_package,
    mapping,
    mappings,
    subtract,
    words,
)

Record = Mapping[str, Any]

SETTINGS: Mapping[str, Any] = {
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
}
CAPPED = "FatalTurnLimitedError"
FAILED = re.compile(r"^Exit Code: [1-9]", re.MULTILINE)


class GeminiCli:
    """Google's agent, which runs on Node."""

    name = "gemini_cli"
    package = "@google/gemini-cli"
    version = "0.41.2"
    paper_version = "0.41.1"
    node = "20"
    wire: WireName = "gemini"
    counts_helpers = True

    def set_up(self, job: AgentJob) -> AgentSetup:
        """Return its command and its settings."""
        argv = ["node", in_package("@google/gemini-cli/bundle/gemini.js"), "-p", job.prompt]
        argv += ["--yolo", "--skip-trust", "-o", "stream-json", "-m", job.model]
        files = {".gemini/settings.json": json.dumps(SETTINGS)}
        return AgentSetup(tuple(argv), files, {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": base_url()})

    def read_log(self, place: AgentPlace) -> AgentLog:
        """Return how it ended by its `result`, its tokens and steps by its session."""
        printed = JsonLines(place.stdout)
        events = list(printed)
        result: Record = next((each for each in reversed(events) if each.get("type") == "result"), {})
        sessions = [JsonLines(file) for file in place.files(".gemini/tmp/*/chats/**/*.jsonl")]
        read = [list(session) for session in sessions]
        main = [record for records in read for record in records if _is_main(records)]
        helpers = [records for records in read if not _is_main(records)]
        clock = place.clock(next((each["startTime"] for each in main if "startTime" in each), None))
        steps = _with_open_calls(read_steps(_answers(main), place, clock), main, events)
        for records in helpers:
            spawner = find_spawning_step(steps, clock.seconds(records[0].get("startTime")))
            steps += read_steps(_answers(records), place, clock, first=len(steps) + 1, parent=spawner)
        stats = mapping(result.get("stats"))
        usage = _sum_up(stats, main) if stats else add_up(_usages(main))
        helped = add_up(usage for records in helpers for usage in _usages(records)) if not stats else None
        torn = printed.torn + sum(session.torn for session in sessions)
        error = words(mapping(result.get("error")).get("message"))
        return AgentLog(_end(result), usage, helped, tuple(steps), error, torn)


def _is_main(records: list[Record]) -> bool:
    return not records or records[0].get("kind", "main") == "main"


def _answers(records: list[Record]) -> list[Record]:
    """Return the answers of a session, each as it was written last."""
    return list({str(each.get("id")): each for each in records if each.get("type") == "gemini"}.values())


def _usages(records: list[Record]) -> list[Usage]:
    return [_buckets(tokens) for each in _answers(records) if (tokens := mapping(each.get("tokens")))]


def _sum_up(stats: Mapping[str, Any], records: list[Record]) -> Usage:
    """Return the buckets of its stats: reasoning is what is left of the total, less what tools put into prompts."""
    read, said = count(stats, "input_tokens"), count(stats, "output_tokens")
    tools = sum(count(mapping(each.get("tokens")), "tool") or 0 for each in _answers(records))
    known = None if read is None or said is None else read + said + tools
    return Usage(
        input=count(stats, "input"),
        cached=count(stats, "cached"),
        output=said,
        reasoning=None if known is None else subtract(count(stats, "total_tokens"), known),
    )


def _end(result: Record) -> AgentEnd:
    if not result:
        return "unknown"
    if result.get("status") == "success":
        return "done"
    return "cap" if CAPPED in str(result.get("error")) else "error"


def _buckets(tokens: Mapping[str, Any]) -> Usage:
    cached = count(tokens, "cached")
    return Usage(
        input=subtract(count(tokens, "input"), cached),
        cached=cached,
        output=count(tokens, "output"),
        reasoning=count(tokens, "thoughts"),
    )


def read_steps(
    answers: list[Record], place: AgentPlace, clock: LogClock, *, first: int = 1, parent: int | None = None
) -> list[Step]:
    """Return the steps of a session: each answer with its calls, then what they brought back."""
    steps: list[Step] = []
    for answer in answers:
        calls, tokens = mappings(answer.get("toolCalls")), mapping(answer.get("tokens"))
        steps.append(
            Step(
                n=first + len(steps),
                at_s=clock.seconds(answer.get("timestamp")),
                said=words(answer.get("content")),
                did=tuple(action(call.get("name"), call.get("args")) for call in calls),
                usage=_buckets(tokens) if tokens else None,
                parent=parent,
            )
        )
        for call in calls:
            step = _result(call, place, clock)
            steps.append(step.model_copy(update={"n": first + len(steps), "parent": parent}))
    return steps


def _result(call: Mapping[str, Any], place: AgentPlace, clock: LogClock) -> Step:
    """Return what a call brought back."""
    parts = mappings(call.get("result"))
    said = [mapping(mapping(part.get("functionResponse")).get("response")) for part in parts]
    text = words(*(each.get("output", each.get("error")) for each in said))
    data = [mapping(part.get("inlineData")) for part in parts]
    media = place.pictures(*((each.get("mimeType"), each.get("data")) for each in data))
    failed = call.get("status") not in (None, "success") or FAILED.search(text)
    error, saw = (text or "failed", "") if failed else ("", text)
    return Step(n=1, by="tool", at_s=clock.seconds(call.get("timestamp")), saw=saw, error=error, media=media)


def _with_open_calls(steps: list[Step], records: list[Record], events: list[Record]) -> list[Step]:
    """Return the steps; the last one with the calls that were under way when it ended."""
    known = {str(call.get("id")) for each in records for call in mappings(each.get("toolCalls"))}
    begun = [each for each in events if each.get("type") == "tool_use" and str(each.get("tool_id")) not in known]
    if not (steps and begun and steps[-1].by == "model" and not steps[-1].did):
        return steps
    did = tuple(action(each.get("tool_name"), each.get("parameters")) for each in begun)
    return [*steps[:-1], steps[-1].model_copy(update={"did": did})]


def find_spawning_step(steps: list[Step], began_s: float | None) -> int | None:
    """Return the last step before a sub-agent began that called for one; logs of sub-agents do not name it."""
    calls = [step for step in steps if any(call.tool == "invoke_agent" for call in step.did)]
    before = [step.n for step in calls if step.at_s is None or began_s is None or step.at_s <= began_s]
    return before[-1] if before else None
