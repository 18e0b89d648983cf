"""A model that writes what nobody wrote about a film, with the prompt of its role; nobody when its name is empty."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue

from cutscore.authoring.build_folder import Output
from cutscore.authoring.model_calls import Asking, Request
from cutscore.authoring.recipe_options import Options
from cutscore.core.files import FileRef
from cutscore.media.plan import FramePlan
from cutscore.prompts import Prompt, load_prompt

Read = TypeVar("Read")


@dataclass(frozen=True)
class Writer:
    """Who writes, and how it is shown a film.

    Args:
        model: Inspect's name; nobody when empty.
        frames: Frame plan for models that take frames.
        prompt: What it is asked for, which is the prompt's name.
        asking: Asks for this build.
    """

    model: str
    frames: str
    prompt: Prompt
    asking: Asking

    def write(self, film: FileRef, read: Callable[[JsonValue], Read], **blanks: str) -> Read:
        """Return what `read` makes of the model's JSON about a film, as `Asking.ask` does; blanks fill the prompt."""
        text = self.prompt.fill(**blanks)
        return self.asking.ask(Request(self.prompt.name, self.model, text, (film,), self.frames), read)

    @property
    def settings(self) -> dict[str, str]:
        """What the datasheet says of it."""
        return {"model": self.model, **({"prompt": self.prompt.digest} if self.model else {})}


def open_writer(role: str, out: Output, options: Options, *, prompts: Path) -> Writer:
    """Return the writer of a role, and refuse what would else be refused once for each film.

    Args:
        role: One of the recipe's `ROLES`; the prompt has the same name.
        out: The build's folder.
        options: Who it is, which prompt replaces ours, and the frame plan, which is the recipe's option `frames`.
        prompts: Folder of the recipe's prompts.
    """
    FramePlan.parse(options.own["frames"])
    model = options.roles.get(role, options.model)
    asking = Asking(out, (model,) if model else (), options.cost_limit_usd)
    asking.refuse_unpriced()
    return Writer(model, options.own["frames"], load_prompt(role, folder=prompts, flags=options.prompts), asking)
