"""What is kept of an agent's run: its steps, its tokens as it tells them, and every request as the endpoint saw it.

All of it differs from run to run in times and ids, so it is in the trajectory, in files that the trajectory refers to,
and in the facts of the environment: none of these is part of a canonical row.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from cutscore.core.files import FileRef, FileStore
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Step
from cutscore.environments.sandbox.box import Box, BoxRun
from cutscore.models.endpoint.pictures import KeepPicture
from cutscore.models.endpoint.server import Endpoint
from cutscore.results.behaviour.measures import FACT as BEHAVIOUR
from cutscore.results.behaviour.measures import measure_behaviour
from cutscore.results.behaviour.seen import FACT as SEEN_FACT
from cutscore.results.wording import count
from cutscore.subjects.harness.adapter import AgentLog, AgentPlace, HarnessAdapter
from cutscore.subjects.harness.endings import is_cut_off
from cutscore.subjects.harness.usage_difference import explain_difference

if TYPE_CHECKING:
    from cutscore.subjects.harness.pictures_seen import PicturesSeen, SeenPicture

CALLS, SEEN = "calls.json", "seen.json"
FILMS = (".mp4", ".mov", ".mkv", ".webm")
MOST_OUTPUTS = 10_000  # files that are asked for their time


@dataclass(frozen=True)
class RunRecord:
    """What an agent's log says, and the facts for its row."""

    log: AgentLog
    facts: dict[str, JsonValue]


def record_run(
    adapter: HarnessAdapter,
    box: Box,
    context: WorkContext,
    endpoint: Endpoint,
    *,
    run: BoxRun | None,
    began_s: float,
    materials: Sequence[FileRef] = (),
) -> RunRecord:
    """Read what an agent left, keep its steps, tokens and requests, and return the log with facts for the row.

    `run` is how it ended, None where that is not known; `began_s` when it was started, in seconds since 1970;
    `materials` are the files that it got.
    """
    from cutscore.subjects.harness.pictures_seen import look_at_pictures

    logs, keep = box.folder / "logs" / "agent", picture_keeper(context.store)
    log = adapter.read_log(AgentPlace(box.home, logs / "stdout.txt", logs / "stderr.txt", began_s, keep))
    pictures = look_at_pictures(endpoint.pictures, endpoint.calls, materials, context.store)
    numbers: dict[int, int] = {}
    for step in insert_pictures(log.steps, pictures.seen):
        numbers[step.n] = context.steps.add_logged(step, parent=numbers.get(step.parent or 0))
    context.tally.tell(usage=log.usage)
    facts = _measure(run, endpoint, log)
    facts["usage_difference"] = explain_difference(
        log.usage, endpoint.calls, counts_helpers=adapter.counts_helpers, is_cut_off=is_cut_off(run)
    )
    facts[BEHAVIOUR] = _measure_behaviour(log, endpoint, find_last_render(box.outputs, began_s))
    calls, seen = _keep_records(endpoint, pictures, context)
    facts["calls"] = calls.model_dump(mode="json")
    facts[SEEN_FACT] = {**pictures.summary(), "record": seen.model_dump(mode="json")}
    return RunRecord(log, facts)


def _measure(run: BoxRun | None, endpoint: Endpoint, log: AgentLog) -> dict[str, JsonValue]:
    helpers = sum(call.by == "helper" for call in endpoint.calls)
    known: dict[str, JsonValue] = {"turns": endpoint.turns, "helper_calls": helpers, "agent_ended": log.ended}
    if log.error:
        known["agent_error"] = log.error
    if log.torn:
        known["torn_log_lines"] = log.torn
    if log.helper_usage is not None:
        known["told_helper_usage"] = log.helper_usage.model_dump(mode="json")
    if run is not None:
        known |= {"box_ended": run.ended, "peak_bytes": run.peak_bytes, "wall_s": round(run.wall_s, 3)}
        if run.memory_kills:
            known["memory_kills"] = run.memory_kills
    return known


def picture_keeper(store: FileStore) -> KeepPicture:
    """Return what takes pictures of an agent into the store."""

    def keep(data: bytes, media_type: str) -> FileRef:
        return store.put_bytes(data, name=f"seen.{media_type.rpartition('/')[2]}", media_type=media_type)

    return keep


def _measure_behaviour(log: AgentLog, endpoint: Endpoint, rendered_at_s: float | None) -> JsonValue:
    """Return what the agent did: steps by its log, tokens by the endpoint, which sees them whatever a log tells."""
    answers = [call.usage for call in endpoint.calls if call.by == "main" and call.status == 200]
    helpers = sum(call.by == "helper" for call in endpoint.calls)
    found = measure_behaviour(log.steps, answers=answers, sub_model_requests=helpers, rendered_at_s=rendered_at_s)
    return found.model_dump(mode="json", exclude_defaults=True)


def find_last_render(outputs: Path, began_s: float) -> float | None:
    """Return when the newest film among the outputs was written, in seconds after the start; None without one."""
    times = []
    for file in islice(outputs.rglob("*"), MOST_OUTPUTS):
        try:
            found = file.lstat()
        except OSError:
            continue
        if file.suffix.lower() in FILMS and stat.S_ISREG(found.st_mode):
            times.append(found.st_mtime - began_s)
    return max(times, default=None)


def insert_pictures(steps: Sequence[Step], seen: Sequence[SeenPicture]) -> list[Step]:
    """Return the steps of a log with what the model was shown among them, each picture before the answer to it.

    Times decide, as far as the log has them. A picture that a step has already is not shown twice.
    """
    from cutscore.subjects.harness.pictures_seen import describe_picture

    made, number = list(steps), max((step.n for step in steps), default=0)
    shown = {ref.sha256 for step in steps for ref in step.media}
    for picture in seen:
        number += 1
        media = () if picture.file.sha256 in shown else (picture.file,)
        told = Step(
            n=number, by="environment", at_s=round(picture.at_s, 3), said=describe_picture(picture), media=media
        )
        later = (place for place, step in enumerate(made) if step.at_s is not None and step.at_s > picture.at_s)
        made.insert(next(later, len(made)), told)
    return made


def _keep_records(endpoint: Endpoint, pictures: PicturesSeen, context: WorkContext) -> tuple[FileRef, FileRef]:
    """Keep every request and every picture; a last step refers to both files: they stay as long as the trajectory."""
    calls = [{**asdict(call), "usage": call.usage and call.usage.model_dump()} for call in endpoint.calls]
    plain: dict[str, Any] = {CALLS: {"calls": calls, "strange": endpoint.strange}, SEEN: pictures.as_json()}
    kept = [
        context.store.put_bytes(json.dumps(each, indent=1).encode(), name=name, media_type="application/json")
        for name, each in plain.items()
    ]
    asked, shown = count(len(calls), "request"), count(len(pictures.seen), "picture")
    said = f"{asked} reached the endpoint of the model, with {shown}"
    context.steps.add_logged(Step(n=1, by="environment", said=said, media=tuple(kept)))
    return kept[0], kept[1]
