"""What the pages of a session do by themselves: they open windows and dialogs, ask for files, crash, leave.

There is a bound on each. What a page does wrong ends that page, not the session: the tab is closed, and the reason
stands in `events`.
"""

import asyncio
import json
from collections.abc import Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cutscore.environments.browser.guard import BLANK

if TYPE_CHECKING:
    from playwright.async_api import Dialog, FileChooser, Frame, Page

    from cutscore.environments.browser.session import BrowserSession

MAX_TABS = 20
MAX_POPUPS = 100  # of a session; whoever opens more is closed
MAX_DIALOGS = 50  # of a tab
_GUARDED = ("http:", "https:", "chrome-error:")  # their requests meet the proxy; the last is the page of a refusal


class TabWatch:
    """Watches the tabs of one session.

    Attributes:
        events: What happened, each as JSON.
        chooser: The file dialog that a page has opened last.
        open_dialogs: Dialogs that whoever acts has to answer.
        banished: Tabs that are closed because they cannot be worked with.
    """

    def __init__(self, session: "BrowserSession") -> None:
        self._session = session
        self.events: list[str] = []
        self.chooser: FileChooser | None = None
        self.open_dialogs: list[Dialog] = []
        self.banished: set[Page] = set()
        self._dialogs: dict[Page, int] = {}
        self._popups = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, page: "Page") -> None:
        """Watch a tab."""
        page.on("dialog", self._on_dialog)
        # From the beginning: asked for at the moment of a click, it comes too late now and then.
        page.on("filechooser", self._on_chooser)
        page.on("crash", lambda tab: self._banish(tab, "a tab crashed"))
        page.on("framenavigated", self._on_navigated)
        if self._session.options.for_agents:  # the default context has no size of its own
            width, height = self._session.options.viewport
            self._later(page.set_viewport_size({"width": width, "height": height}))

    def forget(self, page: "Page") -> None:
        """Count nothing of a tab that is closed."""
        self._dialogs.pop(page, None)

    def record(self, event: str, **facts: Any) -> None:
        """Note that something happened."""
        if len(self.events) < MAX_POPUPS + MAX_DIALOGS:
            self.events.append(self._session.options.clean(json.dumps({"event": event, **facts}, ensure_ascii=False)))
        self._session.network.note(event, **facts)

    def close(self) -> None:
        """Leave whatever is under way."""
        for task in self._tasks:
            task.cancel()

    def on_page(self, page: "Page") -> None:
        """Take in a tab that somebody has opened, within the bounds."""
        self._later(self._admit(page))

    async def _admit(self, page: "Page") -> None:
        session, opener = self._session, await page.opener()
        if page in session.tabs or (opener is None and session.is_opening):  # a tab that we have opened
            return
        self._popups += 1
        if self._popups > MAX_POPUPS and opener is not None:
            self._banish(opener, f"a page opened more than {MAX_POPUPS} windows")
        if len(session.pages) >= MAX_TABS or self._popups > MAX_POPUPS:
            self.record("popup_refused", url=page.url)
            await page.close()
            return
        self.record("popup", url=page.url)
        session.take_in(page)

    def _on_navigated(self, frame: "Frame") -> None:
        if frame.parent_frame is not None:
            return
        session = self._session
        session.forget_world(frame.page)
        # An agent can open `file:`, `chrome:` and the like, where the network is no guard; a page cannot.
        if (
            session.options.for_agents
            and not frame.url.startswith(_GUARDED)
            and session.options.guard.refuse(frame.url)
        ):
            self.record("refused", url=frame.url)
            self._later(frame.page.goto(BLANK))

    def _on_dialog(self, dialog: "Dialog") -> None:
        page = dialog.page
        if page is not None:
            self._dialogs[page] = self._dialogs.get(page, 0) + 1
            if self._dialogs[page] > MAX_DIALOGS:
                self._banish(page, f"a page opened more than {MAX_DIALOGS} dialogs")
                return
        self.record("dialog", kind=dialog.type, message=dialog.message[:500])
        if self._session.options.for_agents:  # whoever acts answers it
            self.open_dialogs.append(dialog)
            return
        # A page that asks whether it may be left is left.
        self._later(dialog.accept() if dialog.type == "beforeunload" else dialog.dismiss())

    def _on_chooser(self, chooser: "FileChooser") -> None:
        self.chooser = chooser

    def _banish(self, page: "Page", why: str) -> None:
        """Close a tab that cannot be worked with."""
        if page in self.banished:
            return
        self.banished.add(page)
        self.record("tab_closed", why=why, url=page.url)
        self._later(page.close())

    def _later(self, work: Coroutine[Any, Any, object]) -> None:
        async def quietly() -> None:
            with suppress(Exception):  # the tab or the dialog is gone
                await work

        task = asyncio.get_running_loop().create_task(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
