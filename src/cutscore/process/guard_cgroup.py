"""The guard's control group: limits of the kernel for a program and everything below it, where this user may set them.

Version 2 or version 1, whichever has the controllers. Loaded by the guard alone; like it, this file uses the standard
library alone.
"""

import os
import time
from contextlib import suppress

_CONTROLLERS = ("memory", "pids", "cpu")
_PERIOD_US = 100_000  # in which processors are shared out; the kernel's own default
_FILES_V1 = {"memory": "memory.limit_in_bytes", "pids": "pids.max", "cpu": "cpu.cfs_quota_us"}
_FILES_V2 = {"memory": "memory.max", "pids": "pids.max", "cpu": "cpu.max"}
# Files in which the kernel counts what it refused, and the word before the count.
_REFUSALS = (
    ("memory.events", "oom_kill", "memory"),
    ("memory.oom_control", "oom_kill", "memory"),
    ("pids.events", "max", "processes"),
)


def make_cgroup(memory_bytes: int | None, processes: int | None, processors: float | None = None) -> list[str]:
    """Make a control group with these limits; return its folders, one a hierarchy, or none where we may not."""
    quota_us = None if processors is None else int(processors * _PERIOD_US)
    limits = {"memory": memory_bytes, "pids": processes, "cpu": quota_us}
    made: list[str] = []
    try:
        for parent, settings in _places({name: limit for name, limit in limits.items() if limit is not None}):
            made.append(f"{parent}/cutscore-{os.getpid()}")
            os.mkdir(made[-1])
            for file, limit in settings.items():
                _write(f"{made[-1]}/{file}", limit)
            if memory_bytes is not None:
                for file, limit in (("memory.swap.max", 0), ("memory.memsw.limit_in_bytes", memory_bytes)):
                    with suppress(OSError):  # many kernels do not count swap
                        _write(f"{made[-1]}/{file}", limit)
    except OSError:
        remove_cgroup(made)
        return []
    return made


def join_cgroup(folders: list[str]) -> None:
    """Make this process, and all that it will start, members of a group."""
    # The kernel of version 1 refuses real-time processes, and we may have inherited that from whoever started us.
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    for folder in folders:
        _write(f"{folder}/cgroup.procs", 0)


def count_refusals(folders: list[str]) -> dict[str, int]:
    """Return how often the kernel killed somebody in a group for `memory`, and refused one of too many `processes`."""
    counts = {"memory": 0, "processes": 0}
    for folder in folders:
        for file, word, what in _REFUSALS:
            with suppress(OSError):
                counted = dict(line.split()[:2] for line in _lines(f"{folder}/{file}"))
                counts[what] += int(counted.get(word, 0))
    return counts


def remove_cgroup(folders: list[str]) -> None:
    """Remove a group in which everybody is dead; the kernel may take a moment to see that."""
    for folder in folders:
        for _ in range(20):
            try:
                os.rmdir(folder)
            except FileNotFoundError:
                break
            except OSError:
                time.sleep(0.01)


def _places(limits: dict[str, int]) -> list[tuple[str, dict[str, int]]]:
    """Return the folders below which groups are made, with what is set in each. OSError where a controller lacks."""
    own: dict[str, str] = {}
    for line in _lines("/proc/self/cgroup"):
        _, controllers, path = line.split(":", 2)
        own |= dict.fromkeys(controllers.split(","), path.rstrip("/"))
    split: dict[str, str] = {}
    unified = ""
    for line in _lines("/proc/self/mounts"):
        _, mount, kind, options, *_ = line.split(" ")
        if kind == "cgroup2" and "" in own:
            unified = mount + own[""]
        if kind == "cgroup":
            split |= {name: mount + own[name] for name in {*_CONTROLLERS} & {*own} & {*options.split(",")}}
    if limits.keys() <= split.keys():
        return [(split[name], {_FILES_V1[name]: limit}) for name, limit in limits.items()]
    offered = " ".join(_lines(f"{unified}/cgroup.subtree_control")).split()
    if not limits.keys() <= {*offered}:
        raise FileNotFoundError("the controllers are not handed down to us")
    return [(unified, {_FILES_V2[name]: limit for name, limit in limits.items()})]


def _lines(file: str) -> list[str]:
    with open(file) as text:
        return text.read().splitlines()


def _write(file: str, number: int) -> None:
    with open(file, "r+") as setting:  # not made where it does not exist
        setting.write(str(number))
