"""What a session sends and receives, line by line as it happens, without secrets; and a HAR made of it.

One line is one event: `{"t": 1.25, "event": "request", "id": 7, ...}`. Cookies, authorization and what is typed into
password fields are not kept.
"""

import json
import re
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Request, Response

MAX_EVENTS = 20_000  # of a session; more is left out, and said
MAX_BODY_CHARS = 4_000  # of what is posted
MAX_URL_CHARS = 2_000
_ACCOUNT = re.compile(r"^(\w+://)[^/?#]*@")  # account and password within an address
KEPT_HEADERS = ("accept", "content-type", "content-length", "location", "referer", "x-requested-with")
_HIDDEN_NAMES = r"pass|pwd|token|secret|csrf|session|auth|_key\b|api_?key"
HIDDEN = "[redacted]"
_LETTER = r"[\w.%\[\]-]"  # of the name of a field
# It begins where no such letter stands before, so that a long word is gone through once.
_NAME = rf"(?<!{_LETTER})(?={_LETTER}*(?:{_HIDDEN_NAMES})){_LETTER}++"
_SECRET_FIELDS = (
    re.compile(rf"({_NAME}=)[^&\s]+", re.I),
    re.compile(rf'(name="{_NAME}"\r?\n\r?\n)[^\r\n]*', re.I),
    re.compile(rf'("{_NAME}"\s*:\s*")(?:[^"\\]|\\.)*', re.I),
    re.compile(r"(://)[^/?#@\s]*:[^/?#@\s]*(?=@)"),
)
# Streams and sockets stay open; a page is quiet all the same.
_OPEN_ENDED = ("websocket", "eventsource", "media", "ping")
# What a page is made of has an end, and is seen when it has come, however slowly.
_PARTS_OF_PAGES = ("document", "stylesheet", "script", "image", "font")


class NetworkLog:
    """Writes the events of one browser context, and knows which requests are under way.

    Args:
        path: The file of events.
        clean: Takes known secrets out of a text.
    """

    def __init__(self, path: Path, *, clean: Callable[[str], str] = str) -> None:
        self._path, self._clean = path, clean
        self._stream = path.open("w", encoding="utf-8")
        self._began_s = time.monotonic()
        self._events = 0
        self.started_at = datetime.now(UTC)
        self._numbers: dict[Any, int] = {}
        self.pending: dict[Any, float] = {}
        self.last_activity_s = self._began_s
        self.requests = 0

    def watch(self, context: "BrowserContext") -> None:
        """Begin to write what a context does."""
        context.on("request", self._on_request)
        context.on("response", self._on_response)
        context.on("requestfinished", self._on_end)
        context.on("requestfailed", self._on_failed)

    def pending_since(self, seconds: float) -> int:
        """Return how many requests are under way; data that take longer than some seconds count as a stream."""
        oldest = time.monotonic() - seconds
        return sum(began > oldest or asked.resource_type in _PARTS_OF_PAGES for asked, began in self.pending.items())

    def note(self, event: str, **facts: Any) -> None:
        """Write one event."""
        self._events += 1
        if self._events > MAX_EVENTS or self._stream.closed:
            return
        facts = {"event": "more_left_out"} if self._events == MAX_EVENTS else {"event": event, **facts}
        line = json.dumps({"t": round(time.monotonic() - self._began_s, 3), **facts}, ensure_ascii=False)
        self._stream.write(self._clean(line) + "\n")

    def close(self) -> None:
        """Write what is left, and close the file."""
        self._stream.close()

    def flush(self) -> None:
        """Have everything on disk that was noted."""
        if not self._stream.closed:
            self._stream.flush()

    def _on_request(self, request: "Request") -> None:
        self.requests += 1
        self.last_activity_s = time.monotonic()
        self._numbers[request] = self.requests
        if request.resource_type not in _OPEN_ENDED:
            self.pending[request] = self.last_activity_s
        self.note(
            "request",
            id=self.requests,
            method=request.method,
            url=_shorten_url(request.url),
            type=request.resource_type,
            headers=_keep(request.headers),
            **_body(request),
        )

    def _on_response(self, response: "Response") -> None:
        number = self._numbers.get(response.request)
        self.note("response", id=number, status=response.status, headers=_keep(response.headers))

    def _on_end(self, request: "Request") -> None:
        self._forget(request)

    def _on_failed(self, request: "Request") -> None:
        self.note("failed", id=self._numbers.get(request), error=request.failure or "")
        self._forget(request)

    def _forget(self, request: "Request") -> None:
        self.last_activity_s = time.monotonic()
        self.pending.pop(request, None)
        self._numbers.pop(request, None)


