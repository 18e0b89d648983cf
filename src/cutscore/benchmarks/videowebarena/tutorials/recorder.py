"""A person shows something on a site, and it is filmed as they do it: sentences and actions on a page of this machine.

    cutscore build videowebarena lesson.json --record --url ADDRESS -o DIR

They see the marked page and act on it by a click or in the words of agents. Each step is played at once, by the player
of scripted visits, so that nothing is done twice; and it is written into the file, which can be played again later.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.benchmarks.videowebarena.sites import PUBLIC_NAMES
from cutscore.benchmarks.videowebarena.tutorials.recording import VisitPlayer
from cutscore.benchmarks.videowebarena.tutorials.visit import ScriptedVisit, VisitStep, write_visit
from cutscore.core.errors import BadInput, Unscored
from cutscore.core.strict_json import first_fault
from cutscore.core.trajectory import Action
from cutscore.environments.browser.grammar import UnreadableAction, extract_action, parse_action
from cutscore.environments.browser.marks import PageElement
from cutscore.subjects.web.desk_server import render_page, serve_desk

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

TEMPLATES = Path(__file__).parent / "templates"
Point = tuple[float, float]


@dataclass(frozen=True)
class StepForm:
    """One step as the page's form has it."""

    say: str = ""
    action: str = ""
    wait_s: str = ""
    mark: str = ""
    point: Point | None = None

    @classmethod
    def of(cls, form: "FormData") -> "StepForm":
        """Read what was sent; a click on the page's picture comes as its coordinates."""
        texts = {name: str(form.get(name, "")).strip() for name in ("say", "action", "wait_s", "mark")}
        clicked = [str(form.get(f"point.{axis}", "")) for axis in "xy"]
        return cls(**texts, point=(float(clicked[0]), float(clicked[1])) if all(map(str.isdecimal, clicked)) else None)


@dataclass
class VisitRecorder:
    """What a person has shown so far; lives in the browser's thread.

    Args:
        said: Why the last step was not taken.
        kept: What they wrote for it, so that they can mend it.
    """

    player: VisitPlayer
    file: Path
    said: str = ""
    kept: StepForm = StepForm()
    looks: int = 0
    fault: Unscored | None = None
    done: asyncio.Event = field(default_factory=asyncio.Event)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def begin(self) -> None:
        """Look at the start page, which stays on view for a moment."""
        await self.player.begin()
        for step in self.player.filmed.visit.steps:
            await self.player.play_step(step)

    async def take(self, form: StepForm) -> None:
        """Play a step, and write it down; where it cannot be played, nothing was filmed, and the page says why."""
        async with self._turn:
            filmed, cursor = self.player.filmed, self.player.cursor
            before = filmed.position
            try:
                step = self._read(form)
                visit = ScriptedVisit.model_validate({**dict(filmed.visit), "steps": (*filmed.visit.steps, step)})
                await self.player.play_step(step)
                filmed.visit, self.said, self.kept = visit, "", StepForm()
                write_visit(visit, self.file)
            except (BadInput, ValueError) as fault:
                filmed.cut_back(before)
                self.player.cursor, self.kept = cursor, form
                self.said = first_fault(fault) if isinstance(fault, ValueError) else str(fault)
            except Unscored as fault:  # the browser has died
                self.fault = fault
                self.done.set()
            self.looks += 1

    def _read(self, form: StepForm) -> VisitStep:
        do = self._read_action(form)
        return VisitStep(say=form.say, do=do, wait_s=float(form.wait_s or 0), mark=form.mark or None)

    def _read_action(self, form: StepForm) -> Action | None:
        """Return the action with elements by their words and addresses by placeholders, as a script names them."""
        player = self.player
        elements = player.shown.elements if player.shown else ()
        if form.action:
            names = {PUBLIC_NAMES.get(name, name): site.address for name, site in player.sites.sites.items()}
            action = parse_action(extract_action(f"```{form.action}```", names), "wide")
        elif form.point:
            action = Action(tool="click", arguments={"element": find_element(elements, form.point)})
        else:
            return None
        if action.tool == "stop":
            raise UnreadableAction("'stop' is for tasks; a tutorial ends with the button")
        given = dict(action.arguments)
        if "url" in given:
            given["url"] = player.sites.contract(str(given["url"]))
        if "element" in given:
            given["element"] = name_element(elements, str(given["element"]))
        return Action(tool=action.tool, arguments=given)


