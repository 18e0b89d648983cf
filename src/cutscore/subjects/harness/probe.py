"""Try an agent in a box against a model that plays a few turns: what it offers, what it counts, what it shows.

It goes the way of every sample: the same box, endpoint and logs. One conversation lets the agent look at a large
picture by its own tool; another never ends by itself, so that the turn limit has to.
"""

from __future__ import annotations

import base64
import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from cutscore.core.ask import Ask
from cutscore.core.errors import SubjectFailed
from cutscore.core.subject import WorkContext
from cutscore.core.usage import Usage
from cutscore.environments.sandbox.isolation import find_isolation
from cutscore.models.endpoint.wire import Body, Wire, WireName
from cutscore.store import Store
from cutscore.subjects.harness.adapter import HarnessAdapter
from cutscore.subjects.harness.installed import InstalledAgent
from cutscore.subjects.harness.subject import AgentBox, HarnessSubject

SIDE, PICTURE = (4096, 3072), "/workspace/picture.png"
BUCKETS = ("input", "cached", "cache_write", "output", "reasoning")
# Each bucket has a number that no sum of others makes.
FIRST = {"input": 101, "cached": 1003, "cache_write": 507, "output": 23, "reasoning": 11}
LATER = {"input": 211, "cached": 2003, "cache_write": 709, "output": 37, "reasoning": 17}
# The tools by which agents look at pictures; those that one does not offer are left out.
LOOKS: Mapping[str, Mapping[str, str]] = {
    "Read": {"file_path": PICTURE},
    "view_image": {"path": PICTURE},
    "read_file": {"file_path": PICTURE},
    "read": {"filePath": PICTURE, "path": PICTURE},
}
LOOKING: list[dict[str, Any]] = [
    {"shell": "echo begun", "usage": FIRST},
    *({"tool": tool, "arguments": words} for tool, words in LOOKS.items()),
    {"say": "Done."},
]
ENDLESS: list[dict[str, Any]] = [{"shell": "true"}]
TURN_LIMIT, TIME_LIMIT_S = 2, 120.0
BRIEF = f"Look at the picture {PICTURE} and say that you are done."


@dataclass(frozen=True)
class ProbedPicture:
    """A picture as it reached the model."""

    media_type: str
    width: int
    height: int
    bytes: int


@dataclass(frozen=True)
class AgentProbe:
    """What was seen of an agent.

    Args:
        buckets: How it tells each bucket of tokens: `exact`, `not told`, or what it holds instead.
        answers: How many answers it got under a limit of `TURN_LIMIT` turns.
        cap_holds: It got no more than that, and ended by itself.
        looked_by: The tool by which it looked at the picture, empty where it offers none of those that we know.
        failed: Why it did not come to its end, empty when it did.
    """

    version: str
    off_pin: bool
    wire: WireName
    isolation: str
    tools: tuple[str, ...] = ()
    buckets: Mapping[str, str] = field(default_factory=dict)
    answers: int = 0
    cap_holds: bool = False
    looked_by: str = ""
    pictures: tuple[ProbedPicture, ...] = ()
    failed: str = ""


@dataclass
class _Heard:
    """What the model was asked with."""

    tools: list[str] = field(default_factory=list)
    pictures: dict[str, ProbedPicture] = field(default_factory=dict)

    def hear(self, wire: Wire, body: Body) -> None:
        """Note the tools of a request, and its pictures, each once."""
        self.tools += [tool for tool in wire.tools(body) if tool not in self.tools]
        for media_type, data in wire.pictures(body):
            self.pictures[data] = _measure_picture(media_type, base64.b64decode(data))


@dataclass(frozen=True)
class _Tried:
    """One conversation: what was heard of it, what the agent told, what the world knows."""

    heard: _Heard
    told: Usage | None
    facts: Mapping[str, object]
    failed: str

    @property
    def turns(self) -> int:
        """How many answers the main agent got."""
        return int(str(self.facts.get("turns", 0)))


