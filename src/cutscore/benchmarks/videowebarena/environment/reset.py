"""Putting sites back before a task that asks for it: a POST, or a command of the user's. What fails is ours."""

import asyncio
import os
from urllib.parse import urlencode

from cutscore.benchmarks.videowebarena.sites import RESET_VARIABLE, Site, SiteAddresses
from cutscore.core.errors import Unscored
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.site_request import RequestFault, request_site
from cutscore.process import ProgramLimits, run

RESET_S = 300.0
CLASSIFIEDS = "classifieds"
_RESET_PATH = "/index.php?page=reset"  # of the published one


async def reset_sites(sites: SiteAddresses, names: tuple[str, ...]) -> tuple[str, ...]:
    """Reset these sites as far as they have a hook; return the names of those that were.

    Raises:
        Unscored: A hook failed.
    """
    done = []
    for name in names:
        site = sites.sites[name]
        if site.reset_command:
            await asyncio.to_thread(_run, name, site)
        elif url := _reset_url(name, site):
            await asyncio.to_thread(_post, name, url)
        else:
            continue
        done.append(name)
    return tuple(done)


def can_reset(name: str, site: Site) -> bool:
    """Return whether a site has a hook, so that tasks put it back."""
    return bool(site.reset_command or _reset_url(name, site))


def _reset_url(name: str, site: Site) -> str:
    told = name == CLASSIFIEDS and os.environ.get(RESET_VARIABLE)
    return site.reset_url or (site.address + _RESET_PATH if told else "")


def _post(name: str, url: str) -> None:
    token = os.environ.get(RESET_VARIABLE, "") if name == CLASSIFIEDS else ""  # it is that site's alone
    body = urlencode({"token": token}).encode() if token else b""
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    try:
        reply = request_site(url, AddressGuard.of([url]), method="POST", headers=headers, body=body, timeout_s=RESET_S)
    except RequestFault as fault:
        raise _failed(name, str(fault)) from fault
    if reply.status >= 400:
        raise _failed(name, f"status {reply.status}")


def _run(name: str, site: Site) -> None:
    ended = run(site.reset_command, limits=ProgramLimits(wall_s=RESET_S), env=dict(os.environ))
    if not ended.ok:
        raise _failed(name, " ".join(ended.err.decode(errors="replace").split())[-200:] or str(ended))


def _failed(name: str, fact: str) -> Unscored:
    return Unscored(f"reset of site '{name}'", f"failed: {fact}", "mend its hook, then run the same command again")
