"""A video service as a subject: `http:URL` or `http:PROFILE.toml`. A job is submitted, asked after, and fetched.

Nothing is paid twice: the id of a job is on disk before anything else happens, and a run that was killed asks after it
again. Each submission carries an idempotency key of its own for the moment between the two.

What the service says of the work is the subject's: a job that failed, a refusal. What happens on the way is ours, tried
again and then unscored: no connection, 429 and 5xx, half a download, a page of HTML instead of a video.
"""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import SubjectFailed, Unscored
from cutscore.core.frozen import digest_of
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.media.source import shown_name
from cutscore.settings import load_settings
from cutscore.subjects.command import fill, lay_out, take_output
from cutscore.subjects.http_profile import ServiceProfile, look_up, read_profile

if TYPE_CHECKING:
    import httpx

JOB = "http job"  # the key of a sample's notes
MOST_ANSWER_BYTES, MOST_VIDEO_BYTES = 64 << 20, 4 << 30
TIMEOUT_S = 120.0  # of one request
LONGEST_PAUSE_S = 600.0
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
LONGEST_SAID = 200


class _Passing(Exception):
    """Something on the way that may be otherwise the next time; Retry-After in seconds, 0 when nobody said."""

    def __init__(self, fault: str, words: str, after_s: float = 0.0) -> None:
        super().__init__(words)
        self.fault, self.after_s = fault, after_s


