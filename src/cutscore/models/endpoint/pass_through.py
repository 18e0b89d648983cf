"""Requests of an agent to its provider's own server, and the replies back, byte for byte.

The body is not touched. Of the headers only those change that belong to a connection, and those with a key: that of the
box is worthless, the true one is added here. A reply goes to the agent as it comes; a copy is read for its tokens. Each
call is paid for and booked as on the other path. Nothing is repeated here: that is the agent's work.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cutscore.core.tally import Tally
from cutscore.models.boundary import NO_USAGE, WAIT_S
from cutscore.models.door import SUBJECT
from cutscore.models.endpoint.exchange import AgentRequest, EndpointError, EndpointReply
from cutscore.models.endpoint.provider_server import KEY_HEADERS, ProviderServer, open_server
from cutscore.models.endpoint.reply_reader import ReplyReader
from cutscore.models.endpoint.wire import WireName
from cutscore.models.faults import HALF, TIMEOUT, fault_class, server_error, unscored_error
from cutscore.models.refusals import FAILURES, FILTERED, failure_without_words, wordless_output, wordless_stop
from cutscore.settings import load_settings

if TYPE_CHECKING:
    import httpx
    from inspect_ai.model import Model

    from cutscore.core.usage import Usage

MOST_ERROR_BYTES = 1 << 20
CONNECT_S = 30.0
# What belongs to a connection. Nothing is asked for in packed form, since its tokens are to be read.
HOP_HEADERS = frozenset(
    {"connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "expect"}
)
NOT_SENT = HOP_HEADERS | KEY_HEADERS | {"host", "content-length", "accept-encoding", "content-encoding"}
# Only these addresses of a provider can be reached from a box, each with any query.
PATHS: Mapping[WireName, re.Pattern[str]] = {
    "messages": re.compile(r"/v1/messages(\?.*)?"),
    "responses": re.compile(r"/v1/responses(\?.*)?"),
    "chat": re.compile(r"/v1/chat/completions(\?.*)?"),
    "gemini": re.compile(r"/v1(beta|alpha)?/models/[\w.-]+:(g|streamG)enerateContent(\?.*)?"),
}
COUNTS = re.compile(r"/v1/messages/count_tokens(\?.*)?|/v1(beta|alpha)?/models/[\w.-]+:countTokens(\?.*)?")
PASSING = frozenset({"408", "409", "429", HALF, TIMEOUT, "unreachable"})


class ProviderRefusal(Exception):
    """An answer of a provider with another status than 200, as `faults.py` reads errors."""

    def __init__(self, status: int, data: bytes) -> None:
        super().__init__(data[:1000].decode(errors="replace"))
        self.status_code = status
        try:
            said = json.loads(data)
        except (ValueError, RecursionError):
            said = None
        self.body: Any = said[0] if isinstance(said, list) and said else said


@asynccontextmanager
async def open_pass_through(model: Model, wire: WireName, tally: Tally) -> AsyncIterator[PassThrough]:
    """Open the way of requests of a wire to the server of a model, as long as inside."""
    import httpx

    patience = httpx.Timeout(load_settings().timeout_s, connect=CONNECT_S)
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(timeout=patience, limits=limits, follow_redirects=False) as client:
        yield PassThrough(open_server(model), wire, tally, model, client)


@dataclass(frozen=True)
class PassThrough:
    """The way of one sample's requests to a provider's server."""

    server: ProviderServer
    wire: WireName
    tally: Tally
    model: Model
    client: httpx.AsyncClient

    async def answer(self, asked: AgentRequest) -> EndpointReply:
        """Return the server's reply as it begins; the rest comes with its chunks."""
        import httpx
        from anyio import get_cancelled_exc_class, sleep

        if asked.wire.name != self.wire or not PATHS[self.wire].fullmatch(asked.path):
            raise EndpointError(404, "there is nothing here")
        tally, name = self.tally, f"{self.server.provider}/{asked.model}"
        tally.check()
        if asked.model != self.server.model:
            tally.warn(f"the agent asked for '{asked.model}' beside its model '{self.server.model}'")
        while (call := tally.purse.send(name, SUBJECT)) is None:
            await sleep(WAIT_S)
        try:
            response = await self.client.send(self._request(asked), stream=True)
            if response.status_code != 200:
                return await self._refusal(response, call)
        except get_cancelled_exc_class():
            tally.purse.fail(call, "cancelled")
            raise
        except httpx.HTTPError as error:
            raise self._break_off(error, call) from error
        reply = EndpointReply(200, self._headers(response), _whole())
        reply.chunks = self._pass(asked, response, call, reply)
        return reply

    async def count(self, asked: AgentRequest) -> EndpointReply:
        """Return how many tokens the server counts in a request, which costs nothing."""
        import httpx

        if not COUNTS.fullmatch(asked.path):
            raise EndpointError(404, "there is nothing here")
        try:
            response = await self.client.send(self._request(asked))
        except httpx.HTTPError as error:
            raise EndpointError(502, f"the model's server: {fault_class(error)}") from error
        return EndpointReply(response.status_code, self._headers(response), _whole(self._clean(response.content)))

    def _request(self, asked: AgentRequest) -> httpx.Request:
        import httpx

        kept = [(name, value) for name, value in asked.headers if name.lower() not in NOT_SENT]
        ours = [("accept-encoding", "identity"), (self.server.key_header, self.server.key_value)]
        address = self.server.address(asked.path)
        extensions = {"timeout": self.client.timeout.as_dict()}
        return httpx.Request("POST", address, headers=[*kept, *ours], content=asked.data, extensions=extensions)

    def _headers(self, response: httpx.Response) -> list[tuple[str, str]]:
        found = [(name, self._clean(value)) for name, value in response.headers.raw]
        return [
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in found
            if name.decode("latin-1").lower() not in HOP_HEADERS
        ]

    def _clean(self, data: bytes) -> bytes:
        """Return bytes without the key: some servers quote one that they do not accept."""
        return data.replace(self.server.key.encode(), b"[key]")

    async def _pass(
        self, asked: AgentRequest, response: httpx.Response, call: str, reply: EndpointReply
    ) -> AsyncGenerator[bytes, None]:
        """Give the rest of a good reply as it comes, and book the call when it has ended, however that is."""
        import httpx

        reader, booked = ReplyReader(response.headers.get("content-type", "")), False
        try:
            async for chunk in response.aiter_raw():
                reader.take(chunk)
                yield self._clean(chunk)
            reader.end()
            booked = True
            self._book(asked, reader, call, reply)
        except httpx.HTTPError as error:
            booked = True
            raise self._break_off(error, call) from error
        finally:
            await response.aclose()
            if not booked:  # the agent is gone; what has come may be all there is
                if reader.stops:
                    self._book(asked, reader, call, reply)
                else:
                    self.tally.lose_call(call)

    def _book(self, asked: AgentRequest, reader: ReplyReader, call: str, reply: EndpointReply) -> None:
        """Book a call that was answered, or in the midst of whose answer the server says that it failed."""
        tally, name = self.tally, f"{self.server.provider}/{asked.model}"
        if reader.error and not reader.stops:
            error = ProviderRefusal(502, json.dumps({"error": {"message": reader.error}}).encode())
            reply.status, reply.error = 502, self._fail(error, call, HALF)
            return
        counted = asked.wire.read_usage(reader.counts)
        reply.usage = counted.usage if any(reader.counts.values()) else None
        tally.add_call(call, name, reply.usage)
        tally.on_answer()
        tally.take_over((), counted.warnings if reply.usage else (NO_USAGE,))
        refusal = wordless_output(name, FILTERED, "") if reader.refused else None
        tally.unanswered = failure_without_words(refusal, name) if refusal else None
        if reply.usage:
            self._check_limits(reply.usage)

    def _check_limits(self, usage: Usage) -> None:
        """Count tokens for the limits of the sample; raise where one is reached."""
        from inspect_ai.model import ModelUsage
        from inspect_ai.model._model import record_and_check_model_usage

        read, said = usage.input or 0, (usage.output or 0) + (usage.reasoning or 0)
        counts = ModelUsage(
            input_tokens=read,
            output_tokens=said,
            total_tokens=read + said + (usage.cached or 0) + (usage.cache_write or 0),
            input_tokens_cache_read=usage.cached,
            input_tokens_cache_write=usage.cache_write,
            reasoning_tokens=usage.reasoning,
        )
        record_and_check_model_usage(self.model, counts)

    async def _refusal(self, response: httpx.Response, call: str) -> EndpointReply:
        """Return an error of the server as it is, but for a key in it, and book it by whose failing it is."""
        data = b""
        try:
            async for chunk in response.aiter_raw():
                data = (data + chunk)[:MOST_ERROR_BYTES]
        finally:
            await response.aclose()
        data = self._clean(data)
        error = ProviderRefusal(response.status_code, data)
        said = server_error(error)
        if (stop := wordless_stop(said)) is not None:
            self.tally.purse.fail(call, FAILURES[stop][0])
            output = wordless_output(str(self.model), stop, said.words)
            self.tally.unanswered, words = failure_without_words(output, str(self.model)), said.words
        else:
            words = self._fail(error, call, fault_class(error))
        headers = [(name, value) for name, value in self._headers(response) if name.lower() != "content-length"]
        return EndpointReply(response.status_code, headers, _whole(data), error=words)

    def _break_off(self, error: httpx.HTTPError, call: str) -> EndpointError:
        """Return what the agent gets where the connection to the server failed."""
        fault = fault_class(error)
        self._fail(error, call, fault)
        return EndpointError(504 if fault == TIMEOUT else 502, f"the model's server: {fault}")

    def _fail(self, error: Exception, call: str, fault: str) -> str:
        """Book a call that brought no answer for a reason that is not the model's; return words for it."""
        tally = self.tally
        tally.purse.fail(call, fault)
        tally.unanswered = unscored_error(error, str(self.model))
        if fault in PASSING or fault.startswith("5"):
            tally.add_retry(fault)
        return self._clean(server_error(error).words.encode()).decode() or fault


async def _whole(data: bytes = b"") -> AsyncGenerator[bytes, None]:
    if data:
        yield data
