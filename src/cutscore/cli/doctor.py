"""`cutscore doctor`: what this machine has, what it lacks, and what to do about it. Always exit code 0."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from cutscore.cli.command import subcommand
from cutscore.cli.output import CommandOutput
from cutscore.cli.text_tables import align_columns
from cutscore.core.errors import CutscoreError, Stopped
from cutscore.results.wording import size

State = Literal["ok", "absent", "bad"]

# What pip cannot give: name, programs that are as good, who needs it, how to get it, how it is asked for its version.
PROGRAMS = (
    ("espeak", ("espeak-ng", "espeak"), "spoken narration", "espeak-ng", "--version"),
    ("npm", ("npm",), "installing agents", "npm", ""),
    ("bubblewrap", ("bwrap",), "the agent box", "bubblewrap", "--version"),
    ("ffmpeg in the box", ("ffmpeg",), "agents that edit", "ffmpeg", "-version"),
)
LOW_BYTES = 2 * 10**9
TESTED_PYTHONS = ((3, 11), (3, 12), (3, 13))


@dataclass(frozen=True)
class MachineCheck:
    """One thing that was looked at."""

    name: str
    state: State
    fact: str
    next: str = ""


@subcommand("doctor", examples="  cutscore doctor\n  cutscore doctor --json | jq '.items[] | select(.state != \"ok\")'")
def command() -> CommandOutput:
    """What this machine has and what it lacks.

    Nothing here is required for everything; a line that is not ok says what it is for and what to do.
    """
    items = list(_checks())
    plain = {"items": [asdict(item) for item in items]}
    signs = {"ok": "ok", "absent": "–", "bad": "BAD"}
    shown = [(signs[item.state], item.name, "; ".join(filter(None, [item.fact, item.next]))) for item in items]
    bad = sum(item.state == "bad" for item in items)
    return CommandOutput(plain, align_columns(shown) + (f"\n{bad} to mend" if bad else "\nnothing to mend"))


def _checks() -> Iterator[MachineCheck]:
    yield _python()
    yield from _packages()
    yield _ffmpeg()
    yield from _settings()
    yield _chromium()
    yield from (_program(*each) for each in PROGRAMS)
    yield _box()
    yield _agents()
    yield _gpus()
    yield from _extras()
    yield from check_benchmarks()
    yield _secrets()


def _python() -> MachineCheck:
    here = platform.python_version()
    if sys.version_info[:2] in TESTED_PYTHONS:
        return MachineCheck("python", "ok", f"{here} on {platform.system()} {platform.machine()}")
    tested = ", ".join(".".join(map(str, each)) for each in TESTED_PYTHONS)
    return MachineCheck("python", "bad", f"{here} is untested", f"use one of {tested}")


def _packages() -> Iterator[MachineCheck]:
    """Look at what the plain install asks for; a version that is pinned exactly must be that one."""
    yield MachineCheck("cutscore", "ok", version("cutscore"))
    for line in requires("cutscore") or ():
        if "extra ==" in line:
            continue
        name, pinned = re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0], re.search(r"==([^,;\s]+)", line)
        try:
            have = version(name)
        except PackageNotFoundError:
            yield MachineCheck(name, "bad", "is not installed", "pip install cutscore")
            continue
        if pinned and pinned[1] != have:
            yield MachineCheck(name, "bad", f"{have}, cutscore needs {pinned[1]}", f"pip install {name}=={pinned[1]}")
        else:
            yield MachineCheck(name, "ok", have)


def _ffmpeg() -> MachineCheck:
    try:
        from cutscore.media.frames import decoder_version

        return MachineCheck("ffmpeg", "ok", f"{decoder_version()}, inside the package")
    except ImportError as error:
        return MachineCheck("ffmpeg", "bad", f"PyAV cannot be loaded: {error}", "pip install --force-reinstall av")


def _settings() -> Iterator[MachineCheck]:
    from cutscore.settings import load_settings, settings_file

    file = settings_file()
    try:
        settings = load_settings()
    except CutscoreError as error:
        yield MachineCheck("settings", "bad", f"{error.what}: {error.fact}", error.next)
        return
    yield MachineCheck("settings", "ok", str(file) if file else "defaults, no cutscore.toml here or above")
    yield _folder("log folder", settings.log_dir)
    yield _folder("cache folder", settings.cache_dir)


def _folder(name: str, folder: Path) -> MachineCheck:
    there = next(each for each in (folder.resolve(), *folder.resolve().parents) if each.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        return MachineCheck(name, "bad", f"{folder} cannot be written", "choose another one in cutscore.toml")
    free = shutil.disk_usage(there).free
    if free < LOW_BYTES:
        return MachineCheck(name, "bad", f"{folder} has only {size(free)} left", "make room, clips need it")
    return MachineCheck(name, "ok", f"{folder}, {size(free)} free")


def _program(name: str, programs: tuple[str, ...], needed_by: str, package: str, asked: str) -> MachineCheck:
    path = next((found for program in programs if (found := shutil.which(program))), None)
    if path is None:
        return MachineCheck(name, "absent", f"only for {needed_by}", f"install the system package {package}")
    return _ask_version(name, path, asked) if asked else MachineCheck(name, "ok", path)


def _chromium() -> MachineCheck:
    """Look for the browser where web tasks look for it."""
    from cutscore.environments.browser.chromium import find_chromium

    try:
        return _ask_version("chromium", find_chromium(), "--version")
    except Stopped as error:
        return MachineCheck("chromium", "absent", f"{error.fact}; only for the web benchmark", error.next)


def _ask_version(name: str, path: str, asked: str) -> MachineCheck:
    said = _first_line([path, asked])
    return (
        MachineCheck(name, "ok", f"{path} ({said})")
        if said
        else MachineCheck(name, "bad", f"{path} does not start", "reinstall it")
    )


def _box() -> MachineCheck:
    """Say how well an agent can be shut in here."""
    from cutscore.environments.sandbox.isolation import find_isolation

    try:
        rung = find_isolation()
    except CutscoreError as error:
        return MachineCheck("agent box", "absent", f"{error.what} {error.fact}", error.next)
    held = "the kernel holds memory, processors and processes (control groups)"
    watched = "no control groups: memory and processes are watched, processors are not held"
    return MachineCheck("agent box", "ok", f"isolation {rung}; {held if rung == 'full' else watched}")


def _agents() -> MachineCheck:
    from cutscore.subjects.harness.catalogue import HARNESSES
    from cutscore.subjects.harness.installed import find_agent

    found, lacking = [], []
    for name, adapter in HARNESSES.items():
        try:
            found.append(f"{name} {find_agent(adapter).version}")
        except CutscoreError:
            lacking.append(name)
    if not found:
        return MachineCheck("agents", "absent", "none installed", f"cutscore agents install {lacking[0]}")
    return MachineCheck("agents", "ok", ", ".join(found) + (f"; not installed: {', '.join(lacking)}" * bool(lacking)))


def _gpus() -> MachineCheck:
    tool = shutil.which("nvidia-smi")
    said = _first_line([tool, "-L"]) if tool else ""
    if not said:
        return MachineCheck("gpu", "absent", "none found; nothing in the plain install needs one")
    return MachineCheck("gpu", "ok", said)


def _first_line(argv: list[str]) -> str:
    from cutscore.process import ProgramLimits, run

    try:
        done = run(argv, limits=ProgramLimits(wall_s=20))
    except CutscoreError:
        return ""
    lines = done.out.decode(errors="replace").strip().splitlines()
    return lines[0][:100] if done.ok and lines else ""


def _extras() -> Iterator[MachineCheck]:
    """Return for each extra whether all that it asks for is here."""
    wanted: dict[str, list[str]] = {name: [] for name in metadata("cutscore").get_all("Provides-Extra") or ()}
    for line in requires("cutscore") or ():
        if match := re.search(r"""extra\s*==\s*['"]([A-Za-z0-9._-]+)""", line):
            wanted[match[1]].append(re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0])
    for extra, packages in sorted(wanted.items()):
        lacking = [name for name in packages if not _installed(name)]
        if lacking:
            yield MachineCheck(
                f"extra {extra}", "absent", f"lacks {', '.join(lacking)}", f"pip install 'cutscore[{extra}]'"
            )
        else:
            yield MachineCheck(f"extra {extra}", "ok", "installed")


