"""The public view of an item: the intent, the sites, the start, the tutorial, and a question about it."""

from collections.abc import Mapping

from cutscore.benchmarks.videowebarena.ask_parts import INTERMEDIATE, VIEWPORT, StartState
from cutscore.benchmarks.videowebarena.dataset import WebItem
from cutscore.benchmarks.videowebarena.sites import ACCOUNTS, sites_in
from cutscore.core.ask import Ask, AskPart
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.prompts import Prompt


def ask(item: WebItem, prompts: Mapping[str, Prompt]) -> Ask:
    """Return all that a subject ever gets, in the viewport of the paper unless the task has its own."""
    return _ask(item, prompts, VIEWPORT)


def ask_under(item: WebItem, prompts: Mapping[str, Prompt], conditions: Mapping[str, str]) -> Ask:
    """Return the ask under the conditions of the card: another viewport for tasks without one of their own."""
    return _ask(item, prompts, read_viewport(conditions["viewport"]))


def read_viewport(written: str) -> tuple[int, int]:
    """Return width and height in CSS pixels.

    >>> read_viewport("1280x720")
    (1280, 720)
    """
    width, _, height = written.partition("x")
    sizes = [int(each) for each in (width, height) if each.isascii() and each.isdecimal() and 0 < int(each) <= 10_000]
    if len(sizes) < 2:
        raise BadInput(f"condition 'viewport={written[:40]}'", "is not WIDTHxHEIGHT", "write viewport=1280x720")
    return sizes[0], sizes[1]


def _ask(item: WebItem, prompts: Mapping[str, Prompt], viewport: tuple[int, int]) -> Ask:
    used = ["ask", "tutorial", *(["images"] if item.images else []), *(["question"] if item.question else [])]
    images = [each.file for each in item.images if each.file]
    blanks = {
        "tutorial": {"tutorial": item.tutorial.name if item.tutorial else item.video},
        "images": {"images": ", ".join(each.file.name if each.file else each.address for each in item.images)},
        "question": {"question": item.question.strip(), "file": INTERMEDIATE},
    }
    more = "\n\n".join(prompts[name].fill(**blanks[name]).strip() for name in used[1:])
    brief = prompts["ask"].fill(intent=item.intent.strip(), sites=", ".join(item.sites), more=more)
    return Ask(
        item=item.id,
        brief=brief,
        files=(*((item.tutorial,) if item.tutorial else ()), *images),
        parts=(
            AskPart(role="instruction", text=item.intent),
            *start_state(item, viewport).parts(),
            *(AskPart(role="input_image", text=each.address, file=_name(each.file)) for each in item.images),
            AskPart(role="tutorial", text=item.video, file=_name(item.tutorial)),
            *([AskPart(role="question", text=item.question)] if item.question else []),
        ),
        prompts={name: prompts[name].digest for name in used},
    )


def start_state(item: WebItem, viewport: tuple[int, int] = VIEWPORT) -> StartState:
    """Return the start of a task: of a viewport that has a width alone, the height is the usual one.

    Sites are those that the task lists and those that its start pages are on.
    """
    own = item.viewport
    return StartState(
        sites=tuple(dict.fromkeys((*item.sites, *sites_in(item.start_urls)))),
        start_pages=item.start_urls,
        viewport=(own.width, own.height or viewport[1]) if own else viewport,
        geolocation=item.geolocation,
        logins=tuple((site, ACCOUNTS.get(site, "")) for site in item.login),
        reset=item.reset,
    )


def _name(file: FileRef | None) -> str:
    return file.name if file else ""
