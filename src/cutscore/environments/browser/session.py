"""One sample's own browser context: its tabs, what is asked of them, and how long an answer may take.

All of it runs in the browser's thread (`shared_browser.py`). What a page does by itself, `tab_watch.py` sees to: a page
that does wrong is closed, and an empty tab takes its place.
"""

import asyncio
from base64 import b64decode
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cutscore.environments.browser.downloads import Downloads
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.network_log import NetworkLog
from cutscore.environments.browser.shared_browser import SharedBrowser, browser_thread
from cutscore.environments.browser.tab_watch import MAX_TABS, TabWatch

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Page

Outcome = TypeVar("Outcome")
VIEWPORT = (1280, 2048)
ANSWER_S = 10.0  # for a page to answer; a page that computes for longer is stopped
OPEN_S = 30.0  # for an address to begin to answer
WORLD = "cutscore"  # the isolated world in which our scripts run: a page cannot change what they call


class PageFault(Exception):
    """Something that a page did, or did not do; an action swallows it, a read names it."""


@dataclass(frozen=True)
class SessionOptions:
    """How a session begins.

    Args:
        guard: What it may open.
        folder: Where its record is kept: `network.jsonl`.
        outputs: Where downloads are left; they are refused without it.
        uploads: The one folder from which files can be chosen.
        storage_state: Cookies and local storage of a login, as Playwright keeps them.
        credentials: Origin, account and password of sites that ask by HTTP itself.
        clean: Takes known secrets out of what is recorded.
        for_agents: Whether other people's agents act in it; see `agent_access.py`.
    """

    guard: AddressGuard
    folder: Path
    outputs: Path | None = None
    uploads: Path | None = None
    viewport: tuple[int, int] = VIEWPORT
    geolocation: tuple[float, float] | None = None
    storage_state: Path | None = None
    credentials: tuple[tuple[str, str, str], ...] = ()
    clean: Callable[[str], str] = str
    for_agents: bool = False


