"""What passes by in a reply: its tokens, how it stopped, an error in the midst of it. The reply itself is not kept."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cutscore.models.endpoint.exchange import EVENTS
from cutscore.models.endpoint.wire import Body, object_of

MOST_BYTES = 64 << 20  # of a reply that is one text, or of one line of events
# Where wires have their tokens, and what holds these: Messages begins with a message, Responses ends with a response.
_COUNTS, _HOLDERS = ("usage", "usageMetadata"), ("message", "response")
_REFUSALS = {"refusal", "content_filter", "SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "IMAGE_SAFETY"}


@dataclass
class ReplyReader:
    """Reads a copy of a reply as it passes.

    Args:
        content_type: That of the reply: events are read one by one, anything else when it is whole.
        stops: Why it stopped, in the words of its wire; there is none as long as it has not.
        error: What an event says that went wrong.
    """

    content_type: str
    counts: dict[str, dict[str, Any]] = field(default_factory=dict)
    stops: list[str] = field(default_factory=list)
    error: str = ""
    _rest: bytearray = field(default_factory=bytearray)

    def take(self, chunk: bytes) -> None:
        """Take the next bytes."""
        if len(self._rest) <= MOST_BYTES:
            self._rest += chunk
        if self.content_type.startswith(EVENTS) and b"\n" in chunk:
            *lines, rest = self._rest.split(b"\n")
            self._rest = bytearray(rest)
            for line in lines:
                if line.startswith(b"data:"):
                    self._read(bytes(line.removeprefix(b"data:")))

    def end(self) -> None:
        """Read what has not ended with a line."""
        self._read(bytes(self._rest.removeprefix(b"data:")))
        self._rest.clear()

    @property
    def refused(self) -> bool:
        """Whether the model or its filter refused to answer."""
        return bool(_REFUSALS.intersection(self.stops))

    def _read(self, text: bytes) -> None:
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):  # an end mark, a comment, something of another form
            return
        for each in said if isinstance(said, list) else [said]:
            if isinstance(each, dict):
                self._note(each)

    def _note(self, said: Body) -> None:
        for holder in (said, *(object_of(said, name) for name in _HOLDERS)):
            for name in _COUNTS:
                told = {key: value for key, value in object_of(holder, name).items() if value is not None}
                if told:
                    self.counts.setdefault(name, {}).update(told)
            if isinstance(error := holder.get("error"), Mapping):
                self.error = str(error.get("message") or error.get("type") or "an error in the midst of the answer")
        self.stops += [stop for stop in _find_stops(said) if isinstance(stop, str)]


def _find_stops(said: Body) -> list[Any]:
    """Return why a reply stopped, wherever one of the wires says it."""
    lists = [said.get(name) for name in ("choices", "candidates")]
    choices = [each for found in lists if isinstance(found, list) for each in found if isinstance(each, dict)]
    ended = object_of(said, "response") or said
    return [
        *(said.get("stop_reason"), object_of(said, "delta").get("stop_reason")),  # Messages
        ended.get("status") if ended.get("status") in ("completed", "incomplete") else None,  # Responses
        object_of(ended, "incomplete_details").get("reason"),
        *(choice.get(name) for choice in choices for name in ("finish_reason", "finishReason")),
        object_of(said, "promptFeedback").get("blockReason"),
    ]
