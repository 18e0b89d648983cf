"""Install agents: by npm, from lock files that pin every package by its hash and name no address.

The pinned version of each agent is locked. Another one is resolved by npm on the day, and marked as not locked.
"""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from cutscore.core.errors import BadInput, RunBroken
from cutscore.process import ProgramLimits, bare_env, run
from cutscore.subjects.harness.adapter import HarnessAdapter
from cutscore.subjects.harness.installed import InstalledAgent, agent_folder, find_agent

LOCKS = Path(__file__).parent / "locks"
PACKAGES, LOCK = "package.json", "package-lock.json"
LONGEST_S = 1800.0
SAID = 400  # characters of npm's last words that an error quotes


def install_agent(
    adapter: HarnessAdapter, version: str = "", *, tell: Callable[[str], None] = lambda _: None
) -> InstalledAgent:
    """Install one agent into the cache, wholly or not at all; what is there already stays, unless its lock is older."""
    wanted = version or adapter.version
    folder = agent_folder(adapter.name, wanted)
    if not (folder / "node_modules").is_dir() or _packages_in(folder) != _list_packages(adapter, wanted):
        tell(f"{adapter.name} {wanted}: npm is at work")
        draft = folder.with_name(f".{wanted}.part")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        try:
            _write_packages(adapter, wanted, draft)
            _run_npm(draft)
            if folder.exists():
                remove_agent(adapter, version)
            draft.rename(folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return find_agent(adapter, version)


def remove_agent(adapter: HarnessAdapter, version: str = "") -> Path:
    """Remove one installed agent; return where it was."""
    folder = agent_folder(adapter.name, version or adapter.version)
    if not folder.is_dir():
        raise BadInput(
            f"agent '{adapter.name}'", f"version {folder.name} is not installed", "see 'cutscore agents list'"
        )
    folder.unlink() if folder.is_symlink() else shutil.rmtree(folder)
    return folder


def _list_packages(adapter: HarnessAdapter, version: str) -> dict[str, str]:
    """Return what is to be installed beside one another, by name: the locked set, or it with another version."""
    return {**_packages_in(LOCKS / adapter.name), adapter.package: version}


def _packages_in(folder: Path) -> dict[str, str]:
    named: dict[str, str] = json.loads((folder / PACKAGES).read_bytes())["dependencies"]
    return named


def _write_packages(adapter: HarnessAdapter, version: str, folder: Path) -> None:
    """Write what npm is to install."""
    packages = json.loads((LOCKS / adapter.name / PACKAGES).read_bytes())
    if version == adapter.version:
        shutil.copyfile(LOCKS / adapter.name / LOCK, folder / LOCK)
    packages["dependencies"] = _list_packages(adapter, version)
    (folder / PACKAGES).write_text(json.dumps(packages, indent=2) + "\n")


def _run_npm(folder: Path) -> None:
    """Let npm install; its settings are the user's, who may have a registry of his own.

    Not by `npm ci`: that wants every platform's binary in the lock, and some registries have only their own platform's.
    What the lock does name is taken by its hash here, too.
    """
    home = {name: os.environ[name] for name in os.environ if name == "HOME" or name.lower().startswith("npm_config_")}
    words = ["npm", "install", "--no-audit", "--no-fund", "--no-progress"]
    limits = ProgramLimits(wall_s=LONGEST_S, output_bytes=4 << 20)
    ended = run(words, limits=limits, cwd=folder, env={**bare_env(), **home})
    if not ended.ok:
        said = find_npm_error(ended.err.decode(errors="replace"))
        raise RunBroken("npm", f"installed nothing: {said or ended}", "check the registry, then run the same command")


def find_npm_error(text: str) -> str:
    r"""Return what npm says went wrong, without its warnings, its advice and its stack.

    >>> find_npm_error("npm warn old\nnpm error code E404\nnpm error 404 Not Found - GET a\nnpm error 404 Ask b.")
    'E404: 404 Not Found - GET a'
    """
    lines = [line.removeprefix("npm error ").strip() for line in text.splitlines() if line.startswith("npm error ")]
    code = next((line.removeprefix("code ") for line in lines if line.startswith("code ")), "")
    told = [line for line in lines if line.partition(" ")[0] not in ("code", "syscall", "errno", "path", "")]
    return f"{code}: {told[0]}"[:SAID].rstrip(".") if code and told else " ".join(text.split())[-SAID:]
