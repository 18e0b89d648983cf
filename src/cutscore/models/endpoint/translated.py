"""Requests of any wire → the model of the evaluation → a reply of the same wire, by Inspect's own translators.

The model is the one that is active for the sample, with its boundary: calls are paid for, kept and replayed there. The
client's own parameters (temperature, room for the answer) are passed on.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cutscore.core.errors import MissingExtra
from cutscore.core.usage import Usage
from cutscore.models.boundary import usage_from
from cutscore.models.endpoint.exchange import AgentRequest, AnswerRequest, EndpointReply, tell_reply
from cutscore.models.endpoint.wire import WireName

if TYPE_CHECKING:
    from inspect_ai.agent._bridge.types import AgentBridge
    from inspect_ai.event import ModelEvent
    from inspect_ai.model import ChatMessage, GenerateInput, Model, ModelOutput
    from inspect_ai.tool import ToolInfo

# What Inspect's translator of each wire is written with.
LIBRARIES: Mapping[WireName, str] = {
    "messages": "anthropic",
    "responses": "openai",
    "chat": "openai",
    "gemini": "google.genai",
}

AS_BEFORE = "as in an earlier call"

# What the model said that the answer under way took: translators fold buckets that a wire does not have.
_took: ContextVar[list[Usage | None]] = ContextVar("cutscore_answer_took")


def check_translator(wire: WireName, who: str) -> None:
    """Raise MissingExtra where a wire cannot be translated for somebody."""
    try:
        found = find_spec(LIBRARIES[wire])
    except ModuleNotFoundError:  # not even what it is part of
        found = None
    if found is None:
        raise MissingExtra.of(who, "agents")


def open_bridge() -> AgentBridge:
    """Return what Inspect's translators want to have: a conversation of which nobody reads the state."""
    from inspect_ai.agent import AgentState
    from inspect_ai.agent._bridge.types import AgentBridge
    from inspect_ai.model import ContentImage

    async def note_usage(model: Model, output: ModelOutput, _asked: GenerateInput) -> None:
        provider = str(model).partition("/")[0]
        _took.get([]).append(usage_from(output.usage, provider).usage if output.usage else None)

    seen: dict[str, str] = {}

    async def share_pictures(
        _model: Model, messages: list[ChatMessage], _tools: object, _choice: object, _config: object
    ) -> None:
        """Let equal pictures be one: every request of an agent has all earlier ones again, and the log holds them."""
        for message in messages:
            for part in message.content if isinstance(message.content, list) else ():
                if isinstance(part, ContentImage):
                    part.image = seen.setdefault(part.image, part.image)

    return AgentBridge(
        AgentState(messages=[]),
        share_pictures,
        model_event_sink=LeanEvents(),
        forward_generation_config=True,
        response_filter=note_usage,
    )


class LeanEvents:
    """Puts calls into Inspect's log, with each tool described when it is new or has changed.

    Agents offer the same tools with every request: in a log of many turns they would be nine tenths, also in memory.
    """

    def __init__(self) -> None:
        self._told: dict[str, tuple[ToolInfo, ToolInfo]] = {}  # in full and in short, by name

    def on_pending(self, event: ModelEvent) -> None:
        """Log a call that was sent."""
        from inspect_ai.log._transcript import transcript

        event.tools = [self._tell(tool) for tool in event.tools]
        transcript()._event(event)

    def on_complete(self, event: ModelEvent) -> None:
        """Log how a call ended."""
        from inspect_ai.log._transcript import transcript

        transcript()._event_updated(event)

    def _tell(self, tool: ToolInfo) -> ToolInfo:
        from inspect_ai.tool import ToolInfo

        full, short = self._told.get(tool.name, (None, tool))
        if full == tool:
            return short
        self._told[tool.name] = tool, ToolInfo(name=tool.name, description=AS_BEFORE)
        return tool


async def translate(asked: AgentRequest, bridge: AgentBridge) -> EndpointReply:
    """Return what the model of the evaluation answers, with its own tokens told in the words of the wire."""
    took: list[Usage | None] = []
    token = _took.set(took)
    try:
        reply = await _ask(asked, bridge)
    finally:
        _took.reset(token)
    usage = took[-1] if took else None
    # The name that the evaluation has for its model may be a path of this machine.
    named: dict[str, Any] = {name: asked.model for name in ("model", "modelVersion") if name in reply}
    return tell_reply(asked, {**reply, **named, **(asked.wire.tell_usage(usage) if usage else {})}, usage)


async def _ask(asked: AgentRequest, bridge: AgentBridge) -> dict[str, Any]:
    wire, body = asked.wire, dict(asked.body)
    if wire.name == "messages":
        from inspect_ai.agent._bridge.anthropic_api import inspect_anthropic_api_request

        return _plain(await inspect_anthropic_api_request(body, None, None, None, bridge))
    if wire.name == "responses":
        from inspect_ai.agent._bridge.responses import inspect_responses_api_request

        return _plain(await inspect_responses_api_request(body, None, None, None, bridge))
    if wire.name == "chat":
        from inspect_ai.agent._bridge.completions import inspect_completions_api_request

        return _plain(await inspect_completions_api_request(body, None, bridge))
    from inspect_ai.agent._bridge.google_api import inspect_google_api_request

    return await inspect_google_api_request(body, None, None, bridge, requested_model=asked.model)


def _plain(reply: Any) -> dict[str, Any]:
    return reply.model_dump(mode="json", exclude_none=True, warnings=False)  # type: ignore[no-any-return]


def answer_by_model() -> AnswerRequest:
    """Return who answers requests by the model of the evaluation."""
    bridge = open_bridge()

    async def answer(asked: AgentRequest) -> EndpointReply:
        return await translate(asked, bridge)

    return answer
