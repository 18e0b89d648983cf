"""One sample at work: its world, its turns, and what is left when something ends it. Runs and contract tests share it.

    open the world  →  work, turn by turn  →  take in what was left  →  record evidence  →  close the world

An ended turn is in the sample's notes, so that a sample that was killed goes on at the turn where it was. So is every
decision to stop between two turns, before anybody acts on it: a sample that is taken up again walks the same way.
"""

import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from anyio import to_thread

from cutscore.cells.evidence import record_evidence
from cutscore.cells.world import SampleParts, Workspace
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable, FailureClass
from cutscore.core.errors import SubjectFailed
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileStore, media_type_of
from cutscore.core.frozen import FrozenModel
from cutscore.core.manifest import FrameManifest
from cutscore.core.step_recorder import StepRecorder
from cutscore.core.subject import Subject, WorkContext
from cutscore.core.tally import Tally
from cutscore.core.turn import Turn
from cutscore.core.usage import ZERO_USAGE, Usage
from cutscore.submissions import read_answer, take_files, take_named_files

TRAJECTORY = "trajectory.jsonl"
TURN_LIMIT = "turn_limit"


@dataclass
class SampleWork:
    """A sample under way.

    Args:
        ask: What is asked in the turn under way.
        context: What the subject has to work with, its world included.
        turns: Those that have ended.
        decide_stop: Says from the evidence so far why no later turn is made; empty to go on. None where nobody asks.
    """

    parts: SampleParts
    ask: Ask
    context: WorkContext
    workspace: Workspace
    turns: list[Turn] = field(default_factory=list)
    decide_stop: Callable[[Evidence], Awaitable[str]] | None = None

    async def work(self, subject: Subject) -> Deliverable:
        """Let a subject work until nothing more is asked, and return what it handed over last.

        After a stop the walk goes on to its end without the subject, so that the record has every turn.
        What it fails at by its own doing is a deliverable with that failure. Limits and our errors pass on.
        """
        if not self.parts.has_turns:
            return await self._work_once(subject, self.context)
        made, not_made = Deliverable(), ""
        while True:
            if not_made:
                turn = self._leave_out(not_made)
            else:
                turn = self._kept_turn() or await self._work_turn(subject)
                made = turn.deliverable
            self.turns.append(turn)
            feedback = await self.parts.next_ask(replace(self.context, turns=tuple(self.turns)))
            self.turns[-1] = turn.model_copy(update={"feedback": feedback.text})
            if feedback.ask is None:
                return made
            if (most := self.context.conditions.get(TURN_LIMIT)) and turn.number >= int(most):
                return _fail(made, f"was ended by its limit of {most} turns", "limit")
            not_made = not_made or await self._stop_after(self.turns[-1])
            self.ask = feedback.ask

    async def cut_off(self, failure: str) -> Deliverable:
        """Return what lies there when a limit or a cancel has ended the work, with the reason."""
        left = await self.take_in(Deliverable(failure=failure, failure_class="limit"))
        left = with_steps(left, self.context.steps, self.context.store)
        if self.parts.has_turns:
            self.turns.append(Turn(number=len(self.turns) + 1, ask=self.ask, deliverable=left))
        return left

    async def record(self, deliverable: Deliverable, *, strict: bool = False) -> Evidence:
        """Record the evidence, while the world is open; a world that the subject brought knows no plan."""
        return await record_evidence(
            self.parts.found,
            self.parts.item,
            deliverable,
            store=self.context.store,
            environment=self.context.environment if self.parts.has_world else None,
            turns=self.turns,
            strict=strict,
        )

    async def take_in(self, deliverable: Deliverable) -> Deliverable:
        """Return a deliverable with the files that were left in the world's outputs.

        Without such a folder a failed subject hands over the wanted files that lie in its workspace.
        """
        world, store = self.context.environment, self.context.store
        outputs: Path | None = world.outputs if world else None
        if outputs is not None:
            taken = await to_thread.run_sync(take_files, outputs, store)
        elif deliverable.failure and (workspace := self.workspace.folder):
            names = [wanted.name for wanted in self.ask.wanted]
            taken = await to_thread.run_sync(take_named_files, workspace, names, store)
        else:
            return deliverable
        known = {ref.name.casefold() for ref in deliverable.files}
        files = (*deliverable.files, *(ref for ref in taken.files if ref.name.casefold() not in known))
        text = deliverable.text or read_answer(files, store)
        made = deliverable.model_copy(update={"files": files, "text": text})
        if not taken.refused:
            return made
        if made.failure or any(made.file(wanted.name) is None for wanted in self.ask.wanted):
            return _fail(made, taken.refusal, "unreadable")
        self.context.tally.warn(taken.refusal)
        return made

    async def _work_once(self, subject: Subject, context: WorkContext) -> Deliverable:
        try:
            made = await subject.work(self.ask, context)
        except SubjectFailed as failure:
            made = _fail(Deliverable(), str(failure), cast(FailureClass, failure.failure_class))
        made = await self.take_in(made)
        silent = context.tally.unanswered
        if isinstance(silent, SubjectFailed) and made.empty and not made.failure:
            made = _fail(made, str(silent), cast(FailureClass, silent.failure_class))
        return with_steps(made, context.steps, context.store)

    async def _work_turn(self, subject: Subject) -> Turn:
        tally, number = self.context.tally, len(self.turns) + 1
        seen, warned = len(tally.seen), len(tally.warnings)
        # Steps of its own, so that those of a turn that has ended are on disk as well.
        self.context = replace(self.context, steps=StepRecorder(clean=self.context.clean or str))
        with _count_apart(tally):
            made = await self._work_once(subject, replace(self.context, turns=tuple(self.turns)))
            turn = Turn(number=number, ask=self.ask, deliverable=made, usage=tally.usage, cost_usd=tally.cost_usd)
            note = TurnNote(
                turn=turn,
                seen=tuple(tally.seen[seen:]),
                warnings=tuple(tally.warnings[warned:]),
                told_usage=tally.told_usage,
                told_cost_usd=tally.told_cost_usd,
            )
        plain = note.model_dump_json()
        plain = self.context.clean(plain) if self.context.clean else plain
        self.context.notes.put(_key(number), json.loads(plain))
        return TurnNote.model_validate_json(plain).turn

    async def _stop_after(self, turn: Turn) -> str:
        """Return why no later turn is made, empty to go on: as an earlier run has written it down, else decided now."""
        if self.decide_stop is None:
            return ""
        kept = self.context.notes.get(key := f"stop-{turn.number}")
        if kept is None:
            kept = await self.decide_stop(await self.record(turn.deliverable))
            self.context.notes.put(key, kept)
        return str(kept)

    def _leave_out(self, why: str) -> Turn:
        return Turn(
            number=len(self.turns) + 1,
            ask=self.ask,
            deliverable=Deliverable(),
            usage=ZERO_USAGE,
            cost_usd=0.0,
            not_made=why,
        )

    def _kept_turn(self) -> Turn | None:
        """Return the turn that is due, as an earlier run has ended it, and count what it took."""
        plain = self.context.notes.get(_key(len(self.turns) + 1))
        if plain is None:
            return None
        note, tally = TurnNote.model_validate(plain), self.context.tally
        tally.add_booked_call(note.turn.usage, note.turn.cost_usd)
        tally.tell(note.told_usage, note.told_cost_usd)
        tally.take_over(note.seen, note.warnings)
        return note.turn


