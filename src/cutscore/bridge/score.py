"""Findings → Inspect's score. The number that Inspect shows is the headline; the whole ending rides along."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anyio import to_thread
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from cutscore.bridge.handover import KEY, Handover, find, pick_up, without_secrets
from cutscore.bridge.marking import headline_first, mark_one
from cutscore.bridge.place import here
from cutscore.bridge.progress import SampleDone
from cutscore.core.ending import Ending
from cutscore.registry import benchmark as find_benchmark

ENDING = "ending"


@scorer(metrics=[mean(), stderr(cluster="cluster")])
def marks(benchmark: str, mode: str = "", data: str = "") -> Scorer:
    """Mark with a benchmark's own `mark`, from the handover alone.

    Args:
        benchmark: Name of the benchmark.
        mode: Scoring mode; the card's default when empty.
        data: Folder with items, when they are not the benchmark's own.
    """
    found = find_benchmark(benchmark)
    items = {item.id: item for item in found.part("dataset").items(here().store, Path(data) if data else None)}
    headline = headline_first(found.card, mode)[0]

    async def score(state: TaskState, target: Target) -> Score:
        sample = str(state.sample_id)
        made = pick_up(state.uuid) or find(dict(state.store.items()), where=f"sample '{sample}'")
        ending = await ended(sample, made)
        here().tell(SampleDone(item=sample, epoch=state.epoch, failed=ending.status != "marked"))
        return to_score(ending, headline, made)

    async def ended(sample: str, handover: Handover | None) -> Ending:
        place = here()
        if sample not in items:
            return Ending(status="unscored", because=f"no item '{sample}' in the data")
        if handover is None:
            return Ending(status="unscored", because="the log holds no handover")
        # Marking decodes and compares; in a thread it does not hold up every other sample.
        ending = await to_thread.run_sync(
            lambda: mark_one(
                found, handover.deliverable, handover.evidence, items[sample], shelf=place.store, mode=mode
            )
        )
        return without_secrets(ending, place.redact)

    return score


def to_score(ending: Ending, headline: str, made: Handover | None = None) -> Score:
    """Give Inspect's score for an ending; what is not marked is kept apart from every mean.

    The handover rides along as one string: Inspect copies and walks every node of a score several times.
    """
    metadata: dict[str, Any] = {ENDING: ending.model_dump(mode="json", exclude_defaults=True)}
    if made is not None:
        metadata[KEY] = made.model_dump_json(exclude_defaults=True)
    if ending.status != "marked":
        return Score.unscored(reason=ending.because, explanation=ending.because, metadata=metadata)
    reasons = "\n".join(f"{finding.name} = {finding.value:g}: {finding.because}" for finding in ending.findings)
    return Score(value=ending.scores[headline], explanation=reasons, metadata=metadata)
