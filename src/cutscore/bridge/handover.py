"""What passes from the subject to the marker, and into the log: references and counts, no bytes.

The subject's side leaves it when the subject has stopped, the marker picks it up and writes it into the log with its
score. Marking reads nothing else, so that any run can be marked again tomorrow.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field, ValidationError

from cutscore.cells.progress import CallRetried
from cutscore.cells.provider_breaker import CallWindow
from cutscore.cells.run_context import RunContext
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import OldRecord, SubjectFailed
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef, FileStore, media_type_of
from cutscore.core.frozen import FrozenModel, digest_of
from cutscore.core.manifest import FrameManifest
from cutscore.core.step_recorder import StepRecorder
from cutscore.core.strict_json import first_fault
from cutscore.core.subject import Subject, WorkContext
from cutscore.core.tally import Tally
from cutscore.core.usage import Usage
from cutscore.redaction import Redactor
from cutscore.store import Store

KEY = "cutscore.handover/1"
TRAJECTORY = "trajectory.jsonl"

AnyNoun = TypeVar("AnyNoun", bound=FrozenModel)


class Handover(FrozenModel):
    """The record of one subject's work on one sample."""

    deliverable: Deliverable
    evidence: Evidence = Evidence()
    seen: tuple[FrameManifest, ...] = ()
    usage: Usage | None = None
    cost_usd: float | None = None
    retries: dict[str, int] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()


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
    epoch: int,
    name: str,
    frames: str,
    context: RunContext,
    calls: CallWindow,
    leave: Callable[[Handover], None],
    remarks: tuple[str, ...] = (),
) -> Handover:
    """Let a subject work, record what it leaves behind, and leave that for the marker.

    A failure of the subject's own is a deliverable with that failure, and will be marked. So is work that a limit ends,
    as far as its steps tell of it; the limit passes on. Every other error is ours and passes on with nothing left.

    `leave` takes the handover for the marker of the same sample; remarks are for the reader of its row.
    """
    tally, steps = _tally(context, calls), StepRecorder(clean=context.redact.text)
    store = RedactingStore(context.store, context.redact)

    def record(deliverable: Deliverable) -> Handover:
        handover = Handover(
            deliverable=(whole := with_steps(deliverable, steps, store)),
            evidence=Evidence(files=whole.files),
            seen=tuple(tally.seen),
            usage=tally.usage,
            cost_usd=tally.cost_usd,
            retries=dict(sorted(tally.retries.items())),
            warnings=(*tally.warnings, *remarks),
        )
        leave(made := without_secrets(handover, context.redact))
        return made

    with ExitStack() as stack:
        work = WorkContext(
            store=store,
            make_workspace=lambda: Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cutscore-"))),
            epoch=epoch,
            seed=seed_of(ask.item, epoch, name),
            frames=frames,
            tally=tally,
            steps=steps,
            clean=context.redact.text if context.redact else None,
            notes=context.notes(ask.item, epoch),
        )
        return await _let_work(subject, ask, work, name=name, record=record)


async def _let_work(
    subject: Subject, ask: Ask, work: WorkContext, *, name: str, record: Callable[[Deliverable], Handover]
) -> Handover:
    """Record what a subject delivers, or what it leaves where it fails or is stopped."""
    from anyio import get_cancelled_exc_class
    from inspect_ai.util import LimitExceededError

    try:
        return record(await subject.work(ask, work))
    except SubjectFailed as failure:
        return record(Deliverable(failure=str(failure)))
    except LimitExceededError as limit:
        record(Deliverable(failure=f"subject '{name}': {limit.message}"))
        raise
    except get_cancelled_exc_class():
        # Limits on time arrive like this, and so does Ctrl-C, after which nobody marks and nobody picks it up.
        record(Deliverable(failure=f"subject '{name}': was stopped before it had finished"))
        raise


def with_steps(deliverable: Deliverable, steps: StepRecorder, store: FileStore) -> Deliverable:
    """Return the deliverable with the steps that were recorded, unless it brings a trajectory of its own."""
    trajectory = steps.trajectory() if deliverable.trajectory is None else None
    if trajectory is None:
        return deliverable
    kept = store.put_bytes(trajectory.to_jsonl(), name=TRAJECTORY, media_type=media_type_of(TRAJECTORY))
    return deliverable.model_copy(update={"trajectory": kept})


def _tally(context: RunContext, calls: CallWindow) -> Tally:
    def before_call() -> None:
        calls.check()
        context.before_call()

    def on_call(model: str, usage: Usage | None) -> float | None:
        calls.note(failed=False)
        return context.on_call(model, usage)

    return Tally(
        before_call=before_call,
        on_call=on_call,
        on_retry=lambda fault: context.listener(CallRetried(fault)),
        on_failure=lambda: calls.note(failed=True),
    )
