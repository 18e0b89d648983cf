"""What went wrong with a call of a model: the class of the fault, and whether another try may help.

Inspect's providers repeat what their clients call passing. We repeat two things more, whatever the client thinks: an
answer that came only in part, and one that nobody can read. Neither is an answer of the model's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from inspect_ai.model import ModelOutput

UNREACHABLE, UNREADABLE = "unreachable", "unreadable"
# What providers raise over an answer of another form than their API has: {}, null, a page of HTML, bytes.
_CANNOT_READ = (TypeError, AttributeError, AssertionError, LookupError, UnicodeError)
_CUT = frozenset({"JSONDecodeError", "RemoteProtocolError", "IncompleteRead", "ReadError"})


class UnreadableReply(Exception):
    """A server answered with success, and what it sent is no answer in the form of its API."""


def refuse_unreadable(output: ModelOutput) -> None:
    """Raise UnreadableReply for an output without any choice that does not say why."""
    if not output.choices and not output.error:
        raise UnreadableReply("the answer has no choices")


def unreadable_from(error: Exception) -> UnreadableReply | None:
    """Return the fault for what a provider raised while it read an answer; None when it raised something else."""
    kind = type(error).__name__
    if isinstance(error, UnreadableReply):
        return error
    if isinstance(error, _CANNOT_READ) or kind == "ValidationError" or _is_no_reply(error):
        return UnreadableReply(f"the answer cannot be read: {kind}: {error}"[:300])
    return None


def _is_no_reply(error: Exception) -> bool:
    """Return whether Inspect's provider says itself that the answer is none."""
    return type(error).__name__ == "OpenAIResponseError" and "Unexpected non-ChatCompletion" in str(error)


def fault_class(error: BaseException) -> str:
    """Name the class of a provider's fault.

    It is the HTTP status, `timeout`, `unreachable` (no connection), `unreadable` (an answer in no form that the API
    has), `half` (cut off mid-answer), else the type.

    >>> fault_class(TimeoutError()), fault_class(ConnectionResetError()), fault_class(ConnectionRefusedError())
    ('timeout', 'half', 'unreachable')
    >>> fault_class(UnreadableReply()), fault_class(KeyError())
    ('unreadable', 'KeyError')
    """
    status = getattr(error, "status_code", None) or getattr(getattr(error, "response", None), "status_code", None)
    if isinstance(status, int):
        return str(status)
    kind = type(error).__name__
    if isinstance(error, TimeoutError) or "timeout" in kind.casefold():
        return "timeout"
    if isinstance(error, UnreadableReply):
        return UNREADABLE
    if any(isinstance(each, ConnectionRefusedError) or type(each).__name__ == "ConnectError" for each in _chain(error)):
        return UNREACHABLE
    if is_broken_off(error) or (error.__cause__ and is_broken_off(error.__cause__)):
        return "half"
    return kind


def is_broken_off(error: BaseException) -> bool:
    """Return whether an answer came only in part: the connection was lost, or what came is the half of a JSON text.

    Clients of providers do not agree on whether the latter is worth another try.
    """
    return isinstance(error, ConnectionError) or type(error).__name__ in _CUT


def server_address(error: BaseException) -> str:
    """Return the address of the server that a failed call was sent to; nothing when the error does not know it.

    Path, query and credentials are left out.
    """
    for each in _chain(error):
        try:
            url = urlsplit(str(each.request.url))  # type: ignore[attr-defined]
        except (AttributeError, RuntimeError, ValueError):
            continue  # httpx raises RuntimeError where it has no request
        if url.hostname:
            return f"{url.scheme}://{url.netloc.rpartition('@')[2]}"
    return ""


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Give an error and what it came from."""
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__
