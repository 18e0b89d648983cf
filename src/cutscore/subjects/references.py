"""Subjects whose marks are known beforehand (`oracle`, `null`) or come from guessing (`blind`).

Both may write files, so they work in threads: nobody else's sample waits for the disk.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cutscore.cells.known_work import KnownWork, play
from cutscore.core.ask import Ask
from cutscore.core.bundle import UnscorableBundle
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput
from cutscore.core.files import FileStore
from cutscore.core.item import Item
from cutscore.core.subject import WorkContext


@dataclass(frozen=True)
class KnownAnswerSubject:
    """Hands over what the benchmark's oracle makes of an item (`perfect`, `empty`); only it is given items.

    Where the deliverable is a state of the world, the oracle has actions, and they are done in it.
    """

    make: Callable[[Item, FileStore], KnownWork]
    items: Mapping[str, Item]
    source_digest: str = ""

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Return what the benchmark's oracle makes of the item, after its actions where it has some."""
        from anyio import to_thread

        if ask.item not in self.items:
            raise BadInput(f"item '{ask.item}'", "is not in the data", "run with the data it came from")
        if isinstance(item := self.items[ask.item], UnscorableBundle):
            return Deliverable(failure=f"nobody can know: {item.untold}")
        return await play(await to_thread.run_sync(self.make, item, context.store), context)


@dataclass(frozen=True)
class BlindSubject:
    """Answers from the words alone, by the seed of the sample."""

    guess: Callable[[Ask, int, FileStore], Deliverable]
    source_digest: str = ""

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Guess, by the seed of the sample."""
        from anyio import to_thread

        return await to_thread.run_sync(self.guess, ask, context.seed, context.store)
