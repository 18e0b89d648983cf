"""A visit filmed: sites put back where it asks for it, a session of its own, logged in, on the start page."""

import shutil
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

from cutscore.benchmarks.videowebarena.environment.login import log_in, password_of
from cutscore.benchmarks.videowebarena.environment.reset import reset_sites
from cutscore.benchmarks.videowebarena.sites import FILE, SiteAddresses
from cutscore.benchmarks.videowebarena.tutorials.recording import FilmedVisit, VisitPlayer
from cutscore.benchmarks.videowebarena.tutorials.visit import ScriptedVisit
from cutscore.core.errors import BadInput
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.opening import open_session
from cutscore.environments.browser.session import BrowserSession, PageFault, SessionOptions
from cutscore.environments.browser.shared_browser import browser_thread
from cutscore.redaction import Redactor
from cutscore.stage.setting import Voice
from cutscore.stage.speech import available_voice

Play = Callable[[VisitPlayer], Awaitable[None]]


def film_visit(
    visit: ScriptedVisit,
    sites: SiteAddresses,
    *,
    uploads: Path | None = None,
    voice: Voice | None = None,
    play: Play = VisitPlayer.play,
) -> FilmedVisit:
    """Play a visit and return what was filmed.

    Args:
        visit: With steps.
        sites: Where its sites are.
        uploads: Folder with the files that it hands in.
        voice: Who speaks; the best voice of this machine when not told.
        play: What is done on the start page: the steps of the visit, or those of a person (`recorder.py`).

    Raises:
        BadInput: A step cannot be played, or the start page does not open.
        Stopped: A site has no address, an account no password; there is no browser.
        Unscored: A login or a reset failed.
    """
    sites.require(visit.sites)
    filmed = FilmedVisit(visit, voice or available_voice())
    folder = Path(tempfile.mkdtemp(prefix="cutscore-visit-"))
    filming = browser_thread().submit(_film(filmed, sites, folder, uploads, play))
    try:
        filming.result()
    finally:
        filming.cancel()  # where Ctrl-C ended the waiting
        shutil.rmtree(folder, ignore_errors=True)
    return filmed


async def _film(filmed: FilmedVisit, sites: SiteAddresses, folder: Path, uploads: Path | None, play: Play) -> None:
    visit = filmed.visit
    if visit.reset:
        await reset_sites(sites, visit.sites)
    accounts = {name: _account(sites, name) for name in visit.login}
    secrets = {name: password_of(sites, name, account) for name, account in accounts.items()}
    options = SessionOptions(
        AddressGuard.of(sites.sites[name].address for name in visit.sites),
        folder,
        uploads=uploads,
        viewport=visit.viewport,
        credentials=tuple((sites.origin(name), account, secrets[name]) for name, account in accounts.items()),
        clean=Redactor(secrets).text,
    )
    # One browser for the visits of all sites, each of which keeps to its own.
    hosts = frozenset(urlsplit(address).hostname or "" for address in sites.addresses.values())
    session = await open_session(options, hosts=hosts)
    try:
        for name, account in accounts.items():
            await log_in(session, sites, name, account)
        await _open_start(session, visit, sites)
        await play(VisitPlayer(session, sites, filmed))
    finally:
        await session.close()


async def _open_start(session: BrowserSession, visit: ScriptedVisit, sites: SiteAddresses) -> None:
    try:
        status = await session.open(sites.expand(visit.start))
        fault = f"answers with status {status}" if status is not None and status >= 400 else ""
    except PageFault as error:
        fault = f"does not open: {error}"
    if fault:
        raise BadInput(f"visit '{visit.name}'", f"start page '{visit.start}' {fault}", "start the site, or correct it")


def _account(sites: SiteAddresses, name: str) -> str:
    account = sites.account(name)
    if not account:
        raise BadInput(f"site '{name}'", "has no account", f"name one in its entry of {FILE}")
    return account
