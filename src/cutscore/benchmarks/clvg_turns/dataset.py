"""Items: one case of an environment file, with what its viewer does under either user."""

from pathlib import Path
from typing import Annotated

from pydantic import Field, JsonValue

from cutscore.benchmarks.clvg_turns.environment_file import (
    CaseState,
    EnvironmentCase,
    EnvironmentRead,
    find_environment,
    read_environment,
    walk_sampled,
    walk_scripted,
)
from cutscore.core.files import FileStore
from cutscore.core.item import TRUTH, Item

STARTER = Path(__file__).parent / "starter"
SCRIPTED, SAMPLED = "scripted", "sampled"
MOST_NAMED = 5  # cases that are left out


class InteractionCase(Item):
    """Make a film, and go on with it as its viewer answers.

    Args:
        role: The director's brief, with the rules of what follows which answer.
        opening: The script of the first film, which is given.
        feedback: What the viewer does after each film, by user; a subject hears of each when it has come to it.
        paths: The states that this leads through, by user.
        states: All states with their scripts.
        stage: Place and things of the staged scene, where it is ours (`staged`).
    """

    role: str = Field(min_length=1)
    opening: str = Field(min_length=1)
    feedback: dict[str, tuple[str, ...]]
    paths: Annotated[dict[str, tuple[str, ...]], TRUTH]
    states: Annotated[tuple[CaseState, ...], TRUTH]
    stage: Annotated[dict[str, JsonValue], TRUTH] = Field(default_factory=dict)

    def state(self, id: str) -> CaseState:
        """Return one of its states."""
        return next(state for state in self.states if state.state_id == id)


def items(store: FileStore, data: Path | None = None) -> list[InteractionCase]:
    """Return all cases in published order, of the starter pack or of a folder with an environment file."""
    return [_make_item(case) for case in _read(data).cases]


def find_left_out(data: Path | None = None) -> tuple[str, ...]:
    """Return what a reader should know of a folder: which cases are left out, and which are odd."""
    read = _read(data)
    lost = [f"{place} is left out: {fault}" for place, fault in read.faults.items()]
    more = len(lost) - MOST_NAMED
    odd = [f"{place}: {remark}" for place, remark in read.remarks.items()]
    return (*lost[:MOST_NAMED], *([f"so are {more} more cases"] if more > 0 else ()), *odd)


def _read(data: Path | None) -> EnvironmentRead:
    return read_environment(find_environment(data or STARTER))


def _make_item(case: EnvironmentCase) -> InteractionCase:
    walks = {SCRIPTED: walk_scripted(case), SAMPLED: walk_sampled(case)}
    return InteractionCase(
        id=f"case_{case.id}" if case.id.isdecimal() else case.id,  # so are the folders of released videos named
        cluster=case.family,
        groups={"field": case.scene_id.partition("_")[0].lower(), "turns": str(len(walks[SCRIPTED].states))},
        role=case.role,
        opening=case.by_id[case.initial_state_id].video_gen_prompt,
        feedback={user: walk.feedback for user, walk in walks.items()},
        paths={user: walk.states for user, walk in walks.items()},
        states=case.states,
        stage=case.stage,
    )
