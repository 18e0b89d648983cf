"""A video service as a subject: `http:URL` or `http:PROFILE.toml`. A job is submitted, asked after, and fetched.

Nothing is paid twice: the id of a job is on disk before anything else happens, and a run that was killed asks after it
again. Each submission carries an idempotency key of its own for the moment between the two. The ledger has a call for
each job: it is sent with the submission, and paid for when the job has ended.

What the service says of the work is the subject's: a job that failed, a refusal. What happens on the way is ours.
"""

from __future__ import annotations

import base64
import binascii
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from ssl import SSLContext
from typing import Any
from urllib.parse import urlsplit

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import CutscoreError, SubjectFailed
from cutscore.core.files import FileRef
from cutscore.core.frozen import FrozenModel, digest_of
from cutscore.core.subject import AcceptedInput, WorkContext
from cutscore.core.trajectory import Action
from cutscore.core.usage import ZERO_USAGE, Usage
from cutscore.core.work_facts import WorkFacts
from cutscore.media.source import shown_name
from cutscore.settings import OwnPrice
from cutscore.subjects.command import GIVEN, lay_out, take_output, with_video
from cutscore.subjects.http_body import fill_body, inline_files, is_given
from cutscore.subjects.http_profile import ServiceProfile, look_up, read_profile
from cutscore.subjects.http_talk import PassingFault, ServiceReply, ServiceTalk

