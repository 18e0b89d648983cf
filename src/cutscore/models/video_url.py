"""Whole clips to OpenAI-compatible servers (vLLM, SGLang and others), as `video_url` parts of a message.

    {"type": "video_url", "video_url": {"url": "data:video/mp4;base64,…"}}

Inspect's provider for such servers raises on a clip in a message. So a stand-in goes through its conversion, a line of
text that nobody can guess, and is swapped for the clip as the request leaves. What Inspect keeps of the request, also
of one that failed, has the stand-in and not the clip.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from cutscore.core.errors import BadInput, Stopped

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Content, ModelAPI

# Of the pinned Inspect: the class that all of these providers derive from, and the method that sends a request.
_COMPATIBLE, _SEND = "OpenAICompatibleAPI", "_generate_completion"
# Clips of the call under way, by their stand-in.
_clips: ContextVar[Mapping[str, str]] = ContextVar("cutscore_video_url_clips")


def takes_video_url(api: ModelAPI) -> bool:
    """Return whether a provider talks to an OpenAI-compatible server."""
    return any(kind.__name__ == _COMPATIBLE for kind in type(api).__mro__)


def generate_with_clips(api: ModelAPI) -> Callable[..., Awaitable[Any]]:
    """Return the provider's `generate`, able to send clips where its server takes them as `video_url`.

    Raises:
        BadInput: The model is asked through OpenAI's Responses API, which has no such part.
        Stopped: Inspect sends requests in another way than the pinned one.
    """
    if not takes_video_url(api):
        return api.generate
    if getattr(api, "responses_api", None):
        fact = "the Responses API takes no whole clips"
        raise BadInput(f"model '{api.model_name}'", fact, 'leave out responses_api, or set takes = "frames" for it')
    _swap_when_sent(api)

    async def generate(input: list[ChatMessage], **rest: Any) -> Any:
        clips: dict[str, str] = {}
        messages = [_with_stand_ins(message, clips) for message in input]
        token = _clips.set(clips)
        try:
            return await api.generate(input=messages, **rest)
        finally:
            _clips.reset(token)

    return generate


def _with_stand_ins(message: ChatMessage, clips: dict[str, str]) -> ChatMessage:
    from inspect_ai.model import ContentText

    if isinstance(message.content, str):
        return message
    content: list[Content] = []
    for part in message.content:
        if part.type == "video":
            clips[stand_in := f"clip {secrets.token_hex(16)}"] = str(part.video)
            content.append(ContentText(text=stand_in))
        else:
            content.append(part)
    return message.model_copy(update={"content": content})


def _swap_when_sent(api: ModelAPI) -> None:
    """Let a provider send clips for their stand-ins; once for each provider, whoever asks."""
    send = getattr(api, _SEND, None)
    if send is None:
        raise Stopped(
            "whole clips", "this version of inspect_ai sends requests in another way", "install the pinned one"
        )
    if getattr(send, "swaps_clips", False):
        return

    async def swap_and_send(request: dict[str, Any], *rest: Any, **options: Any) -> Any:
        return await send(_with_clips(request, _clips.get({})), *rest, **options)

    swap_and_send.swaps_clips = True  # type: ignore[attr-defined]
    setattr(api, _SEND, swap_and_send)


def _with_clips(request: dict[str, Any], clips: Mapping[str, str]) -> dict[str, Any]:
    """Return a request with every clip in the place of its stand-in; raise where one got lost on the way."""
    left = set(clips)

    def swap(part: Any) -> Any:
        text = str(part.get("text")) if isinstance(part, dict) else ""
        if text not in clips:
            return part
        left.discard(text)
        return {"type": "video_url", "video_url": {"url": clips[text]}}

    messages = [
        {**message, "content": [swap(part) for part in message["content"]]}
        if isinstance(message.get("content"), list)
        else message
        for message in request["messages"]
    ]
    if left:
        raise Stopped("whole clips", "the provider's messages lost one", 'set takes = "frames" for the model')
    return {**request, "messages": messages}
