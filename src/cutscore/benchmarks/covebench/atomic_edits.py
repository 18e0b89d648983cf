"""The edits of a task one by one, as an ask carries them under `decompose=sequential`: public words, no checklist."""

from collections.abc import Sequence

from cutscore.core.ask import Ask, AskPart
from cutscore.core.errors import BadInput
from cutscore.core.frozen import FrozenModel


class AtomicEdit(FrozenModel):
    """One edit: what asks for it alone, the whole brief of that ask, and what its source is called there."""

    instruction: str
    brief: str
    source: str


def with_edits(ask: Ask, edits: Sequence[AtomicEdit]) -> Ask:
    """Return the ask with its edits one by one, as the value of the instruction."""
    value = [edit.model_dump(mode="json") for edit in edits]
    parts = [
        AskPart(role=part.role, text=part.text, value=value) if part.role == "instruction" else part
        for part in ask.parts
    ]
    return ask.model_copy(update={"parts": tuple(parts)})


def read_edits(ask: Ask) -> list[AtomicEdit]:
    """Return the edits of an ask one by one."""
    words = ask.part("instruction")
    if words is None or not isinstance(words.value, list):
        raise BadInput(f"item '{ask.item}'", "was asked without its edits one by one", "set decompose=sequential")
    return [AtomicEdit.model_validate(each) for each in words.value]
