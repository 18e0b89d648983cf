"""Evidence from a live session: where it stands, what a locator finds, which pictures there are.

A read says what happened, also what went wrong: a page that does not answer is an `error` in the fact, and only a
browser that died leaves nothing. Wanted values are nowhere among it. Kinds:

    page_state       where the session stands: address, tabs, HTML, picture, what was downloaded, the network's events
    url              the address of the active tab
    locate           what a locator finds on a page, as JSON and as the text that Python makes of it
    images           the pictures of a page
    reference_image  a picture by its address
"""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import JsonValue

from cutscore.core.environment import EvidenceRead, ReadResult
from cutscore.core.files import FileRef, FileStore
from cutscore.environments.browser.locators import is_script, run_locator
from cutscore.environments.browser.network_log import make_har
from cutscore.environments.browser.page_images import find_images, keep_image
from cutscore.environments.browser.session import BrowserSession, PageFault
from cutscore.environments.browser.settle import Settled, settle

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_HTML_CHARS = 100_000_000
HTML_S = 30.0
IMAGES_S = 60.0  # for all pictures of a page; those behind are named, and left out
MAX_SRC_CHARS = 2_000  # a picture may be its own address
KINDS = ("page_state", "url", "locate", "images", "reference_image")


@dataclass(frozen=True)
class HelperOutcome:
    """What a site's helper said, and the replies on which it rests."""

    value: JsonValue
    replies: tuple[JsonValue, ...] = ()


class SiteHelpers(Protocol):
    """Calls by name that a benchmark knows: an address to open, or a value of a page."""

    async def call(self, text: str, session: BrowserSession) -> HelperOutcome:
        """Make a call as a task writes it; PageFault where it cannot be made."""


