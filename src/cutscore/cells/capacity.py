"""How many samples of a cell work at once: what each needs against what this machine, its world and its model have.

A subject says what a sample needs in an attribute `needs` (`core.resources`), a world how many of it there can be at
once in `slots` of its module. Which number it is moves no score.
"""

import shutil
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cutscore.core.resources import Resources
from cutscore.core.subject import Subject
from cutscore.engines import usable_processors
from cutscore.registry import Benchmark

# Of subjects that do not say what they need. Plain functions share forty threads with marking.
NEEDS_UNKNOWN = 25
# Samples beyond the connections of a model: some are made ready or marked while others wait for their reply.
AHEAD = 5
# One process has no use for more.
MOST = 1000
# A share of what is free stays so: others live here, too, and needs are guesses.
USABLE = 0.8

MEMORY_FILE = Path("/proc/meminfo")
# Limit and use of the container that we may be in: cgroup 2, cgroup 1.
CONTAINER_MEMORY = (
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"), Path("/sys/fs/cgroup/memory/memory.usage_in_bytes")),
)


@dataclass(frozen=True)
class Machine:
    """What is free here; None where nobody can say."""

    processors: int
    memory_bytes: int | None = None
    disk_bytes: int | None = None


def samples_at_once(
    needs: Resources | None, machine: Machine, *, slots: int | None = None, connections: int | None = None
) -> int:
    """Return how many samples may work at once: the scarcest thing decides, and it is always at least one.

    >>> samples_at_once(Resources(processors=1), Machine(processors=8, memory_bytes=16 << 30))
    8
    >>> samples_at_once(Resources(memory_bytes=4 << 30), Machine(processors=8, memory_bytes=16 << 30))
    3
    >>> samples_at_once(Resources(), Machine(processors=8), connections=10), samples_at_once(None, Machine(8), slots=2)
    (15, 2)
    """
    bounds = list(_bounds(needs, machine)) if needs else []
    if slots is not None:
        bounds.append(slots)
    if connections is not None:
        bounds.append(connections + AHEAD)
    return max(1, int(min(*bounds, MOST) if bounds else NEEDS_UNKNOWN))


def _bounds(needs: Resources, machine: Machine) -> Iterable[float]:
    if needs.processors:
        yield machine.processors / needs.processors
    for needed, free in ((needs.memory_bytes, machine.memory_bytes), (needs.disk_bytes, machine.disk_bytes)):
        if needed and free is not None:
            yield USABLE * free / needed


def settle_at_once(subject: Subject, found: Benchmark, run: Path, *, connections: int | None) -> int | None:
    """Return how many samples of a cell work at once here; None where a model's provider alone decides.

    Inspect finds out by itself how many calls such a provider takes.
    """
    needs: Resources | None = getattr(subject, "needs", None)
    slots = getattr(found.part("environment"), "slots", None) if found.has_part("environment") else None
    if needs == Resources() and slots is None and connections is None:
        return None
    return samples_at_once(needs, read_machine(run, Path(tempfile.gettempdir())), slots=slots, connections=connections)


def read_machine(*folders: Path) -> Machine:
    """Read what is free: processors that are ours to use, memory, and disk where it is scarcest among the folders."""
    memory = [free for free in (_free_memory(), _free_in_container()) if free is not None]
    disk = [shutil.disk_usage(_existing(folder)).free for folder in folders]
    return Machine(usable_processors(), min(memory, default=None), min(disk, default=None))


def _free_memory() -> int | None:
    with suppress(OSError, ValueError):
        lines = dict(line.split(":", 1) for line in MEMORY_FILE.read_text(encoding="ascii").splitlines())
        return int(lines["MemAvailable"].split()[0]) * 1024 if "MemAvailable" in lines else None
    return None


def _free_in_container() -> int | None:
    for limit, used in CONTAINER_MEMORY:
        with suppress(OSError, ValueError):  # no such file, or the word "max"
            return max(0, int(limit.read_text()) - int(used.read_text()))
    return None


def _existing(folder: Path) -> Path:
    """Return the folder, or the nearest one above that exists already."""
    return next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
