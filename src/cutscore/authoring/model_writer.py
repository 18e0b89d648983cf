"""Models that write for a recipe: JSON in a form that is checked, asked again with the fault named, every reply kept.

    DIR/.work/replies.jsonl    one line a call: whoever builds again gets the written reply and pays nothing
    DIR/.work/ledger.jsonl     what was spent

What a model says is a claim of a stranger's. It is read strictly, and what stands in a clip or its transcript may have
told the model what to say; so a reader checks everything that can be checked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import JsonValue

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.recipe_options import BuildOptions
from cutscore.core.errors import BrokenData, CutscoreError, RunBroken, Unscored
from cutscore.core.files import FileRef
from cutscore.core.frozen import digest_of
from cutscore.core.strict_json import first_fault, read_json
from cutscore.core.tally import Tally
from cutscore.ledger.prices import Prices, require_known_prices
from cutscore.ledger.spending import Ledger
from cutscore.media.plan import FramePlan
from cutscore.media.source import shown_name
from cutscore.models.boundary import Boundary
from cutscore.models.faults import unscored_error
from cutscore.models.provider import MediaInput, media_input, script_digest
from cutscore.models.refusals import FAILURES, FILTERED, require_room
from cutscore.prompts import Prompt, load_prompt
from cutscore.redaction import redactor
from cutscore.scoring.judges.journal import Journal, JournalEntry
from cutscore.scoring.judges.reply import json_object
from cutscore.settings import load_settings

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessageUser, ModelOutput

ATTEMPTS = 3
LONGEST_FAULT = 300

Read = TypeVar("Read")


@dataclass(frozen=True)
class ModelRequest:
    """One thing that a model is asked to write: its task has a name for messages and the record.

    Files are clips that it is shown, those that take frames by the plan in `frames`.
    """

    task: str
    model: str
    text: str
    files: tuple[FileRef, ...]
    frames: str


@dataclass(frozen=True)
class ModelCaller:
    """Asks for one build.

    Args:
        models: Everybody who may be asked, for their prices.
        cost_limit_usd: What may be spent in the build's folder altogether.
    """

    out: BuildFolder
    models: tuple[str, ...]
    cost_limit_usd: float | None = None

    def ask(self, request: ModelRequest, read: Callable[[JsonValue], Read], *, attempts: int = ATTEMPTS) -> Read:
        """Return what `read` makes of the model's JSON; a ValueError of its is said to the model, who then tries again.

        Raises:
            BrokenData: No reply could be used; the last fault is said.
            RunBroken: The provider kept failing. The same command asks again what is missing.
        """
        fault = ""
        for attempt in range(1, attempts + 1):
            entry = self._ask_once(request, fault, attempt)
            try:
                if entry.stop == FILTERED or not entry.reply.strip():
                    raise ValueError(FAILURES[FILTERED][1])
                return read(read_json(json_object(entry.reply)))
            except ValueError as error:
                fault = shown_name(first_fault(error), most=LONGEST_FAULT)
        raise BrokenData(f"model '{request.model}'", f"wrote no usable {request.task} in {attempts} attempts: {fault}")

    def _ask_once(self, request: ModelRequest, fault: str, attempt: int) -> JournalEntry:
        text = request.text + (_retry_prompt().fill(fault=fault) if fault else "")
        terms = {"model": request.model, "made_of": script_digest(request.model), "frames": request.frames}
        key = digest_of([terms, self._takes(request.model), text, [ref.sha256 for ref in request.files], attempt])
        return self._journal.call_once(key, lambda: self._send(request, text, key, attempt))

    def _send(self, request: ModelRequest, text: str, key: str, attempt: int) -> JournalEntry:
        from inspect_ai.model import ChatMessageUser, Content, ContentText

        from cutscore.models.references import content_for

        clean = redactor(names=load_settings().secret_env).text
        tally = Tally(purse=self.ledger.purse(request.task))
        boundary = Boundary(
            path=self.out.store.path,
            tally=tally,
            frames=request.frames,
            takes=self._takes(request.model),
            clean=clean,
            strangers=True,
            role="writer",
            notes=self._journal.notes(key),
        )
        shown: list[Content] = [content_for(ref) for ref in request.files]
        message = ChatMessageUser(content=[*shown, ContentText(text=text)])
        try:
            output = asyncio.run(_generate(request.model, message, boundary))
            require_room(output, request.model)
        except Unscored as gave_up:
            raise RunBroken(gave_up.what, gave_up.fact, gave_up.next) from gave_up
        except CutscoreError:
            raise
        except Exception as error:  # whatever a provider's client raises
            raise BrokenData(f"model '{request.model}'", unscored_error(error, request.model).fact) from error
        return JournalEntry(
            key=key,
            judge=request.model,
            questions=(request.task,),
            attempt=attempt,
            reply=output.completion,
            stop="" if output.stop_reason == "stop" else output.stop_reason,
            seen=tuple(tally.seen),
            usage=tally.usage,
            cost_usd=tally.cost_usd,
            warnings=tuple(tally.warnings),
        )

    def _takes(self, model: str) -> MediaInput:
        own = {name: said.takes for name, said in load_settings().models.items() if said.takes}
        return media_input(model, own)

    @cached_property
    def _journal(self) -> Journal:
        return Journal(self.out.work / "replies.jsonl")

    def refuse_unpriced(self) -> None:
        """Raise when there is a limit on what may be spent, and a model whose price nobody knows."""
        require_known_prices(self._prices, self.models, self.cost_limit_usd)

    @cached_property
    def _prices(self) -> Prices:
        return Prices.snapshot(self.models, own=load_settings().prices)

    @cached_property
    def ledger(self) -> Ledger:
        """What everybody who is asked in this build has spent."""
        return Ledger(self._prices, self.out.work / "ledger.jsonl", limit_usd=self.cost_limit_usd)


async def _generate(name: str, message: ChatMessageUser, boundary: Boundary) -> ModelOutput:
    """Ask once. The model is opened anew each time: its connections belong to the event loop that opened them."""
    from inspect_ai.model import GenerateConfig, get_model

    from cutscore.models.ask import ask_model

    settings = load_settings()
    patience = GenerateConfig(max_retries=settings.max_retries, attempt_timeout=settings.timeout_s)
    return await ask_model([message], boundary, model=get_model(name, memoize=False), config=patience)


@cache
def _retry_prompt() -> Prompt:
    return load_prompt("again", folder=Path(__file__).parent / "prompts")


@dataclass(frozen=True)
class ModelWriter:
    """Who writes what the prompt asks for (nobody when `model` is empty), and by which frame plan it sees a film."""

    model: str
    frames: str
    prompt: Prompt
    caller: ModelCaller

    def write(self, film: FileRef | None, read: Callable[[JsonValue], Read], **blanks: str) -> Read:
        """Return what `read` makes of the model's JSON (see `ModelCaller.ask`); blanks fill the prompt.

        Without a film it writes by these words alone.
        """
        shown = (film,) if film else ()
        request = ModelRequest(self.prompt.name, self.model, self.prompt.fill(**blanks), shown, self.frames)
        return self.caller.ask(request, read)

    @property
    def settings(self) -> dict[str, str]:
        """What the datasheet says of it."""
        return {"model": self.model, **({"prompt": self.prompt.digest} if self.model else {})}


def open_writer(role: str, out: BuildFolder, options: BuildOptions, *, prompts: Path) -> ModelWriter:
    """Return the writer of a role, and refuse what would else be refused once for each film.

    The role is one of the recipe's `ROLES`, and the prompt has the same name; the frame plan is the recipe's option
    `frames`.
    """
    FramePlan.parse(options.own["frames"])
    model = options.roles.get(role, options.model)
    caller = ModelCaller(out, (model,) if model else (), options.cost_limit_usd)
    caller.refuse_unpriced()
    return ModelWriter(model, options.own["frames"], load_prompt(role, folder=prompts, flags=options.prompts), caller)
