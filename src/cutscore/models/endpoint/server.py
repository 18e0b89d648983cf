"""The endpoint itself: HTTP on a unix socket, one for each sample, with a record of every request.

An agent in a box reaches it through a relay (`environments/sandbox/relay.py`). One turn is one answer to the main
agent; titles, summaries and sub-agents are its helpers and counted apart. The request past the cap gets HTTP 400, which
agents do not repeat.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cutscore.core.usage import Usage
from cutscore.models.endpoint.chat import CHAT
from cutscore.models.endpoint.exchange import AgentRequest, AnswerRequest, EndpointError, EndpointReply
from cutscore.models.endpoint.gemini import GEMINI
from cutscore.models.endpoint.messages import MESSAGES
from cutscore.models.endpoint.pictures import PictureBook
from cutscore.models.endpoint.responses import RESPONSES
from cutscore.models.endpoint.wire import Body, Wire, WireName

if TYPE_CHECKING:
    from aiohttp import web

MOST_REQUEST_BYTES = 256 << 20
LAST_ANSWER_S = 1.0  # that an answer under way gets when its asker is gone
PICTURE_TOKENS = 1000  # of a picture, where nobody but the provider knows
_BASE64 = re.compile(r'"(?:data:[^",]{0,80},)?[A-Za-z0-9+/=]{4096,}"')
Asker = Literal["main", "helper"]


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
        count: Who counts the tokens of a request; we estimate them where it is None.
    """

    answer: AnswerRequest
    brief: str = ""
    turn_limit: int | None = None
    on_failure: Callable[[Exception], None] = lambda _: None
    pictures: PictureBook = field(default_factory=PictureBook)
    count: AnswerRequest | None = None
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
        data = await request.read()
        body = _read_body(data)
        if path.endswith(("/count_tokens", ":countTokens")):
            if self.count is not None:
                return await self._count(request, data)
            tokens = estimate_tokens(body)
            return web.json_response({"input_tokens": tokens, "totalTokens": tokens})
        wire = wire_of(path)
        if wire is None or body is None:
            self.strange.append(f"{request.method} {path}")
            return web.json_response({"error": {"message": "there is nothing here"}}, status=404)
        return await self._reply(request, AgentRequest(wire, request.raw_path, [*request.headers.items()], data, body))

    async def _count(self, request: web.Request, data: bytes) -> web.StreamResponse:
        from aiohttp import web

        wire = GEMINI if ":" in request.path else MESSAGES
        asked = AgentRequest(wire, request.raw_path, [*request.headers.items()], data, {})
        try:
            return await self._tell(request, await self.count(asked))  # type: ignore[misc]
        except EndpointError as error:
            return web.json_response(wire.error(error.status, error.text), status=error.status)

    async def _reply(self, request: web.Request, asked: AgentRequest) -> web.StreamResponse:
        from aiohttp import web
        from anyio import to_thread

        wire, body = asked.wire, asked.body
        by: Asker = "main" if is_main(wire, body, self.brief) else "helper"
        n, began = len(self.calls), time.monotonic()
        tools = tuple(wire.tools(body))
        self.calls.append(EndpointCall(n + 1, began - self._opened, wire.name, by, asked.model, tools))
        try:
            if by == "main" and self.turn_limit is not None and self.turns >= self.turn_limit:
                raise EndpointError(400, f"the turn limit of {self.turn_limit} is reached")
            if new := self.pictures.find_new(wire, body):
                await to_thread.run_sync(self.pictures.note, n + 1, new)
            reply = await self.answer(asked)
        except EndpointError as error:
            self._note(n, began, status=error.status, error=error.text)
            return web.json_response(wire.error(error.status, error.text), status=error.status)
        except Exception as error:  # noqa: BLE001  # whatever it is, the sample hears of it
            self._note(n, began, status=400, error=f"{type(error).__name__}: {error}")
            self.on_failure(error)
            return web.json_response(wire.error(400, "the run has ended"), status=400)
        self._note(n, began, status=reply.status, usage=reply.usage)
        try:
            return await self._tell(request, reply)
        finally:
            self._note(n, began, status=reply.status, usage=reply.usage, error=reply.error)

    async def _tell(self, request: web.Request, reply: EndpointReply) -> web.StreamResponse:
        """Send a reply piece by piece; one that breaks off does so for the client, too."""
        from aiohttp import web
        from multidict import CIMultiDict

        told = web.StreamResponse(status=reply.status, headers=CIMultiDict(reply.headers))
        async with aclosing(reply.chunks) as chunks:
            try:
                await told.prepare(request)
                async for chunk in chunks:
                    await told.write(chunk)
                await told.write_eof()
            except ConnectionError:  # the client is gone
                pass
            except Exception as error:  # noqa: BLE001  # as above
                if isinstance(error, EndpointError):
                    reply.status, reply.error = error.status, error.text
                else:
                    self.on_failure(error)
                if request.transport is not None:
                    request.transport.close()
        return told

    def _note(self, n: int, began: float, **known: Any) -> None:
        self.calls[n] = replace(self.calls[n], wall_s=time.monotonic() - began, **known)


def _read_body(data: bytes) -> Body | None:
    try:
        said = json.loads(data or b"{}")
    except (ValueError, RecursionError):
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
