"""What `cutscore doctor` looks at: the programs of the pack `software`; whether configured sites open and let us in."""

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from cutscore.benchmarks.videowebarena.sites import WITHOUT_LOGIN, SiteAddresses, load_sites
from cutscore.core.errors import Unscored


def checks() -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the programs of the pack `software` and the name of each configured site, and what looks at them."""
    yield "web software", find_programs
    sites = load_sites()
    for name in sorted(sites.sites):
        yield f"site {name}", partial(look_at, sites, name)


def find_programs() -> str:
    """Return where the programs of the pack `software` are; Stopped where one is missing."""
    from cutscore.benchmarks.videowebarena.environment.software.start import PROGRAMS, find_software

    return f"{', '.join(PROGRAMS)} in {find_software()}"


def look_at(sites: SiteAddresses, name: str) -> str:
    """Open a site and log in; return what was seen.

    Raises:
        Stopped: There is no browser, or the account has no password.
        Unscored: The site does not answer, or does not let the account in.
    """
    from cutscore.environments.browser.shared_browser import in_browser_thread

    with tempfile.TemporaryDirectory(prefix="cutscore-web-") as folder:
        return asyncio.run(in_browser_thread(_look(sites, name, Path(folder))))


async def _look(sites: SiteAddresses, name: str, folder: Path) -> str:
    from cutscore.benchmarks.videowebarena.environment.login import log_in, password_of
    from cutscore.environments.browser.guard import AddressGuard
    from cutscore.environments.browser.opening import open_session
    from cutscore.environments.browser.session import PageFault, SessionOptions

    address, account = sites.sites[name].address, "" if name in WITHOUT_LOGIN else sites.account(name)
    password = password_of(sites, name, account) if account else ""
    credentials = ((sites.origin(name), account, password),) if account else ()
    session = await open_session(SessionOptions(AddressGuard.of([address]), folder, credentials=credentials))
    try:
        status = await session.open(address)
        if status is None or status >= 400:
            raise Unscored(address, f"answers with status {status}", "mend the site")
        if account:
            await log_in(session, sites, name, account)
    except PageFault as fault:
        raise Unscored(address, f"does not open: {fault}", "start the site") from fault
    finally:
        await session.close()
    return f"{address} opens" + (f", and lets '{account}' in" if account else "; no account is told")
