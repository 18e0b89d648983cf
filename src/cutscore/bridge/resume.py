"""How samples end and are taken up again: one that has ended is on disk before anybody hears of it.

Inspect writes its log in batches, so a kill takes the last samples of it. The cell's journal has each of them, in the
shape in which a log has it. Whoever runs the cell again asks only for what is owed: what the journal has is not worked
on again, and what was marked is not marked again.
"""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSpec
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import SampleScore, Score
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import EarlyStop, LimitExceededError
from pydantic import JsonValue

from cutscore.bridge.handover import Handover, answer_in_words, read_handover
from cutscore.bridge.logfile import MARKS, SECONDS, is_marked, restore_carried
from cutscore.cells.progress import SampleDone
from cutscore.cells.run_context import RunContext
from cutscore.core.ending import Ending
from cutscore.core.errors import NoRoom


@dataclass(frozen=True)
class SampleEndings:
    """Keeps every sample of a cell that ends, then reports it.

    Args:
        began_s: When samples began to work in this process, by their uuid.
    """

    context: RunContext
    began_s: dict[str, float] = field(default_factory=dict)

    def begin(self, state: TaskState) -> None:
        """Start the clock of a sample."""
        self.began_s[state.uuid] = time.monotonic()

    def kept(self, state: TaskState) -> dict[str, Any] | None:
        """Return the sample as an earlier run has ended it; None when it did not."""
        journal = self.context.journal
        sample = journal.ended(str(state.sample_id), state.epoch) if journal else None
        return restore_carried(sample) if sample else None

    def kept_score(self, state: TaskState) -> Score | None:
        """Return the score of a sample that was marked before a kill; nobody hears of it again."""
        sample = self.kept(state)
        if sample is None or not is_marked(sample):
            return None
        self.began_s.pop(state.uuid, None)
        plain = sample["scores"][MARKS]
        value = math.nan if plain["value"] is None else plain["value"]
        metadata = {**plain["metadata"], SECONDS: sample.get("total_time")}
        return Score(value=value, explanation=plain.get("explanation"), metadata=metadata)

    def end(self, state: TaskState, score: Score, ending: Ending) -> None:
        """Keep a sample that was marked, or could not be, and report it."""
        plain = score.model_dump(mode="json", include={"value", "explanation", "metadata"})
        if isinstance(score.value, float) and math.isnan(score.value):  # for which JSON has no word
            plain["value"] = None
        unscored, failed = ending.status != "marked", ending.failure_class is not None
        self._keep(state, {"scores": {MARKS: plain}}, unscored=unscored, failed=failed)

    def fail(self, state: TaskState, error: Exception) -> None:
        """Keep a sample that an error of ours has ended, with the words in which Inspect logs it, and report it."""
        message = str(getattr(error, "message", repr(error)))
        self._keep(state, {"error": {"message": message, "traceback": "", "traceback_ansi": ""}}, unscored=True)

    def _keep(self, state: TaskState, ended: dict[str, Any], *, unscored: bool, failed: bool = False) -> None:
        item, epoch = str(state.sample_id), state.epoch
        began_s = self.began_s.pop(state.uuid, None)
        if self.context.journal:
            sample = {
                "id": item,
                "epoch": epoch,
                "input": state.input,
                "target": "",
                "metadata": state.metadata,
                "total_time": None if began_s is None else time.monotonic() - began_s,
                **ended,
            }
            try:
                self.context.journal.end_sample(item, epoch, sample)
            except NoRoom as full:
                self.context.fault = self.context.fault or full
                raise
        self.context.listener(SampleDone(item=item, epoch=epoch, unscored=unscored, failed=failed))


def resumable(work: Solver, endings: SampleEndings, handovers: dict[str, Handover]) -> Solver:
    """Return a solver that works only where nothing is kept: a kept handover is left for the marker as it is.

    An error is kept, reported and raised again without secrets. What a limit cuts off is left to the marker.
    """

    @solver(name="work")
    def resume() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            endings.begin(state)
            if (handover := _kept_handover(endings, state)) is not None:
                handovers[state.uuid] = handover
                state.output = ModelOutput.from_content(str(state.model), answer_in_words(handover))
                return state
            try:
                return await work(state, generate)
            except LimitExceededError:
                raise
            except Exception as error:  # noqa: BLE001  raised again, without secrets
                clean = without_secrets_in(error, endings.context)
                endings.fail(state, clean)
                raise clean from None

        return solve

    return resume()


def _kept_handover(endings: SampleEndings, state: TaskState) -> Handover | None:
    sample = endings.kept(state)
    made = read_handover(sample.get("store") or {}, where=f"sample '{state.sample_id}'") if sample else None
    return made if made is not None and made.is_complete else None


def without_secrets_in(error: Exception, context: RunContext) -> Exception:
    """Return the same error, or, when a secret shows in it, one that says as much without it."""
    text = "".join(traceback.format_exception(error))
    if context.redact.text(text) == text:
        return error
    return RuntimeError(context.redact.text(f"{type(error).__name__}: {error}"))


@dataclass(frozen=True)
class OwedSamples:
    """Tells Inspect which samples of items × epochs to run: those that are owed (its `EarlyStopping` protocol).

    Args:
        may_begin: Asked before each of them; once it says no, the others are left for another time.
    """

    owed: Collection[tuple[str, int]]
    may_begin: Callable[[], bool] = lambda: True

    async def start_task(self, task: EvalSpec, samples: list[Sample], epochs: int) -> str:
        """Return the name under which a log says who left samples out."""
        return "resume"

    async def schedule_sample(self, id: str | int, epoch: int) -> EarlyStop | None:
        """Leave out a sample that another log has, or that may not begin."""
        due = (str(id), epoch) in self.owed and self.may_begin()
        return None if due else EarlyStop(id=id, epoch=epoch)

    async def complete_sample(self, id: str | int, epoch: int, scores: dict[str, SampleScore]) -> None:
        """Hear of a sample that has ended."""

    async def complete_task(self) -> dict[str, JsonValue]:
        """Return what else a log should say: nothing."""
        return {}
