"""A world to work in: opened for one sample, used through the work context, closed when evidence was taken.

    open  ←  ask                       the public half of an item, and nothing else
    act                                what a subject, or the script of an oracle, does in it
    read  ←  evidence plan             compiled from the item, run when the subject has stopped
    close                              whatever ended the work

A benchmark brings one in `environment/` of its folder, or a subject asks for one (a box with media tools):

    async def open_environment(ask: Ask, context: WorkContext) -> Environment

It raises Stopped when this machine lacks something for it. Where a sample goes on after a kill, `context.turns` has the
turns that were made before.
"""

from pathlib import Path
from typing import Protocol, Self

from pydantic import Field, JsonValue, model_validator

from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import FrozenModel
from cutscore.core.trajectory import Action


class EvidenceRead(FrozenModel):
    """One thing that an evidence plan wants recorded.

    Args:
        name: Under which the fact stands in the evidence.
        kind: What is read, in a word that the environment knows: `page`, `request_log`, `file`.
        arguments: What it takes. What the marker hopes to find there is not among it.
    """

    name: str = Field(min_length=1)
    kind: str = Field(min_length=1)
    arguments: dict[str, JsonValue] = Field(default_factory=dict)


class EvidencePlan(FrozenModel):
    """What is read when the subject has stopped, in this order; the subject never sees it."""

    reads: tuple[EvidenceRead, ...] = ()

    @model_validator(mode="after")
    def _names_are_distinct(self) -> Self:
        names = [read.name for read in self.reads]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f"two reads are named '{twice}'")
        return self


class ReadResult(FrozenModel):
    """What one read gave: a fact, files, or why it gave nothing.

    Args:
        is_live: It comes from something with a clock of its own (a page with the time of day, a token in a form), so
            two equal runs do not give the same bytes. Marks count in a comparison of runs, and this does not.
    """

    fact: JsonValue = None
    files: tuple[FileRef, ...] = ()
    error: str = ""
    is_live: bool = False


class ActionScript(FrozenModel):
    """What an oracle does where the deliverable is a state of the world: actions, then what it hands over."""

    actions: tuple[Action, ...]
    deliverable: Deliverable = Deliverable()


class Environment(Protocol):
    """A world that is open for one sample.

    What lives until `close` is started when it is opened: children that an action starts end with the work. It may also
    have `facts`, a mapping of small values that say what it took (peak memory, isolation); marking does not read them.
    """

    @property
    def outputs(self) -> Path | None:
        """The folder in which files are left; taken in whatever ends the work. None where there is none."""

    async def act(self, action: Action) -> JsonValue:
        """Do one thing in the world, and return what is seen of it.

        SubjectFailed when it cannot be done in this world; any other error is ours and leaves the sample unscored.
        """

    async def read(self, read: EvidenceRead, store: FileStore) -> ReadResult:
        """Record one thing, when the subject has stopped. What it raises is an error of this read alone."""

    async def close(self) -> None:
        """End everything that belongs to this world."""
