"""What the four wires have in common: which request is for whom, and how a whole reply is told in pieces.

    messages    /v1/messages                                   Anthropic
    responses   /v1/responses                                  OpenAI
    chat        /v1/chat/completions                           OpenAI and everybody who follows it
    gemini      /v1beta/models/M:[stream]generateContent       Google

A client that asks for a stream gets the whole reply as the events of its wire, one after the other: clients put them
together again, and nothing is lost but the waiting.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from cutscore.core.usage import Usage
from cutscore.ledger.token_counts import CountedUsage

WireName = Literal["messages", "responses", "chat", "gemini"]
Body = Mapping[str, Any]


@dataclass(frozen=True)
class Wire:
    """How one wire is read and written.

    Args:
        tools: Return the names of the tools that a request offers.
        first_words: Return the words with which the user began.
        pictures: Return the pictures of a request, each as its media type and base64.
        events: Return a reply as events.
        read_usage: Return the tokens that a reply tells, with a sentence on counts that cannot be.
        tell_usage: Return tokens as the part of a reply that tells them; a bucket that the wire lacks adds to another.
        error: Return the body of an error.
    """

    name: WireName
    tools: Callable[[Body], list[str]]
    first_words: Callable[[Body], str]
    pictures: Callable[[Body], list[tuple[str, str]]]
    events: Callable[[Body], Iterator[bytes]]
    read_usage: Callable[[Body], CountedUsage]
    tell_usage: Callable[[Usage], Mapping[str, Any]]
    error: Callable[[int, str], Mapping[str, Any]]


def event(data: Body, name: str = "") -> bytes:
    r"""Return one server-sent event.

    >>> event({"type": "ping"}, "ping")
    b'event: ping\ndata: {"type":"ping"}\n\n'
    """
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data, separators=(',', ':'), ensure_ascii=False)}\n\n".encode()


def parts_of(content: Any) -> Sequence[Body]:
    """Return the parts of a message's content, which may be plain words."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [part for part in content or () if isinstance(part, dict)]


def words_of(parts: Sequence[Body]) -> str:
    """Return the words among parts of a message."""
    return "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str))


def data_url(url: Any) -> list[tuple[str, str]]:
    """Return a picture that stands in its address; nothing where it lies elsewhere.

    >>> data_url("data:image/png;base64,AAAA")
    [('image/png', 'AAAA')]
    """
    head, comma, data = str(url).partition(",")
    if not comma or not head.startswith("data:"):
        return []
    return [(head.removeprefix("data:").partition(";")[0], data)]


def object_of(said: Body, *names: str) -> Body:
    """Return an object inside of others; an empty one where there is none.

    >>> object_of({"usage": {"details": {"n": 1}}}, "usage", "details"), object_of({"usage": None}, "usage", "details")
    ({'n': 1}, {})
    """
    for name in names:
        inner = said.get(name)
        said = inner if isinstance(inner, dict) else {}
    return said


def counts(usage: Usage) -> tuple[int, int, int, int, int]:
    """Return the buckets as wires have to tell them: numbers; what is unknown is nothing there."""
    read, cached, written = usage.input or 0, usage.cached or 0, usage.cache_write or 0
    return read, cached, written, usage.output or 0, usage.reasoning or 0
