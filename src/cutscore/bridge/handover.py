"""What passes from the subject to the marker, and into the log: references and counts, no bytes.

The subject's side leaves it when the subject has stopped, the marker picks it up and writes it into the log with its
score. Marking reads nothing else, so that any run can be marked again tomorrow.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field, JsonValue, ValidationError

from cutscore.bridge.conditions import limit_work
from cutscore.bridge.guarded_environment import GuardedEnvironment
from cutscore.cells.progress import CallRetried
from cutscore.cells.provider_breaker import CallWindow
from cutscore.cells.run_context import RunContext
from cutscore.cells.sample_work import SampleWork
from cutscore.cells.world import SampleParts, Workspace, open_world
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import NoRoom, OldRecord, Stopped, Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef
from cutscore.core.frozen import FrozenModel, digest_of
from cutscore.core.manifest import FrameManifest
from cutscore.core.step_recorder import StepRecorder
from cutscore.core.strict_json import first_fault
from cutscore.core.subject import Subject, WorkContext
from cutscore.core.tally import Tally
from cutscore.core.usage import Usage
from cutscore.core.work_facts import WORK
from cutscore.process import child_scope
from cutscore.redaction import Redactor
from cutscore.store import Store

KEY = "cutscore.handover/1"

AnyNoun = TypeVar("AnyNoun", bound=FrozenModel)


class Handover(FrozenModel):
    """The record of one subject's work on one sample.

    Args:
        stopped: What this machine lacks; then nothing was handed over.
        unscored: What failed between us and the subject; then nothing was handed over either.
        environment: What the world says that it took, for people: peak memory, isolation; and under `work` what the
            subject's work took (`WorkFacts`).
        told_usage, told_cost_usd: What the subject says that it took.
    """

    deliverable: Deliverable
    evidence: Evidence = Evidence()
    stopped: str = ""
    unscored: str = ""
    environment: dict[str, JsonValue] = Field(default_factory=dict)
    seen: tuple[FrameManifest, ...] = ()
    usage: Usage | None = None
    cost_usd: float | None = None
    told_usage: Usage | None = None
    told_cost_usd: float | None = None
    retries: dict[str, int] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether it can be marked tomorrow as well as today; else a sample that is not marked is worked again."""
        return not self.stopped and not self.unscored and not self.evidence.errors


@dataclass(frozen=True)
class RedactingStore:
    """A store whose new files are searched for secrets first; a file that holds one is kept without it.

    Files that are already in the store, such as an item's clips, are not looked at again.
    """

    store: Store
    redact: Redactor

    def path(self, ref: FileRef) -> Path:
        """Return where the bytes of a reference are."""
        return self.store.path(ref)

    def put(self, source: Path, *, name: str, media_type: str = "") -> FileRef:
        """Take in a file, without the secrets in it."""
        if source.is_file() and not source.is_symlink():  # what else it may be, the store refuses by name
            with source.open("rb") as stream:
                secret = self.redact.finds_in(stream)
            if secret:
                return self.put_bytes(source.read_bytes(), name=name, media_type=media_type)
        return self.store.put(source, name=name, media_type=media_type)

    def put_bytes(self, data: bytes, *, name: str, media_type: str = "") -> FileRef:
        """Take in bytes, without the secrets in them."""
        return self.store.put_bytes(self.redact.data(data), name=name, media_type=media_type)


def read_handover(store: dict[str, Any], *, where: str) -> Handover | None:
    """Read the handover of a logged sample from its store; None when the subject did not get that far."""
    plain = store.get(KEY)
    if plain is None:
        return None
    try:
        return Handover.model_validate_json(plain)
    except ValidationError as error:
        raise OldRecord(where, first_fault(error), "the log was not written by this version") from error


def answer_in_words(handover: Handover) -> str:
    """Return what Inspect's viewer shows as the answer: the words, why there are none, or the names of the files."""
    made, names = handover.deliverable, ", ".join(file.name for file in handover.deliverable.files)
    return made.text or made.failure or handover.stopped or handover.unscored or names


def without_secrets(noun: AnyNoun, redact: Redactor) -> AnyNoun:
    """Return the same noun with every secret taken out; mostly there is none, and it is the very same."""
    said = noun.model_dump_json()
    return noun if (kept := redact.text(said)) == said else type(noun).model_validate_json(kept)


def seed_of(item: str, epoch: int, subject: str) -> int:
    """Return the seed of a sample: the same whoever runs it and in which order."""
    return int(digest_of([item, epoch, subject])[:12], 16)


