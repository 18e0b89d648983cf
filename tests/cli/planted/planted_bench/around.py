"""Around a subject: the brief rewritten by a model, or the files shown one after the other."""

from collections.abc import Mapping
from dataclasses import dataclass

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.subject import Subject, WorkContext


def wrap(subject: Subject, conditions: Mapping[str, str]) -> Subject:
    """Put around a subject what the conditions say."""
    if conditions["script"]:
        subject = Scripted(subject, conditions["script"])
    return Sequential(subject) if conditions["decompose"] == "sequential" else subject


@dataclass(frozen=True)
class Scripted:
    """A model rewrites the brief first."""

    subject: Subject
    model: str

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Work on the words of that model."""
        from inspect_ai.model import get_model

        from cutscore.models.door import count_model_calls

        with count_model_calls(context):
            said = await get_model(role="script", default=self.model).generate(f"Rewrite: {ask.brief}")
        return await self.subject.work(ask.model_copy(update={"brief": said.completion}), context)


@dataclass(frozen=True)
class Sequential:
    """The subject is shown one file at a time; its first answer stands."""

    subject: Subject

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Ask about every file, and return the answer to the first."""
        made = [await self.subject.work(ask.model_copy(update={"files": (ref,)}), context) for ref in ask.files]
        return made[0]
