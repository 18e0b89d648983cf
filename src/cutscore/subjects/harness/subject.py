"""A command-line agent as a subject: a box, a model at its loopback, the agent in it; then its logs.

How it ended is read from its log, then from its exit code, then from the clock. A failure of the agent's own is marked
with what lies in its outputs; what failed between us and the model leaves the sample unscored.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from pydantic import JsonValue

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.environment import EvidenceRead, ReadResult
from cutscore.core.errors import BadInput, SubjectFailed
from cutscore.core.files import FileStore
from cutscore.core.resources import Resources
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.environments.sandbox.box import Box, BoxLimits, BoxRun
from cutscore.environments.sandbox.brief import write_instruction
from cutscore.environments.sandbox.bubblewrap import Mount
from cutscore.environments.sandbox.isolation import find_isolation
from cutscore.environments.sandbox.layout import PROGRAM, PYTHON, SOCKETS, WORKSPACE, find_instruction_files
from cutscore.environments.sandbox.tools import box_env, media_mounts, own_folders, tool_versions
from cutscore.models.endpoint.pictures import PictureBook
from cutscore.models.endpoint.server import Endpoint
from cutscore.process.steal import measure_steal
from cutscore.subjects.harness.adapter import AgentJob, HarnessAdapter
from cutscore.subjects.harness.endings import conclude, tell_refusal
from cutscore.subjects.harness.installed import InstalledAgent
from cutscore.subjects.harness.run_record import RunRecord, picture_keeper, record_run
from cutscore.subjects.harness.ways_out import MODEL_PATH, MODEL_SOCKET, NETWORK, WaysOut, check_ways, open_ways

if TYPE_CHECKING:
    from cutscore.models.endpoint.exchange import AgentRequest, AnswerRequest, EndpointReply
    from cutscore.models.endpoint.wire import Body, Wire

GIB = 1 << 30
TIME_LIMIT_S, TURN_LIMIT = 1800.0, 200  # the paper's
RELAY = "/opt/relay.py"
NODE = "/opt/node"
BRIDGE_S = 5.0


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
    """One agent, of one version; `listen` hears every request that it makes."""

    adapter: HarnessAdapter
    installed: InstalledAgent
    model: str = "model"
    source_digest: str = ""
    listen: Callable[[Wire, Body], None] | None = None
    needs: Resources = field(default_factory=lambda: Resources(processors=1, memory_bytes=2 * GIB))
    delivers: frozenset[str] = frozenset({"text", "files"})

    def check_conditions(self, model: str, conditions: Mapping[str, str]) -> None:
        """Raise BadInput where it cannot work with a model, or under these conditions."""
        check_ways(self.adapter, model, conditions)

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
            network=context.conditions.get(NETWORK) == "open",
        )
        return AgentBox(box, _describe(self, box, context.conditions))

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Let the agent work, and read what it left, whatever ended it."""
        from cutscore.models.door import count_model_calls

        with count_model_calls(context):
            async with open_ways(self.adapter, self.model, context, context.workspace / "sockets") as ways:
                return await self._work_by(ways, ask, context)

    async def _work_by(self, ways: WaysOut, ask: Ask, context: WorkContext) -> Deliverable:
        from anyio import CancelScope, to_thread

        world: AgentBox = context.environment.world  # type: ignore[union-attr]
        prompt = world.box.locate(write_instruction(ask))
        job = AgentJob(prompt, ways.model, _whole(context, "turn_limit", TURN_LIMIT), _time(context))
        world.facts |= {"turn_limit": job.turn_limit, "time_limit_s": job.time_limit_s}
        setup = self.adapter.set_up(job)
        for name, text in setup.files.items():
            path = world.box.home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(world.box.locate(text))
        stop: list[object] = []
        book = PictureBook(picture_keeper(context.store))
        endpoint = Endpoint(_hear(ways.answer, self.listen), prompt, job.turn_limit, stop.append, book, ways.count)
        ports = (word for port, socket in ways.ports.items() for word in (str(port), socket))
        argv = [f"{PYTHON}/bin/python3", RELAY, *ports, "--", *setup.argv]
        env = {**box_env(node=self.installed.node is not None), **ways.env, **setup.env}
        # Where a limit is set, it is the bridge that ends the work, and the box only if that should fail.
        wall_s = job.time_limit_s + (BRIDGE_S if context.conditions.get("time_limit_s") else 0.0)
        runs, began_s = list[BoxRun](), time.time()

        def run() -> None:
            with measure_steal() as steal:
                runs.append(world.box.run(argv, name="agent", env=env, wall_s=wall_s, stop=stop))
            world.facts["steal"] = steal.share

        def record() -> RunRecord:
            ended = runs[0] if runs else None
            return record_run(
                self.adapter, world.box, context, endpoint, run=ended, began_s=began_s, materials=ask.files
            )

        try:
            async with endpoint.serve(context.workspace / "sockets" / MODEL_SOCKET):
                await _run_to_the_end(run, stop)
        finally:
            with CancelScope(shield=True):
                made = await to_thread.run_sync(record)
            world.facts |= {**made.facts, **ways.facts, "offered_tools": _offered_tools(endpoint)}
        for failure in stop:
            if isinstance(failure, Exception):
                raise failure
        log = tell_refusal(made.log, context.tally.unanswered, endpoint.calls)
        return conclude(self.adapter.name, runs[0], log, endpoint.calls, job)


