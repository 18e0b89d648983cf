"""One browser for all samples of a process, in a thread and an event loop of its own.

Playwright belongs to the loop in which it was started, and samples may live in several. So everything of it happens
here, and callers of whatever loop wait for the outcome:

    text = await in_browser_thread(session.observe())

A browser is started for the first session and ended when none was open for a while, or with the process. One that died
is replaced for the next session; sessions that it had end as `Unscored`.
"""

import asyncio
import atexit
import os
import threading
from collections.abc import Coroutine, Iterable
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from cutscore.core.errors import MissingExtra, Unscored
from cutscore.environments.browser.chromium import RunningChromium, find_chromium, start_chromium

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

Outcome = TypeVar("Outcome")
IDLE_S = 20.0  # without a session, before the browser is ended
END_S = 10.0  # for a browser to end
DIED = "the browser ended while it was in use"


class SharedBrowser:
    """A running Chromium, and how many sessions it has."""

    def __init__(self, chromium: RunningChromium, browser: "Browser") -> None:
        self.chromium, self.browser = chromium, browser
        self.sessions = 0

    @property
    def is_alive(self) -> bool:
        """Whether sessions can be opened in it."""
        return self.browser.is_connected() and self.chromium.service.poll() is None

    def check_alive(self) -> None:
        """Raise where it has died, which is no fault of whoever works in it."""
        if not self.is_alive:
            raise Unscored("Chromium", DIED, "run the same command again")

    async def close(self) -> None:
        """End it."""
        with suppress(Exception):
            await asyncio.wait_for(self.browser.close(), END_S)
        self.chromium.close()


class BrowserThread:
    """The thread in which Playwright lives."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._playwright: Playwright | None = None
        self._open: dict[tuple[frozenset[str], tuple[str, ...]], SharedBrowser] = {}
        self._lock = asyncio.Lock()
        threading.Thread(target=self.loop.run_forever, name="cutscore-browser", daemon=True).start()
        atexit.register(self.stop)

    def submit(self, work: Coroutine[Any, Any, Outcome]) -> "Future[Outcome]":
        """Begin some work in this thread."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    async def acquire(self, places: Iterable[str], switches: tuple[str, ...] = ()) -> SharedBrowser:
        """Return the browser that finds these places, started where there is none, and count one session more.

        One with further switches is a browser of its own.
        """
        wanted = frozenset(places), switches
        async with self._lock:
            shared = self._open.get(wanted)
            if shared is not None and not shared.is_alive:
                await shared.close()
                shared = None
            if shared is None:
                shared = self._open[wanted] = await self._start(*wanted)
            shared.sessions += 1
            return shared

    def release(self, shared: SharedBrowser) -> None:
        """Count one session less; a browser without any is ended after a while."""
        shared.sessions -= 1
        if not shared.sessions:
            self.loop.call_later(IDLE_S, lambda: self.loop.create_task(self._end_idle(shared)))

    async def _end_idle(self, shared: SharedBrowser) -> None:
        async with self._lock:
            if not shared.sessions and shared in self._open.values():
                self._open = {wanted: each for wanted, each in self._open.items() if each is not shared}
                await shared.close()

    async def _start(self, places: frozenset[str], switches: tuple[str, ...]) -> SharedBrowser:
        find_chromium()  # before the time is spent that Playwright takes
        if self._playwright is None:
            self._playwright = await _start_playwright()
        chromium = await asyncio.to_thread(start_chromium, places, switches)
        try:
            browser = await self._playwright.chromium.connect_over_cdp(chromium.endpoint, is_local=True)
        except BaseException:
            chromium.close()
            raise
        return SharedBrowser(chromium, browser)

    def stop(self) -> None:
        """End everything; the process is about to."""
        with suppress(Exception):
            self.submit(self._stop()).result(END_S)

    async def _stop(self) -> None:
        for shared in self._open.values():
            shared.chromium.close()
        if self._playwright is not None:
            await self._playwright.stop()


async def _start_playwright() -> "Playwright":
    try:
        from playwright.async_api import async_playwright
    except ImportError as error:
        raise MissingExtra.of("a browser", "web") from error
    return await async_playwright().start()


@cache
def _thread_of(pid: int) -> BrowserThread:
    return BrowserThread()


def browser_thread() -> BrowserThread:
    """Return the thread of this process; a forked child has its own."""
    return _thread_of(os.getpid())


async def in_browser_thread(work: Coroutine[Any, Any, Outcome]) -> Outcome:
    """Do some work in the browser's thread and wait for it; when the waiting is cancelled, so is the work."""
    return await asyncio.wrap_future(browser_thread().submit(work))
