"""How the world of a task is opened: its turn on the sites, reset, login, start pages, a first look."""

import asyncio
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import JsonValue

from cutscore.benchmarks.videowebarena.ask_parts import StartState, read_start, require_files
from cutscore.benchmarks.videowebarena.environment.login import log_in, password_of
from cutscore.benchmarks.videowebarena.environment.reset import reset_sites
from cutscore.benchmarks.videowebarena.environment.site_turns import SiteTurns, take_turns
from cutscore.benchmarks.videowebarena.environment.world import WebWorld
from cutscore.benchmarks.videowebarena.sites import SiteAddresses, load_sites, sites_in
from cutscore.core.ask import Ask
from cutscore.core.errors import Unscored
from cutscore.core.subject import WorkContext
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.opening import open_session
from cutscore.environments.browser.session import BrowserSession, PageFault, SessionOptions
from cutscore.environments.browser.settle import settle
from cutscore.environments.browser.shared_browser import in_browser_thread
from cutscore.redaction import Redactor

if TYPE_CHECKING:
    from cutscore.benchmarks.videowebarena.websites.serving import ServedSites


async def open_world(ask: Ask, context: WorkContext, *, for_agents: bool = False) -> WebWorld:
    """Open the world of a task: wait for its sites, reset, log in, open the start pages, look.

    Where other people's agents are to act in it (`for_agents`), it has a browser of its own.

    Raises:
        Stopped: A file of the task is not at hand, a site has no address, an account no password; there is no browser.
        Unscored: A site does not answer, or a login or a reset failed.
    """
    if context.conditions.get("missing_files") != "ignore":
        require_files(ask)
    start = read_start(ask)
    names = (*sites_in(start.start_pages), *start.sites, *(name for name, _ in start.logins))
    served = await _serve(start.seed) if start.seed is not None else None
    turns = SiteTurns([])
    try:
        sites = served.addresses if served else load_sites(names=names)
        sites.require(names)
        start = replace(start, logins=tuple((name, sites.account(name, usual)) for name, usual in start.logins))
        secrets = {name: password_of(sites, name, account) for name, account in start.logins}
        if not served:
            turns = await take_turns(sites, start.sites, start.logins)
        world = await _open_in_turn(ask, context, sites, start, secrets, for_agents=for_agents)
    except BaseException:
        turns.give_back()
        if served:
            served.close()
        raise
    world.turns, world.served = turns, served
    try:
        await world.look()
    except BaseException:
        await world.close()  # else nobody ever has a turn on these sites again
        raise
    return world


async def _serve(seed: int) -> "ServedSites":
    """Serve sites of our own for this task alone, as they are at the start."""
    from cutscore.benchmarks.videowebarena.websites.serving import serve

    return await asyncio.to_thread(serve, seed=seed)


async def _open_in_turn(
    ask: Ask,
    context: WorkContext,
    sites: SiteAddresses,
    start: StartState,
    secrets: Mapping[str, str],
    *,
    for_agents: bool,
) -> WebWorld:
    pages = [sites.expand(page) for page in start.start_pages]
    reset = await reset_sites(sites, start.sites) if start.reset and start.seed is None else ()
    folder = Path(tempfile.mkdtemp(prefix="cutscore-web-"))
    outputs, uploads = context.workspace / "outputs", context.workspace / "uploads"
    for each in (outputs, uploads):
        each.mkdir(exist_ok=True)
    for part in ask.parts_of("input_image"):
        if ref := ask.file(part.file) if part.file else None:
            shutil.copyfile(context.store.path(ref), uploads / Path(ref.name).name)
    options = SessionOptions(
        AddressGuard.of([*(sites.sites[name].address for name in start.sites), *pages]),
        folder,
        outputs=outputs,
        uploads=uploads,
        viewport=start.size(context.conditions.get("viewport", "")),
        geolocation=(start.geolocation.latitude, start.geolocation.longitude) if start.geolocation else None,
        credentials=tuple((sites.origin(name), account, secrets[name]) for name, account in start.logins),
        clean=Redactor(secrets).text,
        for_agents=for_agents,
    )
    hosts = frozenset(urlsplit(address).hostname or "" for address in sites.addresses.values())
    try:
        session = await in_browser_thread(_open(options, hosts, sites, start, pages))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    chromium = session.shared.chromium
    facts: dict[str, JsonValue] = {
        "browser": session.shared.browser.version,
        "browser_user": chromium.user,
        "browser_sandbox": "its own",
        "reset": list(reset),
    }
    return WebWorld(session, sites, context, folder, outputs, facts=facts)


async def _open(
    options: SessionOptions, hosts: frozenset[str], sites: SiteAddresses, start: StartState, pages: list[str]
) -> BrowserSession:
    session = await open_session(options, hosts=hosts)
    try:
        for name, account in start.logins:
            await log_in(session, sites, name, account)
        for number, page in enumerate(pages):
            if number:
                await session.new_tab()
            await _open_start_page(session, page)
        await session.focus(session.pages[0])
    except BaseException as error:
        await session.close()
        if isinstance(error, PageFault):
            raise Unscored("start pages", f"cannot be shown: {error}", "run the same command again") from error
        raise
    return session


async def _open_start_page(session: BrowserSession, page: str) -> None:
    try:
        status = await session.open(page)
    except PageFault as fault:
        raise Unscored(f"start page '{page}'", f"does not open: {fault}", "start the site, then run again") from fault
    if status is not None and status >= 500:
        raise Unscored(f"start page '{page}'", f"answers with status {status}", "mend the site, then run again")
    await settle(session)
