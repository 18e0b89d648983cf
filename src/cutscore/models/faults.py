"""What went wrong with a call of a model: the class of the fault, whether another try may help, and words for it.

Inspect's providers repeat what their clients call passing. We repeat two things more, whatever the client thinks: an
answer that came only in part, and one that nobody can read. Neither is an answer of the model's. Whose failing an error
is says `refusals.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cutscore.core.errors import Unscored
from cutscore.media.source import shown_name

if TYPE_CHECKING:
    from inspect_ai.model import ModelOutput

UNREACHABLE, UNREADABLE, TIMEOUT, HALF = "unreachable", "unreadable", "timeout", "half"
LONGEST_SAID = 200  # characters of what a server says of an error
AGAIN = "run the same command again"
# What providers raise over an answer of another form than their API has: {}, null, a page of HTML, bytes.
_CANNOT_READ = (TypeError, AttributeError, AssertionError, LookupError, UnicodeError)
_CUT = frozenset({"JSONDecodeError", "RemoteProtocolError", "IncompleteRead", "ReadError"})
# How an attempt ended that may be repeated.
_ENDED = {
    TIMEOUT: "a timeout",
    HALF: "half an answer",
    UNREADABLE: "an answer in no form that its API has",
    UNREACHABLE: "no connection",
}
# What a server does with a request that need not be repeated, and what helps.
_REFUSED = {
    401: ("does not accept the key", "set the key that belongs to it"),
    403: ("does not allow this with the key", "see what the key may do"),
    404: ("knows no such model or address", "check the model's name and the address (docs/providers.md)"),
    413: ("takes no request of this size", "show fewer frames or shorter clips, or raise its limit"),
}
_REDIRECTS = range(300, 400)


class UnreadableReply(Exception):
    """A server answered with success, and what it sent is no answer in the form of its API."""


@dataclass(frozen=True)
class ServerError:
    """What a server says of a request that it refused; the status is None where the client keeps it to itself."""

    status: int | None
    codes: frozenset[str]
    message: str

    @property
    def words(self) -> str:
        """The message as one short line that may stand in a record."""
        return shown_name(" ".join(self.message.split()), most=LONGEST_SAID)


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
        return UnreadableReply("the answer has no form that the API has")
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
    if (status := _status(error)) is not None:
        return str(status)
    kind = type(error).__name__
    if isinstance(error, TimeoutError) or "timeout" in kind.casefold():
        return TIMEOUT
    if isinstance(error, UnreadableReply):
        return UNREADABLE
    if any(
        isinstance(each, ConnectionRefusedError) or type(each).__name__ == "ConnectError" for each in error_chain(error)
    ):
        return UNREACHABLE
    if is_broken_off(error) or (error.__cause__ and is_broken_off(error.__cause__)):
        return HALF
    return kind


def _is_no_connection(error: BaseException) -> bool:
    return isinstance(error, ConnectionRefusedError) or type(error).__name__ == "ConnectError"


def _status(error: BaseException) -> int | None:
    held = (error, getattr(error, "response", None))
    found = [getattr(each, name, None) for each in held for name in ("status_code", "code")]
    return next((each for each in found if isinstance(each, int)), None)


def is_broken_off(error: BaseException) -> bool:
    """Return whether an answer came only in part: the connection was lost, or what came is the half of a JSON text.

    Clients of providers do not agree on whether the latter is worth another try.
    """
    return isinstance(error, ConnectionError) or type(error).__name__ in _CUT


def server_error(error: BaseException) -> ServerError:
    """Return what a server said, from the error that a provider's client made of it.

    Clients keep the body, or the `error` in it; what has neither says it in the words of the exception.
    """
    body: Any = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, dict) else None
    held = [each for each in (inner, body) if isinstance(each, dict)]
    codes = {str(each[name]).casefold() for each in held for name in ("code", "type") if each.get(name)}
    message = next((each["message"] for each in held if isinstance(each.get("message"), str)), None)
    return ServerError(_status(error), frozenset(codes), message or getattr(error, "message", None) or str(error))


def unscored_error(error: BaseException, model: str, *, attempts: int = 1) -> Unscored:
    """Return the error of a sample whose model was asked in vain: who, what is the case, what to do."""
    who, fault, address = f"model '{model}'", fault_class(error), server_address(error)
    tries = f"{attempts} attempt{'s' if attempts > 1 else ''}"
    if fault == UNREACHABLE and address:
        fact = f"its server {address} cannot be reached ({tries})"
        return Unscored(who, fact, f"see that it runs there (docs/providers.md), then {AGAIN}")
    said, status = server_error(error), _status(error)
    if status in _REDIRECTS:
        aim = shown_name(str(_headers(error).get("location", "")), most=LONGEST_SAID)
        fact = f"its server redirects to '{aim}' (HTTP {status}), and no call is sent to an address that nobody named"
        return Unscored(who, fact, f"set that address if you trust it (docs/providers.md), then {AGAIN}")
    if fault in _ENDED or (status is not None and (status in (408, 429) or status >= 500)):
        ended = _ENDED.get(fault, f"HTTP {status}")
        return Unscored(who, f"gave up after {tries}, the last one ended in {ended}", AGAIN)
    if status is not None:
        does, helps = _REFUSED.get(status, ("refused the request", "mend that"))
        return Unscored(who, f"its server {does} (HTTP {status}: {said.words})", f"{helps}, then {AGAIN}")
    return Unscored(who, f"cannot be asked ({fault}: {said.words})", f"mend that, then {AGAIN}")


def _headers(error: BaseException) -> Any:
    return getattr(getattr(error, "response", None), "headers", None) or {}


def retry_after_s(error: BaseException | None) -> float | None:
    """Return how long a server asks to wait before the next try; None when it does not say."""
    from inspect_ai._util.http import parse_retry_after

    said = _headers(error).get("retry-after") if error is not None else None
    return parse_retry_after({"retry-after": str(said)}) if said else None


def server_address(error: BaseException) -> str:
    """Return the address of the server that a failed call was sent to; nothing when the error does not know it.

    Path, query and credentials are left out.
    """
    for each in error_chain(error):
        try:
            url = urlsplit(str(each.request.url))  # type: ignore[attr-defined]
        except (AttributeError, RuntimeError, ValueError):
            continue  # httpx raises RuntimeError where it has no request
        if url.hostname:
            return f"{url.scheme}://{url.netloc.rpartition('@')[2]}"
    return ""


def error_chain(error: BaseException) -> Iterator[BaseException]:
    """Return an error and all that it came from, each once."""
    seen: set[int] = set()
    left: list[BaseException | None] = [error]
    while left:
        each = left.pop(0)
        if each is not None and id(each) not in seen:
            seen.add(id(each))
            yield each
            left += [each.__cause__, each.__context__]


def drop_frames(error: Exception) -> Exception:
    """Return an error without the frames that it and what it came from passed through.

    Inspect draws them all for its log, in colours and on the event loop: a quarter of a second for each failed call.
    """
    for each in error_chain(error):
        each.__traceback__ = None
    return error
