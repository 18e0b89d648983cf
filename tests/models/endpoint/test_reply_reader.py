"""Tokens of replies that pass by, in all four wires, whole and in events that are cut anywhere."""

import json
from typing import Any

import pytest

from cutscore.core.usage import Usage
from cutscore.models.endpoint.chat import CHAT
from cutscore.models.endpoint.gemini import GEMINI
from cutscore.models.endpoint.messages import MESSAGES
from cutscore.models.endpoint.reply_reader import ReplyReader
from cutscore.models.endpoint.responses import RESPONSES
from cutscore.models.endpoint.wire import Wire

SAID = Usage(input=101, cached=1003, output=23, reasoning=11)
ENDS: dict[str, dict[str, Any]] = {
    "messages": {"id": "1", "type": "message", "content": [], "stop_reason": "end_turn"},
    "responses": {"id": "1", "output": [], "status": "completed"},
    "chat": {
        "id": "1",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "message": {"content": "hi"}, "finish_reason": "stop"}],
    },
    "gemini": {"candidates": [{"content": {"parts": [{"text": "hi"}]}, "finishReason": "STOP"}]},
}


def _read(kind: str, *chunks: bytes) -> ReplyReader:
    reader = ReplyReader(kind)
    for chunk in chunks:
        reader.take(chunk)
    reader.end()
    return reader


@pytest.mark.parametrize("wire", [MESSAGES, RESPONSES, CHAT, GEMINI], ids=lambda wire: wire.name)
def test_every_bucket_that_a_wire_has_is_read(wire: Wire) -> None:
    told = SAID.model_copy(update={"cache_write": 507}) if wire is MESSAGES else SAID
    whole = {**ENDS[wire.name], **wire.tell_usage(told)}
    events = b"".join(wire.events(whole))
    streamed = _read("text/event-stream; charset=utf-8", *(events[at : at + 1] for at in range(len(events))))
    for reader in (streamed, _read("application/json", json.dumps(whole, indent=3).encode())):
        assert wire.read_usage(reader.counts).usage == told
        assert reader.stops
        assert not reader.refused


@pytest.mark.parametrize("wire", [MESSAGES, RESPONSES, CHAT, GEMINI], ids=lambda wire: wire.name)
def test_what_is_not_told_is_unknown_and_what_cannot_be_is_said(wire: Wire) -> None:
    assert wire.read_usage({}).usage == Usage()
    odd = json.loads(json.dumps(wire.tell_usage(SAID)).replace("1003", '"many"'))
    counted = wire.read_usage(odd)
    assert counted.usage.cached is None
    assert counted.warnings


def test_google_leaves_out_a_count_that_is_zero() -> None:
    said = {"usageMetadata": {"promptTokenCount": 7, "toolUsePromptTokenCount": 2, "candidatesTokenCount": 1}}
    assert GEMINI.read_usage(said).usage == Usage(input=9, cached=0, output=1, reasoning=0)


@pytest.mark.parametrize(
    "said",
    [
        {"type": "message_delta", "delta": {"stop_reason": "refusal"}},
        {"type": "response.incomplete", "response": {"incomplete_details": {"reason": "content_filter"}}},
        {"choices": [{"finish_reason": "content_filter"}]},
        {"candidates": [{"finishReason": "SAFETY"}]},
        {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}},
    ],
)
def test_a_refusal_is_known_in_every_wire(said: dict[str, Any]) -> None:
    assert _read("text/event-stream", b"data: " + json.dumps(said).encode() + b"\n\n").refused


@pytest.mark.parametrize("data", [b"", b"<html>", b"data: [DONE]\n\n", b"[" * 100_000, b'{"choices": 7, "usage": 3}'])
def test_what_is_no_reply_tells_nothing(data: bytes) -> None:
    for kind in ("text/event-stream", "application/json"):
        reader = _read(kind, data)
        assert (reader.counts, reader.stops, reader.error) == ({}, [], "")
