"""A command-line agent as a subject: a box, a model at its loopback, the agent in it; then its logs.

How it ended is read from its log, then from its exit code, then from the clock. A failure of the agent's own is marked
with what lies in its outputs; what failed between us and the model leaves the sample unscored.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.environment import EvidenceRead, ReadResult
from cutscore.core.errors import BadInput, SubjectFailed, Unscored
from cutscore.core.files import FileStore
from cutscore.core.resources import Resources
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.environments.sandbox.box import Box, BoxLimits, BoxRun
from cutscore.environments.sandbox.bubblewrap import Mount
from cutscore.environments.sandbox.isolation import find_isolation
from cutscore.environments.sandbox.layout import OUTPUTS, PROGRAM, PYTHON, SOCKETS, WORKSPACE, find_instruction_files
from cutscore.environments.sandbox.tools import box_env, media_mounts, own_folders, tool_versions
from cutscore.models.endpoint.server import Endpoint
from cutscore.prompts import load_prompt
from cutscore.subjects.harness.adapter import PORT, AgentJob, AgentLog, AgentPlace, HarnessAdapter
from cutscore.subjects.harness.installed import InstalledAgent

if TYPE_CHECKING:
    from cutscore.models.endpoint.server import EndpointCall

GIB = 1 << 30
TIME_LIMIT_S, TURN_LIMIT = 1800.0, 200  # the paper's
RELAY, SOCKET = "/opt/relay.py", f"{SOCKETS}/model.sock"
NODE = "/opt/node"
WORDS = 300  # characters of an agent's last words that a failure quotes


@dataclass
class AgentBox:
    """The world of one sample of an agent: a box, and what is told of it."""

    box: Box
    facts: dict[str, JsonValue] = field(default_factory=dict)

    @property
    def outputs(self) -> Path:
        """Where deliverables are left."""
        return self.box.outputs

    async def act(self, action: Action) -> JsonValue:
        """Refuse: an agent acts by its own tools."""
        raise SubjectFailed("box", f"knows no action '{action.tool}'")

    async def read(self, read: EvidenceRead, store: FileStore) -> ReadResult:
        """Refuse: nothing but files is left in a box."""
        return ReadResult(error=f"a box has nothing of the kind '{read.kind}'")

    async def close(self) -> None:
        """Do nothing: no process outlives a program of the box, and the folder is the sample's."""


