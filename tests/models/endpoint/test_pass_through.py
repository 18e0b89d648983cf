"""Requests that pass through to a provider: what it gets, what comes back, and how each call is booked."""

import asyncio
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import get_model
from provider_fixtures import Arrived, LoopbackProvider, Sent, loopback_provider

from cutscore.core.errors import BudgetReached, SubjectFailed, Unscored
from cutscore.core.tally import Tally
from cutscore.core.usage import Usage
from cutscore.models.endpoint.pass_through import PassThrough
from cutscore.models.endpoint.provider_server import ProviderServer
from cutscore.models.endpoint.server import Endpoint
from cutscore.models.endpoint.wire import WireName

KEY = "fake-key-0123456789"
# Whitespace, escapes, order and fields that no translator would keep.
BODY = b'{ "stream":true,\t"model" : "claude-x", "zeta":1.50, "words":"\\u00e9\xc3\xa9",\n"messages":[] ,"tools":[]}'
STREAM = (
    b'event: message_start\r\ndata: {"type":"message_start","message":{"usage":{"input_tokens":3,'
    b'"cache_read_input_tokens":40,"cache_creation_input_tokens":5,"output_tokens":1}}}\r\n\r\n',
    b": a comment\n\nevent: unheard_of\ndata:{ }\n\n",
    b'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},'
    b'"usage":{"output_tokens":9}}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n',
)


@dataclass
class Book:
    """A purse that writes down what is booked."""

    lines: list[tuple[Any, ...]] = field(default_factory=list)
    spent: bool = False

    def check(self) -> None:
        if self.spent:
            raise BudgetReached("run", "spent it all")

    def send(self, model: str, role: str) -> str | None:
        self.lines.append(("sent", model, role))
        return f"call-{len(self.lines)}"

    def pay(self, call: str, model: str, usage: Usage | None) -> float | None:
        self.lines.append(("paid", model, usage))
        return 0.5

    def fail(self, call: str, fault: str) -> None:
        self.lines.append(("failed", fault))

    def lose(self, call: str) -> None:
        self.lines.append(("lost",))

    def add(self, model: str, role: str, usage: Usage | None) -> float | None:
        raise AssertionError("every call is asked for before it is sent")


@dataclass
class Place:
    """An endpoint that passes through to a provider."""

    endpoint: Endpoint
    socket: Path
    tally: Tally
    book: Book
    failures: list[Exception]

    async def ask(self, data: bytes = BODY, path: str = "/v1/messages?beta=true", *headers: str) -> bytes:
        """Send a request as bytes, and return all that comes back."""
        reader, writer = await self.open(data, path, *headers)
        try:
            return await reader.read()
        finally:
            writer.close()

    async def open(
        self, data: bytes = BODY, path: str = "/v1/messages?beta=true", *headers: str
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_unix_connection(str(self.socket))
        lines = [f"POST {path} HTTP/1.1", "Host: box", f"Content-Length: {len(data)}", "Connection: close", *headers]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + data)
        return reader, writer


def _pass(
    server: LoopbackProvider,
    tmp_path: Path,
    do: Callable[[Place], Any],
    *,
    wire: WireName = "messages",
    turn_limit: int | None = None,
) -> Place:
    """Let somebody ask through an endpoint, and return it with what was booked."""
    import httpx

    headers: dict[str, str] = {"messages": "x-api-key", "gemini": "x-goog-api-key"}
    provider: dict[str, str] = {"messages": "anthropic", "gemini": "google"}

    async def run() -> Place:
        book, failures = Book(), list[Exception]()
        tally = Tally(purse=book)
        prefix = "" if wire in headers else "/v1"
        known = ProviderServer(
            provider.get(wire, "openai"), "claude-x", server.url, prefix, headers.get(wire, "authorization"), KEY
        )
        async with httpx.AsyncClient(timeout=5) as client:
            way = PassThrough(known, wire, tally, get_model("mockllm/model"), client)
            endpoint = Endpoint(way.answer, "", turn_limit, failures.append, count=way.count)
            place = Place(endpoint, tmp_path / "s", tally, book, failures)
            async with endpoint.serve(place.socket):
                await do(place)
        return place

    return asyncio.run(run())


def _whole(_: Arrived) -> Sent:
    return Sent(STREAM, headers={"Content-Type": "text/event-stream; charset=utf-8", "X-Odd-Header": "  a,b "})


def _unchunk(data: bytes) -> bytes:
    made = b""
    while data:
        size, _, data = data.partition(b"\r\n")
        made, data = made + data[: int(size, 16)], data[int(size, 16) + 2 :]
    return made


