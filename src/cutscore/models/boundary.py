"""The last step before a provider: references become frames or bytes, and every call is counted.

`with_boundary` gives a copy of an Inspect model whose provider sees real media while the log sees references. It
also pays for each call, writes the reply down before anybody uses it and replays it after a kill, counts attempts that
failed by class, lets no error pass for an answer (`refusals.py`), notices answers from another model and missing usage,
and keeps raw requests (which hold the media) out of the log. Retrying and backing off stay Inspect's work.
"""

from __future__ import annotations

import base64
import copy
import math
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.core.errors import BadInput, BrokenData, CutscoreError
from cutscore.core.files import FileRef
from cutscore.core.inert_text import Clean
from cutscore.core.manifest import FrameManifest
from cutscore.core.subject import WorkContext, WorkNotes
from cutscore.core.tally import Tally
from cutscore.core.timeline import seconds
from cutscore.ledger.token_counts import CountedUsage, usage_from_counts
from cutscore.models.faults import (
    UnreadableReply,
    drop_frames,
    fault_class,
    is_broken_off,
    refuse_unreadable,
    server_error,
    unreadable_from,
    unscored_error,
)
from cutscore.models.provider import MediaInput
from cutscore.models.provider_client import guard_client
from cutscore.models.references import is_silent, read_reference
from cutscore.models.refusals import (
    FAILURES,
    failure_without_words,
    refuse_error_words,
    stopped_without_words,
    wordless_output,
    wordless_stop,
)
from cutscore.models.replies import StoredReply, read_reply, request_key, words_key, write_reply
from cutscore.models.scrubbing import scrub_error, scrub_event
from cutscore.models.video_url import generate_with_clips

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Content, GenerateConfig, Model, ModelAPI, ModelOutput, ModelUsage
    from inspect_ai.tool import ToolChoice, ToolInfo

NO_USAGE = "a model call came back without usage; its cost is unknown"
OTHER_WORDS = "after a break, replies were used again on a page that no longer read as it did when they were paid for"
ODD_STOP = "why the model stopped is not known: its provider gave no reason that the API has"
# Providers whose cache counts the pinned Inspect reads; an absent one is 0 there, and unknown elsewhere.
COUNTS_CACHE = frozenset({"openai", "anthropic", "google", "grok", "bedrock", "azureai"})
# A call that may not be sent yet asks again after so long; it waits for others to end, which takes seconds.
WAIT_S = 0.05
_UNBOUNDED = "cutscore_unbounded"

counted_usage: ContextVar[ModelUsage | None] = ContextVar("counted_usage", default=None)
"""The usage of the last call that passed a boundary in this task: whoever hears of it later need not count it."""


@dataclass(frozen=True)
class Boundary:
    """How one sample's media reach its model.

    Args:
        path: Gives the file of a reference.
        clean: Takes secrets out of text that comes back; None when there are none to take out.
        strangers: The media may be what a subject handed in: decoded in a limited child, and what cannot be decoded is
            said to the model instead of shown.
        role: Who asks, in the ledger.
        notes: Where replies are kept; None where somebody else keeps them.
        turn: Number of the sample's turn. A request of a later turn is another one, though it be equal.
        in_order: A reply is found again by its number, not by its request: two screenshots of one page differ in a few
            pixels, and what was paid for is used again all the same.
    """

    path: Callable[[FileRef], Path]
    tally: Tally
    frames: str
    takes: MediaInput = "frames"
    clean: Clean | None = None
    strangers: bool = False
    role: str = "subject"
    notes: WorkNotes | None = None
    turn: int = 1
    in_order: bool = False

    @classmethod
    def for_work(
        cls, context: WorkContext, *, takes: MediaInput, role: str = "subject", in_order: bool = False
    ) -> Boundary:
        """Return the boundary of a subject at work."""
        return cls(
            path=context.store.path,
            tally=context.tally,
            frames=context.frames,
            takes=takes,
            clean=context.clean,
            role=role,
            notes=context.notes,
            turn=len(context.turns) + 1,
            in_order=in_order,
        )


