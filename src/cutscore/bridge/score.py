"""Findings → Inspect's score. The number that Inspect shows is the headline; the whole ending rides along."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from anyio import CapacityLimiter, from_thread, to_thread
from anyio.lowlevel import RunVar
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from cutscore.bridge.gates import Admitted, admitted
from cutscore.bridge.handover import KEY, Handover, find, pick_up, without_secrets
from cutscore.bridge.judge_record import KEY as JUDGED_KEY
from cutscore.bridge.judge_record import JudgeRecord, open_session
from cutscore.bridge.marking import headline_first, mark_one
from cutscore.bridge.progress import SampleDone
from cutscore.bridge.run_context import here
from cutscore.core.ending import Ending
from cutscore.core.judgement import CellJudge
from cutscore.core.subject import SubjectSpec
from cutscore.registry import benchmark as find_benchmark

ENDING = "ending"

# Marking that waits for a judge keeps its thread. Decoding for that judge's call takes a thread as well, so the two
# must not draw from one pool: with all threads waiting, nobody could decode.
JUDGED_AT_ONCE = 40
_threads: RunVar[CapacityLimiter] = RunVar("cutscore_marking_threads")
_loaded: ContextVar[Admitted | None] = ContextVar("cutscore_loaded", default=None)


@contextmanager
def with_items(gates: Admitted) -> Iterator[None]:
    """Let `marks` take items that its caller has just loaded.

    Inspect writes the arguments of a scorer into the log, and there the truth must not be.
    """
    token = _loaded.set(gates)
    try:
        yield
    finally:
        _loaded.reset(token)


@scorer(metrics=[mean(), stderr(cluster="cluster")])
def marks(
    benchmark: str,
    mode: str = "",
    data: str = "",
    *,
    judge: CellJudge | None = None,
    subject: SubjectSpec | None = None,
    model: str = "",
    options: Mapping[str, str] | None = None,
) -> Scorer:
    """Mark with a benchmark's own `mark`, from the handover alone.

    Args:
        benchmark: Name of the benchmark.
        mode: Scoring mode; the card's default when empty.
        data: Folder with items, when they are not the benchmark's own.
        judge: Who is asked for opinions; None when nobody is.
        subject: Whose work is marked, for the judge.
        model: The subject's model; that of the running evaluation when empty.
        options: Choices in scoring that are not the card's defaults.
    """
    found = find_benchmark(benchmark)
    pack = Path(data) if data else None
    gates = _loaded.get() or admitted(found, found.part("dataset").items(here().store, pack), pack)
    items = {item.id: item for item in gates.items}
    headline = headline_first(found.card, mode)[0]

    async def score(state: TaskState, target: Target) -> Score:
        sample = str(state.sample_id)
        made = pick_up(state.uuid) or find(dict(state.store.items()), where=f"sample '{sample}'")
        ending, judged = await ended(sample, made, state)
        here().tell(SampleDone(item=sample, epoch=state.epoch, failed=ending.status != "marked"))
        return to_score(ending, headline, made, judged)

    async def ended(sample: str, handover: Handover | None, state: TaskState) -> tuple[Ending, JudgeRecord | None]:
        place = here()
        if sample in gates.refused:
            return Ending(status="unscored", because=f"item '{sample}' {gates.refused[sample]}"), None
        if sample not in items:
            return Ending(status="unscored", because=f"no item '{sample}' in the data"), None
        if handover is None:
            return Ending(status="unscored", because="the log holds no handover"), None
        heard = judge and open_session(
            judge,
            place=place,
            item=sample,
            subject=subject or SubjectSpec(kind="model"),
            wait=from_thread.run,
            model=model or _model_of(state),
            epoch=state.epoch,
        )
        # Marking decodes and compares; in a thread it does not hold up every other sample.
        ending = await to_thread.run_sync(
            lambda: mark_one(
                found,
                handover.deliverable,
                handover.evidence,
                items[sample],
                store=place.store,
                judges=heard.judges if heard else None,
                mode=mode,
                options=options,
            ),
            limiter=_for_judges() if heard else None,
        )
        judged = without_secrets(heard.record(), place.redact) if heard else None
        return without_secrets(ending, place.redact), judged

    return score


def _model_of(state: TaskState) -> str:
    return "" if str(state.model).startswith("none") else str(state.model)


def _for_judges() -> CapacityLimiter:
    """Return the threads of this event loop in which marking may wait for a judge."""
    try:
        return _threads.get()
    except LookupError:
        _threads.set(made := CapacityLimiter(JUDGED_AT_ONCE))
        return made


def to_score(ending: Ending, headline: str, made: Handover | None = None, judged: JudgeRecord | None = None) -> Score:
    """Return Inspect's score for an ending; what is not marked is kept apart from every mean.

    Handover and judgements ride along as strings: Inspect copies and walks every node of a score several times.
    """
    metadata: dict[str, Any] = {ENDING: ending.model_dump(mode="json", exclude_defaults=True)}
    if made is not None:
        metadata[KEY] = made.model_dump_json(exclude_defaults=True)
    if judged is not None:
        metadata[JUDGED_KEY] = judged.model_dump_json(exclude_defaults=True)
    if ending.status != "marked":
        return Score.unscored(reason=ending.because, explanation=ending.because, metadata=metadata)
    reasons = "\n".join(f"{finding.name} = {finding.value:g}: {finding.because}" for finding in ending.findings)
    return Score(value=ending.scores[headline], explanation=reasons, metadata=metadata)
