"""Seconds and memory of a browser session, against simpler ways to the same page, in one run.

    python bench/browser.py [--rounds 15] [--slots 4]

observation   one look at a shop page of 60 products (text, marked picture), against the way of VideoWebArena's released
              code in words of our own: two DOM snapshots with five questions about the window after each, a table of
              boxes as text that is parsed again, a screenshot that is drawn on              wanted: at most 0.5
BrowserGym    the same look against BrowserGym's: DOM, accessibility tree, screenshot, text, marked picture
                                                                                            wanted: at most 0.3
whole step    click a link, wait, look, store, against a bare Playwright click, load and screenshot
                                                                                            wanted: at most 2
memory        of one more session on that page, against one more bare context on it        wanted: at most 1.25

Rounds alternate between the two sides, and medians are compared: what else the machine does meets both.

BrowserGym pins an old Playwright, so it has an environment of its own, whose Python CUTSCORE_BROWSERGYM names:

    python -m venv gym && gym/bin/pip install browsergym-core==0.14.3
    CUTSCORE_BROWSERGYM=gym/bin/python python bench/browser.py
"""

import argparse
import asyncio
import csv
import io
import os
import sys
import tempfile
import threading
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Awaitable, Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

from cutscore.core.trajectory import Action
from cutscore.environments.browser.act import perform
from cutscore.environments.browser.chromium import find_chromium
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.mark_drawing import draw_marks
from cutscore.environments.browser.marks import observe
from cutscore.environments.browser.opening import open_session
from cutscore.environments.browser.session import VIEWPORT, BrowserSession, SessionOptions
from cutscore.environments.browser.settle import settle
from cutscore.environments.browser.shared_browser import browser_thread
from cutscore.store import Store

PRODUCT = """<div class=product>
<a href=/product/{n}><img src=/picture.svg?{n} alt="Product {n}" width=120 height=90></a>
<h3><a href=/product/{n}>Product number {n}, with a name that goes on for a while</a></h3>
<span class=price>${n}.99</span>
<p>Words about product {n}: what it is made of, how large it is and why it is bought by so many.</p>
<button class=btn>Add to Cart</button> <a href=/compare/{n}>Add to Compare</a></div>"""
SHOP = (
    "<!doctype html><title>Shop</title><style>.product{display:inline-block;width:280px;margin:8px}</style>"
    "<input name=q placeholder=Search><a href=/>Home</a>" + "".join(PRODUCT.format(n=n) for n in range(60))
)
PICTURE = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='120' height='90'><rect width='120' height='90' fill='#47a'/></svg>"
)
_TABLE = """() => [...document.querySelectorAll(
  "a[href]:not(:has(img)),a[href] img,button,input,p,span,h3,div:not(:has(*))")].map(each => {
  const box = each.getBoundingClientRect();
  return [each.tagName, box.left, box.top, box.right, box.bottom, each.textContent.replace(/"/g, ""),
    each.matches("a,img,button,input")].map(cell => `"${cell}"`).join(",");
}).join("\\n")"""

BROWSERGYM = "CUTSCORE_BROWSERGYM"
# As root, a Chromium whose threads are real-time ones starves a machine of two processors.
NOT_REAL_TIME = ("sh", "-c", 'ulimit -r 0; exec setpriv --bounding-set -sys_nice --inh-caps -sys_nice "$@"', "sh")


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        data, kind = (PICTURE, "image/svg+xml") if self.path.startswith("/picture") else (SHOP, "text/html")
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data.encode())

    def log_message(self, *_: object) -> None:
        pass


async def seconds(work: Callable[[], Awaitable[object]]) -> float:
    """Return how long something takes."""
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began


async def observe_as_released(session: BrowserSession) -> None:
    """Look at a page the long way round."""
    client, _ = await session.client(session.page)
    asked = {"computedStyles": [], "includeDOMRects": True, "includePaintOrder": True}
    for _ in range(2):  # its two processors each take one
        await client.send("DOMSnapshot.captureSnapshot", asked)
        for part in ("pageYOffset", "pageXOffset", "screen.width", "screen.height", "devicePixelRatio"):
            await session.page.evaluate(f"window.{part}")
    picture = await session.page.screenshot()
    rows = list(csv.reader(io.StringIO(await session.page.evaluate(_TABLE))))
    boxes = [
        (str(number), (float(row[1]), float(row[2]), float(row[3]), float(row[4])))
        for number, row in enumerate((row for row in rows if row[-1] == "true"), 1)
    ]
    draw_marks(picture, [box for box in boxes if box[1][1] < VIEWPORT[1]])


