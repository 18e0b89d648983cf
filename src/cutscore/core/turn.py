"""One turn of a sample in which something answers back."""

from pydantic import Field

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.frozen import FrozenModel
from cutscore.core.usage import Usage


class Turn(FrozenModel):
    """What was asked, what was handed over, what came back, and what it cost.

    Args:
        number: Counts from 1.
        feedback: What the world said to the deliverable; empty where it was the last turn and nothing was said.
        usage, cost_usd: Of this turn alone; None when unknown.
    """

    number: int = Field(ge=1)
    ask: Ask
    deliverable: Deliverable
    feedback: str = ""
    usage: Usage | None = None
    cost_usd: float | None = None