async def hand_over(
    subject: Subject,
    ask: Ask,
    *,
    parts: SampleParts,
    epoch: int,
    name: str,
    frames: str,
    context: RunContext,
    calls: CallWindow,
    leave: Callable[[Handover], None],
    conditions: Mapping[str, str] | None = None,
    remarks: tuple[str, ...] = (),
    decide_stop: Callable[[Evidence], Awaitable[str]] | None = None,
) -> Handover:
    """Let a subject work in its world, record what it leaves behind, and leave that for the marker.

    A failure of the subject's own is a deliverable with that failure, and will be marked. So is work that a limit ends,
    with what lies there by then; the limit passes on. What this machine lacks is a handover that says so, and so is a
    provider or a world that failed. Every other error passes on with nothing left.

    `leave` takes the handover for the marker of the same sample; remarks are for the reader of its row. Between turns
    `decide_stop` says whether to go on.
    """
    tally = _tally(context, calls, ask.item, epoch)
    drafts: list[Handover] = []
    with Workspace() as workspace:
        work = WorkContext(
            store=RedactingStore(context.store, context.redact),
            make_workspace=workspace.make,
            epoch=epoch,
            seed=seed_of(ask.item, epoch, name),
            frames=frames,
            tally=tally,
            steps=StepRecorder(clean=context.redact.text),
            clean=context.redact.text if context.redact else None,
            conditions=dict(conditions or {}),
            notes=context.notes(ask.item, epoch),
        )
        try:
            async with open_world(parts, subject, ask, work) as world:
                own = replace(work, environment=GuardedEnvironment(world) if world is not None else None)
                sample = SampleWork(parts, ask, own, workspace, decide_stop=decide_stop)
                await _work_to_the_end(subject, sample, name, drafts)
        except Stopped as error:
            if isinstance(error, NoRoom):
                context.fault = context.fault or error
            drafts.append(Handover(deliverable=Deliverable(), stopped=str(error)))
        except Unscored as error:
            drafts.append(Handover(deliverable=Deliverable(), unscored=str(error)))
        finally:
            for draft in drafts[-1:]:  # nothing where an error of ours has ended it
                whole = draft.model_copy(update={**_counts(tally), "warnings": (*tally.warnings, *remarks)})
                leave(made := without_secrets(whole, context.redact))
    return made


async def _work_to_the_end(subject: Subject, sample: SampleWork, name: str, drafts: list[Handover]) -> None:
    """Draft what is handed over, whatever ends the work; limits and cancels pass on when that is done."""
    from anyio import get_cancelled_exc_class
    from inspect_ai.util import LimitExceededError

    try:
        # A thread that is left behind cannot be stopped; what it has started can.
        with child_scope(), limit_work(sample.context.conditions):
            deliverable = await sample.work(subject)
    except LimitExceededError as limit:
        await _draft_cut_off(sample, f"subject '{name}': {limit.message}", drafts)
        raise
    except get_cancelled_exc_class():
        # Limits on time arrive like this, and so does Ctrl-C, after which nobody marks and nobody picks it up.
        await _draft_cut_off(sample, f"subject '{name}': was stopped before it had finished", drafts)
        raise
    drafts.append(await _draft(sample, deliverable))


async def _draft_cut_off(sample: SampleWork, failure: str, drafts: list[Handover]) -> None:
    from anyio import CancelScope

    with CancelScope(shield=True):
        drafts.append(await _draft(sample, await sample.cut_off(failure)))


async def _draft(sample: SampleWork, deliverable: Deliverable) -> Handover:
    """Return what is handed over, with its evidence; a world that broke or a call without an answer leaves nothing.

    It is so even if the subject hides it: what it says then is no work of its own.
    """
    world, unanswered = sample.context.environment, sample.context.tally.unanswered
    fault = world.fault if isinstance(world, GuardedEnvironment) else None
    if fault is not None or isinstance(unanswered, Unscored):
        return Handover(deliverable=Deliverable(), unscored=str(fault or unanswered))
    evidence = await sample.record(deliverable)
    return Handover(
        deliverable=deliverable,
        evidence=evidence,
        environment={**getattr(world, "facts", {}), **_work_facts(sample)},
    )


def _work_facts(sample: SampleWork) -> dict[str, JsonValue]:
    """Return what the subject measured of its work; nothing where it did not."""
    facts = sample.context.meter.facts
    return {WORK: facts.model_dump(mode="json", exclude_none=True)} if facts else {}


def _counts(tally: Tally) -> dict[str, Any]:
    """Return what a handover says of the calls of its sample, however that ended."""
    return {
        "seen": tuple(tally.seen),
        "usage": tally.usage,
        "cost_usd": tally.cost_usd,
        "told_usage": tally.told_usage,
        "told_cost_usd": tally.told_cost_usd,
        "retries": dict(sorted(tally.retries.items())),
    }


def _tally(context: RunContext, calls: CallWindow, item: str, epoch: int) -> Tally:
    return Tally(
        purse=context.purse(item, epoch),
        before_call=calls.check,
        on_answer=lambda: calls.note(failed=False),
        on_retry=lambda fault: context.listener(CallRetried(fault)),
        on_failure=lambda: calls.note(failed=True),
    )