async def compare(name: str, rounds: int, ours: Any, theirs: Any, wanted: float) -> str:
    """Return a line with both medians and their ratio."""
    own, other = [], []
    for number in range(rounds + 1):
        pair = await seconds(ours), await seconds(theirs)
        if number:  # the first round warms both up
            own.append(pair[0])
            other.append(pair[1])
    ratio = median(own) / median(other)
    return f"{name:<12} {1000 * median(own):7.0f} ms {1000 * median(other):7.0f} ms   {ratio:5.2f}   wanted {wanted:g}"


async def compare_browsergym(address: str, rounds: int, ours: Any) -> str:
    """Return the line of BrowserGym's look at the same page, or that it was left out."""
    python = os.environ.get(BROWSERGYM)
    if not python:
        return f"{'BrowserGym':<12} left out: {BROWSERGYM} names no Python that has browsergym-core 0.14.3"
    script = str(Path(__file__).with_name("browsergym_look.py"))
    words = [python, script, find_chromium(), address, *map(str, VIEWPORT)]
    humble = NOT_REAL_TIME if os.geteuid() == 0 else ()
    child = await asyncio.create_subprocess_exec(*humble, *words, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
    assert child.stdin
    assert child.stdout
    asks, replies = child.stdin, child.stdout

    async def look() -> None:
        asks.write(b"\n")
        if not await replies.readline():
            raise RuntimeError(f"BrowserGym ended; start it by hand to see why: {' '.join(words)}")

    try:
        return await compare("BrowserGym", rounds, ours, look, 0.3)
    finally:
        asks.close()
        await child.wait()


def pss_bytes(root: int) -> int:
    """Return the memory of a process and all below it, shared pages by their share."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    family, grown = {root}, True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in family} - family
        family, grown = family | more, bool(more)
    total = 0
    for pid in family:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return total


async def per_slot(slots: int, root: int, open_one: Callable[[], Awaitable[Callable[[], Awaitable[object]]]]) -> float:
    """Return how many bytes a further session takes, over so many of them."""
    closers = [await open_one()]
    await asyncio.sleep(3)
    before = pss_bytes(root)
    closers += [await open_one() for _ in range(slots)]
    await asyncio.sleep(3)
    grown = pss_bytes(root) - before
    for close in closers:
        await close()
    await asyncio.sleep(3)
    return grown / slots


async def measure(address: str, folder: Path, rounds: int, slots: int) -> list[str]:
    """Return the lines of the table."""
    store, made = Store(folder / "store"), 0

    async def session_on_shop() -> BrowserSession:
        nonlocal made
        made += 1
        own = folder / str(made)
        own.mkdir()
        session = await open_session(SessionOptions(AddressGuard.of([address]), own))
        await session.open(address)
        await settle(session)
        await observe(session)
        return session

    session = await session_on_shop()

    async def step() -> None:
        await perform(session, Action(tool="click", arguments={"element": "4"}))
        await settle(session)
        store.put_bytes((await observe(session)).picture_jpeg, name="step.jpg")

    context = await session.shared.browser.new_context(viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]})
    page = await context.new_page()
    await page.goto(address)
    box: Any = await page.locator("h3 a").first.bounding_box()

    async def bare() -> None:
        async with page.expect_navigation(wait_until="load"):
            await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await page.screenshot()

    lines = [
        await compare("observation", rounds, lambda: observe(session), lambda: observe_as_released(session), 0.5),
        await compare_browsergym(address, rounds, lambda: observe(session)),
        await compare("whole step", rounds, step, bare, 2),
    ]
    await context.close()
    browser, root = session.shared.browser, session.shared.chromium.service.guard.pid

    async def open_ours() -> Callable[[], Awaitable[object]]:
        return (await session_on_shop()).close

    async def open_bare() -> Callable[[], Awaitable[object]]:
        other = await browser.new_context(viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]})
        tab = await other.new_page()
        await tab.goto(address)
        await tab.screenshot()
        return other.close

    for _ in range(2):  # the first time also frees what was used before
        theirs, ours = await per_slot(slots, root, open_bare), await per_slot(slots, root, open_ours)
    ratio = ours / theirs
    lines.append(f"{'memory':<12} {ours / 1e6:7.0f} MB {theirs / 1e6:7.0f} MB   {ratio:5.2f}   wanted 1.25")
    await session.close()
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--slots", type=int, default=4)
    given = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    with tempfile.TemporaryDirectory() as folder:
        lines = browser_thread().submit(measure(address, Path(folder), given.rounds, given.slots)).result()
    sys.stdout.write("                    ours      other   ratio\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
