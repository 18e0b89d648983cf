"""What an agent's file says: how it is set up, and what its own logs tell when it has ended.

    set_up(job)         files of its home, its command, its variables
    read_log(place)     how it ended, tokens by the paper's rule for it, the steps that it took

Logs are read after a kill, too, so nothing in them is taken for granted: a torn line, a missing file and a field of
another type are left out, and `AgentLog.torn` counts them.
"""

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Protocol

from cutscore.core.files import FileRef
from cutscore.core.trajectory import Action, Step
from cutscore.core.usage import Usage
from cutscore.environments.sandbox.layout import PROGRAM
from cutscore.models.endpoint.wire import WireName

PORT = 8099  # on the box's own loopback
KEY = "cutscore"  # agents want to have a key; the real one never enters a box
MOST_LINE_BYTES, MOST_LOG_BYTES = 64 << 20, 512 << 20
MOST_TOKENS = 10**12  # of one number; more is nonsense in a log

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


def keep_nothing(_data: bytes, _media_type: str) -> FileRef | None:
    """Keep no picture."""
    return None


@dataclass(frozen=True)
class AgentPlace:
    """Where an agent left its logs.

    Args:
        began_s: When it was started, in seconds since 1970: its steps are timed from there. From its first record
            where it is None.
        keep: Takes a picture into the store; None for one that is not kept.
    """

    home: Path
    stdout: Path
    stderr: Path
    began_s: float | None = None
    keep: Callable[[bytes, str], FileRef | None] = keep_nothing

    def files(self, *patterns: str) -> list[Path]:
        """Return the regular files of its home that fit; a link out of it is an agent's trick, and left out."""
        home = self.home.resolve()
        found = sorted(file for pattern in patterns for file in self.home.glob(pattern))
        return [file for file in found if file.is_file() and file.resolve().is_relative_to(home)]

    def clock(self, first: object) -> "LogClock":
        """Return the clock of its logs, of which the first record has this time."""
        return LogClock(first if self.began_s is None else self.began_s * 1000)

    def pictures(self, *found: tuple[object, object]) -> tuple[FileRef, ...]:
        """Return the pictures among what a tool brought back, each given as its media type and base64."""
        kept = []
        for media_type, data in found:
            if not (isinstance(media_type, str) and media_type.startswith("image/") and isinstance(data, str)):
                continue
            try:
                kept.append(self.keep(base64.b64decode(data, validate=True), media_type))
            except ValueError:  # what is torn is no picture
                continue
        return tuple(ref for ref in kept if ref is not None)


@dataclass(frozen=True)
class AgentLog:
    """What an agent's own logs tell.

    Args:
        usage: Tokens as the paper counts them for this agent; a bucket that it does not report is None.
        helper_usage: Tokens of its sub-agents as their own logs tell them, where `usage` leaves them out.
        steps: Turns of the main agent and of its helpers (`parent`), with the times of the log.
        error: What it says went wrong.
        torn: How many lines could not be read.
    """

    ended: AgentEnd
    usage: Usage | None = None
    helper_usage: Usage | None = None
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
        counts_helpers: Whether its own sum of tokens has those of its sub-agents.
    """

    name: str
    package: str
    version: str
    paper_version: str
    node: str
    wire: WireName
    counts_helpers: bool

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
        left = MOST_LOG_BYTES
        for file in self.files:
            if not file.is_file():
                continue
            with file.open("rb") as stream:
                while left > 0 and (line := stream.readline(MOST_LINE_BYTES)):
                    left -= len(line)
                    yield from self._object(line)

    def _object(self, line: bytes) -> Iterable[Mapping[str, Any]]:
        try:
            read = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            read = ()
        if isinstance(read, dict):
            return (read,)
        self.torn += read is not None
        return ()


class LogClock:
    """Seconds since an agent was started, from times as logs write them: ISO, or milliseconds."""

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
    try:
        if isinstance(at, int | float) and not isinstance(at, bool):
            return datetime.fromtimestamp(at / 1000, UTC).timestamp()
        return datetime.fromisoformat(at).timestamp() if isinstance(at, str) else None
    except (ValueError, OverflowError, OSError):  # no moment that a calendar has
        return None


def count(said: Mapping[str, Any], name: str) -> int | None:
    """Return a number of tokens; None where there is none, or one that cannot be.

    >>> count({"input": 3, "output": -1}, "input"), count({"input": 3, "output": -1}, "output")
    (3, None)
    """
    value = said.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS else None


def subtract(whole: int | None, part: int | None) -> int | None:
    """Return what is left of a bucket that holds another one; None where that is not known, or cannot be.

    >>> subtract(10, 4), subtract(10, None), subtract(None, 4), subtract(4, 10)
    (6, 10, None, None)
    """
    left = None if whole is None else whole - (part or 0)
    return left if left is None or left >= 0 else None


def add_up(usages: Iterable[Usage]) -> Usage | None:
    """Return the sum, None of nothing."""
    known = list(usages)
    return sum(known[1:], known[0]) if known else None


def mapping(value: object) -> Mapping[str, Any]:
    """Return a value that should be an object; an empty one where it is none."""
    return value if isinstance(value, dict) else {}


def mappings(value: object) -> list[Mapping[str, Any]]:
    """Return the objects of a value that should be a list of them."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def words(*values: object) -> str:
    """Return the texts among values, each on lines of its own."""
    return "\n".join(value for value in values if isinstance(value, str) and value)


def action(tool: object, arguments: object) -> Action:
    """Return a call; arguments may be an object, or the text of one."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            arguments = {"text": arguments}
    return Action(tool=tool if isinstance(tool, str) else "", arguments=_plain(mapping(arguments)))


def _plain(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as the record can hold them: what is nested beyond all sense becomes words."""
    try:
        return dict(Action(tool="", arguments=dict(arguments)).arguments)
    except (ValueError, RecursionError):
        return {"text": "arguments that cannot be kept"}


def find_spawner(steps: Sequence[Step], helper: object, tool: str) -> int | None:
    """Return the step that started a sub-agent: the call before the answer that names it, else the last one."""
    named = [number for number, step in enumerate(steps) if isinstance(helper, str) and helper and helper in step.saw]
    before = steps[: named[0]] if named else steps
    return next((step.n for step in reversed(before) if any(call.tool == tool for call in step.did)), None)
