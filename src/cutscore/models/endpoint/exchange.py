"""One request of an agent and its reply, whoever answers: the model of the evaluation, or its provider's own server."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from dataclasses import dataclass

from cutscore.core.usage import Usage
from cutscore.models.endpoint.wire import Body, Wire

JSON, EVENTS = "application/json", "text/event-stream"
Headers = list[tuple[str, str]]


class EndpointError(Exception):
    """What the client gets instead of an answer; an answer under way is broken off."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status, self.text = status, text


@dataclass(frozen=True)
class AgentRequest:
    """What an agent asks.

    Args:
        path: With its query, as the client wrote it.
        data: The body as it came.
        body: What it says.
    """

    wire: Wire
    path: str
    headers: Headers
    data: bytes
    body: Body

    @property
    def model(self) -> str:
        """The model that it asks for."""
        return str(self.body.get("model") or self.path.partition("?")[0].rpartition("/")[2].partition(":")[0])

    @property
    def wants_stream(self) -> bool:
        """Whether it is to be answered in events."""
        return bool(self.body.get("stream")) or ":streamGenerateContent" in self.path


@dataclass
class EndpointReply:
    """A reply that comes in pieces. What it took and whether it came well is known when the last one has come.

    Args:
        usage: Its tokens; None for an error, or where it does not tell.
        error: What went wrong, where the status tells of it or an event does.
    """

    status: int
    headers: Headers
    chunks: AsyncGenerator[bytes, None]
    usage: Usage | None = None
    error: str = ""


AnswerRequest = Callable[[AgentRequest], Awaitable[EndpointReply]]


def tell_reply(asked: AgentRequest, body: Body, usage: Usage | None) -> EndpointReply:
    """Return a whole reply in the form that the client wants to have it."""
    if asked.wants_stream:
        headers = [("content-type", EVENTS), ("cache-control", "no-cache")]
        return EndpointReply(200, headers, _each(asked.wire.events(body)), usage)
    return EndpointReply(200, [("content-type", JSON)], _each([json.dumps(body).encode()]), usage)


async def _each(chunks: Iterable[bytes]) -> AsyncGenerator[bytes, None]:
    for chunk in chunks:
        yield chunk