JOB = "http job"  # the key of a sample's notes begins so
ROLE = "subject"
TIMEOUT_S = 120.0  # of one request
WAIT_S = 0.05  # between two looks whether the limit has room for one more job
LONGEST_SAID = 200
WITHOUT_VIDEO = ("refused", "crash")  # failures after which there is no video to pay for


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

    @property
    def takes(self) -> AcceptedInput | None:
        """What its profile says that it takes in; None where it says nothing."""
        media = self.profile.takes
        return None if media is None else AcceptedInput(media=frozenset({"text", *media}))

    @property
    def service_prices(self) -> Mapping[str, OwnPrice | None]:
        """What a job costs, under the name that the ledger has; None when the profile does not say."""
        return {self.profile.ledger_name: self.profile.price}

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Submit, or go on with what was submitted before a kill; then wait and fetch."""
        import httpx
        from anyio import to_thread

        blanks = await to_thread.run_sync(lay_out, ask, context)
        turn = len(context.turns)  # the same may be asked again, and is another job then
        once = digest_of([self.source_digest, context.epoch, context.seed, turn, ask.model_dump(mode="json")])
        client = httpx.AsyncClient(timeout=TIMEOUT_S, follow_redirects=False, verify=_known_authorities())
        async with client:
            talk = ServiceTalk(self.name, self.profile, client, context.tally)
            facts = await ServiceJob(self, talk, context, blanks, once).finish()
        made = await to_thread.run_sync(lambda: take_output(ask, context, by=self.profile.origin[1]))
        context.meter.add(await to_thread.run_sync(with_video, facts, made, context.store))
        return made


@cache
def _known_authorities() -> SSLContext:
    """Return whom TLS trusts; reading that list takes longer than asking a service of this machine."""
    import httpx

    return httpx.create_ssl_context()


class JobNote(FrozenModel):
    """What is known of a job that was taken: its id, where its video is, or the video itself.

    Args:
        call: Id of its call in the ledger.
    """

    call: str
    job: str = ""
    video: str = ""
    file: FileRef | None = None


@dataclass(frozen=True)
class ServiceJob:
    """One job from its submission to its video; a sample has several where it is edited step by step.

    Args:
        blanks: What fills the fields.
        once: Tells the job from all others; the same after a kill.
    """

    subject: HttpSubject
    talk: ServiceTalk
    context: WorkContext
    blanks: Mapping[str, str]
    once: str

    @property
    def output(self) -> Path:
        """Where the video belongs."""
        return Path(self.blanks["output"])

    @property
    def _draft(self) -> Path:
        """Where a video that came with an answer lies until it is kept; several large ones do not fit into memory."""
        return self.output.with_name(f"{self.output.name}.answer")

    async def finish(self) -> WorkFacts:
        """Have the video lie where it belongs, and pay; return what it took.

        How long its queue is and what its machine does, the service does not say.
        """
        from anyio import current_time, to_thread

        asked_s = current_time()
        kept = self.context.notes.get(f"{JOB} {self.once}")
        note = JobNote.model_validate(kept) if kept is not None else await self.submit()
        tally, model = self.context.tally, self.subject.profile.ledger_name
        try:
            await self._bring(note)
        except SubjectFailed as failure:
            tally.add_call(note.call, model, ZERO_USAGE if failure.failure_class in WITHOUT_VIDEO else None)
            raise
        except BaseException:  # we failed, or a limit came first: what becomes of the job is not known
            tally.lose_call(note.call)
            raise
        facts = WorkFacts(wall_s=current_time() - asked_s) if kept is None else WorkFacts()  # else of another process
        tally.add_call(note.call, model, await to_thread.run_sync(self._measure_usage))
        return facts

    async def submit(self) -> JobNote:
        """Submit the job, and return what is known of it, which is written down before this returns."""
        note = await self.talk.insist(self._post)
        self.context.notes.put(f"{JOB} {self.once}", note.model_dump(mode="json"))
        self.context.tally.on_answer()
        saw = f"job '{note.job}'" if note.job else "the video"
        fields = sorted(self.subject.profile.submit.fields)
        self.context.steps.add(did=Action(tool="submit", arguments={"fields": fields}), saw=saw)
        return note

    async def _post(self) -> JobNote:
        from anyio import sleep

        profile, tally = self.subject.profile, self.context.tally
        headers = {**profile.headers(profile.url), "Idempotency-Key": self.once}
        given = self.output.parent / GIVEN
        body = fill_body(dict(profile.submit.fields), self.blanks)
        assert isinstance(body, dict)
        if profile.submit.form == "json":
            send: dict[str, Any] = {"json": inline_files(body, given)}
        else:
            files = {name: Path(str(each)) for name, each in body.items() if is_given(each, given)}
            words = {name: each for name, each in body.items() if name not in files}
            send = {"data": words, "files": {name: (path.name, path.read_bytes()) for name, path in files.items()}}
        tally.check()
        while (call := tally.purse.send(profile.ledger_name, ROLE)) is None:
            await sleep(WAIT_S)
        try:
            reply = await self.talk.request("POST", profile.url, video=self._draft, headers=headers, **send)
            return self._read(reply, call)
        except Exception as error:
            tally.purse.fail(call, getattr(error, "fault", getattr(error, "failure_class", type(error).__name__)))
            raise
        except BaseException:  # cut off: nobody knows whether it was taken
            tally.lose_call(call)
            raise

    def _read(self, reply: ServiceReply, call: str) -> JobNote:
        """Return what the answer to a submission says: the video, where it is, or a job."""
        profile = self.subject.profile
        if reply.content_type.startswith("video/"):
            note = JobNote(call=call, file=self.context.store.put(self._draft, name=self.output.name))
            self._draft.unlink()
            return note
        answer = reply.json()
        if video := look_up(answer, profile.video):
            inline = _decode_data_url(str(video))
            return JobNote(call=call, file=self._keep(inline)) if inline else JobNote(call=call, video=str(video))
        if (id := look_up(answer, profile.submit.job)) is None:
            raise PassingFault("unreadable", "answered with neither a job nor a video")
        return JobNote(call=call, job=str(id))

    def _keep(self, content: bytes) -> FileRef:
        """Put a video that came with an answer where a kill cannot take it away."""
        return self.context.store.put_bytes(content, name=self.output.name)

    async def _bring(self, note: JobNote) -> None:
        if note.file is not None:
            shutil.copyfile(self.context.store.path(note.file), self.output)
            return
        where = note.video or await self._wait(note.job)
        if inline := _decode_data_url(where):
            self.output.write_bytes(inline)
            return
        if urlsplit(where).scheme not in ("http", "https"):
            fact = f"names '{shown_name(where)}' as its video, which is no address"
            raise SubjectFailed(self.subject.name, fact)
        await self.talk.insist(lambda: self.talk.download(where, self.output))
        self.context.steps.add(did=Action(tool="download"), saw=f"{self.output.stat().st_size:,} bytes")

    async def _wait(self, id: str) -> str:
        """Ask after a job until it ends; return where its video is."""
        from anyio import current_time, sleep

        profile, rules, name = self.subject.profile, self.subject.profile.poll, self.subject.name
        until, url = current_time() + rules.timeout_s, profile.job_url(id)
        while True:
            answer = await self.talk.insist(lambda: self.talk.get_json(url))
            state = str(look_up(answer, rules.state)).casefold()
            if state in rules.done:
                if video := look_up(answer, profile.video):
                    return str(video)
                raise SubjectFailed(name, f"job '{id}' is {state} and names no video")
            reason = shown_name(str(look_up(answer, rules.reason) or state), most=LONGEST_SAID)
            if state in rules.refused:
                raise SubjectFailed(name, f"refused job '{id}': {reason}", failure_class="refused")
            if state in rules.failed:
                raise SubjectFailed(name, f"job '{id}' failed: {reason}")
            if current_time() >= until:
                fact = f"job '{id}' was still {shown_name(state)} after {rules.timeout_s:g} s"
                raise SubjectFailed(name, fact, failure_class="limit")
            await sleep(rules.every_s)

    def _measure_usage(self) -> Usage | None:
        """Return what was made, in seconds where these cost something; None when they cannot be told."""
        from cutscore.media.deliverable import probe

        if not self.subject.profile.per_second_usd:
            return ZERO_USAGE
        try:
            length_s = probe(self.output).duration_s
        except CutscoreError:
            return None
        return None if length_s is None else ZERO_USAGE.model_copy(update={"video_s": float(length_s)})


def _decode_data_url(url: str) -> bytes:
    """Return the bytes of a data URL; nothing for any other address, and for one that cannot be read.

    >>> _decode_data_url("data:video/mp4;base64,ZmlsbQ=="), _decode_data_url("http://a/b.mp4")
    (b'film', b'')
    """
    head, comma, data = url.partition(",")
    try:
        return base64.b64decode(data, validate=True) if comma and head.startswith("data:") else b""
    except binascii.Error:
        return b""


def open_http(spec: str) -> HttpSubject:
    """Return the subject of `http:URL` or `http:PROFILE.toml`.

    Its identity is what the profile says, less what it costs and how often a job is asked after.
    """
    profile = read_profile(spec)
    plain: dict[str, Any] = profile.model_dump(mode="json", exclude={"per_call_usd", "per_second_usd"})
    del plain["poll"]["every_s"]
    if plain["takes"] is None:
        del plain["takes"]
    return HttpSubject(profile, digest_of(plain))
