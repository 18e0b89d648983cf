"""Gemini CLI.

The session's file has one record for each answer, written again when its tool has ended: the last one of each id
counts. It survives a kill, and it has the reasoning, which the printed summary lacks.
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

SETTINGS: Mapping[str, Any] = {
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
}
CAPPED = "FatalTurnLimitedError"


class GeminiCli:
    """Google's agent, which runs on Node."""

    name = "gemini_cli"
    package = "@google/gemini-cli"
    version = "0.41.2"
    paper_version = "0.41.1"
    node = "20"
    wire: WireName = "gemini"

    def set_up(self, job: AgentJob) -> AgentSetup:
        """Return its command and its settings."""
        argv = ["node", in_package("@google/gemini-cli/bundle/gemini.js"), "-p", job.prompt]
        argv += ["--yolo", "--skip-trust", "-o", "stream-json", "-m", job.model]
        files = {".gemini/settings.json": json.dumps(SETTINGS)}
        return AgentSetup(tuple(argv), files, {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": base_url()})

    def read_log(self, place: AgentPlace) -> AgentLog:
        """Return how it ended by its `result`, its tokens and steps by its session."""
        printed = JsonLines(place.stdout)
        result: Mapping[str, Any] = {}
        for each in printed:
            result = each if each.get("type") == "result" else result
        lines = JsonLines(*sorted((place.home / ".gemini" / "tmp").glob("*/chats/session-*.jsonl")))
        answers: dict[str, Mapping[str, Any]] = {}
        began: Any = None
        for record in lines:
            began = began or record.get("startTime")
            if record.get("type") == "gemini":
                answers[str(record.get("id"))] = record
        usages = [_buckets(each["tokens"]) for each in answers.values() if isinstance(each.get("tokens"), dict)]
        usage = sum(usages[1:], usages[0]) if usages else None
        steps = read_steps(list(answers.values()), LogClock(began))
        return AgentLog(_end(result), usage, tuple(steps), _error(result), printed.torn + lines.torn)


def _end(result: Mapping[str, Any]) -> AgentEnd:
    if not result:
        return "unknown"
    if result.get("status") == "success":
        return "done"
    return "cap" if CAPPED in json.dumps(result.get("error")) else "error"


def _error(result: Mapping[str, Any]) -> str:
    error = result.get("error")
    return str(error.get("message", "")) if isinstance(error, dict) else ""


def _buckets(tokens: Mapping[str, Any]) -> Usage:
    read, cached = count(tokens, "input"), count(tokens, "cached")
    return Usage(
        input=None if read is None else read - (cached or 0),
        cached=cached,
        output=count(tokens, "output"),
        reasoning=count(tokens, "thoughts"),
    )


def read_steps(answers: list[Mapping[str, Any]], clock: LogClock) -> list[Step]:
    """Return the steps of a session: each answer with its calls, then what they brought back."""
    steps: list[Step] = []
    for answer in answers:
        calls = [call for call in answer.get("toolCalls") or () if isinstance(call, dict)]
        did = tuple(Action(tool=str(call.get("name")), arguments=dict(call.get("args") or {})) for call in calls)
        tokens = answer.get("tokens")
        steps.append(
            Step(
                n=len(steps) + 1,
                at_s=clock.seconds(answer.get("timestamp")),
                said=str(answer.get("content") or ""),
                did=did,
                usage=_buckets(tokens) if isinstance(tokens, dict) else None,
            )
        )
        for call in calls:
            text, failed = _result(call.get("result")), call.get("status") not in (None, "success")
            at_s = clock.seconds(call.get("timestamp"))
            error, saw = (text or "failed", "") if failed else ("", text)
            steps.append(Step(n=len(steps) + 1, by="tool", at_s=at_s, saw=saw, error=error))
    return steps


def _result(parts: Any) -> str:
    """Return the words that a call brought back."""
    answered = [part.get("functionResponse") for part in parts or () if isinstance(part, dict)]
    said = [each.get("response") for each in answered if isinstance(each, dict)]
    texts = [each.get("output", each.get("error", "")) for each in said if isinstance(each, dict)]
    return "\n".join(str(text) for text in texts)