def with_boundary(model: Model, boundary: Boundary) -> Model:
    """Return a copy of a model that resolves references and counts calls; the original stays as it is.

    A model that has a boundary already gets this one instead: no call is counted twice.
    """
    guard_client(getattr(model.api, "client", None))
    whole = getattr(model.api, _UNBOUNDED, model.api)
    api = copy.copy(whole)

    def should_retry(ex: Exception) -> Any:
        if isinstance(ex, CutscoreError):
            return False
        return whole.should_retry(ex) or is_broken_off(ex) or isinstance(ex, UnreadableReply)

    setattr(api, _UNBOUNDED, whole)
    api.should_retry = should_retry  # type: ignore[method-assign]
    inner = generate_with_clips(whole) if boundary.takes == "video" else whole.generate
    api.generate = BoundedCalls(str(model), api, inner, boundary).generate  # type: ignore[method-assign]
    bounded = copy.copy(model)
    bounded.api = api
    return bounded


@dataclass(frozen=True)
class BoundedCalls:
    """The calls of one model through a boundary."""

    model: str
    api: ModelAPI
    inner: Callable[..., Awaitable[Any]]
    boundary: Boundary

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """Return the reply that the notes have, else ask the provider and write its reply down first."""
        words = words_key(input) if self.boundary.in_order else ""

        async def call() -> StoredReply:
            reply = await self._ask(input, tools=tools, tool_choice=tool_choice, config=config)
            return reply.model_copy(update={"words": words})

        if self.boundary.notes is None:
            reply = await call()
        else:
            asked = (self.model, self.boundary.frames, self.boundary.takes)
            key = self.boundary.role if words else request_key(asked, input, tools, tool_choice, config)
            reply = await self._ask_once(f"reply/{self.boundary.turn}/{key}", call, self.boundary.notes)
        if reply.words != words:
            self.boundary.tally.warn(OTHER_WORDS)
        return self._count(reply)

    async def _ask_once(
        self, request: str, call: Callable[[], Awaitable[StoredReply]], notes: WorkNotes
    ) -> StoredReply:
        tally = self.boundary.tally
        number = tally.take_number(request)
        try:
            if (kept := read_reply(notes, f"{request}/{number}")) is not None:
                return kept
            reply = await call()
            write_reply(notes, f"{request}/{number}", reply)
            return reply
        except BaseException:
            tally.give_number_back(request, number)
            raise

    async def _ask(self, input: list[ChatMessage], **rest: Any) -> StoredReply:
        from anyio import sleep, to_thread

        tally, here = self.boundary.tally, replace(self.boundary, tally=Tally())
        tally.check()
        if here.takes == "text":
            shown = [resolve_media(message, here) for message in input]
        else:  # decoding takes a while, and every other sample waits for this event loop
            shown = await to_thread.run_sync(lambda: [resolve_media(message, here) for message in input])
        tally.take_over(here.tally.seen, here.tally.warnings)
        while (call := tally.purse.send(self.model, here.role)) is None:
            await sleep(WAIT_S)
        answer = await self._attempt(lambda: self.inner(input=shown, **rest), call)
        tally.on_answer()
        output, fault = answer.output, answer.fault
        counted = usage_from(output.usage, self.model.partition("/")[0]) if output.usage else None
        warnings = [*here.tally.warnings, *(counted.warnings if counted else () if fault else (NO_USAGE,))]
        if output.stop_reason == "unknown":
            warnings.append(ODD_STOP)
        if output.model and not is_same_model(self.model, output.model):
            warnings.append(f"asked '{self.model}', answered by '{output.model}'")
        return StoredReply(
            call=call,
            output=_clean_output(output, here.clean).model_dump(mode="json", exclude_none=True),
            usage=counted.usage if counted else None,
            fault=fault,
            seen=tuple(here.tally.seen),
            warnings=tuple(warnings),
        )

    def _count(self, reply: StoredReply) -> ModelOutput:
        """Count a reply, and return it as it is kept: a resumed run has the very same."""
        from inspect_ai.model import ModelOutput

        tally = self.boundary.tally
        if reply.fault:
            tally.purse.fail(reply.call, reply.fault)
        else:
            tally.add_call(reply.call, self.model, reply.usage)
        tally.take_over(reply.seen, reply.warnings)
        output = ModelOutput.model_validate(reply.output)
        tally.unanswered = failure_without_words(output, self.model)
        counted_usage.set(output.usage)
        return output

    async def _attempt(self, send: Callable[[], Awaitable[Any]], call: str) -> AttemptResult:
        """Return what the provider made of one attempt; count it where it brought nothing, by whose failing that is.

        Raises:
            Unscored: No repeat would help. What may pass is raised as it came, for Inspect to repeat.
        """
        from anyio import current_effective_deadline, current_time, get_cancelled_exc_class

        tally, clean, deadline_s = self.boundary.tally, self.boundary.clean, current_effective_deadline()
        try:
            result = await send()
            # Providers return (output, raw call); the raw call holds the media and stays out of the log.
            output, raw = result if isinstance(result, tuple) else (result, None)
            if isinstance(output, Exception):
                raise output
            refuse_unreadable(output)
            refuse_error_words(output, raw)
            return AttemptResult(stopped_without_words(output))
        except get_cancelled_exc_class():
            # An attempt that took too long is cancelled from outside; so is every one when a run ends early, which
            # those that begin meanwhile see as a deadline before all time.
            fault = "timeout" if -math.inf < deadline_s <= current_time() else "cancelled"
            tally.purse.fail(call, fault)
            if fault == "timeout":
                tally.add_retry(fault)
            raise
        except Exception as raised:
            # Before anybody cuts its words short: the half of a secret is not found again.
            cleaned = scrub_error(drop_frames(raised), clean)
            error = unreadable_from(cleaned) or cleaned
            if (stop := wordless_stop(said := server_error(error))) is not None:
                return AttemptResult(wordless_output(self.model, stop, said.words), fault=FAILURES[stop][0])
            if not self._count_fault(error, call):
                error = unscored_error(error, self.model)
            if error is raised:
                raise
            raise error from (raised if cleaned is raised else None)
        finally:
            scrub_event(clean)

    def _count_fault(self, error: Exception, call: str) -> bool:
        """Count an attempt that brought no answer, for a reason that is not the model's; return whether it may pass."""
        tally, fault = self.boundary.tally, fault_class(error)
        tally.purse.fail(call, fault)
        tally.unanswered = unscored_error(error, self.model)
        if self.api.should_retry(error):
            tally.add_retry(fault)
            return True
        tally.on_failure()
        return False