async def probe_agent(adapter: HarnessAdapter, installed: InstalledAgent) -> AgentProbe:
    """Let an agent work twice, and tell what was seen."""
    seen = AgentProbe(
        installed.version, installed.version != adapter.paper_version, adapter.wire, isolation=find_isolation()
    )
    looked = await _try(adapter, installed, LOOKING)
    endless = await _try(adapter, installed, ENDLESS)
    return replace(
        seen,
        tools=tuple(looked.heard.tools),
        buckets=compare_buckets(looked.told, sum_turns(looked.turns)),
        answers=endless.turns,
        cap_holds=endless.turns == TURN_LIMIT and endless.facts.get("box_ended") == "exited",
        looked_by=next((tool for tool in LOOKS if tool in looked.heard.tools), ""),
        pictures=tuple(looked.heard.pictures.values()),
        failed=looked.failed,
    )


async def _try(adapter: HarnessAdapter, installed: InstalledAgent, turns: list[dict[str, Any]]) -> _Tried:
    from inspect_ai.model import GenerateConfig, get_model
    from inspect_ai.model._model import init_active_model

    import cutscore.models.scripted  # noqa: F401  # registers it
    from cutscore.bridge.guarded_environment import GuardedEnvironment

    with tempfile.TemporaryDirectory(prefix="cutscore-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        script = folder / "script.json"
        script.write_text(json.dumps({"turns": turns, "usage": LATER}))
        init_active_model(get_model(f"scripted/{script}"), GenerateConfig())
        heard, ask = _Heard(), Ask(item="probe", brief=BRIEF)
        agent = HarnessSubject(adapter, installed, listen=heard.hear)
        limits = {"turn_limit": str(TURN_LIMIT)} if turns is ENDLESS else {}
        (folder / "work").mkdir()
        context = WorkContext(
            store=Store(folder / "store"),
            make_workspace=lambda: folder / "work",
            epoch=1,
            seed=0,
            conditions={"time_limit_s": str(TIME_LIMIT_S), **limits},
        )
        world: AgentBox = await agent.open_environment(ask, context)
        _write_picture(world.box.workspace / Path(PICTURE).name)
        failed = ""
        try:
            await agent.work(ask, replace(context, environment=GuardedEnvironment(world)))
        except SubjectFailed as error:
            failed = str(error)
        return _Tried(heard, context.tally.told_usage, world.facts, failed)


def sum_turns(turns: int) -> Usage:
    """Return the tokens of so many turns of the first conversation."""
    return Usage(**{name: FIRST[name] + (turns - 1) * LATER[name] for name in BUCKETS} if turns else {})


def compare_buckets(told: Usage | None, taken: Usage) -> dict[str, str]:
    """Return how an agent tells each bucket, against what the model said that it took.

    >>> compare_buckets(Usage(input=5, output=4), Usage(input=2, cache_write=3, output=3, reasoning=1))["input"]
    'with cache_write'
    """
    if told is None:
        return dict.fromkeys(BUCKETS, "not told")
    numbers = {name: getattr(taken, name) or 0 for name in BUCKETS}
    return {name: _compare_bucket(name, getattr(told, name), numbers) for name in BUCKETS}


def _compare_bucket(name: str, said: int | None, numbers: Mapping[str, int]) -> str:
    if said is None:
        return "not told"
    if said == numbers[name]:
        return "exact"
    for others in _other_sets(name):
        if said == numbers[name] + sum(numbers[other] for other in others):
            return f"with {' and '.join(others)}"
    return "told as 0" if said == 0 else f"told as {said:,} of {numbers[name]:,}"


def _other_sets(name: str) -> Iterator[tuple[str, ...]]:
    others = [each for each in BUCKETS if each != name]
    for size in range(1, len(others) + 1):
        yield from combinations(others, size)


def _write_picture(path: Path) -> None:
    """Write a picture with coarse grain: under a megabyte, which every agent can send as it is."""
    import cv2
    import numpy as np

    width, height = SIDE
    ramp = np.add.outer(np.arange(height) // 16, np.arange(width) // 16).astype(np.uint8)
    grain = np.random.default_rng(0).integers(0, 8, (height // 8, width // 8), np.uint8)
    grain = grain.repeat(8, axis=0).repeat(8, axis=1)[..., None]
    cv2.imwrite(str(path), np.dstack([ramp, ramp[::-1], ramp[:, ::-1]]) ^ grain, [cv2.IMWRITE_PNG_COMPRESSION, 3])


def _measure_picture(media_type: str, data: bytes) -> ProbedPicture:
    import cv2
    import numpy as np

    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    height, width = (0, 0) if pixels is None else pixels.shape[:2]
    return ProbedPicture(media_type, width, height, len(data))
