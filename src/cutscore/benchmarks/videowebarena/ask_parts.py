"""The start of a task as named parts of an ask: written from an item, read by whoever opens the world.

    site         value {"name": "reddit", "address": "__REDDIT__"}     every site that the task may use
    start_page   text "__REDDIT__/f/pics"                              one a tab, the first is the active one
    viewport     value [1280, 2048]
    geolocation  value {"latitude": …, "longitude": …, "accuracy": …}  where the task has one
    login        value {"site": "reddit", "account": "…"}              never a password
    reset        value true                                            where the sites are to be reset before
    input_image  text: its address; file: where it is at hand
    tutorial     text: its name; file: where it is at hand
    question     text: what is asked about the tutorial, beside the task

Addresses are placeholders: `sites` expands them. This module knows no item, so the world may import it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cutscore.benchmarks.videowebarena.released import Geolocation
from cutscore.core.ask import Ask, AskPart
from cutscore.core.errors import Stopped

VIEWPORT = (1280, 2048)
INTERMEDIATE = "intermediate.txt"  # the answer to the question, where there is one


@dataclass(frozen=True)
class StartState:
    """What a world is opened with."""

    sites: tuple[str, ...]
    start_pages: tuple[str, ...]
    viewport: tuple[int, int] = VIEWPORT
    geolocation: Geolocation | None = None
    logins: tuple[tuple[str, str], ...] = ()
    reset: bool = False

    def parts(self) -> Iterator[AskPart]:
        """Write the parts of an ask."""
        for name in self.sites:
            yield AskPart(role="site", value={"name": name, "address": f"__{name.upper()}__"})
        for page in self.start_pages:
            yield AskPart(role="start_page", text=page)
        yield AskPart(role="viewport", value=list(self.viewport))
        if self.geolocation:
            yield AskPart(role="geolocation", value=self.geolocation.model_dump())
        for site, account in self.logins:
            yield AskPart(role="login", value={"site": site, "account": account})
        if self.reset:
            yield AskPart(role="reset", value=True)


def read_start(ask: Ask) -> StartState:
    """Return the start of a task from the parts of its ask."""
    place, size = ask.part("geolocation"), ask.part("viewport")
    width, height = size.value if size and isinstance(size.value, list) else VIEWPORT
    logins = [each.value for each in ask.parts_of("login") if isinstance(each.value, dict)]
    named = [each.value for each in ask.parts_of("site") if isinstance(each.value, dict)]
    return StartState(
        sites=tuple(str(each["name"]) for each in named),
        start_pages=tuple(each.text for each in ask.parts_of("start_page")),
        viewport=(int(str(width)), int(str(height))),
        geolocation=Geolocation.model_validate(place.value) if place else None,
        logins=tuple((str(each["site"]), str(each["account"])) for each in logins),
        reset=ask.part("reset") is not None,
    )


def require_files(ask: Ask) -> None:
    """Raise Stopped when the tutorial or an input image of an ask is not at hand: nobody is marked for want of it.

    An arm that leaves files out leaves out their parts, too, and is not stopped.
    """
    for role, ends in (("tutorial", "videos/{}.mov or .mp4"), ("input_image", "images/")):
        for part in ask.parts_of(role):
            if not part.file:
                what = f"item '{ask.item}': {role.replace('_', ' ')} '{part.text}'"
                raise Stopped(what, "is not in the data folder", f"put it there: {ends.format(part.text)}")
