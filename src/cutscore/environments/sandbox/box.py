"""One sample's box: folders, limits, and programs that run in it to their end.

    folder/workspace     the working folder, with `outputs` in it; materials are bound over it, read-only
    folder/home          the agent's home
    folder/logs/NAME     what a program printed, each stream up to a bound

Whatever ends a program ends everything that it started: a box keeps files between two programs, and no process.
"""

import os
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Literal

from cutscore.core.errors import Unscored
from cutscore.environments.sandbox.bubblewrap import ACCOUNTS, HOSTS, BoxView, Mount, box_command
from cutscore.environments.sandbox.isolation import Isolation
from cutscore.environments.sandbox.layout import HOME, OUTPUTS, WORKSPACE
from cutscore.process import DEVNULL, Child, GroupLimits, Service, Stream

GIB = 1 << 30
KILLED = (-9, 137)  # what is killed itself, and what a shell or a relay says of a program that was
WATCH_S = 0.25  # between two looks at the clock and at the disk
BoxEnd = Literal["exited", "signal", "time", "memory", "processes", "disk", "asked"]


@dataclass(frozen=True)
class BoxLimits:
    """What everything in a box may use together; by default the paper's container.

    Args:
        processors: Of the machine's. Held by the kernel where isolation is full, else only told.
        disk_bytes: Of workspace, home and writable mounts together, blocks that are really taken.
        file_bytes: Length of one file, holes included.
        log_bytes: What is kept of each stream of a program.
    """

    memory_bytes: int = 8 * GIB
    processors: float = 4.0
    processes: int = 512
    disk_bytes: int = 32 * GIB
    file_bytes: int = 16 * GIB
    log_bytes: int = 64 << 20


@dataclass(frozen=True)
class BoxRun:
    """How a program in a box ended.

    Args:
        code: Exit code, minus the number of a signal; None where we ended it, or the kernel for its memory.
        logs: Its standard output and its standard error.
        memory_kills: How many processes the kernel killed for memory; whoever started them may have gone on.
    """

    ended: BoxEnd
    code: int | None
    wall_s: float
    peak_bytes: int
    logs: tuple[Path, Path]
    memory_kills: int = 0


