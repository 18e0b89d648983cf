"""One turn of a sample in which something answers back, and the answer.

Where a benchmark's `ask.py` has `next_ask`, a sample goes on until it asks nothing more:

    async def next_ask(item: Item, prompts: Mapping[str, Prompt], context: WorkContext) -> Feedback

`context.turns` are the turns so far. It depends on them, the conditions and the seed alone, so that a sample that was
killed goes on where it was.
"""

from typing import Any

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.frozen import FrozenModel
from cutscore.core.usage import Usage


class Feedback(FrozenModel):
    """What is said to the deliverable of the last turn, and what is asked next; no ask when it is over."""

    text: str = ""
    ask: Ask | None = None


class Turn(FrozenModel):
    """What was asked, what was handed over, what came back, and what it cost.

    Args:
        number: Counts from 1.
        feedback: What was said to the deliverable; empty where nothing was.
        usage, cost_usd: Of this turn alone; None when unknown.
        not_made: Why nobody was asked any more; empty for a turn that was made.
    """

    number: int = Field(ge=1)
    ask: Ask
    deliverable: Deliverable
    feedback: str = ""
    usage: Usage | None = None
    cost_usd: float | None = None
    not_made: str = ""

    @model_serializer(mode="wrap")
    def _without_empty_reason(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out an empty reason, so that rows of turns that were made keep their bytes."""
        plain: dict[str, Any] = write(self)
        if not self.not_made:
            plain.pop("not_made", None)
        return plain
