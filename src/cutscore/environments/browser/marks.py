"""Set-of-Marks: what a page offers, as numbered lines of text and as a picture with numbered boxes.

One evaluation in the page gathers everything; the rest is pure. `reference` follows the released code of VideoWebArena,
less what only its table reader does (texts such as `N/A` vanish there, and a page with numbers alone fails). `full`
leaves out what is covered or invisible, tells values, placeholders, options and tabs, and looks into shadow roots and
frames of the same origin.
"""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from cutscore.environments.browser.mark_drawing import JPEG_QUALITY, draw_marks
from cutscore.environments.browser.session import BrowserSession, PageFault
from cutscore.environments.browser.settle import Settled, settle

ObservationRules = Literal["reference", "full"]
MAX_ITEMS = 5_000  # of a page; more is counted and left out
MAX_CHARS = 200  # of one line
SMALLEST_PX = 8  # boxes below it keep their number, and are neither drawn nor listed
LOOKS = 3  # at a page that does not stay the same
OBSERVE_S = 20.0  # for the evaluation; a million elements take a while


@dataclass(frozen=True)
class PageElement:
    """One thing on a page; the box is in pixels of the viewport. `number` is empty for text."""

    number: str
    tag: str
    text: str
    box: tuple[float, float, float, float]
    state: str = ""

    @property
    def center(self) -> tuple[float, float]:
        """Where it is clicked."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2

    @property
    def is_marked(self) -> bool:
        """Whether it is drawn and listed with its number."""
        left, top, right, bottom = self.box
        return bool(self.number) and right - left >= SMALLEST_PX and bottom - top >= SMALLEST_PX


@dataclass(frozen=True)
class Observation:
    """What is seen of the active tab."""

    text: str
    elements: tuple[PageElement, ...]
    picture_jpeg: bytes
    url: str
    left_out: int = 0


@cache
def _script() -> str:
    return Path(__file__).with_name("marks.js").read_text(encoding="utf-8")


async def observe_at_rest(
    session: BrowserSession, rules: ObservationRules = "reference"
) -> tuple[Settled, Observation | PageFault]:
    """Wait and look, and do so again where another page came while we looked: on a busy machine clicks act late."""
    for _ in range(LOOKS):
        settled, rested_s = await settle(session), time.monotonic()
        shown: Observation | PageFault
        try:
            shown = await observe(session, rules)
        except PageFault as fault:
            shown = fault
        if settled.capped or session.network.last_activity_s < rested_s:
            break
    return settled, shown


async def observe(session: BrowserSession, rules: ObservationRules = "reference") -> Observation:
    """Look at the active tab: one evaluation, one screenshot. The session then knows the numbers."""
    arguments = json.dumps([rules == "full", MAX_ITEMS, MAX_CHARS])[1:-1]
    # Side by side, so that both are of one moment as nearly as can be.
    seen, picture = await asyncio.gather(
        session.evaluate(f"({_script()})({arguments})", seconds=OBSERVE_S),
        session.screenshot(jpeg_quality=JPEG_QUALITY, seconds=OBSERVE_S),
    )
    elements = number_elements(seen["items"])
    marked = [element for element in elements if element.is_marked]
    text = write_lines(elements)
    if rules == "full":
        text = "\n".join(filter(None, (await describe_tabs(session), text)))
    # By number, as a model says it; and by its words, `[BUTTON] [Buy]`, as a script does that is written beforehand.
    by_words = {f"[{each.tag}] [{each.text}]": each.center for each in reversed(elements) if each.number}
    session.marks = by_words | {element.number: element.center for element in elements if element.number}
    # In a thread of its own: other sessions live in this one.
    drawn = await asyncio.to_thread(draw_marks, picture, [(element.number, element.box) for element in marked])
    return Observation(text, elements, drawn, session.url, int(seen["left_out"]))


def number_elements(items: Sequence[Sequence[Any]]) -> tuple[PageElement, ...]:
    """Return the elements of a page; those that can be clicked are numbered from 1."""
    made, number = [], 0
    for clickable, tag, text, left, top, right, bottom, state in items:
        number += bool(clickable)
        made.append(PageElement(str(number) if clickable else "", tag, text, (left, top, right, bottom), state))
    return tuple(made)


def write_lines(elements: Sequence[PageElement]) -> str:
    """Return one line for each marked element and for each text that was not said before.

    >>> write_lines([PageElement("1", "A", "Home", (0, 0, 9, 9)), PageElement("", "P", "Home", (0, 0, 9, 9))])
    '[1] [A] [Home]'
    """
    lines, said = [], set[str]()
    for element in elements:
        if element.is_marked:
            state = f" [{element.state}]" if element.state else ""
            lines.append(f"[{element.number}] [{element.tag}] [{element.text}]{state}")
            said.add(element.text)
        elif not element.number and element.text not in said and not _is_style(element.text):
            lines.append(f"[] [StaticText] [{element.text}]")
            said.add(element.text)
    return "\n".join(lines)


def _is_style(text: str) -> bool:
    return not text or (text.startswith(".") and "{" in text)


async def describe_tabs(session: BrowserSession) -> str:
    """Return the open tabs as a line each, the active one starred."""
    pages = session.pages
    titles = [await session.within(2, page.title()) for page in pages]
    return "\n".join(
        f"Tab {number}{' (current)' if page is session.page else ''}: {title[:MAX_CHARS]}"
        for number, (page, title) in enumerate(zip(pages, titles, strict=True))
    )
