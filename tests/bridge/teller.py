"""Subjects that say what they do, each of which ends in another way."""

import os

import anyio
from inspect_ai.util import LimitExceededError

from cutscore.core.deliverable import Deliverable
from cutscore.core.trajectory import Action, Step, Trajectory


def _look(ask, desk):
    shot = desk.shelf.put_bytes(b"\xff\xd8\xff shot", name="shot.jpg", media_type="image/jpeg")
    look = Action(tool="look", arguments={"clip": ask.files[0].name})
    desk.steps.add("I look.", did=look, saw="something blue", media=(shot,))


def answers(ask, desk):
    _look(ask, desk)
    return "blue"


def crashes(ask, desk):
    _look(ask, desk)
    raise RuntimeError("out of paint")


def runs_into_a_limit(ask, desk):
    _look(ask, desk)
    raise LimitExceededError("token", value=11, limit=10, message="Token limit exceeded. value: 11; limit: 10")


async def never_ends(ask, desk):
    _look(ask, desk)
    await anyio.sleep_forever()


def brings_its_own(ask, desk):
    _look(ask, desk)
    own = Trajectory(steps=(Step(n=1, said="my own"),))
    return Deliverable(text="blue", trajectory=desk.shelf.put_bytes(own.to_jsonl(), name="mine.jsonl"))


def tells_a_secret(ask, desk):
    secret = os.environ["CANARY_API_KEY"]
    desk.steps.add(f"with {secret}", did=Action(tool="call", arguments={"key": secret}), saw="x" * 19_995 + secret)
    return "blue"
