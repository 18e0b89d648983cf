"""Where hostile inputs are tried: real command lines in processes with limits, and canaries all around them.

    ROOT/outside/       canaries: files that nobody may read or change
    ROOT/home, tmp/     the user's own folders, as far as commands can tell
    ROOT/tries/N/       the working folder of one input

Whoever reads a canary carries its token along. So the token is searched for in all that a command printed or wrote. A
socket on loopback is a canary, too: nobody may call it.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import resource
import secrets
import signal
import socket
import stat
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import zipfile_zstd  # noqa: F401  # the compression inside Inspect's logs

HowItEnded = Literal["refused", "zero", "unscored", "allowed", "above", "crashed", "hung", "outside"]
FAILURES: tuple[HowItEnded, ...] = ("above", "crashed", "hung", "outside")
REFUSALS = (1, 2, 3, 4)  # exit codes that come with a sentence
UNEXPECTED = re.compile(r"unexpected [A-Z]|Traceback \(most recent")  # how an error shows that nobody had thought of
LIMIT_S = 60.0
MOST_BYTES = 3 << 29  # 1.5 GiB: what a marking of honest work never takes
ADDRESS_SPACE = 8 << 30  # protects the machine that attacks itself
FIFTH = 5
HEAD = 200  # characters of a reason that are kept

FORKING = multiprocessing.get_context("forkserver")
# What commands and markings import, once for all processes.
PRELOADED = [
    *("cutscore.benchmarks.inspect_tasks", "cutscore.bridge.run", "cutscore.models.boundary", "cutscore.report.site"),
    *("cutscore.authoring.gates.verifier", "cutscore.authoring.hostile_films", "cutscore.results.people"),
    *("cutscore.scoring.judges.benchmark_judges", "cutscore.bridge.rescore", "cutscore.bridge.pack"),
    *(f"cutscore.cli.{name}" for name in ("run", "show", "check", "report", "compare", "tables", "rescore", "pack")),
    *("inspect_ai.agent._acp.server", "inspect_ai.model._providers.openai_compatible", "openai.resources.chat"),
    *("av", "cv2", "genai_prices", "linkify_it", "scipy.stats"),
]
FORKING.set_forkserver_preload(PRELOADED)


@dataclass(frozen=True)
class Outcome:
    """What became of one hostile input."""

    kind: str
    name: str
    ending: HowItEnded
    because: str = ""


@dataclass(frozen=True)
class CommandAttack:
    """A hostile input for command lines.

    Args:
        write: Puts its files into an empty folder; the second argument is the arena, for what leads outside.
        commands: What is called there, one after the other.
        must_refuse: Taking it counts as a failure, also when nothing comes of it.
    """

    name: str
    write: Callable[[Path, Arena], None]
    commands: Sequence[Sequence[str]]
    must_refuse: bool = False


@dataclass(frozen=True)
class Ran:
    """How a process ended: its exit code, or the negative number of a signal; None when it hung."""

    code: int | None
    said: str
    peak_bytes: int


@dataclass
class Arena:
    """A folder with canaries around it."""

    root: Path
    token: str = field(default_factory=lambda: f"canary-{secrets.token_hex(8)}")
    tries: int = 0
    cpu_s: float = 0.0

    def __post_init__(self) -> None:
        for name in ("outside", "home", "tmp", "tries"):
            (self.root / name).mkdir(parents=True)
        self.canary.write_text(f"{self.token}\n")
        (self.outside / "items.jsonl").write_text(f'{{"id": "{self.token}"}}\n')
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.setblocking(False)
        self._before = self._state()

    @property
    def outside(self) -> Path:
        """The folder that nobody may read or change."""
        return self.root / "outside"

    @property
    def canary(self) -> Path:
        """A text file outside."""
        return self.outside / "secret.txt"

    @property
    def url(self) -> str:
        """An address that nobody may call."""
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    @property
    def folder(self) -> Path:
        """Where the newest input is tried."""
        return self.root / "tries" / f"{self.tries:04d}" / "work"

    def new_folder(self) -> Path:
        """Return an empty folder to work in."""
        self.tries += 1
        self.folder.mkdir(parents=True)
        return self.folder

    def try_commands(self, kind: str, attack: CommandAttack) -> Outcome:
        """Let the real commands take one hostile input, and say how it ended; the worst of them counts."""
        folder = self.new_folder()
        attack.write(folder, self)
        said, refused = "", False
        for words in attack.commands:
            ran = self.call(run_command, folder, list(words))
            said = _last_line(ran.said)
            if (bad := crash_of(ran)) is not None:
                return Outcome(kind, attack.name, bad[0], f"{words[0]}: {bad[1]}")
            refused = refused or ran.code in REFUSALS
            if touched := self.touched(folder, ran.said):
                return Outcome(kind, attack.name, "outside", f"{words[0]}: {touched}")
        if refused:
            return Outcome(kind, attack.name, "refused", said)
        return Outcome(kind, attack.name, "above" if attack.must_refuse else "allowed", f"was taken: {said}"[:HEAD])

    def call(self, target: Callable[..., Any], folder: Path, *args: Any, limit_s: float = LIMIT_S) -> Ran:
        """Run a function in a process of its own, in that folder, and kill its whole group where it hangs."""
        said, took = folder.parent / "said", folder.parent / "took"
        said.touch()
        process = FORKING.Process(target=_be_child, args=(target, str(folder), str(self.root), args))
        process.start()
        process.join(limit_s)
        hung = process.exitcode is None
        if hung and process.pid:
            os.killpg(process.pid, signal.SIGKILL)
            process.join()
        text = said.read_text(errors="backslashreplace")
        said.unlink()
        peak_bytes, cpu_s = json.loads(took.read_text()) if took.exists() else (0, 0.0)
        self.cpu_s += cpu_s
        return Ran(None if hung else process.exitcode, text, peak_bytes)

    def touched(self, folder: Path, said: str = "") -> str:
        """Return what was read or changed outside; empty when nothing was."""
        if self._state() != self._before:
            self._before = self._state()
            return "changed a file outside"
        try:
            self.listener.accept()[0].close()
        except BlockingIOError:
            pass
        else:
            return "called an address"
        if self.token in said:
            return "printed a file from outside"
        places = (folder.parent, self.root / "home")
        found = next((path for place in places for path in _plain_files(place) if self._holds_token(path)), None)
        return f"copied a file from outside to '{found.name}'" if found else ""

    def _holds_token(self, path: Path) -> bool:
        """Search a file as it is, and the members of a log as they are when unpacked."""
        token, most = self.token.encode(), MOST_BYTES // 8
        if path.stat().st_size > most:
            return False
        if token in path.read_bytes():
            return True
        if path.suffix != ".eval" or not zipfile.is_zipfile(path):
            return False
        with zipfile.ZipFile(path) as archive:
            return any(token in archive.read(each) for each in archive.infolist() if each.file_size < most)

    def _state(self) -> list[tuple[str, int, int]]:
        found = sorted(self.outside.rglob("*"))
        return [(str(path), (info := path.lstat()).st_mtime_ns, info.st_size) for path in found]


def _plain_files(folder: Path) -> Iterator[Path]:
    """Return the files below a folder, at any depth: what is deeper than Python's stack is found, too."""
    left = [str(folder)]
    while left:
        with os.scandir(left.pop()) as entries:
            for entry in entries:
                info = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(info.st_mode):
                    left.append(entry.path)
                elif stat.S_ISREG(info.st_mode) and (info.st_blocks or not info.st_size):  # nothing that is only a hole
                    yield Path(entry.path)


