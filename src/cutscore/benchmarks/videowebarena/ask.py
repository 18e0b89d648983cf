"""The public view of an item: the intent, the sites, the start, the tutorial, and a question about it."""

from collections.abc import Mapping

from cutscore.benchmarks.videowebarena.ask_parts import INTERMEDIATE, StartState
from cutscore.benchmarks.videowebarena.dataset import WebItem
from cutscore.benchmarks.videowebarena.sites import ACCOUNTS, PUBLIC_NAMES, sites_in
from cutscore.core.ask import Ask, AskPart
from cutscore.core.files import FileRef
from cutscore.prompts import Prompt

# What web agents read beside the brief.
AGENT_PROMPTS = (
    *(f"{about}_{kind}" for about in ("task", "question") for kind in ("video", "frames", "summary")),
    *("summarise_video", "summarise_frames", "correction", "upload"),
)


def ask(item: WebItem, prompts: Mapping[str, Prompt]) -> Ask:
    """Return all that a subject ever gets."""
    there = {"tutorial": item.video, "images": item.images, "question": item.question}
    used = ["ask", *(name for name, value in there.items() if value)]
    images = [each.file for each in item.images if each.file]
    blanks = {
        "tutorial": {"tutorial": item.tutorial.name if item.tutorial else item.video},
        "images": {"images": ", ".join(each.file.name if each.file else each.address for each in item.images)},
        "question": {"question": item.question.strip(), "file": INTERMEDIATE},
    }
    more = "".join("\n\n" + prompts[name].fill(**blanks[name]).strip() for name in used[1:])
    brief = prompts["ask"].fill(intent=item.intent.strip(), sites=", ".join(item.sites), more=more)
    return Ask(
        item=item.id,
        brief=brief,
        files=(*filter(None, (item.tutorial, item.transcript)), *images),
        parts=(
            AskPart(role="instruction", text=item.intent),
            *start_state(item).parts(),
            *(AskPart(role="public_name", text=PUBLIC_NAMES.get(name, name), value=name) for name in _sites(item)),
            *(AskPart(role="input_image", text=each.address, file=_name(each.file)) for each in item.images),
            *([AskPart(role="tutorial", text=item.video, file=_name(item.tutorial))] if item.video else []),
            *([AskPart(role="transcript", file=item.transcript.name)] if item.transcript else []),
            *([AskPart(role="question", text=item.question, value=INTERMEDIATE)] if item.question else []),
        ),
        prompts={name: prompts[name].digest for name in (*used, *AGENT_PROMPTS)},
    )


def variant(item: WebItem, prompts: Mapping[str, Prompt], name: str) -> Ask | None:
    """Return the ask without tutorial and transcript; input images stay. None where there is no tutorial."""
    if not item.video:
        return None
    return ask(item.model_copy(update={"video": "", "tutorial": None, "transcript": None}), prompts)


def start_state(item: WebItem) -> StartState:
    """Return the start of a task; its sites are those that it lists, and those that its start pages are on."""
    return StartState(
        sites=_sites(item),
        start_pages=item.start_urls,
        viewport=(item.viewport.width, item.viewport.height) if item.viewport else None,
        geolocation=item.geolocation,
        logins=tuple((site, ACCOUNTS.get(site, "")) for site in item.login),
        reset=item.reset,
        seed=item.site_seed,
    )


def _sites(item: WebItem) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*item.sites, *sites_in(item.start_urls))))


def _name(file: FileRef | None) -> str:
    return file.name if file else ""
