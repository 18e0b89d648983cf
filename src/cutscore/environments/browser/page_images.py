"""The pictures of a page: which there are, and their bytes, fetched beside the browser as the reference does."""

import asyncio
import json
from typing import Any
from urllib.parse import urljoin

from cutscore.core.errors import BrokenData
from cutscore.core.files import FileRef, FileStore
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.session import BrowserSession
from cutscore.environments.browser.site_request import RequestFault, request_site
from cutscore.media.stills import detect_still

MAX_IMAGES = 200
# By role, as the reference asks for them where no class is named: those that can be seen.
_PICTURES = """(selector) => {
  const own = selector ? [...document.querySelectorAll(selector)].flatMap(
    each => each.tagName === "IMG" ? [each] : [...each.querySelectorAll("img")])
    : [...document.querySelectorAll('img, [role="img"]')].filter(each => each.checkVisibility());
  const size = each => ({width: each.naturalWidth || 0, height: each.naturalHeight || 0});
  return own.map(each => ({src: each.getAttribute("src"), ...size(each)}));
}"""


async def find_images(session: BrowserSession, chosen: str) -> list[dict[str, Any]]:
    """Return address and size of the pictures of the active tab: of a class, or all that can be seen.

    The size is 0 where the browser has not loaded it.
    """
    found = await session.evaluate(f"({_PICTURES})({json.dumps(chosen)})")
    base = session.page.url
    return [{**image, "src": urljoin(base, str(image["src"] or ""))} for image in found[:MAX_IMAGES]]


async def keep_image(url: str, guard: AddressGuard, name: str, store: FileStore) -> FileRef | str:
    """Fetch a picture into the store; return why not where that cannot be done."""
    try:
        reply = await asyncio.to_thread(request_site, url, guard)
    except RequestFault as fault:
        return str(fault)
    try:
        kind = detect_still(reply.body[:64]).replace("mjpeg", "jpeg")
    except BrokenData as fault:
        return f"status {reply.status}; {fault.fact}"
    return store.put_bytes(reply.body, name=f"{name}.{kind}", media_type=f"image/{kind}")
