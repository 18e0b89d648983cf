"""Replies of models in the notes of a sample: on disk before they are used, and replayed after a kill.

A reply is found again by its request: model, messages, tools and config, without what differs from run to run, such as
ids of messages. Equal requests of one turn are numbered as they are made; so are all that tell of a live page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue, ValidationError

from cutscore.core.frozen import FrozenModel
from cutscore.core.manifest import FrameManifest
from cutscore.core.subject import WorkNotes
from cutscore.core.usage import Usage

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, GenerateConfig
    from inspect_ai.tool import ToolChoice, ToolInfo

# How patiently and how many at a time is asked; the answer is the same.
_PATIENCE = {
    *("max_retries", "timeout", "attempt_timeout", "stream_idle_timeout"),
    *("max_connections", "adaptive_connections", "cache", "cache_prompt", "batch"),
}


class StoredReply(FrozenModel):
    """A reply as the notes have it.

    Args:
        call: Id of the call in the ledger.
        output: Inspect's ModelOutput, without secrets.
        words: Digest of the request's words, where the reply is found by its number alone.
        fault: Why the call is not paid for: its provider refused the request as such.
        seen, warnings: What the row says of this call.
    """

    call: str
    output: dict[str, JsonValue]
    words: str = ""
    usage: Usage | None = None
    fault: str = ""
    seen: tuple[FrameManifest, ...] = ()
    warnings: tuple[str, ...] = ()


def read_reply(notes: WorkNotes, key: str) -> StoredReply | None:
    """Return the reply that is kept under a key; None when there is none that can be read."""
    try:
        return StoredReply.model_validate(plain) if (plain := notes.get(key)) is not None else None
    except ValidationError:
        return None  # of another version: it is asked for again


def write_reply(notes: WorkNotes, key: str, reply: StoredReply) -> None:
    """Keep a reply; when this returns, a kill cannot take it away."""
    notes.put(key, reply.model_dump(mode="json", exclude_defaults=True))


def request_key(
    asked: Sequence[str],
    input: Sequence[ChatMessage],
    tools: Sequence[ToolInfo],
    tool_choice: ToolChoice,
    config: GenerateConfig,
) -> str:
    """Return the digest of a request; `asked` is whatever else counts, such as the model's name."""
    digest = hashlib.sha256()

    def add(*parts: Any) -> None:
        for part in parts:
            digest.update(str(part).encode(errors="replace") + b"\n")

    add(*asked, tool_choice, config.model_dump_json(exclude_none=True, exclude=_PATIENCE))
    # Metadata of messages holds ids of others, and no provider sends it.
    add(*(message.model_dump_json(exclude={"id", "metadata"}, exclude_none=True) for message in input))
    add(*(tool.model_dump_json(exclude_none=True) for tool in tools))
    return digest.hexdigest()


def words_key(input: Sequence[ChatMessage]) -> str:
    """Return the digest of what messages say in words."""
    return hashlib.sha256("\n".join(message.text for message in input).encode(errors="replace")).hexdigest()