@dataclass
class SessionReader:
    """Reads one session.

    Args:
        helpers: The site's calls; None where there are none.
        plain: Makes a text independent of this machine (addresses become names) before it is kept.
    """

    session: BrowserSession
    helpers: SiteHelpers | None = None
    expand: "Callable[[str], str]" = str
    plain: "Callable[[str], str]" = str
    files: list[FileRef] = field(default_factory=list)

    async def read(self, read: EvidenceRead, store: FileStore) -> ReadResult:
        """Record one thing."""
        self.files = []
        if read.kind not in KINDS:
            return ReadResult(error=f"a browser has no read '{read.kind}'; it has {', '.join(KINDS)}")
        given = read.arguments
        await self.session.ensure_tab()
        match read.kind:
            case "page_state":
                fact = await self._page_state(read.name, store)
            case "url":
                fact = {"url": self.session.url}
            case "images":
                fact = await self._images(read.name, given, store)
            case "reference_image":
                url = self.expand(str(given["address"]))
                fact = {"src": url, **self._taken(await keep_image(url, self.session.options.guard, read.name, store))}
            case _:
                fact = await self._locate(read.name, given, store)
        return ReadResult(fact=_plain(fact, self.plain), files=tuple(self.files), is_live=True)

    async def _page_state(self, name: str, store: FileStore) -> dict[str, JsonValue]:
        session, errors = self.session, dict[str, JsonValue]()
        settled = await settle(session)
        try:
            await self._keep_html(name, store)
        except PageFault as fault:
            errors["html"] = str(fault)
        try:
            picture = await session.screenshot()
            self.files.append(store.put_bytes(picture, name=f"{name}.png", media_type="image/png"))
        except PageFault as fault:
            errors["png"] = str(fault)
        self._keep_network(name, store)
        tabs: list[JsonValue] = []
        for page in session.pages:
            try:
                title = await session.within(2, page.title())
            except PageFault:
                title = ""
            tabs.append({"url": page.url, "title": title, "active": page is session.page})
        return {
            "url": session.url,
            "tabs": tabs,
            "events": [json.loads(event) for event in session.watch.events],
            "downloads": list(session.downloads.taken),
            "settled": _without_time(settled),
            "errors": errors,
        }

    def _keep_network(self, name: str, store: FileStore) -> None:
        network = self.session.network
        network.flush()
        path = self.session.options.folder / "network.jsonl"
        self.files.append(store.put(path, name=f"{name}.network.jsonl", media_type="application/jsonl"))
        with path.open(encoding="utf-8") as lines:
            har = json.dumps(make_har(lines, started_at=network.started_at))
        self.files.append(store.put_bytes(har.encode(), name=f"{name}.har", media_type="application/json"))

    async def _open(self, page: JsonValue) -> dict[str, JsonValue]:
        """Go where a read is to be made; return what happened on the way."""
        session = self.session
        fact: dict[str, JsonValue] = {"asked_url": "", "url_before": session.url, "status": None, "error": ""}
        asked = ""
        try:
            if isinstance(page, Mapping):
                made = await self._call(str(page["call"]))
                fact["asked_by"] = {"value": made.value, "replies": list(made.replies)}
                asked = str(made.value)
            elif page != "last":
                asked = self.expand(str(page))
            if page != "last":
                fact["asked_url"] = asked
                fact["status"] = await session.open(asked)
        except PageFault as fault:
            fact["error"] = str(fault)
        fact["settled"] = _without_time(await settle(session))
        fact["url_after"] = session.url
        return fact

    async def _call(self, text: str) -> HelperOutcome:
        if self.helpers is None:
            raise PageFault(f"there is no helper for '{text}'")
        return await self.helpers.call(text, self.session)

    async def _locate(self, name: str, given: Mapping[str, JsonValue], store: FileStore) -> dict[str, JsonValue]:
        locator = str(given.get("locator") or "")
        fact = await self._open(given.get("page") or "last")
        fact |= {"prep": [], "raw": None, "text": None, "html": "", "helper": None}
        if fact["error"]:
            return fact
        try:
            if not locator.strip():
                fact["html"] = await self._keep_html(name, store)
            elif is_script(locator):
                fact |= await run_locator(self.session, locator, given.get("prep"))
            elif locator.startswith("func:"):
                made = await self._call(locator)
                fact["helper"] = {"value": made.value, "replies": list(made.replies)}
                fact |= {"raw": made.value, "text": str(made.value)}
            else:
                fact["error"] = f"locator '{locator[:200]}' is of no known kind"
        except PageFault as fault:
            fact["error"] = str(fault)
        fact["url_after"] = self.session.url
        return fact

    async def _keep_html(self, name: str, store: FileStore) -> str:
        html = await self.session.within(HTML_S, self.session.page.content())
        if len(html) > MAX_HTML_CHARS:
            raise PageFault(f"the page is longer than {MAX_HTML_CHARS:,} characters")
        data = self.plain(html).encode("utf-8", "replace")
        self.files.append(store.put_bytes(data, name=f"{name}.html", media_type="text/html"))
        return f"{name}.html"

    async def _images(self, name: str, given: Mapping[str, JsonValue], store: FileStore) -> dict[str, JsonValue]:
        chosen = str(given.get("class") or "").strip()
        fact = await self._open(given.get("page") or "last")
        fact["images"] = []
        if chosen and not chosen.startswith("."):
            fact["error"] = fact["error"] or f"'{chosen}' is no class"
        if fact["error"]:
            return fact
        try:
            found = await find_images(self.session, chosen)
        except PageFault as fault:
            fact["error"] = str(fault)
            return fact
        kept: list[JsonValue] = []
        until_s = time.monotonic() + IMAGES_S
        for number, image in enumerate(found, 1):
            made: FileRef | str = f"the pictures before it took {IMAGES_S:g} s"
            if time.monotonic() < until_s:
                made = await keep_image(str(image["src"]), self.session.options.guard, f"{name}-{number}", store)
            kept.append({**image, "src": str(image["src"])[:MAX_SRC_CHARS], **self._taken(made)})
        fact["images"] = kept
        return fact

    def _taken(self, made: FileRef | str) -> dict[str, JsonValue]:
        if isinstance(made, str):
            return {"file": "", "error": made}
        self.files.append(made)
        return {"file": made.name, "error": ""}


def _without_time(settled: Settled) -> JsonValue:
    # How long it took is of this machine and this minute.
    return {name: value for name, value in settled.as_json().items() if name != "waited_s"}


def _plain(value: Any, plain: "Callable[[str], str]") -> JsonValue:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(inner, plain) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner, plain) for inner in value]
    return value  # type: ignore[no-any-return]
