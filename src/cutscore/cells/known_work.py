"""What an oracle hands over: a deliverable, actions in the world, or one of these for every turn.

Turns are told by their number, in a list; or, where what is right depends on what was said, by all that was said before
(`key_of_answers`), in a mapping.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from anyio import run

from cutscore.cells.evidence import evidence_plan
from cutscore.cells.sample_work import SampleWork
from cutscore.cells.world import SampleParts, Workspace, open_world
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.environment import ActionScript
from cutscore.core.errors import BrokenData
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileStore
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.core.turn import Turn

# Of somebody who would be asked for ever.
MOST_TURNS = 100

KnownTurn: TypeAlias = Deliverable | ActionScript
KnownWork: TypeAlias = KnownTurn | Sequence[KnownTurn] | Mapping[str, KnownTurn]


def key_of_answers(feedback: Iterable[str]) -> str:
    r"""Return the key of the turn that comes after these answers, each to the turn before; that of the first is empty.

    >>> key_of_answers(["Redder.", "Darker."])
    'Redder.\nDarker.'
    """
    return "\n".join(feedback)


async def play(known: KnownWork, context: WorkContext) -> Deliverable:
    """Do what is known for the turn under way, action by action, and return what is handed over.

    Where there are more turns than the oracle has something for, it hands over nothing.
    """
    if isinstance(known, Mapping):
        known = known.get(key_of_answers(turn.feedback for turn in context.turns), Deliverable())
    elif not isinstance(known, Deliverable | ActionScript):
        number = len(context.turns)
        known = known[number] if number < len(known) else Deliverable()
    if isinstance(known, Deliverable):
        return known
    if context.environment is None:
        fact = "it has actions, and there is no environment to act in"
        raise BrokenData("oracle", fact, "add environment/ to the benchmark's folder")
    for action in known.actions:
        await _act(action, context)
    return known.deliverable


async def _act(action: Action, context: WorkContext) -> None:
    """Do one action, and record it where the world does not itself."""
    assert context.environment is not None
    before = context.steps.count
    try:
        seen = await context.environment.act(action)
    except Exception as error:
        context.steps.add(did=action, error=f"{type(error).__name__}: {error}")
        raise
    if context.steps.count == before:
        context.steps.add(did=action, saw="" if seen is None else str(seen))


@dataclass(frozen=True)
class PlayedWork:
    """What came of known work: what was handed over in the end, and the evidence of it."""

    deliverable: Deliverable
    evidence: Evidence


def play_sample(known: KnownWork, parts: SampleParts, ask: Ask, store: FileStore) -> PlayedWork:
    """Play a whole sample as a run does: in its world, through its turns, with evidence by its plan.

    Raises what a run would be stopped or left unscored by, and what a read raises, which a run writes down.
    """
    plain = not (parts.has_world or parts.has_turns or evidence_plan(parts.found, parts.item).reads)
    if plain and isinstance(known, Deliverable):
        return PlayedWork(known, Evidence(files=known.files))

    async def play_to_the_end() -> PlayedWork:
        with Workspace() as workspace:
            context = WorkContext(store=store, make_workspace=workspace.make, epoch=1, seed=0)
            async with open_world(parts, None, ask, context) as world:
                sample = SampleWork(parts, ask, replace(context, environment=world), workspace)
                made = await sample.work(_Player(known))
                return PlayedWork(made, await sample.record(made, strict=True))

    return run(play_to_the_end)


def list_asks(parts: SampleParts, ask: Ask, store: FileStore) -> list[Ask | str]:
    """Return what is asked turn by turn of somebody who hands over nothing, and what is said to it, without a world."""

    async def ask_on() -> list[Ask | str]:
        said: list[Ask | str] = [ask]
        turns = [Turn(number=1, ask=ask, deliverable=Deliverable())]
        with Workspace() as workspace:
            context = WorkContext(store=store, make_workspace=workspace.make, epoch=1, seed=0)
            while True:
                feedback = await parts.next_ask(replace(context, turns=tuple(turns)))
                said.append(feedback.text)
                if feedback.ask is None or len(turns) == MOST_TURNS:
                    return said
                said.append(feedback.ask)
                turns[-1] = turns[-1].model_copy(update={"feedback": feedback.text})
                turns.append(Turn(number=len(turns) + 1, ask=feedback.ask, deliverable=Deliverable()))

    return run(ask_on)


@dataclass(frozen=True)
class _Player:
    known: KnownWork

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        return await play(self.known, context)