def _keep(headers: dict[str, str]) -> dict[str, str]:
    return {name: _shorten_url(value) for name, value in headers.items() if name in KEPT_HEADERS}


def _shorten_url(url: str) -> str:
    return hide_secret_fields(_ACCOUNT.sub(r"\1", url[:MAX_URL_CHARS]))


def _body(request: "Request") -> dict[str, Any]:
    try:
        body = request.post_data
    except UnicodeDecodeError:
        return {"body": "[bytes]"}
    return {"body": hide_secret_fields(body[:MAX_BODY_CHARS])} if body else {}


def hide_secret_fields(text: str) -> str:
    """Return an address, a form or JSON, maybe cut short, without the values of fields that are secret by their names.

    >>> hide_secret_fields("user=emma&password=hunter2&x=1")
    'user=emma&password=[redacted]&x=1'
    >>> hide_secret_fields('{"password": "hunter2", "n": 1}')
    '{"password": "[redacted]", "n": 1}'
    """
    for fields in _SECRET_FIELDS:
        text = fields.sub(rf"\1{HIDDEN}", text)
    return text


def make_har(lines: Iterable[str], *, started_at: datetime) -> dict[str, Any]:
    """Return the events of a session as an HTTP Archive (1.2), which other tools read."""
    entries: dict[int, dict[str, Any]] = {}
    for line in lines:
        event = json.loads(line)
        match event["event"]:
            case "request":
                entries[event["id"]] = _har_entry(event, started_at)
            case "response" if entry := entries.get(event["id"]):
                entry["response"] |= {"status": event["status"], "headers": _har_pairs(event["headers"])}
                entry["time"] = round(1000 * (event["t"] - entry.pop("_t")), 1) if "_t" in entry else entry["time"]
            case "failed" if entry := entries.get(event["id"]):
                entry["response"]["_error"] = event["error"]
    for entry in entries.values():
        entry.pop("_t", None)
    return {"log": {"version": "1.2", "creator": {"name": "cutscore", "version": "1"}, "entries": [*entries.values()]}}


def _har_entry(event: dict[str, Any], started_at: datetime) -> dict[str, Any]:
    query = parse_qsl(urlsplit(event["url"]).query, keep_blank_values=True)
    request = {
        "method": event["method"],
        "url": event["url"],
        "httpVersion": "",
        "cookies": [],
        "headers": _har_pairs(event["headers"]),
        "queryString": [{"name": name, "value": value} for name, value in query],
        "headersSize": -1,
        "bodySize": -1,
    }
    if body := event.get("body"):
        request["postData"] = {"mimeType": event["headers"].get("content-type", ""), "text": body}
    empty = {"size": -1, "mimeType": ""}
    response = {"status": 0, "statusText": "", "httpVersion": "", "cookies": [], "headers": [], "content": empty}
    return {
        "_t": event["t"],
        "startedDateTime": (started_at + timedelta(seconds=event["t"])).isoformat(),
        "time": 0,
        "request": request,
        "response": {**response, "redirectURL": "", "headersSize": -1, "bodySize": -1},
        "cache": {},
        "timings": {"send": -1, "wait": -1, "receive": -1},
    }


def _har_pairs(headers: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers.items()]
