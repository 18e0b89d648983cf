"""Waiting until a page has come to rest: loaded, network quiet, two equal layouts. Capped, and never a fixed sleep."""

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutscore.environments.browser.session import BrowserSession, PageFault

if TYPE_CHECKING:
    from pydantic import JsonValue

CAP_S = 10.0  # for all of it
QUIET_S = 0.1  # without any request that begins or ends
STREAM_S = 2.0  # data that take longer are a stream, and are not waited for; pictures, fonts and the like are
POLL_S = 0.02
FRAME_MS = 100  # for a frame to be drawn; a page that draws none is still
# Two layouts with two drawn frames between them. The boxes of some hundred elements stand for all.
_STILL = """(async () => {
  const look = () => {
    const all = document.getElementsByTagName("*"), step = Math.max(1, Math.floor(all.length / 200));
    const seen = [document.readyState, all.length, innerWidth, innerHeight, scrollX, scrollY];
    for (let i = 0; i < all.length; i += step) {
      const box = all[i].getBoundingClientRect();
      seen.push(box.x, box.y, box.width, box.height);
    }
    return seen.join();
  };
  const frame = () => new Promise(done => { requestAnimationFrame(done); setTimeout(done, FRAME_MS); });
  const before = look();
  await frame();
  await frame();
  const loaded = document.readyState === "complete" && document.fonts.status === "loaded";
  return {loaded, still: before === look()};
})()""".replace("FRAME_MS", str(FRAME_MS))


@dataclass(frozen=True)
class Settled:
    """How the waiting ended; `capped` where the page was still busy."""

    loaded: bool
    quiet: bool
    still: bool
    waited_s: float

    @property
    def capped(self) -> bool:
        """Whether it was given up."""
        return not (self.loaded and self.quiet and self.still)

    def as_json(self) -> "dict[str, JsonValue]":
        """Return it as a record keeps it."""
        return {
            "loaded": self.loaded,
            "quiet": self.quiet,
            "still": self.still,
            "capped": self.capped,
            "waited_s": round(self.waited_s, 3),
        }


async def settle(session: BrowserSession, *, cap_s: float = CAP_S) -> Settled:
    """Wait until the active tab has come to rest, or until the cap."""
    began_s = time.monotonic()
    until = began_s + cap_s
    loaded = quiet = still = False
    while time.monotonic() < until:
        looked_s, pending = time.monotonic(), session.network.pending_since(STREAM_S)
        left = max(POLL_S, until - time.monotonic())
        try:
            await session.ensure_tab()
            seen = await session.evaluate(_STILL, seconds=left)
        except PageFault:  # it navigates at this moment, or it does not answer
            loaded = still = False
            await asyncio.sleep(POLL_S)
            continue
        loaded, still = bool(seen["loaded"]), bool(seen["still"])
        if not (loaded and still):
            continue
        quiet = await _wait_for_quiet(session, began_s, until)
        # What was fetched since the look may have changed the page, or brought another.
        if quiet and not pending and session.network.last_activity_s < looked_s:
            break
    return Settled(loaded, quiet, still, time.monotonic() - began_s)


async def _wait_for_quiet(session: BrowserSession, began_s: float, until: float) -> bool:
    while True:
        # Also after an action that asks for nothing at once: a page may do so a moment later.
        since = time.monotonic() - max(session.network.last_activity_s, began_s)
        pending = session.network.pending_since(STREAM_S) + session.downloads.pending_since(STREAM_S)
        if not pending and since >= QUIET_S:
            return True
        if time.monotonic() >= until:
            return False
        await asyncio.sleep(POLL_S)