@dataclass
class BrowserSession:
    """An open session; made by `opening.open_session`."""

    shared: SharedBrowser
    context: "BrowserContext"
    options: SessionOptions
    network: NetworkLog
    downloads: Downloads
    tabs: "list[Page]" = field(default_factory=list)
    marks: dict[str, tuple[float, float]] = field(default_factory=dict)
    is_closed: bool = False
    _active: "Page | None" = None
    _clients: "dict[Page, tuple[CDPSession, str]]" = field(default_factory=dict)
    _worlds: "dict[Page, int]" = field(default_factory=dict)
    _opening: int = 0

    def __post_init__(self) -> None:
        """Have its tabs watched."""
        self.watch = TabWatch(self)

    @property
    def page(self) -> "Page":
        """The active tab."""
        if self._active is None:
            raise PageFault("no tab is open")
        return self._active

    @property
    def url(self) -> str:
        """The address of the active tab; empty in the moment in which none is open."""
        return self._active.url if self._active is not None else ""

    @property
    def pages(self) -> "list[Page]":
        """All tabs, in the order in which they were opened."""
        return [tab for tab in self.tabs if not tab.is_closed()]

    @property
    def is_opening(self) -> bool:
        """Whether a tab of our own is about to open."""
        return self._opening > 0

    async def new_tab(self) -> "Page":
        """Open an empty tab and make it the active one."""
        if len(self.pages) >= MAX_TABS:
            raise PageFault(f"no more than {MAX_TABS} tabs can be open")
        self._opening += 1
        try:
            page = await self.within(OPEN_S, self.context.new_page())
        finally:
            self._opening -= 1
        self.take_in(page)
        return page

    async def focus(self, page: "Page") -> None:
        """Make a tab the active one."""
        self._active = page
        self.marks = {}
        await self.within(ANSWER_S, page.bring_to_front())

    async def close_tab(self) -> None:
        """Close the active tab; the last one is active then, a new one where there is none."""
        page = self.page
        with suppress(PageFault):
            await self.within(ANSWER_S, page.close())
        self._forget(page)
        await self.ensure_tab()

    async def ensure_tab(self) -> None:
        """See to it that a living tab is active."""
        if self._active is not None and not self._active.is_closed() and self._active not in self.watch.banished:
            return
        pages = [page for page in self.pages if page not in self.watch.banished]
        if pages:
            await self.focus(pages[-1])
        else:
            self._active = None
            await self.new_tab()

    async def open(self, url: str) -> int | None:
        """Open an address in the active tab; return the status of its answer, None where there is none."""
        if reason := self.options.guard.refuse(url):
            raise PageFault(reason)
        answer = await self.within(OPEN_S, self.page.goto(url, wait_until="commit", timeout=1000 * OPEN_S))
        return answer.status if answer else None

    async def evaluate(self, expression: str, *, page: "Page | None" = None, seconds: float = ANSWER_S) -> Any:
        """Return the JSON value of an expression of ours in a page, computed where the page cannot interfere."""
        where = page or self.page
        client, _ = await self.client(where)
        for is_last in (False, True):
            asked = {
                "expression": expression,
                "contextId": await self._world(where, seconds, anew=is_last),
                "returnByValue": True,
                "awaitPromise": True,
            }
            try:
                made = await self.within(seconds, client.send("Runtime.evaluate", asked), stuck=client)
                break
            except PageFault as fault:  # another document has come, and its world is another
                if is_last or "context" not in str(fault):
                    raise
        if failed := made.get("exceptionDetails"):
            raise PageFault(f"the script failed: {failed.get('exception', {}).get('description') or failed['text']}")
        return made["result"].get("value")

    async def _world(self, page: "Page", seconds: float, *, anew: bool) -> int:
        """Return the isolated world of a tab's document, kept from before unless a new one is wanted."""
        if anew or page not in self._worlds:
            client, frame = await self.client(page)
            asked = {"frameId": frame, "worldName": WORLD}
            made = await self.within(seconds, client.send("Page.createIsolatedWorld", asked), stuck=client)
            self._worlds[page] = made["executionContextId"]
        return self._worlds[page]

    async def screenshot(self, *, jpeg_quality: int | None = None, seconds: float = ANSWER_S) -> bytes:
        """Return what is seen of the active tab as a PNG, or as a JPEG of some quality, which is sooner made."""
        client, _ = await self.client(self.page)
        asked: dict[str, Any] = {"format": "png", "optimizeForSpeed": True}
        if jpeg_quality is not None:
            asked = {"format": "jpeg", "quality": jpeg_quality, "optimizeForSpeed": True}
        return b64decode((await self.within(seconds, client.send("Page.captureScreenshot", asked)))["data"])

    async def client(self, page: "Page") -> "tuple[CDPSession, str]":
        """Return the line to a tab by the DevTools protocol, and the id of its main frame."""
        if page not in self._clients:
            client = await self.within(ANSWER_S, self.context.new_cdp_session(page))
            info = await self.within(ANSWER_S, client.send("Target.getTargetInfo"))
            self._clients[page] = client, info["targetInfo"]["targetId"]
        return self._clients[page]

    async def within(
        self, seconds: float, work: Coroutine[Any, Any, Outcome], *, stuck: "CDPSession | None" = None
    ) -> Outcome:
        """Wait for something of a page. PageFault where it fails or takes too long; Unscored where the browser died.

        Args:
            seconds: How long.
            work: What is waited for.
            stuck: The line over which a page that computes for ever is stopped.
        """
        from playwright.async_api import Error

        try:
            return await asyncio.wait_for(work, seconds)
        except TimeoutError:
            self.shared.check_alive()
            if stuck is not None:
                with suppress(Error, TimeoutError):
                    await asyncio.wait_for(stuck.send("Runtime.terminateExecution"), 1)
            raise PageFault(f"the page did not answer within {seconds:g} s") from None
        except Error as error:
            # A browser that is killed closes its lines first and is seen as dead a moment later.
            if "closed" in str(error) or "disconnected" in str(error):
                await asyncio.sleep(0.1)
            self.shared.check_alive()
            raise PageFault(first_line(error)) from error

    async def close(self) -> None:
        """End the session; its record stays."""
        if self.is_closed:
            return
        self.is_closed = True
        self.watch.close()
        try:
            with suppress(Exception):
                await asyncio.wait_for(self.context.close(), ANSWER_S)
        finally:
            self.downloads.close()
            self.network.close()
            browser_thread().release(self.shared)

    def take_in(self, page: "Page") -> None:
        """Make a tab known, whoever opened it, and the active one."""
        if page in self.tabs:
            return
        self.tabs.append(page)
        self._active = page
        self.marks = {}
        page.on("close", self._forget)
        self.watch.begin(page)

    def forget_world(self, page: "Page") -> None:
        """Make a world of our own anew in a tab, before the next script."""
        # Another document may live in another process, where the number of our world is that of a page's own.
        self._worlds.pop(page, None)

    def _forget(self, page: "Page") -> None:
        if page in self.tabs:
            self.tabs.remove(page)
        self._clients.pop(page, None)
        self._worlds.pop(page, None)
        self.watch.forget(page)
        if self._active is page:
            self._active = None


def first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0].removeprefix("Page.").strip()