@dataclass(frozen=True)
class HarnessSubject:
    """One agent, of one version."""

    adapter: HarnessAdapter
    installed: InstalledAgent
    model: str = "model"
    source_digest: str = ""
    needs: Resources = field(default_factory=lambda: Resources(processors=1, memory_bytes=2 * GIB))
    delivers: frozenset[str] = frozenset({"text", "files"})

    async def open_environment(self, ask: Ask, context: WorkContext) -> AgentBox:
        """Make the box: a fresh home, materials bound read-only, nothing of the truth."""
        if orders := find_instruction_files(ref.name for ref in ask.files):
            fact = f"has the material '{orders[0]}', which agents take for orders or settings of their own"
            raise BadInput(f"item '{ask.item}'", fact, "give it another name")
        limits = _limits(context.conditions)
        isolation = "none" if context.conditions.get("isolation") == "none" else find_isolation()
        materials = tuple(Mount(context.store.path(ref), f"{WORKSPACE}/{ref.name}") for ref in ask.files)
        agent = (Mount(self.installed.folder, PROGRAM), Mount(_relay(), RELAY))
        node = (Mount(self.installed.node, NODE),) if self.installed.node else ()
        sockets = context.workspace / "sockets"
        sockets.mkdir()
        box = Box(
            context.workspace / "box",
            isolation,
            mounts=(*materials, *agent, *node, *media_mounts(), Mount(sockets, SOCKETS)),
            hidden=own_folders(),
            limits=limits,
            network=context.conditions.get("network") == "open",
        )
        return AgentBox(box, _describe(self, box))

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Let the agent work, and read what it left, whatever ended it."""
        from anyio import CancelScope, to_thread

        from cutscore.models.door import count_model_calls
        from cutscore.models.endpoint.translated import answer_by_model

        world: AgentBox = context.environment.world  # type: ignore[union-attr]
        prompt = make_prompt(ask)
        job = AgentJob(prompt, self.model, _whole(context, "turn_limit", TURN_LIMIT), _time(context))
        setup = self.adapter.set_up(job)
        for name, text in setup.files.items():
            path = world.box.home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        failures: list[Exception] = []
        endpoint = Endpoint(answer_by_model(), prompt, job.turn_limit, failures.append)
        argv = [f"{PYTHON}/bin/python3", RELAY, str(PORT), SOCKET, *setup.argv]
        env = {**box_env(node=self.installed.node is not None), **setup.env}
        ended: BoxRun | None = None
        try:
            with count_model_calls(context):
                async with endpoint.serve(context.workspace / "sockets" / Path(SOCKET).name):
                    ended = await to_thread.run_sync(
                        lambda: world.box.run(argv, name="agent", env=env, wall_s=job.time_limit_s, stop=failures),
                        abandon_on_cancel=True,
                    )
        finally:
            with CancelScope(shield=True):
                log = await to_thread.run_sync(lambda: self._take_log(world, context))
            world.facts |= _measured(ended, endpoint, log)
        if failures:
            raise failures[0]
        return _conclude(self.adapter.name, ended, log, endpoint.calls, job)

    def _take_log(self, world: AgentBox, context: WorkContext) -> AgentLog:
        logs = world.box.folder / "logs" / "agent"
        log = self.adapter.read_log(AgentPlace(world.box.home, logs / "stdout.txt", logs / "stderr.txt"))
        numbers: dict[int, int] = {}
        for step in log.steps:
            numbers[step.n] = context.steps.add(
                step.said,
                did=step.did,
                saw=step.saw,
                error=step.error,
                usage=step.usage,
                by=step.by,
                parent=numbers.get(step.parent or 0),
                at_s=step.at_s,
            )
        context.tally.tell(usage=log.usage)
        if log.torn:
            context.tally.warn(f"{log.torn} lines of the log of '{self.adapter.name}' could not be read")
        return log


def make_prompt(ask: Ask) -> str:
    """Return what an agent is asked: the brief, where its files lie, and what is wanted where."""
    prompt = load_prompt("brief", folder=Path(__file__).parent / "prompts")
    materials = "\n".join(f"- {ref.name}" for ref in ask.files) or "- nothing"
    wanted = "\n".join(f"- {each.name}" + (f": {each.about}" if each.about else "") for each in ask.wanted)
    return prompt.fill(
        brief=ask.brief,
        workspace=WORKSPACE,
        materials=materials,
        outputs=OUTPUTS,
        wanted=wanted or "- answer.txt: your answer in words",
    )


def _conclude(name: str, ended: BoxRun | None, log: AgentLog, calls: list[EndpointCall], job: AgentJob) -> Deliverable:
    """Return what was handed over, or raise why there is nothing better."""
    who = f"agent '{name}'"
    if ended is None:
        raise Unscored(who, "was left while it worked")
    if ended.ended == "time":
        raise SubjectFailed(who, f"was ended by its limit of {job.time_limit_s:g} s", failure_class="limit")
    if ended.ended in ("memory", "processes", "disk"):
        raise SubjectFailed(who, f"used more {ended.ended} than its box has", failure_class="limit")
    if log.ended == "cap" or any("turn limit" in call.error for call in calls):
        raise SubjectFailed(who, f"was ended by its limit of {job.turn_limit} turns", failure_class="limit")
    if log.ended == "refused":
        raise SubjectFailed(who, f"refused: {log.error[:WORDS]}", failure_class="refused")
    if not calls:
        said = " ".join(ended.logs[1].read_text(errors="replace").split())[-WORDS:]
        raise Unscored(who, f"ended with code {ended.code} and never asked its model: {said}")
    if log.ended == "error":
        raise SubjectFailed(who, f"failed: {log.error[:WORDS]}")
    if ended.code:
        raise SubjectFailed(who, f"ended with code {ended.code}", failure_class="exit_code")
    return Deliverable(text=_last_words(log))


def _last_words(log: AgentLog) -> str:
    return next((step.said for step in reversed(log.steps) if step.by == "model" and step.parent is None), "")


def _limits(conditions: Mapping[str, str]) -> BoxLimits:
    given = {name: float(value) for name in ("memory_gb", "processors") if (value := conditions.get(name))}
    return BoxLimits(
        memory_bytes=int(given.get("memory_gb", 8) * GIB), processors=given.get("processors", BoxLimits.processors)
    )


def _whole(context: WorkContext, name: str, default: int) -> int:
    return int(context.conditions.get(name) or default)


def _time(context: WorkContext) -> float:
    return float(context.conditions.get("time_limit_s") or TIME_LIMIT_S)


def _describe(subject: HarnessSubject, box: Box) -> dict[str, JsonValue]:
    """Return what is known before it works: versions, isolation, and what this machine cannot give."""
    there = len(os.sched_getaffinity(0))
    return {
        "agent": subject.adapter.name,
        "agent_version": subject.installed.version,
        "off_pin": subject.installed.version != subject.adapter.paper_version,
        "tools": dict(tool_versions()),
        "isolation": box.isolation,
        "network": "open" if box.network else "none",
        "processors": f"{min(there, box.limits.processors):g} of {box.limits.processors:g}",
        "memory_gb": box.limits.memory_bytes / GIB,
    }


def _measured(ended: BoxRun | None, endpoint: Endpoint, log: AgentLog) -> dict[str, JsonValue]:
    helpers = sum(call.by == "helper" for call in endpoint.calls)
    known: dict[str, JsonValue] = {"turns": endpoint.turns, "helper_calls": helpers, "agent_ended": log.ended}
    if ended is not None:
        known |= {"box_ended": ended.ended, "peak_bytes": ended.peak_bytes, "wall_s": round(ended.wall_s, 3)}
    return known


def _relay() -> Path:
    from cutscore.environments.sandbox import relay

    return Path(relay.__file__)
