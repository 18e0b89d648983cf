"""Pictures of requests: each is kept once, with the first call that had it, on every wire."""

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cutscore.models.endpoint import pictures
from cutscore.models.endpoint.chat import CHAT
from cutscore.models.endpoint.gemini import GEMINI
from cutscore.models.endpoint.messages import MESSAGES
from cutscore.models.endpoint.pictures import PictureBook
from cutscore.models.endpoint.responses import RESPONSES
from cutscore.models.endpoint.wire import Wire
from cutscore.store import Store


def data(name: str) -> str:
    return base64.b64encode(name.encode()).decode()


def messages(*names: str, media_type: str = "image/png") -> Mapping[str, Any]:
    sources = [{"type": "base64", "media_type": media_type, "data": data(name)} for name in names]
    result = {"type": "tool_result", "content": [{"type": "image", "source": source} for source in sources]}
    return {"messages": [{"role": "user", "content": [result]}]}


@pytest.fixture
def book(tmp_path: Path) -> PictureBook:
    store = Store(tmp_path / "store")
    return PictureBook(lambda data, media_type: store.put_bytes(data, name="seen.png", media_type=media_type))


def see(book: PictureBook, call: int, wire: Wire, body: Mapping[str, Any]) -> None:
    book.note(call, book.find_new(wire, body))


def test_a_picture_that_comes_again_is_kept_once_with_its_first_call(book: PictureBook) -> None:
    see(book, 1, MESSAGES, messages("a"))
    see(book, 2, MESSAGES, messages("a", "b"))
    see(book, 3, MESSAGES, messages("a", "b"))
    assert [(each.call, each.file.size_bytes) for each in book.pictures] == [(1, 1), (2, 1)]
    assert book.pictures[0].file.sha256 != book.pictures[1].file.sha256


def test_every_wire_tells_its_pictures(book: PictureBook) -> None:
    url = f"data:image/png;base64,{data('c')}"
    chat = {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}]}
    output = [{"type": "input_image", "image_url": f"data:image/png;base64,{data('r')}"}]
    responses = {"input": [{"type": "function_call_output", "output": output}]}
    gemini = {"contents": [{"role": "user", "parts": [{"inlineData": {"mimeType": "image/png", "data": data("g")}}]}]}
    for call, (wire, body) in enumerate([(CHAT, chat), (RESPONSES, responses), (GEMINI, gemini)], start=1):
        see(book, call, wire, body)
    assert [each.call for each in book.pictures] == [1, 2, 3]


def test_what_is_no_picture_is_counted_and_a_request_of_another_shape_has_none(
    book: PictureBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    see(book, 1, MESSAGES, messages("a", media_type="application/pdf"))
    see(book, 2, MESSAGES, {"messages": [{"content": [{"type": "image", "source": {"type": "base64"}}]}]})
    see(book, 3, MESSAGES, {"messages": [7]})
    assert (book.pictures, book.left_out) == ([], 1)
    monkeypatch.setattr(pictures, "MOST_PICTURES", 1)
    see(book, 4, MESSAGES, messages("b", "c"))
    assert (len(book.pictures), book.left_out) == (1, 2)
    assert PictureBook().find_new(MESSAGES, messages("a")) == []
