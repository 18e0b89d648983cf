"""A guess, and two who look."""

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore
from cutscore.core.subject import WorkContext


def blind(ask: Ask, seed: int, store: FileStore) -> Deliverable:
    """Guess."""
    return Deliverable(text="99")


def bold(ask: Ask, context: WorkContext) -> Deliverable:
    """Name three seconds from the clip's number on, whatever is there; nothing of clip 3."""
    number = int(ask.item[-2:])
    return Deliverable(text=" ".join(str(number + each) for each in range(3)) if number != 3 else "I see none")


def shy(ask: Ask, context: WorkContext) -> Deliverable:
    """Name the first second alone."""
    return Deliverable(text=str(int(ask.item[-2:])))
