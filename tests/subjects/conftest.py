"""Fixtures of the subject tests: a context to work in, and an ask to answer."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import anyio
import pytest

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.subject import Subject, WorkContext
from cutscore.store import Store


@pytest.fixture
def context(tmp_path: Path) -> WorkContext:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    return WorkContext(store=Store(tmp_path / "store"), make_workspace=lambda: workspace, epoch=1, seed=7)


@pytest.fixture
def ask() -> Ask:
    return Ask(item="bars-01-a", brief="Which colour?", choices=("red", "blue"))


@pytest.fixture
def work(ask: Ask, context: WorkContext) -> Callable[[Subject], Deliverable]:
    """Let a subject work on the ask, on an event loop of its own."""

    def run(subject: Subject) -> Deliverable:
        async def once() -> Deliverable:
            doing: Coroutine[Any, Any, Deliverable] = subject.work(ask, context)
            return await doing

        return anyio.run(once)

    return run
