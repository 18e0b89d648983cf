"""A person who does web tasks by hand, on a page of this machine: the tutorial, the marked page, a line for the action.

    --subject human-1=human                            with the tutorial
    --subject human-2=human --ablate input=no_tutorial without it

They see what agents see and act as agents act, so that actions are counted alike. One task waits for them at a time.
"""

import asyncio
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.environment import Environment
from cutscore.core.errors import BadInput
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.subjects.web.desk_server import render_page, serve_desk
from cutscore.subjects.web.page import PublicNames, SeenPage

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

FENCE = "```"


@dataclass
class Desk:
    """One task in front of a person.

    Args:
        said: What went wrong with the last action, or why no further one is taken.
    """

    ask: Ask
    context: WorkContext
    world: Environment
    page: SeenPage
    said: str = ""
    actions: int = 0
    done: asyncio.Event = field(default_factory=asyncio.Event)
    deliverable: Deliverable = field(default_factory=Deliverable)

    async def act(self, written: str) -> None:
        """Do one action in the words that agents use: `click [3]`."""
        if self.page.ended or not written.strip():
            return
        text = written if FENCE in written else f"{FENCE}{written.strip()}{FENCE}"
        seen = await self.world.act(Action(tool="text", arguments={"text": text}))
        self.actions += 1
        self.page = SeenPage.of(seen)
        error = seen.get("error", "") if isinstance(seen, dict) else ""
        self.said = self.page.ended or str(error)

    def hand_over(self, answer: str, intermediate: str) -> None:
        """End the task with an answer, and with one to the question about the tutorial."""
        question = self.ask.part("question")
        put = self.context.store.put_bytes
        files = (put(intermediate.encode(), name=str(question.value), media_type="text/plain"),) if question else ()
        self.deliverable = Deliverable(text=answer or self.page.ended, files=files)
        self.done.set()


@dataclass(frozen=True)
class PersonSubject:
    """Whoever sits in front of this machine."""

    delivers: ClassVar = frozenset({"text", "files"})
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Show the task on a page, tell where it is, and wait until it is handed over."""
        world = context.environment
        if world is None or not hasattr(world, "seen"):
            raise BadInput("subject 'human'", "works in a browser, and this benchmark has none", "take another subject")
        async with self._turn:
            desk = Desk(ask, context, world, SeenPage.of(world.seen))
            async with serve_desk(lambda key: make_application(desk, key), what="subject 'human'") as address:
                sys.stderr.write(f"{ask.item}: do it at {address}\n")
                sys.stderr.flush()
                await desk.done.wait()
        return desk.deliverable


def make_application(desk: Desk, key: str) -> "Starlette":
    """Return the pages of one task: the desk, its files, and what its forms do."""
    from starlette.applications import Starlette
    from starlette.responses import FileResponse, RedirectResponse
    from starlette.routing import Route

    home = f"/{key}/"

    async def show(request: "Request") -> "Response":
        return _page(desk)

    async def show_file(request: "Request") -> "Response":
        shown = {file.sha256: file for file in (*desk.ask.files, *filter(None, [desk.page.picture]))}
        file = shown.get(request.path_params["sha256"])
        if file is None:
            return RedirectResponse(home, 303)
        return FileResponse(desk.context.store.path(file), media_type=file.media_type)

    async def take_action(request: "Request") -> "Response":
        form = await request.form()
        await desk.act(str(form.get("action", "")))
        return RedirectResponse(home, 303)

    async def take_answer(request: "Request") -> "Response":
        form = await request.form()
        desk.hand_over(str(form.get("answer", "")), str(form.get("intermediate", "")))
        return _page(desk)

    return Starlette(
        routes=[
            Route(home, show),
            Route(f"{home}files/{{sha256}}", show_file),
            Route(f"{home}act", take_action, methods=["POST"]),
            Route(f"{home}answer", take_answer, methods=["POST"]),
        ]
    )


def _page(desk: Desk) -> "Response":
    names = PublicNames.of(desk.ask)
    instruction, question = desk.ask.part("instruction"), desk.ask.part("question")
    files = desk.ask.files
    return render_page(
        "desk.html",
        desk=desk,
        intent=instruction.text if instruction else desk.ask.brief,
        question=question.text if question else "",
        address=names.show(desk.page.url),
        text=names.show(desk.page.text),
        videos=[file for file in files if file.media_type.startswith("video/")],
        images=[file for file in files if file.media_type.startswith("image/")],
    )
