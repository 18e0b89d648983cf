"""The start of a task as named parts of an ask: written from an item, read by whoever opens the world.

    site         value {"name": "reddit", "address": "__REDDIT__"}     every site that the task may use
    start_page   text "__REDDIT__/f/pics"                              one a tab, the first is the active one
    viewport     value [430, 932] or [1280, null]                      where the task has one of its own
    geolocation  value {"latitude": …, "longitude": …, "accuracy": …}  where the task has one
    login        value {"site": "reddit", "account": "…"}              never a password
    reset        value true                                            where the sites are to be reset before
    own_sites    value {"seed": 1}                                     where they are served for this task alone
    input_image  text: its address; file: where it is at hand
    tutorial     text: its name; file: where it is at hand             where the task has one
    question     text: what is asked about the tutorial, beside the task

Addresses are placeholders: `sites` expands them. This module knows no item, so the world may import it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from cutscore.benchmarks.videowebarena.media_files import image_path
from cutscore.benchmarks.videowebarena.released import Geolocation, ViewportSize
from cutscore.core.ask import Ask, AskPart
from cutscore.core.errors import BadInput, Stopped

VIEWPORT = (1280, 2048)
MOST_PIXELS = 10_000  # on a side
INTERMEDIATE = "intermediate.txt"  # the answer to the question, where there is one


@dataclass(frozen=True)
class StartState:
    """What a world is opened with.

    Args:
        viewport: The task's own, in CSS pixels, maybe without a height; None where it has none.
        logins: Sites and accounts.
        seed: Of sites that are served for the task; None where sites are told by address.
    """

    sites: tuple[str, ...]
    start_pages: tuple[str, ...]
    viewport: tuple[int, int | None] | None = None
    geolocation: Geolocation | None = None
    logins: tuple[tuple[str, str], ...] = ()
    reset: bool = False
    seed: int | None = None

    def size(self, usual: str = "") -> tuple[int, int]:
        """Return the size of the page: the task's own, else the usual one of the condition `viewport`.

        Where the task tells a width alone, the height is the usual one.
        """
        width, height = read_viewport(usual) if usual else VIEWPORT
        return (self.viewport[0], self.viewport[1] or height) if self.viewport else (width, height)

    def parts(self) -> Iterator[AskPart]:
        """Write the parts of an ask."""
        for name in self.sites:
            yield AskPart(role="site", value={"name": name, "address": f"__{name.upper()}__"})
        for page in self.start_pages:
            yield AskPart(role="start_page", text=page)
        if self.viewport:
            yield AskPart(role="viewport", value=list(self.viewport))
        if self.geolocation:
            yield AskPart(role="geolocation", value=self.geolocation.model_dump())
        for site, account in self.logins:
            yield AskPart(role="login", value={"site": site, "account": account})
        if self.reset:
            yield AskPart(role="reset", value=True)
        if self.seed is not None:
            yield AskPart(role="own_sites", value={"seed": self.seed})


def read_start(ask: Ask) -> StartState:
    """Return the start of a task from the parts of its ask."""
    place, size, own = ask.part("geolocation"), ask.part("viewport"), ask.part("own_sites")
    logins = [each.value for each in ask.parts_of("login") if isinstance(each.value, dict)]
    named = [each.value for each in ask.parts_of("site") if isinstance(each.value, dict)]
    return StartState(
        sites=tuple(str(each["name"]) for each in named),
        start_pages=tuple(each.text for each in ask.parts_of("start_page")),
        viewport=_read_size(size.value) if size else None,
        geolocation=Geolocation.model_validate(place.value) if place else None,
        logins=tuple((str(each["site"]), str(each["account"])) for each in logins),
        reset=ask.part("reset") is not None,
        seed=int(str(own.value["seed"])) if own and isinstance(own.value, dict) else None,
    )


def read_viewport(written: str) -> tuple[int, int]:
    """Return width and height in CSS pixels.

    >>> read_viewport("1280x720")
    (1280, 720)
    """
    width, _, height = written.partition("x")
    sides = [int(each) for each in (width, height) if each.isascii() and each.isdecimal() and len(each) < 6]
    if len(sides) < 2 or not all(0 < side <= MOST_PIXELS for side in sides):
        raise BadInput(f"condition 'viewport={written[:40]}'", "is not WIDTHxHEIGHT", "write viewport=1280x720")
    return sides[0], sides[1]


def _read_size(value: JsonValue) -> tuple[int, int | None]:
    size = ViewportSize.model_validate(
        dict(zip(("width", "height"), value, strict=True)) if isinstance(value, list) else {}
    )
    return size.width, size.height


def require_files(ask: Ask) -> None:
    """Raise Stopped when the tutorial or an input image of an ask is not at hand: nobody is marked for want of it.

    An arm that leaves files out leaves out their parts, too, and is not stopped; nor is anybody under the condition
    `missing_files=ignore`.
    """
    for part in (*ask.parts_of("tutorial"), *ask.parts_of("input_image")):
        if not part.file:
            is_video = part.role == "tutorial"
            place = f"videos/{part.text}.mov or .mp4" if is_video else f"images/{image_path(part.text) or ''}"
            what = f"item '{ask.item}': {part.role.replace('_', ' ')} '{part.text}'"
            raise Stopped(what, "is not in the data folder", f"put it there: {place}")
