"""One sample's talk with a service over HTTP: what may pass is tried again, and what comes back is bounded.

What happens on the way is ours, tried again and then unscored: no connection, 429 and 5xx, half a download, a page of
HTML instead of a video.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cutscore.core.errors import SubjectFailed, Unscored
from cutscore.core.tally import Tally
from cutscore.settings import load_settings
from cutscore.subjects.http_profile import ServiceProfile

if TYPE_CHECKING:
    import httpx

MOST_ANSWER_BYTES, MOST_VIDEO_BYTES = 256 << 20, 4 << 30
LONGEST_PAUSE_S = 600.0
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})

Result = TypeVar("Result")


class PassingFault(Exception):
    """Something on the way that may be otherwise the next time; Retry-After in seconds, 0 when nobody said."""

    def __init__(self, fault: str, words: str, after_s: float = 0.0) -> None:
        super().__init__(words)
        self.fault, self.after_s = fault, after_s


@dataclass(frozen=True)
class ServiceReply:
    """An answer of a service, read to its end."""

    content: bytes
    content_type: str

    def json(self) -> Any:
        """Return what it says as JSON."""
        try:
            return json.loads(self.content)
        except ValueError:
            raise PassingFault("unreadable", "answers with what is no JSON") from None


@dataclass(frozen=True)
class ServiceTalk:
    """Asks a service, whose name sentences have, and counts what had to be tried again."""

    name: str
    profile: ServiceProfile
    client: httpx.AsyncClient
    tally: Tally

    async def request(self, method: str, url: str, *, video: Path | None = None, **rest: Any) -> ServiceReply:
        """Return the answer to one request; one that is a video itself is written to `video`, and is not in it."""
        import httpx

        content = bytearray()
        try:
            async with self.client.stream(method, url, **rest) as reply:
                self._check_status(reply)
                content_type = reply.headers.get("content-type", "")
                if video is not None and content_type.startswith("video/"):
                    await self._write(reply.aiter_bytes(), video)
                    return ServiceReply(b"", content_type)
                async for piece in reply.aiter_bytes():
                    content += piece
                    if len(content) > MOST_ANSWER_BYTES:
                        raise PassingFault("unreadable", f"answers with more than {MOST_ANSWER_BYTES:,} bytes")
                return ServiceReply(bytes(content), content_type)
        except httpx.HTTPError as fault:
            raise PassingFault("unreachable", f"cannot be asked: {type(fault).__name__}") from fault

    async def get_json(self, url: str) -> Any:
        """Return what an address says as JSON."""
        return (await self.request("GET", url, headers=self.profile.headers(url))).json()

    async def download(self, where: str, output: Path) -> None:
        """Write a video to where it belongs, whole or not at all."""
        import httpx

        draft = output.with_name(f"{output.name}.part")
        try:
            async with self.client.stream("GET", where, headers=self.profile.headers(where)) as reply:
                self._check_status(reply)
                if "html" in reply.headers.get("content-type", ""):
                    raise PassingFault("unreadable", "sent a page instead of a video")
                told, taken = reply.headers.get("content-length"), await self._write(reply.aiter_bytes(), draft)
                if told and told.isdecimal() and int(told) != taken and "content-encoding" not in reply.headers:
                    raise PassingFault("half", f"sent {taken:,} of {int(told):,} bytes")
        except httpx.HTTPError as fault:
            raise PassingFault("half", f"broke off: {type(fault).__name__}") from fault
        draft.replace(output)

    async def insist(self, attempt: Callable[[], Awaitable[Result]]) -> Result:
        """Try until it works or the settings' patience is at its end, which leaves the sample unscored."""
        from anyio import sleep

        settings = load_settings()
        most = settings.max_retries + 1
        for number in range(1, most + 1):
            try:
                return await attempt()
            except PassingFault as fault:
                if number == most:
                    self.tally.on_failure()
                    words = f"{fault} ({most} attempts)"
                    raise Unscored(self.name, words, "run the same command again") from fault
                self.tally.add_retry(fault.fault)
                pause_s = (settings.backoff_s or 1.0) * 2 ** (number - 1)
                await sleep(min(max(pause_s, fault.after_s), LONGEST_PAUSE_S))
        raise AssertionError("the last attempt returns or raises")

    async def _write(self, pieces: AsyncIterator[bytes], draft: Path) -> int:
        taken = 0
        with draft.open("wb") as stream:
            async for piece in pieces:
                taken += len(piece)
                if taken > MOST_VIDEO_BYTES:
                    fact = f"sends more than {MOST_VIDEO_BYTES:,} bytes for a video"
                    raise SubjectFailed(self.name, fact, failure_class="unreadable")
                stream.write(piece)
        return taken

    def _check_status(self, reply: httpx.Response) -> None:
        status = reply.status_code
        if status in self.profile.refused_status:
            raise SubjectFailed(self.name, f"refused the request (HTTP {status})", failure_class="refused")
        if status in PASSING:
            after = reply.headers.get("retry-after", "")
            raise PassingFault(str(status), f"answers with HTTP {status}", float(after) if after.isdecimal() else 0.0)
        if status >= 300:
            fact = f"answers with HTTP {status}"
            raise Unscored(self.name, fact, "see its address, its key and its profile, then run it again")
