"""What an agent's file says: how it is set up, and what its own logs tell when it has ended.

    set_up(job)         files of its home, its command, its variables
    read_log(place)     how it ended, tokens by the paper's rule for it, the steps that it took

Logs are read after a kill, too, so nothing in them is taken for granted: a torn line, a missing file and a field of
another type are left out, and `AgentLog.torn` counts them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Protocol

from cutscore.core.trajectory import Step
from cutscore.core.usage import Usage
from cutscore.environments.sandbox.layout import PROGRAM
from cutscore.models.endpoint.wire import WireName

PORT = 8099  # on the box's own loopback
KEY = "cutscore"  # agents want to have a key; the real one never enters a box
MOST_LINE_BYTES = 64 << 20

# How an agent says that it ended; `error` is the provider's or its own, `cap` its turn limit, `unknown` says nothing.
AgentEnd = Literal["done", "error", "cap", "refused", "unknown"]


@dataclass(frozen=True)
class AgentJob:
    """What an agent is asked to do.

    Args:
        model: Under which name it asks for its model.
        turn_limit: None where there is none.
        time_limit_s: For agents that have a clock of their own.
    """

    prompt: str
    model: str
    turn_limit: int | None
    time_limit_s: float


@dataclass(frozen=True)
class AgentSetup:
    """How an agent is started: files of its home by their paths in it, its words, its variables."""

    argv: tuple[str, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class AgentPlace:
    """Where an agent left its logs: its home, and what it printed."""

    home: Path
    stdout: Path
    stderr: Path


@dataclass(frozen=True)
class AgentLog:
    """What an agent's own logs tell.

    Args:
        usage: Tokens as the paper counts them for this agent; a bucket that it does not report is None.
        steps: Turns of the main agent and of its helpers (`parent`), with the times of the log.
        error: What it says went wrong.
        torn: How many lines could not be read.
    """

    ended: AgentEnd
    usage: Usage | None = None
    steps: tuple[Step, ...] = ()
    error: str = ""
    torn: int = 0


class HarnessAdapter(Protocol):
    """One agent.

    Args:
        package: Its name in the npm registry.
        version: The one that is installed unless another is asked for.
        paper_version: The one that the paper ran; another is off its pin, and marked so.
        node: The oldest Node that runs it; empty for a program of its own.
        wire: Which wire it speaks.
    """

    name: str
    package: str
    version: str
    paper_version: str
    node: str
    wire: WireName

    def set_up(self, job: AgentJob) -> AgentSetup:
        """Return how it is started in a box, where its package lies at `PROGRAM`."""

    def read_log(self, place: AgentPlace) -> AgentLog:
        """Return what it left."""


def in_package(path: str) -> str:
    """Return where a file of the installed packages lies in the box."""
    return f"{PROGRAM}/node_modules/{path}"


def base_url(path: str = "") -> str:
    """Return the address of the model in the box."""
    return f"http://127.0.0.1:{PORT}{path}"


class JsonLines:
    """The objects of a file with one on each line; lines that are none are counted."""

    def __init__(self, *files: Path) -> None:
        self.files, self.torn = files, 0

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for file in self.files:
            if not file.is_file():
                continue
            with file.open("rb") as stream:
                for line in iter(lambda: stream.readline(MOST_LINE_BYTES), b""):  # used up in this round
                    yield from self._object(line)

    def _object(self, line: bytes) -> Iterable[Mapping[str, Any]]:
        try:
            read = json.loads(line) if line.strip() else None
        except ValueError:
            read = ()
        if isinstance(read, dict):
            return (read,)
        self.torn += read is not None
        return ()


class LogClock:
    """Seconds since a log began, from times as logs write them: ISO, or milliseconds."""

    def __init__(self, began: object) -> None:
        self._began_s = _moment_s(began)

    def seconds(self, at: object) -> float | None:
        """Return how long after the beginning something was; None where the log does not tell.

        >>> LogClock("2026-05-04T10:00:00.500Z").seconds("2026-05-04T10:00:02Z"), LogClock(1000).seconds(None)
        (1.5, None)
        """
        at_s = _moment_s(at)
        return None if at_s is None or self._began_s is None else round(max(0.0, at_s - self._began_s), 3)


def _moment_s(at: object) -> float | None:
    if isinstance(at, int | float):
        return at / 1000
    try:
        return datetime.fromisoformat(str(at)).timestamp()
    except ValueError:
        return None


def count(said: Mapping[str, Any], name: str) -> int | None:
    """Return a number of tokens; None where there is none, or one that cannot be.

    >>> count({"input": 3, "output": -1}, "input"), count({"input": 3, "output": -1}, "output")
    (3, None)
    """
    value = said.get(name)
    return value if isinstance(value, int) and value >= 0 else None
