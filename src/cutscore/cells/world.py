"""What a benchmark brings to a sample besides the ask, above all its world; and the folder of a sample."""

import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from anyio import fail_after, move_on_after

from cutscore.cells.inputs import limit_pictures
from cutscore.core.ask import Ask
from cutscore.core.environment import Environment
from cutscore.core.errors import Unscored
from cutscore.core.item import Item
from cutscore.core.subject import WorkContext
from cutscore.core.turn import Feedback
from cutscore.prompts import Prompt
from cutscore.registry import Benchmark

# A world that does not open is our failure, and one that does not close must not hold up the others.
OPEN_S, CLOSE_S = 300.0, 30.0
OPENER = "open_environment"


@dataclass(frozen=True)
class SampleParts:
    """What a benchmark brings to a sample besides the ask; a subject sees none of it."""

    found: Benchmark
    item: Item
    prompts: Mapping[str, Prompt] = field(default_factory=dict)

    @property
    def has_world(self) -> bool:
        """Whether the benchmark has a world of its own."""
        return self.found.has_part("environment")

    @property
    def has_turns(self) -> bool:
        """Whether something answers back."""
        return self.found.has_turns

    async def next_ask(self, context: WorkContext) -> Feedback:
        """Return what is said to the last turn of the context, and what is asked next."""
        made: Feedback = await self.found.part("ask").next_ask(self.item, self.prompts, context)
        return made.model_copy(update={"ask": limit_pictures(made.ask, context.frames)}) if made.ask else made


@asynccontextmanager
async def open_world(
    parts: SampleParts, subject: object, ask: Ask, context: WorkContext, *, opener_name: str = OPENER
) -> AsyncIterator[Environment | None]:
    """Open the world of the benchmark, else the one that the subject asks for, and close it whatever happens.

    A benchmark may open its world in several ways, each by a function of its own (`opener_name`).

    Raises:
        Stopped: This machine lacks something for it.
        Unscored: It did not open.
    """
    opener = getattr(parts.found.part("environment"), opener_name) if parts.has_world else None
    opener = opener or getattr(subject, OPENER, None)
    if opener is None:
        yield None
        return
    try:
        with fail_after(OPEN_S):
            world: Environment = await opener(ask, context)
    except TimeoutError:
        fact = f"did not open within {OPEN_S:g} s"
        raise Unscored(f"environment of item '{ask.item}'", fact, "run the same command again") from None
    try:
        yield world
    finally:
        await _close(world, context)


async def _close(world: Environment, context: WorkContext) -> None:
    with move_on_after(CLOSE_S, shield=True) as clock:
        try:
            await world.close()
        except Exception as error:  # noqa: BLE001  what was handed over stands
            context.tally.warn(f"the environment did not close well: {type(error).__name__}: {error}")
    if clock.cancelled_caught:
        context.tally.warn(f"the environment did not close within {CLOSE_S:g} s")


class Workspace:
    """The folder of one sample, made when somebody asks for it and gone at the end."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self.folder: Path | None = None

    def make(self) -> Path:
        """Return the folder, for all who ask the same."""
        if self.folder is None:
            # A thread that was left behind may still write into it.
            made = tempfile.TemporaryDirectory(prefix="cutscore-", ignore_cleanup_errors=True)
            self.folder = Path(self._stack.enter_context(made))
        return self.folder

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
