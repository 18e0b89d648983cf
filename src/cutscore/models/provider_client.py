"""How a provider's HTTP client behaves with us: it sends a call once, to one address, and counts cost no answer.

Clients of OpenAI, Anthropic and whoever speaks like them hold an `httpx` client, which Inspect's own hooks use as well.
Of providers with another client nothing is changed.
"""

from __future__ import annotations

import json
from typing import Any

_GUARDED = "cutscore_guarded"
_EVENT = "data: "
# Counts that Inspect reads without a look whether they are there: by type of Anthropic's, and of OpenAI's two APIs.
_ANTHROPIC = {"message": ("input_tokens", "output_tokens"), "message_delta": ("output_tokens",)}
_OPENAI = (
    ("prompt_tokens", "completion_tokens", "total_tokens"),
    ("input_tokens", "output_tokens", "total_tokens"),
)


def guard_client(client: Any) -> None:
    """Keep a provider's client from repeating calls, following redirects and losing answers over odd counts.

    A repeat by the client (OpenAI's and Anthropic's repeat twice) would be counted by nobody, and comes on top of those
    that the settings allow. A redirect would take clips, and with some providers the key, to a host that nobody named.
    """
    if isinstance(getattr(client, "max_retries", None), int):
        client.max_retries = 0
    http: Any = getattr(client, "_client", None)
    if not isinstance(getattr(http, "event_hooks", None), dict) or getattr(http, _GUARDED, False):
        return
    http.follow_redirects = False
    http.event_hooks["response"].append(_mend_response)
    setattr(http, _GUARDED, True)


async def _mend_response(response: Any) -> None:
    """Mend the counts of tokens in an answer before the client reads it; Inspect would lose the answer over them."""
    kind = str(response.headers.get("content-type", ""))
    events = kind.startswith("text/event-stream")
    if response.status_code != 200 or not (events or "json" in kind):
        return
    text = (await response.aread()).decode(errors="replace")
    mended = "\n".join(map(_mend_event, text.split("\n"))) if events else mend_counts(text)
    if mended != text:
        response._content = mended.encode()


def _mend_event(line: str) -> str:
    return _EVENT + mend_counts(line.removeprefix(_EVENT)) if line.startswith(_EVENT) else line


def mend_counts(text: str) -> str:
    """Return the JSON of an answer without token counts that are none: nobody knows then what it cost.

    An answer of OpenAI's form may be without a usage, in one of Anthropic's it is 0, which nobody takes for known.
    Anything else, and what is no JSON at all, comes back as it is.

    >>> mend_counts('{"usage": {"prompt_tokens": null, "completion_tokens": 1, "total_tokens": 1}}')
    '{"usage": null}'
    >>> mend_counts('{"type": "message", "usage": {"input_tokens": "many", "output_tokens": 1}}')
    '{"type": "message", "usage": {"input_tokens": 0, "output_tokens": 0}}'
    """
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return text
    holders = [each for each in (said, said.get("message")) if isinstance(each, dict)] if isinstance(said, dict) else []
    odd = [each for each in holders if not _can_be_counted(each)]
    for each in odd:
        needed = _ANTHROPIC.get(str(each.get("type")))
        each["usage"] = dict.fromkeys(needed, 0) if needed else None
    return json.dumps(said) if odd else text


def _can_be_counted(said: dict[str, Any]) -> bool:
    usage, needed = said.get("usage"), _ANTHROPIC.get(str(said.get("type")))
    if usage is None:
        return needed is None
    forms = (needed,) if needed else _OPENAI
    return isinstance(usage, dict) and any(_has_counts(usage, form) for form in forms)


def _has_counts(usage: dict[str, Any], needed: tuple[str, ...]) -> bool:
    """Return whether the needed counts are whole numbers, and all others are so or unknown."""
    counts = [value for name, value in usage.items() if name.endswith("_tokens")]
    details = [each for each in usage.values() if isinstance(each, dict)]
    return (
        all(type(usage.get(name)) is int for name in needed)
        and all(value is None or type(value) is int for value in counts)
        and all(_has_counts(each, ()) for each in details)
    )
