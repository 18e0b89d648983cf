"""A session in which other people's agents act, over the DevTools protocol.

Whoever connects to a Chromium opens tabs in its default context. So the session has a Chromium of its own, and is that
context: tabs, cookies and logins are the same for both. The guard is the browser's, for every context in it: no other
host and port is found, so that a context with a proxy of the agent's own, or with none, does not get out either.
"""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cutscore.environments.browser.guard import NOWHERE, AddressGuard
from cutscore.environments.browser.session import ANSWER_S, BrowserSession, PageFault, SessionOptions
from cutscore.environments.browser.shared_browser import SharedBrowser
from cutscore.environments.browser.site_request import RequestFault, request_site

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext


def switches_of(guard: AddressGuard) -> tuple[str, ...]:
    """Return the switches by which a whole Chromium reaches nothing but what a guard lets through.

    >>> switches_of(AddressGuard.of(["http://shop.localhost:7770"]))[1]
    '--proxy-bypass-list=<-loopback>;shop.localhost:7770'
    """
    places = ";".join(("<-loopback>", *sorted(guard.places)))
    return f"--proxy-server={NOWHERE}", f"--proxy-bypass-list={places}", "--force-device-scale-factor=1"


async def use_default_context(shared: SharedBrowser, options: SessionOptions) -> "BrowserContext":
    """Return the default context, with the place of the options."""
    context = shared.browser.contexts[0]
    if options.geolocation:
        latitude, longitude = options.geolocation
        await context.grant_permissions(["geolocation"])
        await context.set_geolocation({"latitude": latitude, "longitude": longitude})
    return context


async def take_back(session: BrowserSession) -> None:
    """End the agents' turn, before anything is read: dismiss dialogs, and make active what was in front last."""
    for dialog in session.watch.open_dialogs:
        with suppress(Exception):  # the agent has answered it
            await asyncio.wait_for(dialog.dismiss(), ANSWER_S)
    session.watch.open_dialogs.clear()
    shown = await asyncio.to_thread(_list_tabs, session.shared.chromium.endpoint)
    places = {name: place for place, name in enumerate(shown)}
    tabs = {}
    for page in session.pages:
        with suppress(PageFault):  # it does not answer
            tabs[(await session.client(page))[1]] = page
    known = [name for name in tabs if name in places]
    with suppress(PageFault):  # what is read next tells what is wrong
        if known:
            await session.focus(tabs[min(known, key=places.__getitem__)])
        await session.ensure_tab()


def _list_tabs(endpoint: str) -> list[str]:
    """Return the ids of all tabs, that first which was brought to the front last."""
    address = f"http://{urlsplit(endpoint).netloc}"
    try:
        plain = request_site(f"{address}/json/list", AddressGuard.of([address])).json()
    except RequestFault:
        return []
    listed = plain if isinstance(plain, list) else []
    return [str(each["id"]) for each in listed if isinstance(each, dict) and each.get("type") == "page"]
