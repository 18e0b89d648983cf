"""What Inspect's translators are given."""

import asyncio
from typing import Any

import pytest
from inspect_ai.event import ModelEvent
from inspect_ai.log._transcript import Transcript, init_transcript, transcript
from inspect_ai.model import (
    ChatMessageTool,
    ChatMessageUser,
    ContentImage,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.model._model import init_active_model

from cutscore.core.errors import MissingExtra
from cutscore.models import scripted  # noqa: F401  registers the provider
from cutscore.models.endpoint import translated
from cutscore.models.endpoint.chat import CHAT
from cutscore.models.endpoint.exchange import AgentRequest
from cutscore.models.endpoint.translated import AS_BEFORE, check_translator, open_bridge, translate


def test_equal_pictures_of_several_requests_are_kept_once() -> None:
    bridge = open_bridge()
    model: Model = get_model("mockllm/model")

    def ask(picture: str) -> ContentImage:
        shown = ContentImage(image=picture)
        messages = [ChatMessageUser(content="words"), ChatMessageUser(content=[ContentText(text="look"), shown])]
        assert bridge.filter is not None
        assert asyncio.run(bridge.filter(model, messages, [], None, GenerateConfig())) is None
        return shown

    pictures = [ask("data:image/png;base64," + "A" * length).image for length in (100, 100, 101)]
    assert pictures[0] is pictures[1]
    assert pictures[2] == "data:image/png;base64," + "A" * 101


def test_a_tool_is_described_in_the_log_when_it_is_new_or_has_changed_and_to_the_model_always() -> None:
    offered: list[list[str]] = []

    def answer(_input: Any, tools: Any, _choice: Any, _config: Any) -> ModelOutput:
        offered.append([tool.description for tool in tools])
        said = ModelOutput.from_content("mockllm", "well")
        said.usage = ModelUsage(input_tokens=1, output_tokens=1)  # else it is counted with files from the internet
        return said

    async def ask(*requests: dict[str, str]) -> None:
        init_active_model(get_model("mockllm/model", custom_outputs=answer), GenerateConfig())
        init_transcript(Transcript())
        bridge = open_bridge()
        for tools in requests:
            told = [{"name": n, "description": d, "parameters": {"properties": {}}} for n, d in tools.items()]
            body = {
                "model": "model",
                "messages": [{"role": "user", "content": "Go on."}],
                "tools": [{"type": "function", "function": each} for each in told],
            }
            await translate(AgentRequest(CHAT, "/v1/chat/completions", [], b"", body), bridge)
        calls = [event for event in transcript().events if isinstance(event, ModelEvent)]
        logged.extend({tool.name: tool.description for tool in call.tools} for call in calls)
        assert [call.pending for call in calls] == [None] * len(requests), "how a call ended is logged as well"

    logged: list[dict[str, str]] = []
    first, other = {"shell": "runs", "look": "shows"}, {"shell": "runs", "look": "shows more"}
    asyncio.run(ask(first, first, other, other))
    same = dict.fromkeys(first, AS_BEFORE)
    assert logged == [first, same, {**same, "look": "shows more"}, same]
    assert offered == [[*each.values()] for each in (first, first, other, other)]


def test_calls_of_a_scripted_model_share_what_a_tool_showed() -> None:
    async def ask_twice() -> list[ModelEvent]:
        init_transcript(Transcript())
        model = get_model("scripted/hello", memoize=False)
        shown = ChatMessageTool(content=[ContentImage(image="data:image/png;base64,AAAA")], tool_call_id="1")
        for _ in range(2):
            await model.generate([ChatMessageUser(content="Look.", id="asked"), shown])
        return [event for event in transcript().events if isinstance(event, ModelEvent)]

    first, second = asyncio.run(ask_twice())
    assert [message.role for message in first.input] == ["user", "tool"]
    assert all(one is other for one, other in zip(first.input, second.input, strict=True))


@pytest.mark.parametrize("library", ["no_such_library", "no_such.library"])
def test_a_wire_that_cannot_be_translated_is_said(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    monkeypatch.setitem(translated.LIBRARIES, "gemini", library)  # type: ignore[arg-type]
    check_translator("messages", "agent 'claude_code'")
    with pytest.raises(MissingExtra, match=r"agent 'gemini_cli' needs an extra: pip install 'cutscore\[agents\]'"):
        check_translator("gemini", "agent 'gemini_cli'")