@dataclass(frozen=True)
class AttemptResult:
    """What a provider made of an attempt; the fault says of one that is not paid for whose failing it is."""

    output: ModelOutput
    fault: str = ""


def _clean_output(output: ModelOutput, clean: Clean | None) -> ModelOutput:
    if clean is None:
        return output
    said = output.model_dump_json()
    return output if (kept := clean(said)) == said else type(output).model_validate_json(kept)


def is_same_model(asked: str, answered: str) -> bool:
    """Return whether an answer's model name fits the one that was asked.

    Providers add dates and drop prefixes (`openai/gpt-x` answers as `gpt-x-2026-01-01`), so either name may
    begin with the other.

    >>> is_same_model("openai/gpt-x", "gpt-x-2026-01-01"), is_same_model("openai/gpt-x", "gpt-y")
    (True, False)
    """
    mine, theirs = asked.rpartition("/")[2].casefold(), answered.rpartition("/")[2].casefold()
    return mine.startswith(theirs) or theirs.startswith(mine)


def usage_from(usage: ModelUsage, provider: str) -> CountedUsage:
    """Sort Inspect's counts into our five buckets, with a warning for numbers that cannot be.

    Inspect's `input_tokens` leaves out cached tokens, and its `output_tokens` holds the reasoning. For the providers
    whose cache counts it reads, it writes nothing where it means 0.
    """
    counts = {
        "input": usage.input_tokens,
        "cached": usage.input_tokens_cache_read,
        "cache_write": usage.input_tokens_cache_write,
        "output": usage.output_tokens,
        "reasoning": usage.reasoning_tokens,
    }
    return usage_from_counts(counts, absent_is_zero=provider in COUNTS_CACHE)