class TurnNote(FrozenModel):
    """What the notes of a sample have of a turn that has ended."""

    turn: Turn
    seen: tuple[FrameManifest, ...] = ()
    warnings: tuple[str, ...] = ()
    told_usage: Usage | None = None
    told_cost_usd: float | None = None


def with_steps(deliverable: Deliverable, steps: StepRecorder, store: FileStore) -> Deliverable:
    """Return the deliverable with the steps that were recorded, unless it brings a trajectory of its own."""
    trajectory = steps.trajectory() if deliverable.trajectory is None else None
    if trajectory is None:
        return deliverable
    kept = store.put_bytes(trajectory.to_jsonl(), name=TRAJECTORY, media_type=media_type_of(TRAJECTORY))
    return deliverable.model_copy(update={"trajectory": kept})


@contextmanager
def _count_apart(tally: Tally) -> Iterator[None]:
    """Let a tally count from nothing inside, and have it all afterwards."""
    usage, cost_usd, told_usage, told_cost_usd = tally.usage, tally.cost_usd, tally.told_usage, tally.told_cost_usd
    tally.usage, tally.cost_usd, tally.told_usage, tally.told_cost_usd = ZERO_USAGE, 0.0, None, None
    try:
        yield
    finally:
        tally.usage = None if usage is None or tally.usage is None else usage + tally.usage
        tally.cost_usd = None if cost_usd is None or tally.cost_usd is None else cost_usd + tally.cost_usd
        tally.tell(told_usage, told_cost_usd)


def _fail(deliverable: Deliverable, failure: str, failure_class: FailureClass) -> Deliverable:
    """Return a deliverable with one more failure; the first one tells its class."""
    failures = "; ".join(filter(None, (deliverable.failure, failure)))
    return deliverable.model_copy(
        update={"failure": failures, "failure_class": deliverable.failure_class or failure_class}
    )


def _key(number: int) -> str:
    return f"turn-{number}"
