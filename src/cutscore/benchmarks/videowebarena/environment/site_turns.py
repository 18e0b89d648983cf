"""Who may be on a site: one task at a time where it is put back, else one task an account.

The reset of another task would take away what this one has done, and two tasks with one account have one cart. It holds
for all processes of a machine. A site that is not put back, and that nobody logs in to, is everybody's.
"""

import asyncio
import fcntl
import os
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from cutscore.benchmarks.videowebarena.environment.reset import can_reset
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


async def take_turns(
    sites: SiteAddresses, names: Collection[str], logins: Collection[tuple[str, str]] = ()
) -> SiteTurns:
    """Wait until these sites and accounts are free; always in the same order, so that no two wait for each other."""
    turns = SiteTurns([])
    try:
        for what, slots in sorted(set(_wanted(sites, names, logins))):
            turns.held.append(await _lock(what, slots))
    except BaseException:
        turns.give_back()
        raise
    return turns


def _wanted(
    sites: SiteAddresses, names: Collection[str], logins: Collection[tuple[str, str]]
) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield what a task has to itself, and how many may have it."""
    for name in {*names, *(name for name, _ in logins)}:
        site = sites.sites[name]
        if can_reset(name, site):
            yield (site.address,), 1
        else:
            yield from (((site.address, account), site.slots) for each, account in logins if each == name)


async def _lock(what: tuple[str, ...], slots: int) -> int:
    stem = Path(tempfile.gettempdir()) / f"cutscore-site-{os.getuid()}-{digest_of(what)[:16]}"
    while True:
        for number in range(slots):
            handle = os.open(f"{stem}-{number}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return handle
            except BlockingIOError:
                os.close(handle)
        await asyncio.sleep(POLL_S)
