"""Files that pages hand out: into the outputs, a bounded number of bounded size; everything else is cancelled."""

import asyncio
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.environments.browser.shared_browser import SharedBrowser

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page

    from cutscore.environments.browser.session import BrowserSession

MAX_FILES = 20
MAX_BYTES = 100_000_000  # of one file


class Downloads:
    """Watches the downloads of one session."""

    def __init__(self, shared: SharedBrowser, outputs: Path | None) -> None:
        self._shared, self._outputs = shared, outputs
        self._names: dict[str, str] = {}
        self._folder: Path | None = None
        self._line: CDPSession | None = None
        self._context_id = ""
        self._session: BrowserSession | None = None
        self.taken: list[str] = []
        self._pending: dict[str, float] = {}
        self._begun = 0

    def pending_since(self, seconds: float) -> int:
        """Return how many files are on their way that began within the last seconds."""
        return sum(began > time.monotonic() - seconds for began in self._pending.values())

    async def watch(self, session: "BrowserSession", page: "Page") -> None:
        """Begin; a tab of the session tells which context it is."""
        client, _ = await session.client(page)
        info = await client.send("Target.getTargetInfo")
        self._session, self._context_id = session, info["targetInfo"]["browserContextId"]
        if self._outputs is None:
            return
        self._folder = self._shared.chromium.make_folder("downloads")
        self._line = await self._shared.browser.new_browser_cdp_session()
        self._line.on("Browser.downloadWillBegin", self._on_begin)
        self._line.on("Browser.downloadProgress", self._on_progress)
        asked = {
            "behavior": "allowAndName",
            "browserContextId": self._context_id,
            "downloadPath": str(self._folder),
            "eventsEnabled": True,
        }
        await self._line.send("Browser.setDownloadBehavior", asked)

    def close(self) -> None:
        """Forget what was not finished."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        if self._line is not None and self._shared.is_alive:
            self._session = None
            with suppress(RuntimeError):
                asyncio.get_running_loop().create_task(_quietly(self._line.detach()))

    def _on_begin(self, event: dict[str, Any]) -> None:
        self._pending[event["guid"]] = time.monotonic()
        self._names[event["guid"]] = event.get("suggestedFilename") or "download"
        self._begun += 1
        if self._begun > MAX_FILES:
            self._cancel(event["guid"], f"more than {MAX_FILES} files")

    def _on_progress(self, event: dict[str, Any]) -> None:
        guid = event["guid"]
        if event["state"] != "inProgress":
            self._pending.pop(guid, None)
        if guid not in self._names:
            return
        if event["state"] == "inProgress" and max(event["receivedBytes"], event["totalBytes"]) > MAX_BYTES:
            self._cancel(guid, f"more than {MAX_BYTES:,} bytes")
        if event["state"] == "completed":
            self._keep(guid)

    def _keep(self, guid: str) -> None:
        made = (self._folder or Path()) / guid
        if self._outputs is None or not made.is_file() or made.is_symlink() or made.stat().st_size > MAX_BYTES:
            return
        name = free_name(self._names[guid], {path.name for path in self._outputs.iterdir()})
        shutil.copyfile(made, self._outputs / name)
        made.unlink()
        self.taken.append(name)
        self._note("download", name=name)

    def _cancel(self, guid: str, why: str) -> None:
        name = self._names.pop(guid)
        self._pending.pop(guid, None)
        self._note("download_refused", name=name, why=why)
        if self._line is not None:
            asked = {"guid": guid, "browserContextId": self._context_id}
            asyncio.get_running_loop().create_task(_quietly(self._line.send("Browser.cancelDownload", asked)))

    def _note(self, event: str, **facts: Any) -> None:
        if self._session is not None:
            self._session.watch.record(event, **facts)


async def _quietly(work: Any) -> None:
    with suppress(Exception):
        await work


def free_name(suggested: str, taken: set[str]) -> str:
    """Return a plain file name near the suggested one that is not taken.

    >>> free_name("../a b.csv", {"a b.csv"})
    'a b-2.csv'
    """
    plain = "".join(each for each in suggested.replace("\\", "/").rpartition("/")[2] if each.isprintable())[:100]
    plain = plain.lstrip(".") or "download"
    stem, dot, suffix = plain.partition(".")
    names = (plain, *(f"{stem}-{number}{dot}{suffix}" for number in range(2, MAX_FILES + 2)))
    return next((name for name in names if name not in taken), plain)
