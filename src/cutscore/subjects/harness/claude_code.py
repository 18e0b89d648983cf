"""Claude Code.

Its `result` line sums up the main agent alone: sub-agents and helper models are in `modelUsage`. After a kill there is
no such line; then the session's own file counts, one record for each message. Streamed `assistant` events carry the
tokens of a message that has only begun, and are never added up.
"""

from collections.abc import Mapping
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


class ClaudeCode:
    """Anthropic's agent, a program of its own."""

    name = "claude_code"
    package = "@anthropic-ai/claude-code"
    version = "2.1.129"
    paper_version = "2.1.129"
    node = ""
    wire: WireName = "messages"

    def set_up(self, job: AgentJob) -> AgentSetup:
        """Return its command; it needs no file."""
        argv = [in_package("@anthropic-ai/claude-code-linux-x64/claude"), "-p", job.prompt]
        argv += ["--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions", "--model", job.model]
        env = {
            "ANTHROPIC_BASE_URL": base_url(),
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_RETRIES": "2",
            "DISABLE_AUTOUPDATER": "1",
        }
        return AgentSetup(tuple(argv), env=env)

    def read_log(self, place: AgentPlace) -> AgentLog:
        """Return how it ended by its `result`, its tokens by that or by its session, and the session's steps."""
        printed = JsonLines(place.stdout)
        result: Mapping[str, Any] = {}
        for each in printed:
            result = each if each.get("type") == "result" else result
        projects = place.home / ".claude" / "projects"
        sessions = sorted(projects.glob("*/*.jsonl"))
        helpers = sorted(projects.glob("*/*/subagents/*.jsonl"))
        said = JsonLines(*sessions)
        records = list(said)
        steps = read_steps(records)
        for helper in helpers:
            steps += _helper_steps(helper, steps)
        usage = _usage(result["usage"]) if result.get("usage") else _sum_messages(records)
        return AgentLog(_end(result), usage, tuple(steps), _error(result), printed.torn + said.torn)


def _end(result: Mapping[str, Any]) -> AgentEnd:
    if not result:
        return "unknown"
    if result.get("subtype") == "error_max_turns":
        return "cap"
    return "error" if result.get("is_error") else "done"


def _error(result: Mapping[str, Any]) -> str:
    if not result.get("is_error"):
        return ""
    status = result.get("api_error_status")
    return " ".join(filter(None, (f"HTTP {status}:" if status else "", str(result.get("result", "")))))


def _usage(said: Mapping[str, Any]) -> Usage:
    """Return its buckets; it does not tell reasoning apart."""
    return Usage(
        input=count(said, "input_tokens"),
        cached=count(said, "cache_read_input_tokens"),
        cache_write=count(said, "cache_creation_input_tokens"),
        output=count(said, "output_tokens"),
    )


def _sum_messages(records: list[Mapping[str, Any]]) -> Usage | None:
    """Return the sum over a session: a message with words and a call has two records, each with all of its tokens."""
    messages = {each["message"].get("id"): each["message"] for each in records if _is_answer(each)}
    usages = [_usage(message["usage"]) for message in messages.values() if message.get("usage")]
    return sum(usages[1:], usages[0]) if usages else None


def _is_answer(record: Mapping[str, Any]) -> bool:
    return record.get("type") == "assistant" and isinstance(record.get("message"), dict)


def read_steps(records: list[Mapping[str, Any]], *, first: int = 1, parent: int | None = None) -> list[Step]:
    """Return the steps of a session: what the model said and called, and what each call brought back."""
    clock = LogClock(next((each["timestamp"] for each in records if "timestamp" in each), None))
    steps: dict[str, Step] = {}
    for record in records:
        message = record.get("message")
        if not isinstance(message, dict) or not isinstance(message.get("content"), list):
            continue
        at_s = clock.seconds(record.get("timestamp"))
        for part in message["content"]:
            if record["type"] == "assistant":
                key = str(message.get("id"))
                made = steps.get(key) or Step(n=first + len(steps), at_s=at_s, parent=parent)
                steps[key] = _add_part(made, part, message)
            elif part.get("type") == "tool_result":
                text = _text(part.get("content"))
                number = first + len(steps)
                error = text if part.get("is_error") else ""
                saw = "" if error else text
                step = Step(n=number, by="tool", at_s=at_s, saw=saw, error=error, parent=parent)
                steps[str(part.get("tool_use_id"))] = step
    return list(steps.values())


def _add_part(step: Step, part: Mapping[str, Any], message: Mapping[str, Any]) -> Step:
    usage = _usage(message["usage"]) if isinstance(message.get("usage"), dict) else None
    if part.get("type") == "tool_use":
        call = Action(tool=str(part.get("name")), arguments=dict(part.get("input") or {}))
        return step.model_copy(update={"did": (*step.did, call), "usage": usage})
    words = part.get("text") or part.get("thinking") or ""
    return step.model_copy(update={"said": "\n".join(filter(None, (step.said, words))), "usage": usage})


def _helper_steps(file: Path, steps: list[Step]) -> list[Step]:
    """Return the steps of a sub-agent, below the last step that started one."""
    parent = next(
        (step.n for step in reversed(steps) if any(call.tool in ("Agent", "Task") for call in step.did)), None
    )
    return read_steps(list(JsonLines(file)), first=len(steps) + 1, parent=parent)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part["text"]) for part in content or () if isinstance(part, dict) and "text" in part)