def test_a_request_and_its_reply_pass_byte_for_byte_and_the_key_is_added_outside(tmp_path: Path) -> None:
    answers: list[bytes] = []

    async def ask(place: Place) -> None:
        sent = ("X-Api-Key: cutscore", "Authorization: Bearer cutscore", "X-Stainless-Odd: 1", "anthropic-beta: a,b")
        answers.append(await place.ask(BODY, "/v1/messages?beta=true&x=%2F", *sent, "User-Agent: claude/1 (cli)"))

    with loopback_provider(_whole) as server:
        place = _pass(server, tmp_path, ask)
    (asked,) = server.arrived
    assert asked.data == BODY
    assert asked.path == "/v1/messages?beta=true&x=%2F"
    assert [asked.header(name) for name in ("x-stainless-odd", "anthropic-beta", "user-agent", "x-api-key")] == [
        *("1", "a,b", "claude/1 (cli)", KEY)
    ]
    assert asked.header("authorization") is None
    head, _, rest = answers[0].partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200")
    assert b"X-Odd-Header: a,b" in head
    assert _unchunk(rest) == b"".join(STREAM)

    usage = Usage(input=3, cached=40, cache_write=5, output=9)
    assert place.book.lines == [("sent", "anthropic/claude-x", "subject"), ("paid", "anthropic/claude-x", usage)]
    assert (place.tally.calls, place.tally.usage, place.tally.cost_usd) == (1, usage, 0.5)
    (call,) = place.endpoint.calls
    assert (call.status, call.usage, call.model, call.error) == (200, usage, "claude-x", "")


def test_pieces_of_a_reply_arrive_as_they_are_sent(tmp_path: Path) -> None:
    """The server sends its second piece when the first one has reached the client."""
    reached = [threading.Event() for _ in STREAM]

    def wait(_: Arrived) -> Sent:
        def pieces() -> Any:
            for piece, event in zip(STREAM, reached, strict=True):
                yield piece
                assert event.wait(5), "the reply is held back"

        return Sent(pieces())

    async def ask(place: Place) -> None:
        reader, writer = await place.open()
        await reader.readuntil(b"\r\n\r\n")
        for piece, event in zip(STREAM, reached, strict=True):
            async with asyncio.timeout(2):
                assert await reader.readexactly(len(b"%x\r\n" % len(piece)) + len(piece) + 2)
            event.set()
        writer.close()

    with loopback_provider(wait) as server:
        _pass(server, tmp_path, ask)


@pytest.mark.parametrize("status", [401, 429, 500, 529])
def test_an_error_of_the_server_reaches_the_agent_without_the_key_and_leaves_the_sample_unscored(
    status: int, tmp_path: Path
) -> None:
    said = json.dumps({"type": "error", "error": {"type": "odd", "message": f"no such key: {KEY}"}}).encode()
    answers: list[bytes] = []

    async def ask(place: Place) -> None:
        answers.append(await place.ask())

    with loopback_provider(
        lambda _: Sent([said], status, {"content-type": "application/json", "retry-after": "7"})
    ) as server:
        place = _pass(server, tmp_path, ask)
    head, _, rest = answers[0].partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d" % status)
    assert b"retry-after: 7" in head.lower()
    assert _unchunk(rest) == said.replace(KEY.encode(), b"[key]")
    assert place.book.lines[1:] == [("failed", str(status))]
    assert isinstance(place.tally.unanswered, Unscored)
    assert KEY not in str(place.tally.unanswered)
    (call,) = place.endpoint.calls
    assert (call.status, call.usage, call.error) == (status, None, "no such key: [key]")
    assert place.tally.retries == ({} if status == 401 else {str(status): 1})


def test_a_reply_that_breaks_off_breaks_off_for_the_agent_too(tmp_path: Path) -> None:
    answers: list[bytes] = []

    async def ask(place: Place) -> None:
        answers.append(await place.ask())

    with loopback_provider(lambda _: Sent([STREAM[0], b""])) as server:
        place = _pass(server, tmp_path, ask)
    assert STREAM[0] in answers[0]
    assert not answers[0].endswith(b"0\r\n\r\n")
    assert place.book.lines[1:] == [("failed", "half")]
    assert (place.endpoint.calls[0].status, place.endpoint.turns) == (502, 0)
    assert "half an answer" in str(place.tally.unanswered)


def test_an_error_in_the_midst_of_a_good_reply_is_no_answer(tmp_path: Path) -> None:
    broken = b'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'

    async def ask(place: Place) -> None:
        assert broken in await place.ask()

    with loopback_provider(lambda _: Sent([STREAM[0], broken])) as server:
        place = _pass(server, tmp_path, ask)
    assert place.book.lines[1:] == [("failed", "half")]
    assert (place.endpoint.calls[0].status, place.endpoint.calls[0].error) == (502, "Overloaded")


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with loopback_provider(_whole) as server:
        pass

    async def ask(place: Place) -> None:
        assert b"HTTP/1.1 502" in await place.ask()

    place = _pass(server, tmp_path, ask)
    assert place.book.lines[1:] == [("failed", "unreachable")]
    assert "cannot be reached" in str(place.tally.unanswered)


