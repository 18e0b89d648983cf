"""The run of a web agent: it is told the page and its last action, and says the next one, until something ends it.

Limits are the world's: it says when no further action is taken, and that sentence is then the answer, as in the
released code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutscore.core.deliverable import FailureClass
from cutscore.core.environment import Environment
from cutscore.core.trajectory import Action
from cutscore.environments.browser.grammar import (
    Grammar,
    UnreadableAction,
    extract_action,
    parse_action,
    write_action,
)
from cutscore.models.boundary import Boundary
from cutscore.models.refusals import FAILURES
from cutscore.subjects.web.page import SeenPage

if TYPE_CHECKING:
    from inspect_ai.model import Content, Model, ModelOutput

NO_ACTION_YET = "None"


@dataclass(frozen=True)
class AgentModel:
    """A model, and how media reach it."""

    model: Model
    boundary: Boundary

    async def say(self, content: Sequence[Content]) -> ModelOutput:
        """Return its reply to one message, which is all that it is ever told."""
        from inspect_ai.model import ChatMessageUser

        from cutscore.models.ask import ask_model

        return await ask_model([ChatMessageUser(content=list(content))], self.boundary, model=self.model)


@dataclass(frozen=True)
class RunEnd:
    """What a run ended in: an answer, or how the model failed."""

    answer: str = ""
    failure: str = ""
    failure_class: FailureClass | None = None


@dataclass(frozen=True)
class BrowsingRun:
    """One run.

    Args:
        write_message: What the model is told of a page and of its previous action.
        correct: What stands in place of the previous action where that could not be read.
        after_first_reply: Called once, when the model has seen its first message.
    """

    caller: AgentModel
    world: Environment
    grammar: Grammar
    write_message: Callable[[SeenPage, str], Sequence[Content]]
    correct: Callable[[str], str]
    after_first_reply: Callable[[], None]

    async def play(self) -> RunEnd:
        """Act until the model stops or fails, or the world ends the run. The world records every step."""
        page, previous, is_first = SeenPage.of(getattr(self.world, "seen", None)), NO_ACTION_YET, True
        while True:
            output = await self.caller.say(self.write_message(page, previous))
            if is_first:
                self.after_first_reply()
                is_first = False
            if failed := find_failure(output):
                return failed
            action = self._read(output.completion)
            said = Action(tool="text", arguments={"text": output.completion})
            page = SeenPage.of(await self.world.act(said))
            if isinstance(action, Action) and action.tool == "stop":
                return RunEnd(answer=str(action.arguments["answer"]))
            if page.ended:
                return RunEnd(answer=page.ended)
            previous = write_action(action) if isinstance(action, Action) else self.correct(str(action))

    def _read(self, reply: str) -> Action | UnreadableAction:
        """Return the action of a reply as the world reads it, with public addresses."""
        try:
            return parse_action(extract_action(reply), self.grammar)
        except UnreadableAction as fault:
            return fault


def find_failure(output: ModelOutput) -> RunEnd | None:
    """Return how a model failed that said nothing; None where it said something, or nothing for no reason."""
    if output.completion.strip() or output.stop_reason not in FAILURES:
        return None
    failure_class, failure = FAILURES[output.stop_reason]
    return RunEnd(failure=f"{failure}: {output.error}" if output.error else failure, failure_class=failure_class)