def find_element(elements: Sequence[PageElement], point: Point) -> str:
    """Return the number of the smallest element around a point.

    >>> find_element([PageElement("1", "A", "Home", (0, 0, 90, 20))], (95, 10))
    Traceback (most recent call last):
    cutscore.environments.browser.grammar.UnreadableAction: there is nothing to click at 95, 10
    """
    x, y = point
    around = [each for each in elements if each.number and _holds(each, x, y)]
    if not around:
        raise UnreadableAction(f"there is nothing to click at {x:.0f}, {y:.0f}")
    return min(around, key=lambda each: (each.box[2] - each.box[0]) * (each.box[3] - each.box[1])).number


def _holds(element: PageElement, x: float, y: float) -> bool:
    left, top, right, bottom = element.box
    return left <= x <= right and top <= y <= bottom


def name_element(elements: Sequence[PageElement], number: str) -> str:
    """Return the words of an element, as scripts name it; its number where it has none, or where others come first.

    >>> page = [PageElement(str(n), "A", text, (0, 0, 9, 9)) for n, text in enumerate(("Buy", "Buy", ""), start=1)]
    >>> [name_element(page, each) for each in ("1", "2", "3", "4")]
    ['[A] [Buy]', '2', '3', '4']
    """
    first: dict[tuple[str, str], str] = {}
    for each in elements:
        if each.number and each.text.strip() and first.setdefault((each.tag, each.text), each.number) == number:
            return f"[{each.tag}] [{each.text}]"
    return number


async def record_person(player: VisitPlayer, *, file: Path, tell: Callable[[str], None]) -> None:
    """Let a person show something on the start page, until they say that it is finished."""
    recorder = VisitRecorder(player, file)
    await recorder.begin()
    async with serve_desk(lambda key: make_application(recorder, key), what="--record") as address:
        tell(f"{player.filmed.visit.name}: show it at {address}")
        await recorder.done.wait()
    if recorder.fault:
        raise recorder.fault
    player.end()


def make_application(recorder: VisitRecorder, key: str) -> "Starlette":
    """Return the pages of a recording: the marked page, the form for a step, and the end."""
    from starlette.applications import Starlette
    from starlette.responses import RedirectResponse
    from starlette.responses import Response as PlainResponse
    from starlette.routing import Route

    home = f"/{key}/"

    async def show(request: "Request") -> "Response":
        return _page(recorder)

    async def show_page(request: "Request") -> "Response":
        shown = recorder.player.shown
        return PlainResponse(shown.picture_jpeg if shown else b"", media_type="image/jpeg")

    async def take_step(request: "Request") -> "Response":
        await recorder.take(StepForm.of(await request.form()))
        return RedirectResponse(home, 303)

    async def finish(request: "Request") -> "Response":
        recorder.done.set()
        return _page(recorder)

    return Starlette(
        routes=[
            Route(home, show),
            Route(f"{home}page.jpg", show_page),
            Route(f"{home}step", take_step, methods=["POST"]),
            Route(f"{home}finish", finish, methods=["POST"]),
        ]
    )


def _page(recorder: VisitRecorder) -> "Response":
    player = recorder.player
    return render_page(
        "recorder.html",
        TEMPLATES,
        recorder=recorder,
        visit=player.filmed.visit,
        address=player.session.url,
        text=player.shown.text if player.shown else "",
    )
