"""Ask the model that is being measured: words and clips in, its answer out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cutscore.core.errors import Unscored
from cutscore.models.boundary import Boundary, at_boundary, fault_class

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Model, ModelOutput


async def ask_model(messages: Sequence[ChatMessage], boundary: Boundary, *, model: Model | None = None) -> ModelOutput:
    """Give the model's answer, after Inspect's retries.

    Args:
        messages: The conversation; clips in it are references.
        boundary: How clips reach the model and where calls are counted.
        model: Whom to ask; the model of the running evaluation when None.

    Raises:
        Unscored: The provider kept failing. That is no answer of the subject's, so nothing is marked.
    """
    from inspect_ai.model import get_model
    from tenacity import RetryError

    asked = model or get_model()
    try:
        return await at_boundary(asked, boundary).generate(list(messages))
    except RetryError as gave_up:
        last = gave_up.last_attempt
        fault = fault_class(last.exception() or gave_up)
        fact = f"gave up after {last.attempt_number} attempts, the last one ended in {fault}"
        raise Unscored(f"model '{asked}'", fact, "run the same command again") from gave_up
