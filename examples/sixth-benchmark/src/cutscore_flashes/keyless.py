"""Subjects without a key: `blind` guesses from the words alone."""

from random import Random

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore


def blind(ask: Ask, seed: int, store: FileStore) -> Deliverable:
    """Pick one of the choices without looking at the clip; equal seeds guess alike."""
    return Deliverable(text=Random(seed).choice(ask.choices))
