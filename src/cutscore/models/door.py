"""Count every model call of a subject where Inspect makes it, whoever makes it.

While a subject works, `get_model()` and `get_model(role=…)` give models with the boundary of its sample: in a function,
in an agent of Inspect's, behind an agent bridge. Their calls are paid for, written down and replayed like those of a
plain model. A model that is asked for by its name is another object, and we hear of its calls from Inspect when they
were answered: they are counted and booked, and the row says that a resumed run pays for them again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING

from cutscore.core.subject import WorkContext
from cutscore.models.ask import bound_model, unscored_after
from cutscore.models.boundary import Boundary, counted_usage, usage_from
from cutscore.models.provider import media_input
from cutscore.settings import Settings, load_settings

if TYPE_CHECKING:
    from inspect_ai.hooks import ModelUsageData
    from inspect_ai.model import Model

SUBJECT = "subject"
NO_MODEL = "none/none"
NAMED = "asked for by its name: its calls are counted, but no reply is kept, and a resumed run pays again"

_at_work: ContextVar[WorkContext | None] = ContextVar("cutscore_at_work", default=None)


@contextmanager
def count_model_calls(context: WorkContext) -> Iterator[None]:
    """Count, keep and replay the model calls that are made inside, in this task and in those that it starts.

    Calls are booked under the role of their model, those of the evaluation's own model as the subject's.

    Raises:
        Unscored: A provider kept failing, and nobody inside minded.
    """
    from inspect_ai.model._model import _model_roles, active_model_context_var
    from tenacity import RetryError

    _register_hook()
    settings = load_settings()
    active = active_model_context_var.get(None)
    roles = {
        role: [_bound(each, context, role, settings) for each in models]
        if isinstance(models, list)
        else _bound(models, context, role, settings)
        for role, models in _model_roles.get().items()
    }
    was_active = active_model_context_var.set(active and _bound(active, context, SUBJECT, settings))
    were_roles, was_at_work = _model_roles.set(roles), _at_work.set(context)
    try:
        yield
    except RetryError as gave_up:
        context.tally.on_failure()
        raise unscored_after(gave_up, str(active)) from gave_up
    finally:
        _at_work.reset(was_at_work)
        _model_roles.reset(were_roles)
        active_model_context_var.reset(was_active)


def _bound(model: Model, context: WorkContext, role: str, settings: Settings) -> Model:
    if str(model) == NO_MODEL:
        return model
    own = {name: said.takes for name, said in settings.models.items() if said.takes}
    boundary = Boundary.for_work(context, takes=media_input(str(model), own), role=role)
    return bound_model(model, boundary)


@cache
def _register_hook() -> None:
    """Let Inspect tell us of calls that passed no boundary; late, since it prints the hooks that it starts with."""
    from inspect_ai.hooks import Hooks, hooks

    @hooks(name="cutscore_named_models", description="Counts calls of models that a subject asks for by name.")
    class NamedModelCalls(Hooks):
        def enabled(self) -> bool:
            return _at_work.get() is not None

        async def on_model_usage(self, data: ModelUsageData) -> None:
            _count_named_model(data)


def _count_named_model(data: ModelUsageData) -> None:
    context = _at_work.get()
    if context is None or data.usage is counted_usage.get():
        return
    counted, tally = usage_from(data.usage, data.model_name.partition("/")[0]), context.tally
    tally.add_booked_call(counted.usage, tally.purse.add(data.model_name, SUBJECT, counted.usage))
    tally.take_over((), (*counted.warnings, f"model '{data.model_name}' was {NAMED}"))
