"""Findings → Inspect's score. The number that Inspect shows is the headline; the whole ending rides along."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from anyio import from_thread, to_thread
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from cutscore.bridge.handover import KEY, Handover, answer_in_words, read_handover, without_secrets
from cutscore.bridge.logfile import ENDING, MARKS
from cutscore.bridge.resume import SampleEndings
from cutscore.cells.admission import AdmittedItems
from cutscore.cells.judge_record import KEY as JUDGE_KEY
from cutscore.cells.judge_record import JudgeRecord, JudgesByRole, RecordedJudges, judging_threads, open_session
from cutscore.cells.marking import decide_stop, mark_one, score_names
from cutscore.cells.run_context import RunContext
from cutscore.core.ending import Ending
from cutscore.core.evidence import Evidence
from cutscore.core.finding import score_key
from cutscore.core.subject import SubjectSpec
from cutscore.registry import Benchmark

_ANYBODY = SubjectSpec(kind="model")
IDLE = "null"  # the subject that does nothing on purpose: it is a level to compare with, and has not failed


@dataclass(frozen=True)
class CellMarker:
    """Marks the samples of one cell, each from its handover alone.

    Args:
        subject: Whose work is marked, for the judge.
        model: The subject's model; that of the running evaluation when empty.
        handovers: What subjects have left in this process, by the sample's uuid. Inspect's own store would do as well,
            but it logs every change once more.
    """

    found: Benchmark
    items: AdmittedItems
    context: RunContext
    mode: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    judge: JudgesByRole | None = None
    subject: SubjectSpec = _ANYBODY
    model: str = ""
    handovers: dict[str, Handover] = field(default_factory=dict)

    @cached_property
    def endings(self) -> SampleEndings:
        """Where samples are kept when they end."""
        return SampleEndings(self.context)

    async def score(self, state: TaskState) -> Score:
        """Mark one sample, keep it and report that it is done; one that was marked before a kill stays as it is."""
        sample = str(state.sample_id)
        if (kept := self.endings.kept_score(state)) is not None:
            self.handovers.pop(state.uuid, None)
            return kept
        logged = dict(state.store.items())
        handover = self.handovers.pop(state.uuid, None) or read_handover(logged, where=f"sample '{sample}'")
        ending, judged = await self._mark(handover, state)
        score = to_score(ending, score_names(self.found.card, self.mode)[0], handover, judged)
        self.endings.end(state, score, ending)
        return score

    async def _mark(self, handover: Handover | None, state: TaskState) -> tuple[Ending, JudgeRecord | None]:
        sample = str(state.sample_id)
        if sample in self.items.refused:
            return Ending(status="unscored", because=f"item '{sample}' {self.items.refused[sample]}"), None
        if sample not in self.items.by_id:
            return Ending(status="unscored", because=f"no item '{sample}' in the data"), None
        if handover is None:
            return Ending(status="unscored", because="the log holds no handover"), None
        if handover.stopped:
            return Ending(status="stopped", because=handover.stopped), None
        if handover.unscored:
            return Ending(status="unscored", because=handover.unscored), None
        session = self._seat_judges(state)
        # Marking decodes and compares; in a thread it does not hold up every other sample.
        ending = await to_thread.run_sync(
            lambda: mark_one(
                self.found,
                handover.deliverable,
                handover.evidence,
                self.items.by_id[sample],
                store=self.context.store,
                judges=session.judges if session else None,
                mode=self.mode,
                options=self.options,
            ),
            limiter=judging_threads() if session else None,
        )
        if self.subject.kind == IDLE:
            ending = ending.model_copy(update={"failure_class": None})
        redact = self.context.redact
        return without_secrets(ending, redact), without_secrets(session.record(), redact) if session else None

    def stop_rule(self, state: TaskState) -> Callable[[Evidence], Awaitable[str]]:
        """Return who decides between two turns of a sample whether another one is made."""
        item, store = self.items.by_id[str(state.sample_id)], self.context.store

        async def decide(evidence: Evidence) -> str:
            session = self._seat_judges(state)
            judges = session.judges if session else None
            return await to_thread.run_sync(
                lambda: decide_stop(self.found, evidence, item, store=store, judges=judges),
                limiter=judging_threads() if session else None,
            )

        return decide

    def _seat_judges(self, state: TaskState) -> RecordedJudges | None:
        if self.judge is None:
            return None
        sample, model = str(state.sample_id), "" if str(state.model).startswith("none") else str(state.model)
        return open_session(
            self.judge,
            self.context,
            sample,
            self.subject,
            wait=from_thread.run,
            model=self.model or model,
            epoch=state.epoch,
        )


def make_scorer(marker: CellMarker) -> Scorer:
    """Return Inspect's scorer for a cell.

    It takes no arguments: Inspect writes those of a scorer into the log, and the truth must not be there.
    """

    @scorer(name=MARKS, metrics=[mean(), stderr(cluster="cluster")])
    def marks() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            return await marker.score(state)

        return score

    return marks()


def to_score(
    ending: Ending, headline: str, handover: Handover | None = None, judged: JudgeRecord | None = None
) -> Score:
    """Return Inspect's score for an ending; what is not marked is kept apart from every mean.

    Handover and judgements ride along as strings: Inspect copies and walks every node of a score several times.
    """
    metadata: dict[str, Any] = {ENDING: ending.model_dump(mode="json", exclude_defaults=True)}
    if handover is not None:
        metadata[KEY] = handover.model_dump_json(exclude_defaults=True)
    if judged is not None:
        metadata[JUDGE_KEY] = judged.model_dump_json(exclude_defaults=True)
    answer = answer_in_words(handover) if handover is not None else None
    if headline not in ending.scores:
        gap = ending.gap(headline)
        because = ending.because or (gap.because if gap else f"marking found no '{headline}'")
        return Score.unscored(reason=because, explanation=because, answer=answer, metadata=metadata)
    return Score(
        value=ending.scores[headline],
        answer=answer,
        explanation=_explain(ending, headline),
        metadata=metadata,
    )


def _explain(ending: Ending, headline: str) -> str:
    """Return why, for Inspect's viewer: the reason of the headline first, then every other one, each once."""
    said = {score_key(each.name, each.mode): f"{each.amount}: {each.because}" for each in ending.findings}
    first = said.pop(headline, None) or said.pop(headline.partition("@")[0], "")
    return "\n".join([first, *(f"{name} = {reason}" for name, reason in said.items() if reason != first)])