@dataclass(frozen=True)
class Box:
    """A box that is open. `folder` is the sample's own and empty when it is made."""

    folder: Path
    isolation: Isolation
    mounts: tuple[Mount, ...] = ()
    hidden: tuple[Path, ...] = ()
    limits: BoxLimits = field(default_factory=BoxLimits)
    network: bool = False

    def __post_init__(self) -> None:
        for folder in (self.outputs, self.home, self.folder / "etc", self.folder / "logs"):
            folder.mkdir(parents=True, exist_ok=True)
        names = Path("/etc/resolv.conf") if self.network else Path(os.devnull)
        for name, text in (("passwd", ACCOUNTS), ("hosts", HOSTS), ("resolv.conf", names.read_text())):
            (self.folder / "etc" / name).write_text(text)
        if self.isolation == "none":
            self._copy_materials()

    @property
    def workspace(self) -> Path:
        """The working folder, as the machine sees it."""
        return self.folder / "workspace"

    @property
    def home(self) -> Path:
        """The agent's home, as the machine sees it."""
        return self.folder / "home"

    @property
    def outputs(self) -> Path:
        """Where deliverables are left, as the machine sees it."""
        return self.folder / Path(OUTPUTS).relative_to("/")

    def locate(self, text: str) -> str:
        """Return words with the paths of a box as whoever works there has to write them: others without isolation."""
        if self.isolation != "none":
            return text
        places = {mount.target: str(mount.source) for mount in self.mounts if mount.source}
        places |= {HOME: str(self.home), WORKSPACE: str(self.workspace)}
        longest_first = "|".join(re.escape(target) for target in sorted(places, key=len, reverse=True))
        return re.sub(rf"(?<![\w/])(?:{longest_first})(?![\w.-])", lambda found: places[found[0]], text)

    def run(
        self,
        argv: Sequence[str],
        *,
        name: str,
        env: Mapping[str, str],
        wall_s: float,
        stop: "Sequence[object] | None" = None,
        stdin: Stream = DEVNULL,
        cwd: str = WORKSPACE,
    ) -> BoxRun:
        """Run a program to its end, or to ours; everything below it is gone when this returns.

        `name` is that of the folder for its logs; `stop` is a list that is not empty from when on it is to be ended.
        """
        logs = self.folder / "logs" / name
        logs.mkdir(parents=True, exist_ok=True)
        started = time.monotonic()
        program = Service(
            self._command(argv, env, cwd),
            logs=logs,
            log_bytes=self.limits.log_bytes,
            env=_path(),
            stdin=stdin,
            file_bytes=self.limits.file_bytes,
            group=self._group,
        )
        over: BoxEnd | None = None
        with program:
            while (ended := program.wait(WATCH_S)) is None and over is None:
                if over := self._excess(started + wall_s, stop):
                    program.terminate()
            ended = ended or program.wait(wall_s)
        program.check_started()
        if ended is None:
            raise Unscored("box", f"program '{argv[0]}' could not be ended")
        over = over or ended.over or ("memory" if ended.memory_kills and ended.code in KILLED else None)
        why = over or ("exited" if ended.code >= 0 else "signal")
        code = None if over else ended.code
        return BoxRun(
            why, code, time.monotonic() - started, ended.peak_bytes, program.logs, memory_kills=ended.memory_kills
        )

    def attach(self, argv: Sequence[str], *, env: Mapping[str, str]) -> int:
        """Run a program on our own standard streams until it ends; return its exit code."""
        program = Child(
            self._command(argv, env),
            env=_path(),
            stdin=None,
            stdout=None,
            stderr=None,
            file_bytes=self.limits.file_bytes,
            group=self._group,
        )
        try:
            while (ended := program.wait(WATCH_S)) is None:
                if self._excess(inf, None):
                    program.terminate()
        finally:
            program.close()
        program.check_started()
        return ended.code

    @property
    def _group(self) -> GroupLimits:
        limits = self.limits
        return GroupLimits(limits.memory_bytes, limits.processes, limits.processors, spares_others=True)

    def _command(self, argv: Sequence[str], env: Mapping[str, str], cwd: str = WORKSPACE) -> list[str]:
        if self.isolation == "none":
            variables = {"HOME": HOME, **env}.items()
            words = ["-C", cwd, *(f"{name}={value}" for name, value in variables), *argv]
            return ["env", "-i", *(self.locate(word) for word in words)]
        view = BoxView(self.workspace, self.home, self.folder / "etc", self.mounts, self.hidden, self.network)
        return box_command(view, argv, {"HOME": HOME, **env}, cwd=cwd)

    def _copy_materials(self) -> None:
        """Put materials into the working folder where nothing can be mounted: copies, for they could be changed."""
        for mount in self.mounts:
            if mount.source and mount.source.is_file() and mount.target.startswith(f"{WORKSPACE}/"):
                target = self.folder / Path(mount.target).relative_to("/")
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(mount.source, target)

    def _excess(self, until: float, stop: "Sequence[object] | None") -> BoxEnd | None:
        if time.monotonic() > until:
            return "time"
        if stop:
            return "asked"
        written = (mount.source for mount in self.mounts if mount.writable and mount.source)
        return "disk" if disk_use(self.workspace, self.home, *written) > self.limits.disk_bytes else None


def _path() -> dict[str, str]:
    """Return how bubblewrap itself is found; nothing else of ours reaches it."""
    return {"PATH": os.environ.get("PATH", os.defpath)}


def disk_use(*folders: Path) -> int:
    """Return how many bytes of the disk folders take; holes take none, and what is linked is not looked at."""
    total = 0
    for folder in folders:
        for root, _, names in os.walk(folder):
            for name in names:
                with suppress(OSError):  # it was removed meanwhile
                    total += os.lstat(os.path.join(root, name)).st_blocks * 512
    return total
