"""One task at a time on a site that is put back: the reset of another would take away what this one has done.

It holds for all processes of a machine. A site without a hook is never put back, and everybody may use it at once.
"""

import asyncio
import fcntl
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cutscore.benchmarks.videowebarena.sites import SiteAddresses
from cutscore.core.frozen import digest_of

POLL_S = 0.05


@dataclass
class SiteTurns:
    """Turns that are held, until they are given back or the process ends."""

    held: list[int]

    def give_back(self) -> None:
        """Let the next one in."""
        while self.held:
            os.close(self.held.pop())


async def take_turns(sites: SiteAddresses, names: Iterable[str]) -> SiteTurns:
    """Wait until no other task is on these sites; always in the same order, so that no two wait for each other."""
    turns = SiteTurns([])
    hooked = {sites.sites[name].address for name in names if _is_put_back(sites, name)}
    try:
        for address in sorted(hooked):
            path = Path(tempfile.gettempdir()) / f"cutscore-site-{os.getuid()}-{digest_of(address)[:16]}.lock"
            turns.held.append(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
            await _lock(turns.held[-1])
    except BaseException:
        turns.give_back()
        raise
    return turns


def _is_put_back(sites: SiteAddresses, name: str) -> bool:
    site = sites.sites[name]
    return bool(site.reset_url or site.reset_command)


async def _lock(handle: int) -> None:
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            await asyncio.sleep(POLL_S)
