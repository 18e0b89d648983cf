"""A model that answers: brief and clips in one message, by reference; its words are the deliverable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.core.subject import WorkContext
from cutscore.models.provider import MediaInput, media_input

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessageUser, Content

LONGEST_TEXT_BYTES = 200_000  # of a document that is read to the model; the rest is cut off, and the row says so


@dataclass(frozen=True)
class ModelSubject:
    """Asks the model of the running sample once; what the user says models take (by full name) wins."""

    media_inputs: Mapping[str, MediaInput] = field(default_factory=dict)
    delivers: ClassVar = frozenset({"text"})

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Send brief and files in one message; the words that come back are the deliverable."""
        from inspect_ai.model import get_model

        from cutscore.models.ask import ask_model
        from cutscore.models.boundary import Boundary
        from cutscore.models.refusals import FAILURES

        model = get_model()
        if str(model) == "none/none":
            raise BadInput("subject 'model'", "was given no model", "add --model PROVIDER/NAME")
        boundary = Boundary.for_work(context, takes=media_input(str(model), self.media_inputs))
        output = await ask_model([user_message(ask, context)], boundary, model=model)
        failed, failure = FAILURES.get(output.stop_reason, (None, ""))
        if (silent := context.tally.unanswered) is not None:
            failure = silent.fact
        return Deliverable(text=output.completion, failure=failure, failure_class=failed)


def user_message(ask: Ask, context: WorkContext) -> ChatMessageUser:
    """Return the one message that a model gets: files in order, then the brief."""
    from inspect_ai.model import ChatMessageUser, ContentText

    shown: list[Content] = [part for ref in ask.files if (part := _content(ref, context)) is not None]
    return ChatMessageUser(content=[*shown, ContentText(text=ask.brief)])


def _content(ref: FileRef, context: WorkContext) -> Content | None:
    from inspect_ai.model import ContentText

    from cutscore.models.references import content_for

    family = ref.media_type.partition("/")[0]
    if family in ("video", "image", "audio"):
        return content_for(ref)
    if not ref.is_text:
        context.tally.warn(f"'{ref.name}' was not shown: it is neither media nor text")
        return None
    with context.store.path(ref).open("rb") as stream:
        text = stream.read(LONGEST_TEXT_BYTES).decode("utf-8", errors="replace")
    if ref.size_bytes > LONGEST_TEXT_BYTES:
        context.tally.warn(f"'{ref.name}' was cut off after {LONGEST_TEXT_BYTES:,} bytes")
    return ContentText(text=f"{ref.name}:\n{text}")
