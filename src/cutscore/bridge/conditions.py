"""Conditions of work as Inspect knows them: limits of the work, and how the subject's own model generates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from inspect_ai.model import GenerateConfig
from inspect_ai.util import Limit, apply_limits, message_limit, time_limit, token_limit

from cutscore.core.condition import GENERATION, LIMITS


@contextmanager
def limit_work(conditions: Mapping[str, str]) -> Iterator[None]:
    """End the work with LimitExceededError when a limit is reached.

    They hold around the work alone and not for the whole sample, of which Inspect would give half the time to marking.
    Turns are counted by whoever asks again.
    """
    made = {name: int(conditions[name]) for name in LIMITS if conditions.get(name)}
    limits: list[Limit] = [
        time_limit(made.get("time_limit_s")),
        token_limit(made.get("token_limit")),
        message_limit(made.get("message_limit")),
    ]
    with apply_limits(limits):
        yield


def generate_config(conditions: Mapping[str, str]) -> GenerateConfig:
    """Return the generation parameters for the model of a task; judges and other roles do not get them."""
    given = {name: conditions[name] for name in GENERATION if conditions.get(name)}
    return GenerateConfig.model_validate(given)
