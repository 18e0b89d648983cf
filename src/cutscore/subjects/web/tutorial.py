"""What of a tutorial an agent is shown, and the record of it: which frames, and whose words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic import JsonValue

from cutscore.core.ask import Ask
from cutscore.core.files import FileRef
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.subjects.web.transcript import NO_WORDS, SpokenWords

if TYPE_CHECKING:
    from inspect_ai.model import Content

WATCH = "watch"  # the step that tells what was shown


@dataclass(frozen=True)
class ShownTutorial:
    """A tutorial as messages have it.

    Args:
        clip: The video that opens a message; None where there is none, or where words alone are given.
        words: What is said in it.
        blanks: What stands for it in a prompt: `transcript` or `summary`.
    """

    clip: FileRef | None = None
    words: SpokenWords = NO_WORDS
    blanks: Mapping[str, str] = field(default_factory=dict)

    def content(self) -> list[Content]:
        """Return what opens a message."""
        from cutscore.models.references import content_for

        return [content_for(self.clip)] if self.clip else []

    def record(self, context: WorkContext, *, said: str = "") -> None:
        """Record as a step what was shown, as the manifest has it; marking reads it there.

        It is called when a model has seen it for the first time; `said` is what that wrote down of it.
        """
        clip = self.clip
        manifest = next((each for each in context.tally.seen if clip and each.clip.sha256 == clip.sha256), None)
        shown: dict[str, JsonValue] = {"sent_as": "nothing"}
        if clip and manifest:
            shown = {"file": clip.name, "sent_as": manifest.sent_as, "plan": manifest.plan}
            if manifest.frames:
                shown["at_s"] = [round(float(frame.at_s), 3) for frame in manifest.frames]
        if self.words.text:
            shown["words_by"] = self.words.made_by
        context.steps.add(said, did=Action(tool=WATCH, arguments=shown), by="model" if said else "tool")


def find_clip(ask: Ask) -> FileRef | None:
    """Return the tutorial of an ask; None where it has none."""
    part = ask.part("tutorial")
    return ask.file(part.file) if part and part.file else None
