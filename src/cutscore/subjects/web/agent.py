"""Web agents: a model that does a task in a browser after a tutorial, which it gets whole, as frames or as a summary.

    video      the whole clip in every message
    frames     its frames, by the frame plan, and what is said in it
    summary    what somebody wrote down of it for this task, once (`--role summariser=M`, else the same model)

The question about the tutorial is asked apart, when the run has ended, and what is replied is handed over as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from cutscore.core.ask import Ask, AskPart
from cutscore.core.deliverable import Deliverable
from cutscore.core.environment import Environment
from cutscore.core.errors import BadInput, SubjectFailed
from cutscore.core.files import FileRef
from cutscore.core.resources import Resources
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.models.boundary import Boundary
from cutscore.models.provider import SCRIPTED, MediaInput, media_input
from cutscore.models.references import content_for
from cutscore.prompts import Prompt, load_prompt
from cutscore.registry import Benchmark
from cutscore.settings import load_settings
from cutscore.subjects.web.browsing import AgentModel, BrowsingRun, RunEnd, find_failure
from cutscore.subjects.web.message import named_pictures, text_part
from cutscore.subjects.web.page import PublicNames, SeenPage, cut_text
from cutscore.subjects.web.transcript import NO_WORDS, read_spoken_words
from cutscore.subjects.web.tutorial import ShownTutorial, find_clip

if TYPE_CHECKING:
    from inspect_ai.model import Content

AgentKind = Literal["video", "frames", "summary"]
SUMMARISER = "summariser"
NO_IMAGE = "none"
OTHER_PROMPTS = ("summarise_video", "summarise_frames", "correction", "upload")  # of agents of all kinds
WEB_AGENTS: tuple[AgentKind, ...] = get_args(AgentKind)


@dataclass(frozen=True)
class WebAgent:
    """An agent of one kind.

    Args:
        prompts: Those of the benchmark that it reads, by name.
        media_inputs: What the user says that models take, by full name.
    """

    kind: AgentKind
    prompts: Mapping[str, Prompt]
    media_inputs: Mapping[str, MediaInput] = field(default_factory=dict)
    delivers: ClassVar = frozenset({"text", "files"})
    needs: ClassVar = Resources(processors=0.5, memory_bytes=400_000_000)  # a tab of Chromium, and the site in it

    def check_conditions(self, model: str, conditions: Mapping[str, str]) -> None:
        """Raise BadInput where the whole clip is to be shown to a model that takes frames."""
        if self.kind == "video" and model and self._takes(model) == "frames":
            fix = 'take --subject frames, or set takes = "video" for it in cutscore.toml'
            raise BadInput("subject 'video'", f"model '{model}' takes frames and no whole clips", fix)

    def with_prompts(self, prompts: Mapping[str, Prompt]) -> WebAgent:
        """Return the agent with the words of a cell; BadInput where a file of the user's lacks a blank of ours."""
        for name, own in self.prompts.items():
            prompts[name].fill(**dict.fromkeys(own.blanks(), ""))
        return replace(self, prompts={name: prompts[name] for name in self.prompts})

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Do the task in the world of the context, then answer the question about the tutorial where there is one."""
        sample = AgentSample(self, ask, context, _require_world(self.kind, context))
        shown = await sample.show_tutorial()
        end = await sample.browse(shown)
        question = ask.part("question")
        files = (await sample.answer(question, shown),) if question else ()
        return Deliverable(text=end.answer, files=files, failure=end.failure, failure_class=end.failure_class)

    def caller(self, context: WorkContext, *, role: str = "", in_order: bool = False) -> AgentModel:
        """Return the model of the run, or whoever sits in a role; without one that is the same model.

        What it is told of a live page is never twice the same, so replies to that are kept `in_order`.
        """
        from inspect_ai.model import get_model

        model = get_model(role=role) if role else get_model()
        if str(model) == "none/none":
            raise BadInput(f"subject '{self.kind}'", "was given no model", "add --model PROVIDER/NAME")
        takes = media_input(str(model), self.media_inputs) if role else self._takes(str(model))
        return AgentModel(model, Boundary.for_work(context, takes=takes, role=role or "subject", in_order=in_order))

    def _takes(self, model: str) -> MediaInput:
        """Return how the tutorial reaches a model: frames where they are asked for, though it might take the clip."""
        takes = media_input(model, self.media_inputs)
        if self.kind == "video":
            return "video" if takes == "frames" and model.startswith(SCRIPTED) else takes
        return "frames" if takes == "video" else takes


def open_web_agent(kind: AgentKind, found: Benchmark) -> WebAgent:
    """Return a web agent for a benchmark that has pages to work on, with the words of that benchmark."""
    if not found.has_part("environment"):
        fact = f"benchmark '{found.name}' has no pages to work on"
        raise BadInput(f"subject '{kind}'", fact, f"it has {', '.join(found.card.subjects)}")
    names = (f"task_{kind}", f"question_{kind}", *OTHER_PROMPTS)
    prompts = {name: load_prompt(name, folder=found.folder / "prompts") for name in names}
    return WebAgent(kind, prompts, {name: own.takes for name, own in load_settings().models.items() if own.takes})


def _require_world(kind: str, context: WorkContext) -> Environment:
    if context.environment is None or not hasattr(context.environment, "seen"):
        raise BadInput(f"subject '{kind}'", "works in a browser, and this benchmark has none", "take another subject")
    return context.environment


@dataclass(frozen=True)
class AgentSample:
    """An agent at work on one task."""

    agent: WebAgent
    ask: Ask
    context: WorkContext
    world: Environment

    async def show_tutorial(self) -> ShownTutorial:
        """Return what the run and the question are shown of the tutorial; a summary is written here."""
        clip = find_clip(self.ask)
        if self.agent.kind == "summary":
            return ShownTutorial(blanks={"summary": await self._summarise(clip)})
        if self.agent.kind == "video":
            return ShownTutorial(clip)
        words = await read_spoken_words(self.ask, clip, self.context) if clip else NO_WORDS
        return ShownTutorial(clip, words, {"transcript": words.text})

    async def browse(self, shown: ShownTutorial) -> RunEnd:
        """Do the task in the world."""
        names, images = PublicNames.of(self.ask), self._images
        listed = ", ".join(image.name for image in images) or NO_IMAGE
        wide = self.context.conditions.get("grammar") == "wide"
        blanks = {
            "objective": self._objective,
            "images": listed,
            "sites": names.addresses,
            "upload": self.agent.prompts["upload"].fill(images=listed) if wide else "",
            **shown.blanks,
        }
        prompt = self.agent.prompts[f"task_{self.agent.kind}"]

        def write_message(page: SeenPage, previous: str) -> list[Content]:
            seen = {"url": names.show(page.url), "observation": names.show(cut_text(page.text))}
            words = prompt.fill(**blanks, **seen, previous_action=names.show(previous))
            screenshot = [content_for(page.picture)] if page.picture else []
            return [*shown.content(), *named_pictures(images), *screenshot, text_part(words)]

        run = BrowsingRun(
            self.agent.caller(self.context, in_order=True),
            self.world,
            "wide" if wide else "reference",
            write_message,
            correct=lambda fault: self.agent.prompts["correction"].fill(fault=fault).strip(),
            after_first_reply=lambda: None if self.agent.kind == "summary" else shown.record(self.context),
        )
        return await run.play()

    async def answer(self, question: AskPart, shown: ShownTutorial) -> FileRef:
        """Ask the question about the tutorial, and return the raw reply as the file that it names."""
        prompt = self.agent.prompts[f"question_{self.agent.kind}"]
        words = prompt.fill(question=question.text.strip(), **shown.blanks)
        output = await self.agent.caller(self.context).say([*shown.content(), text_part(words)])
        if failed := find_failure(output):
            self.context.tally.warn(f"the question about the tutorial was not answered: {failed.failure}")
        self.context.steps.add(
            output.completion, did=Action(tool="answer", arguments={"to": question.text}), by="model"
        )
        return self.context.store.put_bytes(
            output.completion.encode(), name=str(question.value), media_type="text/plain"
        )

    async def _summarise(self, clip: FileRef | None) -> str:
        """Return a summary of the tutorial for this task. Its reply is kept, so that a resumed run has it at once."""
        if clip is None:
            ShownTutorial().record(self.context)
            return ""
        caller = self.agent.caller(self.context, role=SUMMARISER)
        whole = caller.boundary.takes == "video"
        words = NO_WORDS if whole else await read_spoken_words(self.ask, clip, self.context)
        blanks = {} if whole else {"transcript": words.text}
        prompt = self.agent.prompts["summarise_video" if whole else "summarise_frames"]
        told, shown = prompt.fill(objective=self._objective, **blanks), ShownTutorial(clip, words)
        output = await caller.say([*shown.content(), *named_pictures(self._images), text_part(told)])
        if failed := find_failure(output):
            raise SubjectFailed(SUMMARISER, failed.failure, failure_class=failed.failure_class or "crash")
        shown.record(self.context, said=output.completion)
        return output.completion.strip()

    @property
    def _objective(self) -> str:
        part = self.ask.part("instruction")
        return part.text.strip() if part else self.ask.brief

    @property
    def _images(self) -> list[FileRef]:
        files = [self.ask.file(part.file) for part in self.ask.parts_of("input_image") if part.file]
        return [file for file in files if file is not None]
