"""How a session begins: a context of its own in the shared browser, its bounds, one empty tab."""

import time
from typing import TYPE_CHECKING

from cutscore.core.errors import Unscored
from cutscore.environments.browser.agent_access import switches_of, use_default_context
from cutscore.environments.browser.downloads import Downloads
from cutscore.environments.browser.network_log import NetworkLog
from cutscore.environments.browser.session import BrowserSession, PageFault, SessionOptions, first_line
from cutscore.environments.browser.shared_browser import SharedBrowser, browser_thread

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext


async def open_session(options: SessionOptions, *, hosts: frozenset[str] = frozenset()) -> BrowserSession:
    """Open a session with one empty tab, in the browser's thread.

    `hosts` are names besides those of the guard that the browser is to find, so that one browser serves all tasks of a
    run; the session itself keeps to its guard.

    Raises:
        Stopped: Chromium, its sandbox or the extra is missing.
        Unscored: It died, or does not open a tab in time.
    """
    thread = browser_thread()
    if options.for_agents:
        shared = await thread.acquire(options.guard.places, switches_of(options.guard))
    else:
        shared = await thread.acquire(hosts | options.guard.hosts)
    from playwright.async_api import Error  # not before: where it is missing, the extra has been named

    try:
        began_s = time.monotonic()
        context = await (use_default_context if options.for_agents else _make_context)(shared, options)
    except Error as error:
        thread.release(shared)
        shared.check_alive()
        raise _no_tab(first_line(error)) from error
    except BaseException:
        thread.release(shared)
        raise
    network = NetworkLog(options.folder / "network.jsonl", clean=options.clean)
    network.watch(context)
    session = BrowserSession(shared, context, options, network, Downloads(shared, options.outputs))
    context.on("page", session.watch.on_page)
    try:
        before = list(context.pages)
        page = await session.new_tab()
        for each in before:
            await each.close()
        await session.downloads.watch(session, page)
    except BaseException as error:
        await session.close()
        if isinstance(error, PageFault):
            raise _no_tab(str(error)) from error
        raise
    network.note("opened", seconds=round(time.monotonic() - began_s, 3))
    return session


def _no_tab(why: str) -> Unscored:
    return Unscored("Chromium", f"does not open a tab: {why}", "run the same command again, on a machine less busy")


async def _make_context(shared: SharedBrowser, options: SessionOptions) -> "BrowserContext":
    width, height = options.viewport
    place = options.geolocation
    return await shared.browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=1,
        proxy=options.guard.proxy,  # type: ignore[arg-type]
        accept_downloads=False,
        geolocation={"latitude": place[0], "longitude": place[1]} if place else None,
        permissions=["geolocation"] if place else [],
        storage_state=options.storage_state,
        http_credentials=[
            {"origin": origin, "username": account, "password": password}
            for origin, account, password in options.credentials
        ],
        locale="en-US",
        timezone_id="UTC",
    )
