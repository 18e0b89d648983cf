"""Subjects that say what they do, each of which ends in another way."""

import os

import anyio
from inspect_ai.model import get_model
from inspect_ai.util import LimitExceededError

from cutscore.core.deliverable import Deliverable
from cutscore.core.trajectory import Action, Step, Trajectory


def _look(ask, context):
    shot = context.store.put_bytes(b"\xff\xd8\xff shot", name="shot.jpg", media_type="image/jpeg")
    look = Action(tool="look", arguments={"clip": ask.files[0].name})
    context.steps.add("I look.", did=look, saw="something blue", media=(shot,))


def answers(ask, context):
    _look(ask, context)
    return "blue"


def crashes(ask, context):
    _look(ask, context)
    raise RuntimeError("out of paint")


def runs_into_a_limit(ask, context):
    _look(ask, context)
    raise LimitExceededError("token", value=11, limit=10, message="Token limit exceeded. value: 11; limit: 10")


async def never_ends(ask, context):
    _look(ask, context)
    await anyio.sleep_forever()


def brings_its_own(ask, context):
    _look(ask, context)
    own = Trajectory(steps=(Step(n=1, said="my own"),))
    return Deliverable(text="blue", trajectory=context.store.put_bytes(own.to_jsonl(), name="mine.jsonl"))


def tells_a_secret(ask, context):
    secret = os.environ["CANARY_API_KEY"]
    context.steps.add(f"with {secret}", did=Action(tool="call", arguments={"key": secret}), saw="x" * 19_995 + secret)
    return "blue"


async def hides_a_fault(ask, context):
    try:
        return (await get_model().generate(ask.brief)).completion
    except Exception:
        return "blue"
