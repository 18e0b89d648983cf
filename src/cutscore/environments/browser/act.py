"""One action on a live page. What goes wrong on the page is told, as the reference does, and ends nothing."""

import asyncio
import time
from typing import TYPE_CHECKING

from cutscore.core.trajectory import Action
from cutscore.environments.browser.session import ANSWER_S, BrowserSession, PageFault

if TYPE_CHECKING:
    from playwright.async_api import FilePayload, Page

CHOOSER_S = 3.0  # for a page to ask for a file after a click
POLL_S = 0.02
MAX_UPLOAD_BYTES = 40_000_000  # it goes through the page
MAX_TYPED_CHARS = 20_000
TYPE_S = 60.0
_SCROLL = {"down": "scrollBy(0, innerHeight)", "up": "scrollBy(0, -innerHeight)"}


async def perform(session: BrowserSession, action: Action) -> str:
    """Do one action in the active tab; return what went wrong, empty when nothing did.

    Raises:
        Unscored: The browser died.
    """
    try:
        await session.ensure_tab()
        await _perform(session, action)
    except PageFault as fault:
        return str(fault)
    return ""


async def _perform(session: BrowserSession, action: Action) -> None:
    given = action.arguments
    match action.tool:
        case "click" | "hover" | "clear" | "type" | "upload":
            await _on_element(session, action)
        case "press":
            await session.within(ANSWER_S, session.page.keyboard.press(_local_keys(str(given["keys"]))))
        case "scroll":
            await session.evaluate(_SCROLL[str(given["direction"])])
        case "goto":
            await session.open(str(given["url"]))
        case "new_tab":
            await session.new_tab()
        case "close_tab":
            await session.close_tab()
        case "tab_focus":
            pages, number = session.pages, int(str(given["tab"]))
            if number >= len(pages):
                raise PageFault(f"there is no tab {number}; {len(pages)} are open")
            await session.focus(pages[number])
        case "go_back":
            await session.within(ANSWER_S, session.page.go_back(wait_until="commit"))
        case "go_forward":
            await session.within(ANSWER_S, session.page.go_forward(wait_until="commit"))
        case "stop" | "none":
            pass
        case _:
            raise PageFault(f"there is no action '{action.tool}'")


async def _on_element(session: BrowserSession, action: Action) -> None:
    number = str(action.arguments["element"])
    if number not in session.marks:
        raise PageFault(f"element {number} is not on the page")
    x, y = session.marks[number]
    page = session.page
    if action.tool == "hover":
        await session.within(ANSWER_S, page.mouse.move(x, y))
        return
    if action.tool == "upload":
        await _upload(session, page, (x, y), str(action.arguments["file"]))
        return
    await session.within(ANSWER_S, page.mouse.click(x, y))
    if action.tool == "clear":
        await session.within(ANSWER_S, page.keyboard.press("Control+A"))
        await session.within(ANSWER_S, page.keyboard.press("Backspace"))
    if action.tool == "type":
        text = str(action.arguments["text"])[:MAX_TYPED_CHARS] + ("\n" if action.arguments["enter"] else "")
        await session.within(TYPE_S, page.keyboard.type(text))


async def _upload(session: BrowserSession, page: "Page", at: tuple[float, float], name: str) -> None:
    folder = session.options.uploads
    known = {path.name: path for path in folder.iterdir() if path.is_file() and not path.is_symlink()} if folder else {}
    if name not in known:
        raise PageFault(f"there is no file '{name}' to upload; there is {', '.join(sorted(known)) or 'none'}")
    if known[name].stat().st_size > MAX_UPLOAD_BYTES:
        raise PageFault(f"file '{name}' is larger than {MAX_UPLOAD_BYTES:,} bytes")

    session.watch.chooser = None
    await session.within(ANSWER_S, page.mouse.click(*at))
    until = time.monotonic() + CHOOSER_S
    while session.watch.chooser is None:
        if time.monotonic() > until:
            raise PageFault("the page did not ask for a file")
        await asyncio.sleep(POLL_S)
    # As bytes: the browser is another user and cannot read our files.
    file: FilePayload = {"name": name, "mimeType": "", "buffer": known[name].read_bytes()}
    await session.within(ANSWER_S, session.watch.chooser.set_files(file))


def _local_keys(keys: str) -> str:
    """Return a key combination for this system, where the reference's Meta is Control.

    >>> _local_keys("Meta+v")
    'Control+v'
    """
    return "+".join("Control" if key == "Meta" else key for key in keys.split("+"))
