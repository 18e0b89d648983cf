"""The way a subject went: one kind of step for command-line agents and web agents alike."""

from collections.abc import Iterable, Iterator
from typing import Literal

from pydantic import Field, JsonValue

from cutscore.core.files import FileRef
from cutscore.core.frozen import FrozenModel
from cutscore.core.usage import Usage

Actor = Literal["model", "tool", "environment", "person"]


class Action(FrozenModel):
    """A tool call: a shell command, a click, a file written."""

    tool: str
    arguments: dict[str, JsonValue] = Field(default_factory=dict)


class Step(FrozenModel):
    """One turn.

    Args:
        n: Counts from 1.
        by: Who acted: the model, a tool, the environment, or a person.
        at_s: Seconds since the sample began, by a monotonic clock; None when the log does not tell.
        parent: Step that started the sub-agent which took this one.
    """

    n: int = Field(ge=1)
    by: Actor = "model"
    at_s: float | None = Field(default=None, ge=0)
    said: str = ""
    did: tuple[Action, ...] = ()
    saw: str = ""
    media: tuple[FileRef, ...] = ()
    usage: Usage | None = None
    error: str = ""
    parent: int | None = None


class Trajectory(FrozenModel):
    """All steps in order, as JSON lines in the store; a log holds only their reference."""

    steps: tuple[Step, ...] = ()

    def to_jsonl(self) -> bytes:
        """Write one step a line."""
        return b"".join(step.model_dump_json(exclude_defaults=True).encode() + b"\n" for step in self.steps)

    @classmethod
    def from_jsonl(cls, lines: Iterable[bytes | str]) -> "Trajectory":
        """Read what `to_jsonl` wrote."""
        return cls(steps=tuple(Step.model_validate_json(line) for line in lines if line.strip()))

    def __iter__(self) -> Iterator[Step]:  # type: ignore[override]  # pydantic iterates fields; we iterate steps
        return iter(self.steps)
