"""A row with its steps → ATIF, Harbor's Agent Trajectory Interchange Format, of version 1.6.

    a model's turn, or any step with calls    an agent step with tool calls
    what a tool brought back                  an observation of the step before it
    the environment                           a system step
    a person                                  a user step
    steps of a sub-agent                      a file of their own, to which the step that started it refers

Pictures are files beside it. Our steps count seconds from the start, and the format wants dates, so they are in
`extra`; so are the buckets of tokens, which are finer than the format's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cutscore.core.files import FileRef
from cutscore.core.row import Row
from cutscore.core.trajectory import Step
from cutscore.core.usage import TOKEN_BUCKETS, Usage

SCHEMA = "ATIF-v1.6"
MAIN = "trajectory.json"
PICTURES = ("image/jpeg", "image/png", "image/gif", "image/webp")  # the types that the format knows
SOURCES = {"model": "agent", "tool": "agent", "environment": "system", "person": "user"}
Json = dict[str, Any]


@dataclass(frozen=True)
class AtifFiles:
    """One sample as files.

    Args:
        documents: By path: `trajectory.json`, and one for each sub-agent.
        pictures: Stored files by path.
    """

    documents: Mapping[str, Json]
    pictures: Mapping[str, FileRef]


def to_atif(row: Row, steps: Sequence[Step]) -> AtifFiles:
    """Return a sample as ATIF. Without steps it still has the brief."""
    session = f"{row.cell}/{row.item}/{row.epoch}"
    started = sorted({step.parent for step in steps if step.parent is not None})
    helpers = {parent: f"subagent-{parent}.json" for parent in started}
    pictures: dict[str, FileRef] = {}
    documents = {}
    for parent, path in [(None, MAIN), *helpers.items()]:
        writer = _Writer(pictures, {step: (f"{session}/{step}", path) for step, path in helpers.items()})
        if parent is None and row.ask is not None:
            writer.add_message("user", row.ask.brief)
        for step in steps:
            if step.parent == parent:
                writer.add(step)
        documents[path] = _document(row, writer.steps, session if parent is None else f"{session}/{parent}", parent)
    return AtifFiles(documents, pictures)


@dataclass
class _Writer:
    """Steps of one agent, with numbers from 1."""

    pictures: dict[str, FileRef]
    helpers: Mapping[int, tuple[str, str]]
    steps: list[Json] = field(default_factory=list)
    _unanswered: list[str] = field(default_factory=list)  # calls of the last agent step without a result

    def add_message(self, source: str, message: str) -> Json:
        made: Json = {"step_id": len(self.steps) + 1, "source": source, "message": message}
        self.steps.append(made)
        return made

    def add(self, step: Step) -> None:
        """Add a step; what a tool brought back goes to the agent step before it."""
        if step.by == "tool" and not step.did and self.steps and self.steps[-1]["source"] == "agent":
            self._observe(self.steps[-1], step)
            return
        is_agent = step.by == "model" or bool(step.did)
        made = self.add_message("agent" if is_agent else "system" if step.by == "tool" else SOURCES[step.by], step.said)
        calls: list[Json] = [
            {"tool_call_id": f"call-{step.n}-{number}", "function_name": call.tool, "arguments": call.arguments}
            for number, call in enumerate(step.did, start=1)
        ]
        self._unanswered = [call["tool_call_id"] for call in calls]
        if calls:
            made["tool_calls"] = calls
        if is_agent and (metrics := _metrics(step.usage)):
            made["metrics"] = metrics
        made["extra"] = {"step": step.n} | ({} if step.at_s is None else {"at_s": step.at_s})
        if step.saw or step.error or step.media:
            self._observe(made, step)
        if step.n in self.helpers:
            session, path = self.helpers[step.n]
            reference = {"session_id": session, "trajectory_path": path}
            _results(made).append({"subagent_trajectory_ref": [reference]})

    def _observe(self, made: Json, step: Step) -> None:
        result: Json = {"content": self._content(step)}
        if self._unanswered:
            result["source_call_id"] = self._unanswered.pop(0)
        _results(made).append(result)
        others = [ref.model_dump(mode="json") for ref in step.media if ref.media_type not in PICTURES]
        for name, told in (("errors", [step.error] if step.error else []), ("files", others)):
            if told:
                made["extra"] = {**made.get("extra", {}), name: [*made.get("extra", {}).get(name, ()), *told]}

    def _content(self, step: Step) -> str | list[Json]:
        text = "\n".join(filter(None, (step.saw, step.error)))
        parts: list[Json] = [{"type": "text", "text": text}] if text else []
        for ref in step.media:
            if ref.media_type in PICTURES:
                path = f"images/{ref.sha256[:16]}.{ref.media_type.partition('/')[2]}"
                self.pictures[path] = ref
                parts.append({"type": "image", "source": {"media_type": ref.media_type, "path": path}})
        return parts if any(part["type"] == "image" for part in parts) else text


def _results(made: Json) -> list[Json]:
    results: list[Json] = made.setdefault("observation", {"results": []})["results"]
    return results


def _document(row: Row, steps: list[Json], session: str, parent: int | None) -> Json:
    agent: Json = {"name": row.environment.get("agent") or row.subject}
    agent["version"] = row.environment.get("agent_version") or "unknown"
    if row.model:
        agent["model_name"] = row.model
    made: Json = {"schema_version": SCHEMA, "session_id": session, "agent": agent, "steps": steps}
    totals: Json = {"total_steps": len(steps)}
    if parent is None:
        spent = _metrics(row.usage if row.usage is not None else row.told_usage)
        totals |= {f"total_{name}": value for name, value in spent.items() if name != "extra"}
        if row.cost_usd is not None and not row.judge:  # else it holds the judge's part
            totals["total_cost_usd"] = row.cost_usd
        known = {"benchmark": row.benchmark, "version": row.version, "cell": row.cell, "item": row.item}
        made["extra"] = {**known, "epoch": row.epoch, "status": row.ending.status, "scores": dict(row.ending.scores)}
        if row.ending.failure_class:
            made["extra"]["failure_class"] = row.ending.failure_class
    return {**made, "final_metrics": totals}


def _metrics(usage: Usage | None) -> Json:
    """Return tokens in the format's words; a bucket that nobody told adds nothing to its sum.

    >>> _metrics(Usage(input=312, cached=3006, output=60, reasoning=28))["prompt_tokens"]
    3318
    """
    if usage is None:
        return {}
    buckets = {name: value for name in TOKEN_BUCKETS if (value := getattr(usage, name)) is not None}
    made: Json = {}
    if usage.input is not None:
        made["prompt_tokens"] = _sum(usage.input, usage.cached, usage.cache_write)
    if usage.output is not None:
        made["completion_tokens"] = _sum(usage.output, usage.reasoning)
    if usage.cached is not None:
        made["cached_tokens"] = usage.cached
    return {**made, "extra": buckets} if buckets else {}


def _sum(*values: int | None) -> int:
    return sum(value for value in values if value is not None)