def resolve_media(message: ChatMessage, boundary: Boundary) -> ChatMessage:
    """Return a message with every reference swapped for what the model takes."""
    if isinstance(message.content, str):
        return message
    content: list[Content] = []
    for part in message.content:
        uri = getattr(part, part.type, None) if part.type in ("image", "audio", "video") else None
        ref = read_reference(uri) if isinstance(uri, str) else None
        content.extend([part] if ref is None else _resolve(ref, part, boundary, sound=not is_silent(str(uri))))
    return message.model_copy(update={"content": content})


def _resolve(ref: FileRef, part: Content, boundary: Boundary, *, sound: bool) -> list[Content]:
    from inspect_ai.model import ContentText

    from cutscore.media.probe import probe

    if boundary.takes == "text":
        boundary.tally.add_frames(FrameManifest(clip=ref, plan="", decoder="", sent_as="nothing"))
        boundary.tally.warn(f"'{ref.name}' was not shown: the model takes text only")
        return [ContentText(text=f"{ref.name}: not shown")]
    if part.type == "video":
        try:
            if boundary.takes == "frames":
                return _as_frames(ref, boundary)
            _refuse_shuffling(boundary)
            # Looked at before a provider is sent it: an error of the provider's would count as ours.
            if boundary.strangers:
                probe(boundary.path(ref), scan=False, trusted=False)
            silent = None if sound else _read_silent(ref, boundary)
        except BrokenData:
            if not boundary.strangers:
                raise
            boundary.tally.add_frames(FrameManifest(clip=ref, plan="", decoder="", sent_as="nothing"))
            return [ContentText(text=f"{ref.name}: cannot be decoded as a clip")]
        if silent is not None:
            boundary.tally.add_frames(FrameManifest(clip=ref, plan="whole, without sound", decoder="", sent_as="video"))
            return [part.model_copy(update={"video": _data_uri("video/mp4", silent), "format": "mp4"})]
    boundary.tally.add_frames(FrameManifest(clip=ref, plan="whole", decoder="", sent_as=part.type))
    return [part.model_copy(update={part.type: _data_uri(ref.media_type, boundary.path(ref).read_bytes())})]


def _data_uri(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def _read_silent(ref: FileRef, boundary: Boundary) -> bytes | None:
    from cutscore.media.silent import read_silent_clip

    return read_silent_clip(boundary.path(ref), sha256=ref.sha256, trusted=not boundary.strangers)


def _refuse_shuffling(boundary: Boundary) -> None:
    """Raise where frames were to be shuffled and a whole clip would go out, in the order it has."""
    from cutscore.media.plan import FramePlan, Shuffled

    if boundary.frames and isinstance(FramePlan.parse(boundary.frames), Shuffled):
        fact = "cannot be followed: the model is sent whole clips"
        raise BadInput(f"frame plan '{boundary.frames}'", fact, 'set takes = "frames" for it in cutscore.toml')


def _as_frames(ref: FileRef, boundary: Boundary) -> list[Content]:
    from inspect_ai.model import ContentImage, ContentText

    from cutscore.models.jpeg_frames import read_jpeg_frames

    seen = read_jpeg_frames(boundary.path(ref), ref, boundary.frames, trusted=not boundary.strangers)
    boundary.tally.add_frames(seen.manifest)
    content: list[Content] = []
    for at_s, picture in seen.pictures:
        content.append(ContentText(text=f"{ref.name} at {float(seconds(at_s)):.3f} s"))
        content.append(ContentImage(image=picture))
    return content