@dataclass(frozen=True)
class HttpSubject:
    """Asks a service for every sample."""

    profile: ServiceProfile
    source_digest: str = ""
    delivers: frozenset[str] = field(default=frozenset({"files"}))

    @property
    def name(self) -> str:
        """The service, as sentences name it."""
        return f"service '{self.profile.origin[1]}'"

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Submit, or go on with what was submitted before a kill; then wait and fetch."""
        import httpx
        from anyio import to_thread

        job = await to_thread.run_sync(lay_out, ask, context)
        async with httpx.AsyncClient(timeout=TIMEOUT_S, follow_redirects=False) as client:
            service = _Service(self, client, context)
            state = context.notes.get(JOB) or await service.submit(job)
            if not isinstance(state, dict):
                raise Unscored(self.name, "the note of its job cannot be read")
            if not state.get("fetched"):
                where = state.get("video") or await service.wait_for(str(state["job"]))
                await service.fetch(str(where), Path(job["output"]))
        return await to_thread.run_sync(lambda: take_output(ask, context, by=self.profile.origin[1]))


@dataclass(frozen=True)
class _Service:
    """One sample's talk with a service."""

    subject: HttpSubject
    client: httpx.AsyncClient
    context: WorkContext

    async def submit(self, job: Mapping[str, str]) -> dict[str, Any]:
        """Submit the job, and return what is known of it, which is written down before this returns."""
        profile = self.subject.profile
        once = digest_of([self.subject.source_digest, job["item"], job["epoch"], job["seed"]])
        headers = {**profile.headers(profile.url), "Idempotency-Key": once}
        fields = {name: fill([words], job)[0] for name, words in profile.submit.fields.items()}
        plain, files = _parts(fields, job, as_json=profile.submit.form == "json")
        send = {"json": plain} if profile.submit.form == "json" else {"data": plain, "files": files}

        async def post() -> dict[str, Any]:
            reply = await self._request("POST", profile.url, headers=headers, **send)
            if reply.headers.get("content-type", "").startswith("video/"):
                Path(job["output"]).write_bytes(reply.content)
                return {"fetched": True}
            answer = _json_of(reply)
            if video := look_up(answer, profile.video):
                return {"video": video}
            if (id := look_up(answer, profile.submit.job)) is None:
                raise _Passing("unreadable", "answered with neither a job nor a video")
            return {"job": str(id)}

        state: dict[str, Any] = await self._try(post)
        self.context.steps.add(did=Action(tool="submit", arguments={"fields": sorted(fields)}), saw=str(state)[:500])
        if not state.get("fetched"):  # what it holds would be gone with the workspace
            self.context.notes.put(JOB, state)
        self.context.tally.tell(cost_usd=profile.per_call_usd or None)
        return state

    async def wait_for(self, id: str) -> str:
        """Ask after a job until it ends; return where its video is."""
        from anyio import current_time, sleep

        profile, rules = self.subject.profile, self.subject.profile.poll
        until, url = current_time() + rules.timeout_s, profile.job_url(id)
        while True:
            answer = await self._try(lambda: self._get_json(url))
            state = str(look_up(answer, rules.state)).casefold()
            if state in rules.done:
                if video := look_up(answer, profile.video):
                    return str(video)
                raise SubjectFailed(self.subject.name, f"job '{id}' is {state} and names no video")
            reason = shown_name(str(look_up(answer, rules.reason) or state), most=LONGEST_SAID)
            if state in rules.refused:
                raise SubjectFailed(self.subject.name, f"refused job '{id}': {reason}", failure_class="refused")
            if state in rules.failed:
                raise SubjectFailed(self.subject.name, f"job '{id}' failed: {reason}")
            if current_time() >= until:
                fact = f"job '{id}' was still {state} after {rules.timeout_s:g} s"
                raise SubjectFailed(self.subject.name, fact, failure_class="limit")
            await sleep(rules.every_s)

    async def fetch(self, where: str, output: Path) -> None:
        """Write the video to where it belongs, whole or not at all."""
        if where.startswith("data:"):
            output.write_bytes(base64.b64decode(where.partition(",")[2]))
            return
        if urlsplit(where).scheme not in ("http", "https"):
            raise SubjectFailed(self.subject.name, f"names '{shown_name(where)}' as its video, which is no address")
        await self._try(lambda: self._download(where, output))
        self.context.steps.add(did=Action(tool="download"), saw=f"{output.stat().st_size:,} bytes")

    async def _download(self, where: str, output: Path) -> None:
        import httpx

        draft = output.with_name(f"{output.name}.part")
        try:
            async with self.client.stream("GET", where, headers=self.subject.profile.headers(where)) as reply:
                self._check_status(reply)
                if "html" in reply.headers.get("content-type", ""):
                    raise _Passing("unreadable", "sent a page instead of a video")
                told, taken = reply.headers.get("content-length"), 0
                with draft.open("wb") as stream:
                    async for piece in reply.aiter_bytes():
                        taken += len(piece)
                        if taken > MOST_VIDEO_BYTES:
                            fact = f"sends more than {MOST_VIDEO_BYTES:,} bytes for a video"
                            raise SubjectFailed(self.subject.name, fact, failure_class="unreadable")
                        stream.write(piece)
                if told and told.isdecimal() and int(told) != taken and "content-encoding" not in reply.headers:
                    raise _Passing("half", f"sent {taken:,} of {int(told):,} bytes")
        except httpx.HTTPError as fault:
            raise _Passing("half", f"broke off: {type(fault).__name__}") from fault
        draft.replace(output)

    async def _get_json(self, url: str) -> Any:
        return _json_of(await self._request("GET", url, headers=self.subject.profile.headers(url)))

    async def _request(self, method: str, url: str, **rest: Any) -> httpx.Response:
        import httpx

        try:
            reply = await self.client.request(method, url, **rest)
        except httpx.HTTPError as fault:
            raise _Passing("unreachable", f"cannot be asked: {type(fault).__name__}") from fault
        self._check_status(reply)
        if len(reply.content) > MOST_ANSWER_BYTES:
            raise _Passing("unreadable", f"answers with more than {MOST_ANSWER_BYTES:,} bytes")
        return reply

    def _check_status(self, reply: httpx.Response) -> None:
        status = reply.status_code
        if status in self.subject.profile.refused_status:
            raise SubjectFailed(self.subject.name, f"refused the request (HTTP {status})", failure_class="refused")
        if status in PASSING:
            after = reply.headers.get("retry-after", "")
            raise _Passing(str(status), f"answers with HTTP {status}", float(after) if after.isdecimal() else 0.0)
        if status >= 300:
            fact = f"answers with HTTP {status}"
            raise Unscored(self.subject.name, fact, "see its address, its key and its profile, then run it again")

    async def _try(self, attempt: Callable[[], Awaitable[Any]]) -> Any:
        """Try until it works or the settings' patience is at its end, which leaves the sample unscored."""
        from anyio import sleep

        settings = load_settings()
        most = settings.max_retries + 1
        for number in range(1, most + 1):
            try:
                return await attempt()
            except _Passing as fault:
                if number == most:
                    words = f"{fault} ({most} attempts)"
                    raise Unscored(self.subject.name, words, "run the same command again") from fault
                self.context.tally.add_retry(fault.fault)
                pause_s = (settings.backoff_s or 1.0) * 2 ** (number - 1)
                await sleep(min(max(pause_s, fault.after_s), LONGEST_PAUSE_S))
        raise AssertionError("the last attempt returns or raises")


def _parts(
    fields: Mapping[str, str], job: Mapping[str, str], *, as_json: bool
) -> tuple[dict[str, str], dict[str, tuple[str, bytes]]]:
    """Part the fields into words and files: a field that is one of the job's paths is a file."""
    given = {path for path in job.values() if path.startswith(str(Path(job["output"]).parent / "given"))}
    words = {name: value for name, value in fields.items() if value not in given}
    paths = {name: Path(value) for name, value in fields.items() if value in given}
    if not as_json:
        return words, {name: (path.name, path.read_bytes()) for name, path in paths.items()}
    coded = {name: base64.b64encode(path.read_bytes()).decode() for name, path in paths.items()}
    return {**words, **{name: f"data:video/mp4;base64,{data}" for name, data in coded.items()}}, {}


def _json_of(reply: httpx.Response) -> Any:
    try:
        return reply.json()
    except ValueError:
        raise _Passing("unreadable", "answers with what is no JSON") from None


def open_http(spec: str) -> HttpSubject:
    """Return the subject of `http:URL` or `http:PROFILE.toml`; its identity is what the profile says."""
    profile = read_profile(spec)
    return HttpSubject(profile, digest_of(profile.model_dump(mode="json")))
