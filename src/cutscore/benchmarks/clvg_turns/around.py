"""Around a generator: a model puts the context in order and predicts the script of the turn, which is then filmed.

This is the paper's assisted arm. The generator gets the predicted script instead of brief and history. The given script
of turn 1 stays as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cutscore.benchmarks.clvg.around import make_from
from cutscore.core.ask import Ask, AskPart
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import SubjectFailed
from cutscore.core.subject import Subject, WorkContext
from cutscore.core.trajectory import Action
from cutscore.models.door import count_model_calls

ROLE = "assistant"  # the condition that names the model, and its part of an ask


def wrap(subject: Subject, conditions: Mapping[str, str]) -> Subject:
    """Return the subject with what the conditions put around it."""
    return AssistedGenerator(subject, conditions[ROLE]) if conditions[ROLE] else subject


@dataclass(frozen=True)
class AssistedGenerator:
    """Lets a model write the script of every turn but the first, and a generator film it."""

    subject: Subject
    model: str

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Film the predicted script."""
        wanted = ask.part(ROLE)
        if wanted is None:
            return await self.subject.work(ask, context)
        script = await self._predict(wanted.text, context)
        context.steps.add(did=Action(tool="predict the script", arguments={"script": script}))
        return await make_from(script, self.subject, ask_for_script(ask, script), context)

    async def _predict(self, prompt: str, context: WorkContext) -> str:
        from inspect_ai.model import get_model

        with count_model_calls(context):
            said = await get_model(role=ROLE, default=self.model).generate(prompt)
        if not (script := said.completion.strip()):
            raise SubjectFailed(f"assistant '{self.model}'", "wrote no script", failure_class="nothing")
        return script


def ask_for_script(ask: Ask, script: str) -> Ask:
    """Return the ask for a film of a script, with the files of the turn and without its brief and history."""
    kept = tuple(part for part in ask.parts if part.file or part.role == "turn")
    return ask.model_copy(update={"brief": script, "parts": (AskPart(role="instruction", text=script), *kept)})
