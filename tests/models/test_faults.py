"""Answers that nobody can read, and servers that are not there: real HTTP on a loopback port."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from chat_server import reply
from inspect_ai.model import ChatMessageUser, GenerateConfig, get_model

from cutscore.core.errors import Unscored
from cutscore.core.tally import Tally
from cutscore.models.ask import ask_model
from cutscore.models.boundary import Boundary
from cutscore.models.faults import server_address

pytest.importorskip("openai", reason="opt-in: openai is not installed")

HEAD = b'{"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": '
# What a server or a proxy before it may send with HTTP 200, though it is no answer.
GARBAGE = {
    "page": (b"<html>try later</html>", "text/html"),
    "page as JSON": (b"<html>", "application/json"),
    "nothing": (b"", "application/json"),
    "bytes": (b"\xff\xfe\x00", "application/json"),
    "empty object": (b"{}", "application/json"),
    "null": (b"null", "application/json"),
    "text": (b'"later"', "application/json"),
    "error": (b'{"error": {"message": "overloaded"}}', "application/json"),
    "no choices": (HEAD + b"[]}", "application/json"),
    "null choice": (HEAD + b"[null]}", "application/json"),
    "no message": (HEAD + b'[{"index": 0}]}', "application/json"),
}


@contextmanager
def serve(*answers: tuple[bytes, str]) -> Iterator[str]:
    """Serve answers one after the other, the last one for ever; give the address."""
    left = list(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            body, kind = left.pop(0) if len(left) > 1 else left[0]
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def ask(model: str, address: str, monkeypatch: pytest.MonkeyPatch, *, max_retries: int = 2) -> tuple[str, Tally]:
    monkeypatch.setenv("CUTSCORE_BACKOFF_S", "0.001")
    tally = Tally()
    asked = get_model(model, base_url=address, api_key="none", memoize=False)
    boundary = Boundary(path=lambda _: Path(), tally=tally, frames="", takes="text")
    config = GenerateConfig(max_retries=max_retries)
    said = asyncio.run(ask_model([ChatMessageUser(content="colour?")], boundary, model=asked, config=config))
    return said.completion, tally


@pytest.mark.parametrize("model", ["openai-api/mine/m", "openai/gpt-4o"])
@pytest.mark.parametrize("kind", GARBAGE)
def test_an_answer_that_nobody_can_read_is_asked_for_again(
    kind: str, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(GARBAGE[kind], (reply("blue", "m"), "application/json")) as address:
        said, tally = ask(model, address, monkeypatch)
    assert said == "blue"
    assert sum(tally.retries.values()) == 1
    assert tally.retries.keys() <= {"unreadable", "half"}


def test_a_server_that_sends_nothing_else_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    gave_up = "gave up after 3 attempts, the last one ended in an answer in no form that its API has; run the same"
    with serve(GARBAGE["error"]) as address, pytest.raises(Unscored, match=gave_up):
        ask("openai-api/mine/m", address, monkeypatch)


@pytest.mark.parametrize("model", ["openai-api/mine/m", "openai/gpt-4o", "openai/gpt-5"])
def test_a_server_that_is_not_there_is_named_by_its_address(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    wanted = rf"model '{model}': its server http://127.0.0.1:{port} cannot be reached \(2 attempts\); see that it runs"
    with pytest.raises(Unscored, match=wanted):
        ask(model, f"http://127.0.0.1:{port}/v1", monkeypatch, max_retries=1)


def test_an_address_has_no_credentials_and_no_query() -> None:
    request = type("Request", (), {"url": "https://me:secret@host.example:8000/v1/chat?key=secret"})
    error = ValueError()
    error.request = request  # type: ignore[attr-defined]
    outer = RuntimeError()
    outer.__cause__ = error
    assert server_address(outer) == "https://host.example:8000"
    assert server_address(ValueError()) == ""