async def _run_to_the_end(run: Callable[[], None], stop: list[object]) -> None:
    """Run an agent in a thread. When we are cancelled, end it and wait until it is gone: then its logs are whole."""
    from anyio import CancelScope, get_cancelled_exc_class, to_thread

    began, gone = Event(), Event()

    def run_it() -> None:
        began.set()
        try:
            run()
        finally:
            gone.set()

    try:
        await to_thread.run_sync(run_it, abandon_on_cancel=True)
    except get_cancelled_exc_class():
        stop.append("cancelled")
        if began.is_set():
            with CancelScope(shield=True):
                await to_thread.run_sync(gone.wait)
        raise


def _hear(answer: AnswerRequest, listen: Callable[[Wire, Body], None] | None) -> AnswerRequest:
    if listen is None:
        return answer

    async def hear(asked: AgentRequest) -> EndpointReply:
        listen(asked.wire, asked.body)
        return await answer(asked)

    return hear


def _offered_tools(endpoint: Endpoint) -> list[JsonValue]:
    """Name the tools that the agent offered its model, in its own order."""
    return list(next((call.tools for call in endpoint.calls if call.by == "main"), ()))


def _limits(conditions: Mapping[str, str]) -> BoxLimits:
    given = {name: float(value) for name in ("memory_gb", "processors") if (value := conditions.get(name))}
    return BoxLimits(
        memory_bytes=int(given.get("memory_gb", 8) * GIB), processors=given.get("processors", BoxLimits.processors)
    )


def _whole(context: WorkContext, name: str, default: int) -> int:
    return int(context.conditions.get(name) or default)


def _time(context: WorkContext) -> float:
    return float(context.conditions.get("time_limit_s") or TIME_LIMIT_S)


def _describe(subject: HarnessSubject, box: Box, conditions: Mapping[str, str]) -> dict[str, JsonValue]:
    """Return what is known before it works: versions, isolation, and what this machine cannot give."""
    there = len(os.sched_getaffinity(0))
    return {
        "agent": subject.adapter.name,
        "agent_version": subject.installed.version,
        "off_pin": subject.installed.version != subject.adapter.paper_version,
        "tools": dict(tool_versions()),
        "isolation": box.isolation,
        "network": "open" if box.isolation == "none" else conditions.get(NETWORK, "none"),
        "model_path": conditions.get(MODEL_PATH, "translated"),
        "processors": f"{min(there, box.limits.processors):g} of {box.limits.processors:g}",
        "memory_gb": box.limits.memory_bytes / GIB,
    }


def _relay() -> Path:
    from cutscore.environments.sandbox import relay

    return Path(relay.__file__)
