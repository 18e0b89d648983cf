"""The endpoint itself: HTTP on a unix socket, one for each sample, with a record of every request.

An agent in a box reaches it through a relay (`environments/sandbox/relay.py`). One turn is one answer to the main
agent; titles, summaries and sub-agents are its helpers and counted apart. The request past the cap gets HTTP 400, which
agents do not repeat.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cutscore.core.usage import Usage
from cutscore.models.endpoint.chat import CHAT
from cutscore.models.endpoint.gemini import GEMINI
from cutscore.models.endpoint.messages import MESSAGES
from cutscore.models.endpoint.pictures import PictureBook
from cutscore.models.endpoint.responses import RESPONSES
from cutscore.models.endpoint.translated import TranslatedReply
from cutscore.models.endpoint.wire import Body, Wire, WireName

if TYPE_CHECKING:
    from aiohttp import web

MOST_REQUEST_BYTES = 256 << 20
LAST_ANSWER_S = 1.0  # that an answer under way gets when its asker is gone
PICTURE_TOKENS = 1000  # of a picture, where nobody but the provider knows
_BASE64 = re.compile(r'"(?:data:[^",]{0,80},)?[A-Za-z0-9+/=]{4096,}"')
Asker = Literal["main", "helper"]
# (wire, path with query, body) → the whole reply; raises EndpointError for what the client is told as an error.
AnswerRequest = Callable[[Wire, str, Body], Awaitable[TranslatedReply]]


class EndpointError(Exception):
    """What the client gets instead of an answer."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status, self.text = status, text


@dataclass(frozen=True)
class EndpointCall:
    """One request, as the endpoint saw it.

    Args:
        at_s: Seconds after the endpoint was opened.
        by: The main agent, or one of its helpers.
        usage: What the reply said that it took; None for an error, or where it said nothing.
    """

    n: int
    at_s: float
    wire: WireName
    by: Asker
    model: str
    tools: tuple[str, ...]
    status: int = 0
    usage: Usage | None = None
    wall_s: float = 0.0
    error: str = ""


@dataclass
class Endpoint:
    """A model for one agent.

    Args:
        answer: Who answers.
        brief: What the main agent was asked; a request without these words is a helper's.
        turn_limit: How many answers the main agent gets.
        on_failure: Called when an answer failed in a way that ends the sample: a limit, a provider that is gone.
        pictures: Notes the pictures that requests bring.
    """

    answer: AnswerRequest
    brief: str = ""
    turn_limit: int | None = None
    on_failure: Callable[[Exception], None] = lambda _: None
    pictures: PictureBook = field(default_factory=PictureBook)
    calls: list[EndpointCall] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    _opened: float = field(default_factory=time.monotonic)

    @property
    def turns(self) -> int:
        """How many answers the main agent got."""
        return sum(call.by == "main" and call.status == 200 for call in self.calls)

    @asynccontextmanager
    async def serve(self, socket: Path) -> AsyncIterator[None]:
        """Listen at a socket while inside."""
        from aiohttp import web
        from anyio import CancelScope

        app = web.Application(client_max_size=MOST_REQUEST_BYTES)
        app.router.add_route("*", "/{path:.*}", self._take)
        runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=LAST_ANSWER_S)
        await runner.setup()
        try:
            await web.UnixSite(runner, str(socket)).start()
            socket.chmod(0o666)
            yield
        finally:
            with CancelScope(shield=True):
                await runner.cleanup()

    async def _take(self, request: web.Request) -> web.StreamResponse:
        from aiohttp import web

        path = request.path
        if request.method in ("GET", "HEAD"):
            known = path.rstrip("/").endswith("/models")
            return web.json_response({"object": "list", "data": [], "models": []}, status=200 if known else 404)
        body = await self._body(request)
        if path.endswith(("/count_tokens", ":countTokens")):
            tokens = estimate_tokens(body)
            return web.json_response({"input_tokens": tokens, "totalTokens": tokens})
        wire = wire_of(path)
        if wire is None or body is None:
            self.strange.append(f"{request.method} {path}")
            return web.json_response({"error": {"message": "there is nothing here"}}, status=404)
        return await self._reply(request, wire, body)

    async def _reply(self, request: web.Request, wire: Wire, body: Body) -> web.StreamResponse:
        from aiohttp import web
        from anyio import to_thread

        by: Asker = "main" if is_main(wire, body, self.brief) else "helper"
        model = str(body.get("model") or request.path.rpartition("/")[2].partition(":")[0])
        n, began = len(self.calls), time.monotonic()
        self.calls.append(EndpointCall(n + 1, began - self._opened, wire.name, by, model, tuple(wire.tools(body))))
        try:
            if by == "main" and self.turn_limit is not None and self.turns >= self.turn_limit:
                raise EndpointError(400, f"the turn limit of {self.turn_limit} is reached")
            if new := self.pictures.find_new(wire, body):
                await to_thread.run_sync(self.pictures.note, n + 1, new)
            reply = await self.answer(wire, request.path, body)
        except EndpointError as error:
            self._note(n, began, status=error.status, error=error.text)
            return web.json_response(wire.error(error.status, error.text), status=error.status)
        except Exception as error:  # noqa: BLE001  # whatever it is, the sample hears of it
            self._note(n, began, status=400, error=f"{type(error).__name__}: {error}")
            self.on_failure(error)
            return web.json_response(wire.error(400, "the run has ended"), status=400)
        self._note(n, began, status=200, usage=reply.usage)
        if not (body.get("stream") or ":streamGenerateContent" in request.path):
            return web.json_response(reply.body)
        told = web.StreamResponse(headers={"content-type": "text/event-stream", "cache-control": "no-cache"})
        await told.prepare(request)
        for each in wire.events(reply.body):
            await told.write(each)
        await told.write_eof()
        return told

    def _note(self, n: int, began: float, **known: Any) -> None:
        self.calls[n] = replace(self.calls[n], wall_s=time.monotonic() - began, **known)

    @staticmethod
    async def _body(request: web.Request) -> Body | None:
        try:
            said = json.loads(await request.read() or b"{}")
        except ValueError:
            return None
        return said if isinstance(said, dict) else None


def estimate_tokens(body: Body | None) -> int:
    """Return about how many tokens a request has: agents decide by it whether their context is full.

    >>> estimate_tokens({"text": "a" * 400}) < estimate_tokens({"data": "A" * 4_000_000}) < 2 * PICTURE_TOKENS
    True
    """
    words, pictures = _BASE64.subn('""', json.dumps(body))
    return len(words) // 4 + pictures * PICTURE_TOKENS


def wire_of(path: str) -> Wire | None:
    """Return the wire of an address; None where there is none.

    >>> wire_of("/v1beta/models/gemini-3:streamGenerateContent").name
    'gemini'
    """
    ends = {
        "/messages": MESSAGES,
        "/responses": RESPONSES,
        "/chat/completions": CHAT,
        ":generateContent": GEMINI,
        ":streamGenerateContent": GEMINI,
    }
    return next((wire for end, wire in ends.items() if path.endswith(end)), None)


def is_main(wire: Wire, body: Body, brief: str) -> bool:
    """Return whether a request is the main agent's: it has tools, and was asked what we asked."""
    return bool(wire.tools(body)) and " ".join(brief.split()) in " ".join(wire.first_words(body).split())
