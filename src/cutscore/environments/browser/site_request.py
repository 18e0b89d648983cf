"""One HTTP request to a site of the task, beside the browser: REST replies, pictures, resets. All of it bounded."""

import http.client
import json
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from pydantic import JsonValue

from cutscore.environments.browser.guard import AddressGuard

MAX_BYTES = 32_000_000
MAX_HOPS = 5
REQUEST_S = 20.0  # for all of an answer
CHUNK_BYTES = 1 << 16
_AS_WRITTEN = "!#$%&'()*+,/:;=?@[]~"  # the rest of an address is quoted, as browsers do
_REDIRECTS = (301, 302, 303, 307, 308)


class RequestFault(Exception):
    """Why a request brought no answer."""


@dataclass(frozen=True)
class SiteReply:
    """The answer of a site."""

    status: int
    body: bytes
    media_type: str = ""

    def json(self) -> JsonValue:
        """Return the body as JSON; RequestFault where it is none."""
        try:
            made: JsonValue = json.loads(self.body)
        except ValueError:
            raise RequestFault("the reply is no JSON") from None
        return made


def request_site(
    url: str,
    guard: AddressGuard,
    *,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
    timeout_s: float = REQUEST_S,
) -> SiteReply:
    """Ask a site that the guard lets through, and follow where it leads. Blocks.

    Names below `localhost` are this machine, also where the system's resolver does not know them. What is sent may hold
    a secret of the site, so it is sent to no other.
    """
    for _ in range(MAX_HOPS):
        if reason := guard.refuse(url):
            raise RequestFault(reason)
        try:
            reply, location = _ask(url, method, dict(headers or {}), body, timeout_s)
        except (OSError, http.client.HTTPException, UnicodeError) as error:
            raise RequestFault(f"{type(error).__name__}: {error}") from error
        if reply.status not in _REDIRECTS or not location:
            return reply
        asked, url = url, urljoin(url, location)
        if (headers or body) and urlsplit(asked)[:2] != urlsplit(url)[:2]:
            raise RequestFault("it leads to another site")
        if reply.status == 303 or (reply.status in (301, 302) and method == "POST"):
            method, body = "GET", None
    raise RequestFault(f"it leads on more than {MAX_HOPS} times")


def _ask(
    url: str, method: str, headers: dict[str, str], body: bytes | None, timeout_s: float
) -> tuple[SiteReply, str | None]:
    parts = urlsplit(url)
    host = parts.hostname or ""
    here = "127.0.0.1" if host == "localhost" or host.endswith(".localhost") else host
    line: http.client.HTTPConnection
    if parts.scheme == "https":
        line = http.client.HTTPSConnection(here, parts.port, timeout=timeout_s, context=ssl.create_default_context())
    else:
        line = http.client.HTTPConnection(here, parts.port, timeout=timeout_s)
    try:
        target = quote((parts.path or "/") + (f"?{parts.query}" if parts.query else ""), safe=_AS_WRITTEN)
        line.request(method, target, body=body, headers={"Host": parts.netloc.rpartition("@")[2], **headers})
        answer = line.getresponse()
        taken = _read(answer, time.monotonic() + timeout_s)
        media_type = (answer.getheader("content-type") or "").partition(";")[0].strip()
        return SiteReply(answer.status, taken, media_type), answer.getheader("location")
    finally:
        line.close()


def _read(answer: http.client.HTTPResponse, until_s: float) -> bytes:
    taken = bytearray()
    while chunk := answer.read1(CHUNK_BYTES):
        taken += chunk
        if len(taken) > MAX_BYTES:
            raise RequestFault(f"the reply is longer than {MAX_BYTES:,} bytes")
        if time.monotonic() > until_s:
            raise RequestFault("the reply does not end")
    return bytes(taken)
