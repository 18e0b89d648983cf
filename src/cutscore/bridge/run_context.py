"""Where a run keeps its things: the one folder that logs and store share.

Inspect builds tasks from plain arguments and knows nothing of our store. Whoever starts a cell says where with
`at(run)`; a task that is started by `inspect eval` finds the store beside Inspect's own logs, so that both ways
leave the same kind of folder behind.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from cutscore.bridge.progress import Listener, nobody
from cutscore.core.tally import allow, unbooked
from cutscore.core.usage import Usage
from cutscore.redaction import Redactor, redactor
from cutscore.store import Store


@dataclass(frozen=True)
class RunContext:
    """The surroundings of a running cell.

    Args:
        run: The run folder.
        before_call: Raises when the run may not spend more money.
        on_call: Books the tokens of a call and gives its cost.
        tell: Hears of every sample that ends and every call that is repeated.
        redact: Takes secrets out of everything that is written.
    """

    run: Path
    before_call: Callable[[], None] = allow
    on_call: Callable[[str, Usage | None], float | None] = unbooked
    tell: Listener = nobody
    redact: Redactor = field(default_factory=redactor)

    @property
    def store(self) -> Store:
        return Store(self.run / "store")


_current: ContextVar[RunContext | None] = ContextVar("cutscore_place", default=None)


def here() -> RunContext:
    """Return the place of the running cell, or the one beside Inspect's logs."""
    return _current.get() or RunContext(run=Path(os.environ.get("INSPECT_LOG_DIR", "logs")))


@contextmanager
def at(place: RunContext) -> Iterator[RunContext]:
    """Run cells at a place."""
    token = _current.set(place)
    try:
        yield place
    finally:
        _current.reset(token)
