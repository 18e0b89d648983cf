"""One call of a model, from whatever role: what its provider's client raises is told apart from an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cutscore.core.errors import CutscoreError
from cutscore.core.judgement import Wait
from cutscore.models.boundary import Boundary
from cutscore.models.faults import unscored_error
from cutscore.models.refusals import require_room

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Model, ModelOutput


def send_messages(messages: Sequence[ChatMessage], boundary: Boundary, *, model: Model, wait: Wait) -> ModelOutput:
    """Return what a model says, after all retries.

    Raises:
        Unscored: The provider gave up, or the reply had no room.
    """
    from inspect_ai.util import LimitExceededError

    from cutscore.models.ask import ask_model

    try:
        output: ModelOutput = wait(lambda: ask_model(messages, boundary, model=model))
    except (CutscoreError, LimitExceededError):
        raise
    except Exception as error:  # whatever a provider's client raises
        raise unscored_error(error, str(model)) from error
    require_room(output, str(model))
    return output
