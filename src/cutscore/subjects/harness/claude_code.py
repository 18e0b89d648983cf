"""Claude Code.

Its `result` line sums up the main agent alone: sub-agents and helper models are in `modelUsage`. After a kill there is
no such line; then the session's own file counts, one record for each message. Streamed `assistant` events carry the
tokens of a message that has only begun, and are never added up.
"""

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
    find_spawner,
    in_package,
    mapping,
    mappings,
    words,
)

Record = Mapping[str, Any]
EMPTY = "(no content)"  # what it writes for an answer without words


class ClaudeCode:
    """Anthropic's agent, a program of its own."""

    name = "claude_code"
    package = "@anthropic-ai/claude-code"
    version = "2.1.129"
    paper_version = "2.1.129"
    node = ""
    wire: WireName = "messages"
    counts_helpers = False

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
        result: Record = {}
        for each in printed:
            result = each if each.get("type") == "result" else result
        said = JsonLines(*place.files(".claude/projects/*/*.jsonl"))
        records = list(said)
        clock = place.clock(next((each["timestamp"] for each in records if "timestamp" in each), None))
        steps = read_steps(records, place, clock)
        torn, helped = printed.torn + said.torn, list[Usage]()
        for file in place.files(".claude/projects/*/*/subagents/*.jsonl"):
            lines = JsonLines(file)
            theirs = list(lines)
            spawner = find_spawner(steps, file.stem.removeprefix("agent-"), "Agent")
            steps += read_steps(theirs, place, clock, first=len(steps) + 1, parent=spawner)
            torn += lines.torn
            helped += _usages(theirs)
        usage = _buckets(mapping(result["usage"])) if result.get("usage") else add_up(_usages(records))
        return AgentLog(_end(result), usage, add_up(helped), tuple(steps), _error(result), torn)


def _end(result: Record) -> AgentEnd:
    if not result:
        return "unknown"
    if result.get("subtype") == "error_max_turns":
        return "cap"
    if result.get("stop_reason") == "refusal":
        return "refused"
    return "error" if result.get("is_error") else "done"


def _error(result: Record) -> str:
    if not result.get("is_error"):
        return ""
    status = result.get("api_error_status")
    return " ".join(filter(None, (f"HTTP {status}:" if isinstance(status, int) else "", words(result.get("result")))))


def _buckets(said: Mapping[str, Any]) -> Usage:
    """Return its buckets; it does not tell reasoning apart."""
    return Usage(
        input=count(said, "input_tokens"),
        cached=count(said, "cache_read_input_tokens"),
        cache_write=count(said, "cache_creation_input_tokens"),
        output=count(said, "output_tokens"),
    )


def _usages(records: list[Record]) -> list[Usage]:
    """Return those of a session's messages: one with words and a call has two records, each with all of its tokens."""
    answers = [mapping(each.get("message")) for each in records if each.get("type") == "assistant"]
    messages = {str(message.get("id")): mapping(message.get("usage")) for message in answers}
    return [_buckets(said) for said in messages.values() if said]


def read_steps(
    records: list[Record], place: AgentPlace, clock: LogClock, *, first: int = 1, parent: int | None = None
) -> list[Step]:
    """Return the steps of a session: each answer with its words and calls, then what they brought back."""
    steps: dict[str, Step] = {}
    for record in records:
        message, at_s = mapping(record.get("message")), clock.seconds(record.get("timestamp"))
        for part in mappings(message.get("content")):
            number = first + len(steps)
            if record.get("type") == "assistant":
                key = f"message {message.get('id')}"
                steps[key] = _add_part(steps.get(key) or Step(n=number, at_s=at_s, parent=parent), part, message)
            elif part.get("type") == "tool_result":
                key = f"result {part.get('tool_use_id')}"
                number = steps[key].n if key in steps else number
                steps[key] = _result(part, place).model_copy(update={"n": number, "at_s": at_s, "parent": parent})
    return list(steps.values())


def _add_part(step: Step, part: Mapping[str, Any], message: Mapping[str, Any]) -> Step:
    said = mapping(message.get("usage"))
    usage = _buckets(said) if said else None
    if part.get("type") == "tool_use":
        call = action(part.get("name"), part.get("input"))
        return step.model_copy(update={"did": (*step.did, call), "usage": usage})
    texts = [text for text in (part.get("text"), part.get("thinking")) if text != EMPTY]
    return step.model_copy(update={"said": words(step.said, *texts), "usage": usage})


def _result(part: Mapping[str, Any], place: AgentPlace) -> Step:
    content = part.get("content")
    parts = mappings(content)
    text = words(content, *(each.get("text") for each in parts))
    sources = [mapping(each.get("source")) for each in parts]
    media = place.pictures(*((source.get("media_type"), source.get("data")) for source in sources))
    error, saw = (text or "failed", "") if part.get("is_error") else ("", text)
    return Step(n=1, by="tool", saw=saw, error=error, media=media)
