"""The wire of OpenAI's Chat Completions."""

from collections.abc import Iterator
from typing import Any

from cutscore.core.usage import Usage
from cutscore.ledger.token_counts import CountedUsage, usage_from_counts
from cutscore.models.endpoint.responses import openai_error
from cutscore.models.endpoint.wire import Body, Wire, counts, data_url, event, object_of, parts_of, words_of


def _tools(body: Body) -> list[str]:
    return [str(tool.get("function", {}).get("name")) for tool in body.get("tools") or ()]


def _first_words(body: Body) -> str:
    users = [message for message in body.get("messages", ()) if message.get("role") == "user"]
    return words_of(parts_of(users[0].get("content"))) if users else ""


def _pictures(body: Body) -> list[tuple[str, str]]:
    parts = [part for message in body.get("messages", ()) for part in parts_of(message.get("content"))]
    urls = (part["image_url"].get("url") for part in parts if part.get("type") == "image_url")
    return [each for url in urls for each in data_url(url)]


def _events(reply: Body) -> Iterator[bytes]:
    base: dict[str, Any] = {name: reply[name] for name in ("id", "created", "model")}
    base["object"] = "chat.completion.chunk"
    for choice in reply["choices"]:
        message = {name: value for name, value in choice["message"].items() if value is not None}
        calls = [{"index": number, **call} for number, call in enumerate(message.pop("tool_calls", ()))]
        delta = {**message, **({"tool_calls": calls} if calls else {})}
        yield event({**base, "choices": [{"index": choice["index"], "delta": delta, "finish_reason": None}]})
        end = {"index": choice["index"], "delta": {}, "finish_reason": choice["finish_reason"]}
        yield event({**base, "choices": [end]})
    yield event({**base, "choices": [], "usage": reply.get("usage")})
    yield b"data: [DONE]\n\n"


def _read_usage(reply: Body) -> CountedUsage:
    said = object_of(reply, "usage")
    return usage_from_counts(
        {
            "input": said.get("prompt_tokens"),
            "cached": object_of(said, "prompt_tokens_details").get("cached_tokens"),
            "output": said.get("completion_tokens"),
            "reasoning": object_of(said, "completion_tokens_details").get("reasoning_tokens"),
        },
        cached_in_input=True,
    )


def _tell_usage(usage: Usage) -> Body:
    read, cached, written, said, thought = counts(usage)
    told = {
        "prompt_tokens": read + cached + written,
        "prompt_tokens_details": {"cached_tokens": cached},
        "completion_tokens": said + thought,
        "completion_tokens_details": {"reasoning_tokens": thought},
    }
    return {"usage": {**told, "total_tokens": read + cached + written + said + thought}}


CHAT = Wire("chat", _tools, _first_words, _pictures, _events, _read_usage, _tell_usage, openai_error)