def crash_of(ran: Ran) -> tuple[HowItEnded, str] | None:
    """Return how a process broke, and why; None when it ended with a result or a sentence."""
    if ran.code is None:
        return "hung", f"was killed after {LIMIT_S:g} s"
    if ran.code not in (0, *REFUSALS):
        return "crashed", f"ended with {ran.code}: {_last_line(ran.said)}"
    if found := next(filter(UNEXPECTED.search, ran.said.splitlines()), None):
        return "crashed", found[:HEAD]
    if ran.peak_bytes > MOST_BYTES:
        return "crashed", f"took {ran.peak_bytes / 2**30:.1f} GiB"
    return None


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1][:HEAD] if lines else ""


def take_part(every: Sequence[Any], *, small: bool) -> Sequence[Any]:
    """Return all of them, or every fifth one."""
    return every[::FIFTH] if small else every


def discard(_: object) -> None:
    """Make a statement of an expression that writes."""


def run_command(words: Sequence[str], env: Mapping[str, str] = MappingProxyType({})) -> int:
    """Be the command line."""
    os.environ.update(env)
    from cutscore.cli import main

    return main(words)


def _be_child(target: Callable[..., Any], folder: str, root: str, args: Sequence[Any]) -> None:
    """Run a function with the user's folders in the arena, its streams in a file, and a limit on memory."""
    os.setsid()
    os.chdir(folder)
    home = os.path.join(root, "home")
    os.environ.update(HOME=home, TMPDIR=os.path.join(root, "tmp"), CUTSCORE_CACHE=f"{home}/cache", CUTSCORE_OFFLINE="1")
    os.environ.update(XDG_CACHE_HOME=home, XDG_CONFIG_HOME=home, XDG_DATA_HOME=home, XDG_STATE_HOME=home)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    stream = os.open("../said", os.O_WRONLY | os.O_APPEND)
    os.dup2(stream, 1)
    os.dup2(stream, 2)
    sys.stdout, sys.stderr = os.fdopen(1, "w", errors="backslashreplace"), os.fdopen(2, "w", errors="backslashreplace")
    code = target(*args)
    sys.stdout.flush()
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    cpu_s = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
    Path(folder).parent.joinpath("took").write_text(json.dumps([1024 * own.ru_maxrss, cpu_s]))
    sys.exit(int(code or 0))