def _installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return find_spec(name.replace("-", "_")) is not None
    return True


def check_benchmarks() -> Iterator[MachineCheck]:
    """Look at what benchmarks need besides: `checks()` of their doctor.py yields names, and what returns a fact."""
    from cutscore.registry import benchmarks

    for bench in benchmarks().values():
        if not bench.has_part("doctor"):
            continue
        try:
            looks = list(bench.part("doctor").checks())
        except CutscoreError as error:
            yield MachineCheck(bench.name, "bad", f"{error.what}: {error.fact}", error.next)
            continue
        yield from (_look(name, look) for name, look in looks)


def _look(name: str, look: Callable[[], str]) -> MachineCheck:
    try:
        return MachineCheck(name, "ok", look())
    except CutscoreError as error:
        state: State = "absent" if isinstance(error, Stopped) else "bad"
        return MachineCheck(name, state, f"{error.what}: {error.fact}", error.next)


def _secrets() -> MachineCheck:
    """Name the variables whose values are taken out wherever something is written."""
    from cutscore.redaction import redactor
    from cutscore.settings import load_settings

    try:
        redact = redactor(names=load_settings().secret_env)
    except CutscoreError:  # said in its own line
        redact = redactor()
    signs = {redact.text(value) for value in os.environ.values()}
    names = sorted({found[1] for sign in signs if (found := re.fullmatch(r"\[redacted:([^\]]+)\]", sign))})
    if not names:
        return MachineCheck(
            "secrets", "absent", "none set; keyless subjects need none", "set PROVIDER_API_KEY to ask a model"
        )
    return MachineCheck("secrets", "ok", f"{', '.join(names)} (values are never shown)")
