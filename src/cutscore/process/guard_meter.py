"""The guard's meter: how much memory everybody below it takes together, how many they are, and what is too much.

The guard loads it only where somebody wants to know; like it, this file uses the standard library alone.
"""

import os
import time
from contextlib import suppress

LOOK_EVERY_S = 0.1
# Looking takes processor time itself; at most this share of one.
_SHARE = 0.1


class GroupMeter:
    """Looks at all processes below one, this one by default; nobody but it sees to the limits, if there are any."""

    def __init__(self, memory_bytes: int | None, processes: int | None, *, root: int | None = None) -> None:
        self._memory_bytes, self._processes, self._root = memory_bytes, processes, root or os.getpid()
        self.peak_bytes = 0
        self.seen: set[int] = set()
        self._next_s = time.monotonic() + LOOK_EVERY_S

    def due_ms(self) -> int:
        """Return in how many milliseconds the next look is due."""
        return max(1, int(1000 * (self._next_s - time.monotonic())))

    def look(self) -> str:
        """Look when it is time to; return what was too much: `memory`, `processes`, or nothing."""
        began = time.monotonic()
        if began < self._next_s:
            return ""
        pids = descendants(self._root)
        self.seen.update(pids)
        # Shared pages count several times in the first sum, so it is never too low; the second takes longer.
        if sum(map(_resident_bytes, pids)) > self.peak_bytes:
            self.peak_bytes = max(self.peak_bytes, sum(map(_proportional_bytes, pids)))
        now = time.monotonic()
        self._next_s = now + max(LOOK_EVERY_S, (now - began) / _SHARE)
        if self._memory_bytes is not None and self.peak_bytes > self._memory_bytes:
            return "memory"
        return "processes" if self._processes is not None and len(pids) > self._processes else ""


def descendants(root: int) -> list[int]:
    """Return all processes below one; none where there is no /proc."""
    children: dict[int, list[int]] = {}
    with suppress(FileNotFoundError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as stat:
                # pid (name that may hold anything) state parent …
                children.setdefault(int(stat.read().rpartition(b")")[2].split()[1]), []).append(int(name))
    found, below = [], [root]
    while below:
        below = [pid for parent in below for pid in children.get(parent, ())]
        found += below
    return found


def _resident_bytes(pid: int) -> int:
    with suppress(OSError, IndexError), open(f"/proc/{pid}/statm", "rb") as sizes:
        return int(sizes.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _proportional_bytes(pid: int) -> int:
    """Return resident memory, a page of n processes counted as an nth; all of it where we may not look."""
    with suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as lines:
        for line in lines:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) << 10
    return _resident_bytes(pid)
