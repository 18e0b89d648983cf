"""The environment file: cases as graphs of states, in the released schema, and what is wrong with them.

    [{"id", "scene_id", "description", "initial_state_id", "role",
      "states": [{"state_id", "description", "video_gen_prompt",
                  "transitions": [{"env_feedback", "next_state_id"}]}]}]

A case that cannot be walked is named with its place and left out; the others go on. Ours have one key more, `stage`:
of a case what stands on the stage, of a state what happens in its film.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from pydantic import Field, JsonValue, ValidationError

from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.frozen import FrozenModel
from cutscore.core.strict_json import first_fault, read_json
from cutscore.regular_file import open_regular

PLACES = ("env.json", "data/env.json")  # in a folder: of its own, and as it was released
LARGEST_BYTES = 64_000_000
SEED = 0  # of the sampled walks
VARIANT = re.compile(r"_(?:CASE|PATH)_[A-Z0-9]+$")


class StateTransition(FrozenModel):
    """What the viewer does, and which state that leads to."""

    env_feedback: str = Field(min_length=1)
    next_state_id: str


class CaseState(FrozenModel):
    """One film of a case.

    Args:
        video_gen_prompt: The script that a right film follows.
        transitions: What the viewer may do then; the case ends where there is nothing.
        stage: Changes of the staged scene during this film, where it is ours.
    """

    state_id: str = Field(min_length=1)
    description: str = ""
    video_gen_prompt: str = Field(min_length=1)
    transitions: tuple[StateTransition, ...] = ()
    stage: tuple[dict[str, JsonValue], ...] = ()


class EnvironmentCase(FrozenModel):
    """One case: the brief of a director with its rules, and the states.

    Args:
        scene_id: Cases that differ in what follows `_CASE_` or `_PATH_` alone are one family.
        stage: Place and things of the staged scene, where it is ours.
    """

    id: str = Field(min_length=1)
    scene_id: str = Field(min_length=1)
    description: str = ""
    initial_state_id: str
    role: str = Field(min_length=1)
    states: tuple[CaseState, ...]
    stage: dict[str, JsonValue] = Field(default_factory=dict)

    @property
    def family(self) -> str:
        """What is not independent: cases of one scene."""
        return VARIANT.sub("", self.scene_id)

    @property
    def by_id(self) -> Mapping[str, CaseState]:
        """The states by their ids."""
        return {state.state_id: state for state in self.states}


@dataclass(frozen=True)
class Walk:
    """One way through a case: its states, and what the viewer does after each but the last."""

    states: tuple[str, ...]
    feedback: tuple[str, ...]


@dataclass(frozen=True)
class EnvironmentRead:
    """What a file holds.

    Args:
        faults: Why a case is left out, by its place.
        remarks: What a reader should know of cases that stay, by their place.
    """

    cases: tuple[EnvironmentCase, ...]
    faults: Mapping[str, str]
    remarks: Mapping[str, str]


def walk_scripted(case: EnvironmentCase) -> Walk:
    """Return the walk along the first transition of every state, as the released code goes."""
    return _walk(case, lambda ways: ways[0], looks_at=1)


def walk_sampled(case: EnvironmentCase, *, seed: int = SEED) -> Walk:
    """Return one walk drawn by case and seed, the same for all subjects; it comes to no state twice."""
    return _walk(case, Random(f"{seed} {case.id}").choice)


def _walk(
    case: EnvironmentCase,
    choose: Callable[[Sequence[StateTransition]], StateTransition],
    *,
    looks_at: int | None = None,
) -> Walk:
    states, feedback = [case.initial_state_id], list[str]()
    while ways := [way for way in case.by_id[states[-1]].transitions[:looks_at] if way.next_state_id not in states]:
        way = choose(ways)
        states.append(way.next_state_id)
        feedback.append(way.env_feedback)
    return Walk(tuple(states), tuple(feedback))


def find_faults(case: EnvironmentCase) -> Iterator[str]:
    """Return why a case cannot be walked, or has nothing to judge."""
    ids = [state.state_id for state in case.states]
    yield from (f"state '{id}' is there twice" for id in sorted({id for id in ids if ids.count(id) > 1}))
    if case.initial_state_id not in ids:
        yield f"it begins with state '{case.initial_state_id}', which is missing"
        return
    lost = [(state.state_id, way.next_state_id) for state in case.states for way in state.transitions]
    missing = [f"state '{at}' leads to state '{to}', which is missing" for at, to in lost if to not in ids]
    yield from missing
    if missing:
        return
    if not case.by_id[case.initial_state_id].transitions:
        yield f"its first state '{case.initial_state_id}' is dead: nothing follows, so no turn is judged"
    elif (end := walk_scripted(case).states[-1]) and case.by_id[end].transitions:
        yield f"it loops: after state '{end}' the first transitions lead back to where they were"


def find_remarks(case: EnvironmentCase) -> Iterator[str]:
    """Return what is odd about a case that can be walked: states that nobody sees, loops, words with two meanings."""
    after = {state.state_id: {way.next_state_id for way in state.transitions} for state in case.states}
    reached = _reach(case.initial_state_id, after)
    yield from (f"state '{id}' is unreachable" for id in after if id not in reached)
    yield from (f"state '{id}' can come again: it lies on a loop" for id in after if id in _reach_from(id, after))
    ends = {id for id, ways in after.items() if not ways}
    yield from (f"state '{id}' is dead: no end follows it" for id in reached if not ends & _reach(id, after))
    for state in case.states:
        said = [way.env_feedback for way in state.transitions]
        yield from (f"state '{state.state_id}' has two ways for '{each}'" for each in {*said} if said.count(each) > 1)


def _reach(start: str, after: Mapping[str, set[str]]) -> set[str]:
    return {start} | _reach_from(start, after)


def _reach_from(start: str, after: Mapping[str, set[str]]) -> set[str]:
    """Return every state that follows one, at any distance; itself only where it lies on a loop."""
    found, todo = set[str](), [*after[start]]
    while todo:
        if (id := todo.pop()) not in found:
            found.add(id)
            todo += after[id]
    return found


def find_environment(folder: Path) -> Path:
    """Return the environment file of a folder."""
    found = next((folder / place for place in PLACES if (folder / place).is_file()), None)
    if found is None:
        raise BadInput(f"folder '{folder}'", f"has no {' or '.join(PLACES)}", "name the folder of an environment file")
    return found


def read_environment(path: Path) -> EnvironmentRead:
    """Read an environment file case by case.

    Raises:
        BrokenData: It is no JSON list, or none of its cases can be walked.
    """
    plain = _read_list(path)
    cases: dict[str, EnvironmentCase] = {}
    faults: dict[str, str] = {}
    remarks: dict[str, str] = {}
    for number, each in enumerate(plain, start=1):
        place = f"case {number}"
        try:
            case = EnvironmentCase.model_validate(each)
        except ValidationError as fault:
            faults[place] = first_fault(fault)
            continue
        place = f"case {number} ('{case.id}')"
        wrong = [*find_faults(case), *([f"id '{case.id}' is that of an earlier case"] if case.id in cases else ())]
        if wrong:
            faults[place] = "; ".join(wrong)
            continue
        cases[case.id] = case
        if odd := list(find_remarks(case)):
            remarks[place] = "; ".join(odd)
    if not cases:
        told = next((f"{place}: {fault}" for place, fault in faults.items()), "it has no cases")
        raise BrokenData(f"environment file '{path.name}'", told, "see docs/interactive-video.md for its form")
    return EnvironmentRead(tuple(cases.values()), faults, remarks)


def _read_list(path: Path) -> list[JsonValue]:
    try:
        with open_regular(path) as stream:
            plain = read_json(stream.read(LARGEST_BYTES).decode("utf-8-sig"))
    except OSError as fault:
        raise BrokenData(f"environment file '{path.name}'", f"cannot be read: {fault.strerror}") from fault
    except ValueError as fault:
        raise BrokenData(f"environment file '{path.name}'", str(fault), "write a JSON list of cases") from None
    if not isinstance(plain, list):
        raise BrokenData(f"environment file '{path.name}'", "is no list", "write a JSON list of cases")
    return plain
