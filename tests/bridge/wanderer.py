"""A subject that talks with its model for two hundred turns, a screenshot each, and leaves a trajectory."""

from random import Random

from inspect_ai.model import ChatMessageUser, ContentText

from cutscore.core.deliverable import Deliverable
from cutscore.core.trajectory import Action, Step, Trajectory
from cutscore.models.ask import ask_model
from cutscore.models.boundary import Boundary
from cutscore.models.references import content_for

TURNS = 200
SCREEN_BYTES = 10_000


def page(n: int) -> str:
    """Give a kilobyte of text that no compressor shortens much."""
    return Random(n).randbytes(512).hex()


async def wander(ask, context):
    boundary = Boundary(path=context.store.path, tally=context.tally, frames="uniform=1", takes="frames")
    messages, steps = [ChatMessageUser(content=ask.brief)], []
    for n in range(1, TURNS + 1):
        output = await ask_model(messages, boundary)
        picture = n.to_bytes(2) * (SCREEN_BYTES // 2)
        screen = context.store.put_bytes(picture, name=f"screen-{n}.png", media_type="image/png")
        steps.append(
            Step(
                n=n,
                said=output.completion,
                did=(Action(tool="click", arguments={"x": n}),),
                saw=page(n),
                media=(screen,),
            )
        )
        messages += [
            output.message,
            ChatMessageUser(content=[ContentText(text=f"{n}. {page(n)}"), content_for(screen)]),
        ]
    kept = context.store.put_bytes(Trajectory(steps=tuple(steps)).to_jsonl(), name="trajectory.jsonl")
    return Deliverable(text="done", trajectory=kept)
