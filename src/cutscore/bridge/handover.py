"""What passes from the subject to the marker, and into the log: references and counts, no bytes.

The subject's side leaves it when the subject has stopped, the marker picks it up and writes it into the log with its
score. Marking reads nothing else, so that any run can be marked again tomorrow.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field, ValidationError

from cutscore.bridge.patience import Watch
from cutscore.bridge.place import Place
from cutscore.bridge.progress import CallRetried
from cutscore.bridge.shelf import CleanShelf
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import OldRecord, SubjectFailed
from cutscore.core.evidence import Evidence
from cutscore.core.manifest import FrameManifest
from cutscore.core.noun import Noun, digest_of
from cutscore.core.subject import Desk, Subject
from cutscore.core.tally import Tally
from cutscore.core.usage import Usage
from cutscore.redaction import Redactor

KEY = "cutscore.handover/1"

AnyNoun = TypeVar("AnyNoun", bound=Noun)


class Handover(Noun):
    """The record of one subject's work on one sample."""

    deliverable: Deliverable
    evidence: Evidence = Evidence()
    seen: tuple[FrameManifest, ...] = ()
    usage: Usage | None = None
    cost_usd: float | None = None
    retries: dict[str, int] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()


# What was left and not yet picked up, by the sample's uuid. Inspect's own sample store would do as well, but it logs
# every change once more, and it forgets all of them when it recovers a sample after a kill.
_waiting: dict[str, Handover] = {}


def leave(sample: str, made: Handover) -> None:
    """Leave a handover for the marker of the same sample."""
    _waiting[sample] = made


def pick_up(sample: str) -> Handover | None:
    """Take the handover that was left for a sample; None when it is not being run but marked again."""
    return _waiting.pop(sample, None)


def find(store: dict[str, Any], *, where: str) -> Handover | None:
    """Read the handover of a logged sample from its store; None when the subject did not get that far."""
    plain = store.get(KEY)
    if plain is None:
        return None
    try:
        return Handover.model_validate_json(plain)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        fact = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
        raise OldRecord(where, fact, "the log was not written by this version") from error


def without_secrets(noun: AnyNoun, redact: Redactor) -> AnyNoun:
    """Give the same noun with every secret taken out; mostly there is none, and it is the very same."""
    said = noun.model_dump_json()
    return noun if (kept := redact.text(said)) == said else type(noun).model_validate_json(kept)


def seed_of(item: str, epoch: int, subject: str) -> int:
    """Give the seed of a sample: the same whoever runs it and in which order."""
    return int(digest_of([item, epoch, subject])[:12], 16)


async def hand_over(
    subject: Subject, ask: Ask, *, epoch: int, who: str, frames: str, place: Place, watch: Watch
) -> Handover:
    """Let a subject work and record what it leaves behind.

    A failure of the subject's own is a deliverable with that failure, and will be marked. Every other error is
    ours and passes on.

    Args:
        subject: Who works.
        ask: What it gets.
        epoch: Which repeat it is.
        who: The subject's name, for its seed.
        frames: Frame plan.
        place: Surroundings of the running cell.
        watch: Looks after its calls, and lets no more of them pass when too many failed.
    """

    def before_call() -> None:
        watch.check()
        place.before_call()

    def on_call(model: str, usage: Usage | None) -> float | None:
        watch.note(failed=False)
        return place.on_call(model, usage)

    tally = Tally(
        before_call=before_call,
        on_call=on_call,
        on_retry=lambda fault: place.tell(CallRetried(fault)),
        on_failure=lambda: watch.note(failed=True),
    )
    with ExitStack() as stack:

        def workspace() -> Path:
            return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cutscore-")))

        desk = Desk(
            shelf=CleanShelf(place.store, place.redact),
            make_workspace=workspace,
            epoch=epoch,
            seed=seed_of(ask.item, epoch, who),
            frames=frames,
            tally=tally,
        )
        try:
            deliverable = await subject.work(ask, desk)
        except SubjectFailed as failure:
            deliverable = Deliverable(failure=str(failure))
    handover = Handover(
        deliverable=deliverable,
        evidence=Evidence(files=deliverable.files),
        seen=tuple(tally.seen),
        usage=tally.usage,
        cost_usd=tally.cost_usd,
        retries=dict(sorted(tally.retries.items())),
        warnings=tuple(tally.warnings),
    )
    return without_secrets(handover, place.redact)
