"""CPU time and memory of websites of our own, against the least that could do it, in one run.

    python bench/websites.py [--rounds 31] [--slots 4]

reset     of a slot whose databases were all visited, until they are there again, against a bare copy of the same files
                                                                                            wanted: at most 3
page      the shop's list of a category over HTTP, against a bare Starlette page of the same bytes
                                                                                            no wanted ratio
memory    of one more slot with sites of its own and a browser session on that page, against one more session alone
                                                                                            wanted: at most 1.3

Rounds alternate between the two sides, and medians are compared. Times are CPU time of this process, which serves, asks
and copies: of a few milliseconds by the clock a busy machine tells nothing.
"""

import argparse
import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

import uvicorn
from browser import per_slot
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route

from cutscore.benchmarks.videowebarena.websites.catalogue import websites
from cutscore.benchmarks.videowebarena.websites.serving import ServedSites, SiteThread, serve
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.marks import observe
from cutscore.environments.browser.opening import open_session
from cutscore.environments.browser.session import BrowserSession, SessionOptions
from cutscore.environments.browser.settle import settle
from cutscore.environments.browser.shared_browser import browser_thread

CATEGORY = "/home-kitchen.html"


def compare(name: str, rounds: int, ours: Callable[[], object], theirs: Callable[[], object], wanted: str) -> str:
    """Return a line with both medians and their ratio."""
    own, other = [], []
    for number in range(rounds + 1):
        pair = _seconds(ours), _seconds(theirs)
        if number:  # the first round warms both up
            own.append(pair[0])
            other.append(pair[1])
    ratio = median(own) / median(other)
    return f"{name:<8} {1000 * median(own):8.2f} ms {1000 * median(other):8.2f} ms   {ratio:5.2f}   {wanted}"


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def compare_reset(served: ServedSites, folder: Path, rounds: int) -> str:
    """Put every database back, and copy the same files without any of it."""
    state = served.state
    databases = list({site.database.name: site.database for site in websites().values()}.values())

    def reset() -> None:
        state.reset()
        for database in databases:
            state.db(database)

    def copy() -> None:
        empty = Path(tempfile.mkdtemp(dir=folder))
        for database in databases:
            shutil.copytree(state.templates.of(database), empty / database.name, symlinks=True)

    return compare("reset", rounds, reset, copy, "wanted 3")


def compare_page(served: ServedSites, rounds: int) -> str:
    """Ask for the category, and for its bytes from a server that knows nothing else."""
    shop = HTTPConnection("127.0.0.1", served.port, timeout=60)
    headers = {"Host": f"{websites()['shopping'].host}:{served.port}"}
    page, headers["Cookie"] = ask(shop, headers)
    config = uvicorn.Config(
        Starlette(routes=[Route(CATEGORY, lambda _: HTMLResponse(page))]), log_config=None, lifespan="off", ws="none"
    )
    server, listening = uvicorn.Server(config), socket.create_server(("127.0.0.1", 0))
    SiteThread().start(server, listening)
    bare = HTTPConnection("127.0.0.1", listening.getsockname()[1], timeout=60)
    line = compare("page", rounds, lambda: ask(shop, headers), lambda: ask(bare, {}), f"{len(page):,} bytes")
    for each in (shop, bare):
        each.close()
    server.should_exit = True
    return line


def ask(connection: HTTPConnection, headers: dict[str, str]) -> tuple[bytes, str]:
    """Return the page of the category, and the cookie that came with it."""
    connection.request("GET", CATEGORY, headers=headers)
    reply = connection.getresponse()
    assert reply.status == 200, f"{CATEGORY} is {reply.status}"
    return reply.read(), (reply.headers["Set-Cookie"] or "").partition(";")[0]


async def compare_memory(shared: ServedSites, folder: Path, slots: int) -> str:
    """Open further sessions, each on sites of its own, and on those that are there already."""
    made = 0

    async def open_on(served: ServedSites) -> BrowserSession:
        nonlocal made
        made += 1
        own = folder / str(made)
        own.mkdir()
        address = served.addresses.sites["shopping"].address
        session = await open_session(SessionOptions(AddressGuard.of([address]), own))
        await session.open(address + CATEGORY)
        await settle(session)
        await observe(session)
        return session

    async def open_with_sites() -> Callable[[], Awaitable[object]]:
        served = serve()
        session = await open_on(served)

        async def close() -> None:
            await session.close()
            served.close()

        return close

    async def open_alone() -> Callable[[], Awaitable[object]]:
        return (await open_on(shared)).close

    here = os.getpid()  # the browser and its tabs are below it
    for _ in range(2):  # the first time also frees what was used before
        theirs, ours = await per_slot(slots, here, open_alone), await per_slot(slots, here, open_with_sites)
    return f"{'memory':<8} {ours / 1e6:8.1f} MB {theirs / 1e6:8.1f} MB   {ours / theirs:5.2f}   wanted 1.3"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--slots", type=int, default=4)
    given = parser.parse_args()
    served = serve()
    with tempfile.TemporaryDirectory() as folder:
        lines = [
            compare_reset(served, Path(folder), given.rounds),
            compare_page(served, given.rounds),
            browser_thread().submit(compare_memory(served, Path(folder), given.slots)).result(),
        ]
    served.close()
    sys.stdout.write("                 ours       other   ratio\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
