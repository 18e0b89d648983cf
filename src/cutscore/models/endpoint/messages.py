"""The wire of Anthropic's Messages."""

import json
from collections.abc import Iterator
from typing import Any

from cutscore.core.usage import Usage
from cutscore.ledger.token_counts import CountedUsage, usage_from_counts
from cutscore.models.endpoint.wire import Body, Wire, counts, event, object_of, parts_of, words_of


def _tools(body: Body) -> list[str]:
    return [str(tool.get("name")) for tool in body.get("tools") or ()]


def _first_words(body: Body) -> str:
    users = [message for message in body.get("messages", ()) if message.get("role") == "user"]
    return words_of(parts_of(users[0].get("content"))) if users else ""


def _pictures(body: Body) -> list[tuple[str, str]]:
    found = []
    for message in body.get("messages", ()):
        parts = list(parts_of(message.get("content")))
        for part in parts:
            parts += parts_of(part.get("content")) if part.get("type") == "tool_result" else ()
        sources = (part["source"] for part in parts if part.get("type") == "image")
        found += [(source["media_type"], source["data"]) for source in sources if source.get("type") == "base64"]
    return found


def _events(reply: Body) -> Iterator[bytes]:
    usage: dict[str, Any] = dict(reply["usage"])
    opened = {**reply, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield event({"type": "message_start", "message": opened}, "message_start")
    for index, block in enumerate(reply["content"]):
        begun, deltas = _block(block)
        yield event({"type": "content_block_start", "index": index, "content_block": begun}, "content_block_start")
        for delta in deltas:
            yield event({"type": "content_block_delta", "index": index, "delta": delta}, "content_block_delta")
        yield event({"type": "content_block_stop", "index": index}, "content_block_stop")
    ended = {"stop_reason": reply["stop_reason"], "stop_sequence": reply.get("stop_sequence")}
    yield event({"type": "message_delta", "delta": ended, "usage": usage}, "message_delta")
    yield event({"type": "message_stop"}, "message_stop")


def _block(block: Body) -> tuple[Body, list[Body]]:
    """Return a block as it begins, and what is added to it."""
    if block["type"] == "text":
        return {"type": "text", "text": ""}, [{"type": "text_delta", "text": block["text"]}]
    if block["type"] == "tool_use":
        return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": json.dumps(block["input"])}]
    if block["type"] == "thinking":
        deltas: list[Body] = [
            {"type": "thinking_delta", "thinking": block["thinking"]},
            {"type": "signature_delta", "signature": block.get("signature", "")},
        ]
        return {"type": "thinking", "thinking": "", "signature": ""}, deltas
    return block, []


def _read_usage(reply: Body) -> CountedUsage:
    """Return its three buckets of input; output holds reasoning, unless it is told apart."""
    said = object_of(reply, "usage")
    return usage_from_counts(
        {
            "input": said.get("input_tokens"),
            "cached": said.get("cache_read_input_tokens"),
            "cache_write": said.get("cache_creation_input_tokens"),
            "output": said.get("output_tokens"),
            "reasoning": object_of(said, "output_tokens_details").get("thinking_tokens"),
        }
    )


def _tell_usage(usage: Usage) -> Body:
    read, cached, written, said, thought = counts(usage)
    told = {
        "input_tokens": read,
        "cache_read_input_tokens": cached,
        "cache_creation_input_tokens": written,
        "output_tokens": said + thought,
    }
    details = {} if usage.reasoning is None else {"output_tokens_details": {"thinking_tokens": thought}}
    return {"usage": {**told, **details}}


def _error(status: int, text: str) -> Body:
    kinds = {400: "invalid_request_error", 401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}
    return {"type": "error", "error": {"type": kinds.get(status, "api_error"), "message": text}}


MESSAGES = Wire("messages", _tools, _first_words, _pictures, _events, _read_usage, _tell_usage, _error)
