"""What Inspect's translators are given."""

import asyncio

import pytest
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, GenerateConfig, Model, get_model

from cutscore.core.errors import MissingExtra
from cutscore.models.endpoint import translated
from cutscore.models.endpoint.translated import check_translator, open_bridge


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


@pytest.mark.parametrize("library", ["no_such_library", "no_such.library"])
def test_a_wire_that_cannot_be_translated_is_said(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    monkeypatch.setitem(translated.LIBRARIES, "gemini", library)  # type: ignore[arg-type]
    check_translator("messages", "agent 'claude_code'")
    with pytest.raises(MissingExtra, match=r"agent 'gemini_cli' needs an extra: pip install 'cutscore\[agents\]'"):
        check_translator("gemini", "agent 'gemini_cli'")
