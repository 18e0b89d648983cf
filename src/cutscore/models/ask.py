"""Ask the model that is being measured: words and clips in, its answer out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.core.errors import Unscored
from cutscore.models.boundary import Boundary, with_boundary
from cutscore.models.faults import retry_after_s, unscored_error
from cutscore.settings import load_settings

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput
    from tenacity import RetryCallState, RetryError

BACKOFF = "CUTSCORE_BACKOFF_S"
LONGEST_WAIT_S = 30 * 60  # between two attempts, as Inspect has it
LONGEST_RETRY_AFTER_S = 10 * 60  # that a server may ask for: whoever names days would hold up the run


async def ask_model(
    messages: Sequence[ChatMessage],
    boundary: Boundary,
    *,
    model: Model | None = None,
    config: GenerateConfig | None = None,
) -> ModelOutput:
    """Return the model's answer, after Inspect's retries.

    Clips in messages are references. Without a model, that of the running evaluation is asked; where none runs, the
    config says how patiently (one that has ended would still say otherwise).
    A provider that keeps failing, or refuses for a reason that is not the model's, is Unscored. What the model itself
    refuses or has no room for comes back without words, by its stop reason.
    """
    from inspect_ai.model import GenerateConfig, get_model
    from tenacity import RetryError

    asked = model or get_model()
    bounded = bound_model(asked, boundary)
    try:
        return await bounded.generate(list(messages), config=_running_config(asked).merge(config or GenerateConfig()))
    except RetryError as gave_up:
        boundary.tally.on_failure()
        raise unscored_after(gave_up, str(asked)) from gave_up


def bound_model(model: Model, boundary: Boundary) -> Model:
    """Return a copy of a model with a boundary, as patient as the settings and its server say."""
    from tenacity import wait_exponential, wait_exponential_jitter, wait_random

    bounded, backoff_s = with_boundary(model, boundary), _backoff_s(str(Path.cwd()), os.environ.get(BACKOFF))
    if backoff_s is None:
        pauses = bounded.api.retry_wait() or wait_exponential_jitter(3, max=LONGEST_WAIT_S, jitter=3)
    else:
        pauses = wait_exponential(multiplier=backoff_s, max=LONGEST_WAIT_S) + wait_random(0, backoff_s)

    def wait(state: RetryCallState) -> float:
        asked_s = retry_after_s(state.outcome.exception() if state.outcome else None) or 0.0
        if asked_s > LONGEST_RETRY_AFTER_S:
            fact = f"its server asked to wait {asked_s:,.0f} s; the longest wait is {LONGEST_RETRY_AFTER_S} s"
            boundary.tally.warn(f"model '{model}': {fact}")
        return max(pauses(state), min(asked_s, LONGEST_RETRY_AFTER_S))

    bounded.api.retry_wait = lambda: wait  # type: ignore[method-assign]
    return bounded


@cache
def _backoff_s(folder: str, said: str | None) -> float | None:
    """Return the setting, looked up once for a working folder: to find the file takes longer than to book a call."""
    return load_settings().backoff_s


def unscored_after(gave_up: RetryError, model: str) -> Unscored:
    """Return the error of a sample whose model was asked in vain."""
    last = gave_up.last_attempt
    return unscored_error(last.exception() or gave_up, model, attempts=last.attempt_number)


def _running_config(model: Model) -> GenerateConfig:
    """Return the generation parameters of the running task, which Inspect gives to its own model and to no copy."""
    from inspect_ai.model import GenerateConfig
    from inspect_ai.model._generate_config import active_generate_config
    from inspect_ai.model._model import active_model

    return active_generate_config() if model is active_model() else GenerateConfig()
