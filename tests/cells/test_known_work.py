"""Known work: what an oracle does is recorded once, by the world or for it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from anyio import run

from cutscore.cells.known_work import play
from cutscore.core.environment import ActionScript
from cutscore.core.step_recorder import StepRecorder
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.store import Store

SCRIPT = ActionScript(actions=(Action(tool="click"), Action(tool="stop")))


@dataclass
class World:
    """Does nothing, and may record it."""

    steps: StepRecorder
    records: bool

    async def act(self, action: Action) -> Any:
        if self.records:
            self.steps.add(did=action, saw="a page", by="environment")
        return {"text": "a page"}


@pytest.mark.parametrize(("records", "seen"), [(True, "a page"), (False, "{'text': 'a page'}")])
def test_an_action_is_one_step(tmp_path: Path, records: bool, seen: str) -> None:
    steps = StepRecorder()
    world: Any = World(steps, records)
    run(
        play,
        SCRIPT,
        WorkContext(Store(tmp_path), make_workspace=lambda: tmp_path, epoch=1, seed=0, steps=steps, environment=world),
    )
    made = steps.trajectory()
    assert made is not None
    assert [(step.did[0].tool, step.saw) for step in made.steps] == [("click", seen), ("stop", seen)]
