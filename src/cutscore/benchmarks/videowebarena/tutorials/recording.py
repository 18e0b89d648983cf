"""A visit played in a browser: a picture of every event, on a clock that the narration sets.

Nothing waits for the clock: a sentence of ten seconds is a picture that stays for a hundred frames. So two minutes are
filmed in seconds, and the same pages give the same frames.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from math import ceil

from cutscore.benchmarks.videowebarena.sites import SiteAddresses
from cutscore.benchmarks.videowebarena.tutorials.action_log import LoggedStep
from cutscore.benchmarks.videowebarena.tutorials.cursor import RING_RADII_PX, Point, path
from cutscore.benchmarks.videowebarena.tutorials.narration import NarratedLine, spoken_s
from cutscore.benchmarks.videowebarena.tutorials.visit import ScriptedVisit, VisitStep
from cutscore.core.errors import BadInput
from cutscore.core.trajectory import Action
from cutscore.environments.browser.act import perform
from cutscore.environments.browser.grammar import UnreadableAction, extract_action, parse_action
from cutscore.environments.browser.marks import Observation, observe_at_rest
from cutscore.environments.browser.session import ANSWER_S, BrowserSession, PageFault
from cutscore.stage.setting import Voice

RATE = 10  # frames a second
# Frames of an event.
MOVE, ARRIVED, BREATH, AFTER = 6, 2, 3, 8
TYPED_A_FRAME = 2  # characters
MOST_PIECES = 6  # in which a text is typed
NEAREST = 6  # elements that an error names
WITH_ELEMENT = ("click", "hover", "clear", "type", "upload")


@dataclass(frozen=True)
class CapturedShot:
    """A picture of the page that stays for some frames, with the pointer and the ring of a click, if any."""

    page_png: bytes
    frames: int
    cursor: Point
    ring_px: int = 0


@dataclass
class FilmedVisit:
    """What was filmed so far; its clock is the number of frames."""

    visit: ScriptedVisit
    voice: Voice
    shots: list[CapturedShot] = field(default_factory=list)
    lines: list[NarratedLine] = field(default_factory=list)
    steps: list[LoggedStep] = field(default_factory=list)
    frames: int = 0

    @property
    def now_s(self) -> Fraction:
        """How long it is by now."""
        return Fraction(self.frames, RATE)

    def hold(self, page_png: bytes, frames: int, cursor: Point, *, ring_px: int = 0) -> None:
        """Leave a picture on view."""
        if frames > 0:
            self.shots.append(CapturedShot(page_png, frames, cursor, ring_px))
            self.frames += frames

    @property
    def position(self) -> tuple[int, int]:
        """How much there is by now, to cut it back to."""
        return len(self.shots), len(self.lines)

    def cut_back(self, position: tuple[int, int]) -> None:
        """Forget what was filmed since."""
        shots, lines = position
        del self.shots[shots:], self.lines[lines:]
        self.frames = sum(shot.frames for shot in self.shots)

    def say(self, text: str) -> int:
        """Begin a sentence now; return how many frames it takes."""
        self.lines.append(NarratedLine(self.now_s, text))
        return ceil(spoken_s(text, self.voice) * RATE)


class VisitPlayer:
    """Plays the steps of a visit in a session that is on its start page; lives in the browser's thread."""

    def __init__(self, session: BrowserSession, sites: SiteAddresses, filmed: FilmedVisit) -> None:
        self.session, self.sites, self.filmed = session, sites, filmed
        width, height = filmed.visit.viewport
        self.cursor: Point = width * 3 // 5, height * 3 // 5
        self.page_png = b""
        self.shown: Observation | None = None

    async def play(self) -> None:
        """Play all steps; BadInput names the first that cannot be played."""
        await self.begin()
        for step in self.filmed.visit.steps:
            await self.play_step(step)
        self.end()

    async def begin(self) -> None:
        """Look at the start page."""
        await self._look()

    def end(self) -> None:
        """Leave the last page on view for a moment."""
        self._hold(AFTER)

    async def play_step(self, step: VisitStep) -> None:
        """Play the next step; BadInput where it cannot be played."""
        filmed, began_s = self.filmed, self.filmed.now_s
        where = f"step {len(filmed.steps) + 1}"
        if step.say.strip():
            self._hold(filmed.say(step.say.strip()) + BREATH)
        acted_s = await self._act(step.do, where) if step.do else None
        self._hold(ceil(step.wait_s * RATE))
        filmed.steps.append(
            LoggedStep(
                at=(float(began_s), float(filmed.now_s)),
                say=step.say.strip(),
                do=step.do,
                acted=None if acted_s is None else float(acted_s),
                element=str(step.do.arguments.get("element", "")) if step.do else "",
                url=self.sites.contract(self.session.url),
                cursor=self.cursor,
            )
        )

    async def _act(self, written: Action, where: str) -> Fraction:
        """Do an action as a person would be seen to; return when it was done."""
        action = self._read_action(written, where)
        if action.tool in WITH_ELEMENT:
            await self._point_at(str(action.arguments.get("element", "")), where)
        acted_s = self.filmed.now_s
        if action.tool in ("click", "clear", "type", "upload"):
            for radius in RING_RADII_PX:
                self._hold(1, ring_px=radius)
        if action.tool == "type":
            await self._type(action, where)
        else:
            await self._perform(action, where)
        await self._look()
        self._hold(AFTER)
        return acted_s

    def _read_action(self, written: Action, where: str) -> Action:
        """Return an action with addresses in place of placeholders, also where it is written as a model would."""
        texts = {name: self.sites.expand(each) for name, each in written.arguments.items() if isinstance(each, str)}
        action = written.model_copy(update={"arguments": {**written.arguments, **texts}})
        if action.tool != "text":
            return action
        try:
            return parse_action(extract_action(str(action.arguments.get("text", ""))), "wide")
        except UnreadableAction as fault:
            raise self._fault(where, str(fault), "mend the step") from None

    async def _point_at(self, element: str, where: str) -> None:
        """Let the pointer go to an element, and stay there for a moment, so that one sees what is meant."""
        marks = self.session.marks
        if element not in marks:
            words = [each for each in marks if not each.isdecimal()]
            near = ", ".join(f"'{each}'" for each in get_close_matches(element, words, NEAREST, cutoff=0))
            at = self.sites.contract(self.session.url)
            fact = f"'{element}' is not in view on {at}; nearest of {len(words)}: {near or 'nothing'}"
            raise self._fault(where, fact, "correct its words, or scroll there first")
        width, height = self.filmed.visit.viewport
        x, y = (round(each) for each in marks[element])
        if not (0 <= x < width and 0 <= y < height):
            raise self._fault(where, f"the middle of '{element}' is out of view", "scroll there first")
        for point in path(self.cursor, (x, y), MOVE):
            self.cursor = point
            self._hold(1)
        await self._perform(Action(tool="hover", arguments={"element": element}), where)
        self.page_png = await self._capture()
        self._hold(ARRIVED)

    async def _type(self, action: Action, where: str) -> None:
        """Click, and type piece by piece; then press Enter, where it is asked for."""
        await self._perform(Action(tool="click", arguments={"element": action.arguments["element"]}), where)
        keyboard = self.session.page.keyboard
        for piece in split_text(str(action.arguments.get("text", ""))):
            try:
                await self.session.within(ANSWER_S, keyboard.type(piece))
                self.page_png = await self._capture()
            except PageFault as fault:
                raise self._fault(where, str(fault), "mend the step, or the site") from None
            self._hold(ceil(len(piece) / TYPED_A_FRAME))
        if action.arguments.get("enter"):
            await self._perform(Action(tool="press", arguments={"keys": "Enter"}), where)

    async def _perform(self, action: Action, where: str) -> None:
        try:
            fault = await perform(self.session, action)
        except (KeyError, ValueError):
            fault = f"action '{action.tool}' lacks an argument, or has a wrong one"
        if fault:
            raise self._fault(where, fault, "mend the step, or the site")

    async def _look(self) -> None:
        """Wait for the page to come to rest, learn its elements and keep its picture."""
        _, shown = await observe_at_rest(self.session)
        if isinstance(shown, PageFault):
            at = self.sites.contract(self.session.url)
            raise self._fault(f"page {at}", str(shown), "mend the site, then run the same command again")
        self.shown = shown
        self.page_png = await self._capture()

    async def _capture(self) -> bytes:
        # Without the blinking caret, and with animations at their end: another moment would be another picture.
        page = self.session.page
        return await self.session.within(ANSWER_S, page.screenshot(caret="hide", animations="disabled", scale="css"))

    def _hold(self, frames: int, *, ring_px: int = 0) -> None:
        self.filmed.hold(self.page_png, frames, self.cursor, ring_px=ring_px)

    def _fault(self, where: str, fact: str, hint: str) -> BadInput:
        return BadInput(f"visit '{self.filmed.visit.name}'", f"{where}: {fact}", hint)


def split_text(text: str) -> Iterator[str]:
    """Cut a text into the pieces in which it is typed, of even length.

    >>> list(split_text("My cat on a chair")), list(split_text("cat"))
    (['My cat', ' on a ', 'chair'], ['cat'])
    """
    pieces = min(MOST_PIECES, max(1, ceil(len(text) / 6)))
    size = ceil(len(text) / pieces) if text else 1
    for start in range(0, len(text), size):
        yield text[start : start + size]