def test_an_agent_that_goes_away_leaves_a_call_of_which_nobody_knows_what_it_cost(tmp_path: Path) -> None:
    gone = threading.Event()

    def wait(_: Arrived) -> Sent:
        def pieces() -> Any:
            yield STREAM[0]
            gone.wait(5)
            yield from [STREAM[1]] * 200

        return Sent(pieces())

    async def ask(place: Place) -> None:
        reader, writer = await place.open()
        await reader.readuntil(b"\r\n\r\n")
        writer.transport.abort()
        gone.set()

    with loopback_provider(wait) as server:
        place = _pass(server, tmp_path, ask)
    assert place.book.lines[1:] == [("lost",)]
    assert (place.tally.calls, place.tally.cost_usd) == (1, None)


def test_a_refusal_of_the_model_is_its_own_and_so_is_a_request_that_does_not_fit(tmp_path: Path) -> None:
    refusal = STREAM[2].replace(b"end_turn", b"refusal")

    async def ask(place: Place) -> None:
        await place.ask()

    with loopback_provider(lambda _: Sent([STREAM[0], refusal])) as server:
        place = _pass(server, tmp_path, ask)
    assert isinstance(place.tally.unanswered, SubjectFailed)
    assert place.tally.unanswered.failure_class == "refused"

    too_long = b'{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 > 8"}}'
    with loopback_provider(lambda _: Sent([too_long], 400, {"content-type": "application/json"})) as server:
        place = _pass(server, tmp_path, ask)
    assert isinstance(place.tally.unanswered, SubjectFailed)
    assert place.book.lines[1:] == [("failed", "limit")]


def test_the_turn_limit_holds_and_nothing_past_it_is_sent(tmp_path: Path) -> None:
    asked = b'{"model":"claude-x","tools":[{"name":"Bash"}],"messages":[{"role":"user","content":"go"}]}'

    async def ask(place: Place) -> None:
        assert b"HTTP/1.1 200" in await place.ask(asked)
        assert b"the turn limit of 1 is reached" in await place.ask(asked)

    with loopback_provider(_whole) as server:
        place = _pass(server, tmp_path, ask, turn_limit=1)
    assert len(server.arrived) == 1
    assert [call.status for call in place.endpoint.calls] == [200, 400]


@pytest.mark.parametrize(
    "path", ["/v1/files/../messages", "/v1/responses", "/admin/v1/messages", "/v1/messages/batches"]
)
def test_nothing_else_of_a_provider_can_be_reached(path: str, tmp_path: Path) -> None:
    async def ask(place: Place) -> None:
        assert b"HTTP/1.1 404" in await place.ask(BODY, path)

    with loopback_provider(_whole) as server:
        place = _pass(server, tmp_path, ask)
    assert server.arrived == []
    assert place.book.lines == []


def test_tokens_are_counted_by_the_server_and_cost_nothing(tmp_path: Path) -> None:
    async def ask(place: Place) -> None:
        assert b'{"input_tokens":77}' in await place.ask(BODY, "/v1/messages/count_tokens?beta=true")

    counted = Sent([b'{"input_tokens":77}'], headers={"content-type": "application/json"})
    with loopback_provider(lambda _: counted) as server:
        place = _pass(server, tmp_path, ask)
    assert server.arrived[0].data == BODY
    assert (place.book.lines, place.endpoint.calls) == ([], [])


def test_money_that_is_spent_ends_the_sample_before_a_request_is_sent(tmp_path: Path) -> None:
    async def ask(place: Place) -> None:
        place.book.spent = True
        assert b"the run has ended" in await place.ask()

    with loopback_provider(_whole) as server:
        place = _pass(server, tmp_path, ask)
    assert server.arrived == []
    assert isinstance(place.failures[0], BudgetReached)


def test_a_model_beside_its_own_is_booked_under_its_name_and_told(tmp_path: Path) -> None:
    async def ask(place: Place) -> None:
        await place.ask(BODY.replace(b"claude-x", b"claude-tiny"))

    with loopback_provider(_whole) as server:
        place = _pass(server, tmp_path, ask)
    assert place.book.lines[0] == ("sent", "anthropic/claude-tiny", "subject")
    assert place.tally.warnings == ["the agent asked for 'claude-tiny' beside its model 'claude-x'"]


def test_a_limit_on_tokens_ends_the_sample_though_the_agent_has_its_answer(tmp_path: Path) -> None:
    from inspect_ai.util import LimitExceededError, token_limit

    async def ask(place: Place) -> None:
        assert STREAM[2] in await place.ask()

    async def limited(place: Place) -> None:
        with token_limit(50):
            async with place.endpoint.serve(tmp_path / "limited"):
                place.socket = tmp_path / "limited"
                await ask(place)

    with loopback_provider(_whole) as server:
        place = _pass(server, tmp_path, limited)
    assert isinstance(place.failures[0], LimitExceededError)
    assert place.book.lines[1][0] == "paid"
