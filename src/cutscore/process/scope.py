"""Whose children these are: all that are started inside a scope end with it.

A thread cannot be stopped. When a sample ends before its thread does, at a limit or by Ctrl-C, the thread goes on, and
so would the programs that it runs. So each child enrols in the scope in which it was started, and a scope that is
closed ends all of them and takes no more. A context variable carries it, which reaches coroutines, tasks and the worker
threads of anyio and `asyncio.to_thread`; a thread that somebody starts by hand has no scope.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from cutscore.core.errors import SubjectFailed

if TYPE_CHECKING:
    from cutscore.process.child import Child

_current: ContextVar["ChildScope | None"] = ContextVar("cutscore_child_scope", default=None)


class ChildScope:
    """The children that were started in it and live."""

    def __init__(self) -> None:
        self._lock, self._children, self.is_closed = threading.Lock(), set["Child"](), False

    def check_open(self, program: str) -> None:
        """Raise where nothing may be started any more."""
        if self.is_closed:
            raise SubjectFailed(f"program '{program}'", "is started for a sample that has ended", "start it earlier")

    def enrol(self, child: "Child") -> bool:
        """Take in a child that was started; return whether the scope is still open."""
        with self._lock:
            self._children.add(child)
            return not self.is_closed

    def strike_off(self, child: "Child") -> None:
        """Forget a child that its owner has ended."""
        with self._lock:
            self._children.discard(child)

    def close(self) -> None:
        """End all children at once, and refuse those to come. Their owners, in whatever thread, see them end."""
        with self._lock:
            self.is_closed = True
            children = tuple(self._children)
        for child in children:  # all of them first, so that they end side by side
            child.kill()
        for child in children:
            child.wait_until_dead()


def current_scope() -> ChildScope | None:
    """Return the scope that children of this context belong to."""
    return _current.get()


@contextmanager
def child_scope() -> Iterator[ChildScope]:
    """End all children that are started inside when it is left; scopes inside each other end their own."""
    scope = ChildScope()
    before = _current.set(scope)
    try:
        yield scope
    finally:
        _current.reset(before)
        scope.close()
