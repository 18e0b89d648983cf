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
    """Install one agent into the cache, wholly or not at all; what is there already stays."""
    wanted = version or adapter.version
    folder = agent_folder(adapter.name, wanted)
    if not (folder / "node_modules").is_dir():
        tell(f"{adapter.name} {wanted}: npm is at work")
        draft = folder.with_name(f".{wanted}.part")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        try:
            _write_packages(adapter, wanted, draft)
            _run_npm(draft)
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
    shutil.rmtree(folder)
    return folder


def _write_packages(adapter: HarnessAdapter, version: str, folder: Path) -> None:
    """Write what npm is to install: the locked set, or the same with another version of the agent."""
    packages = json.loads((LOCKS / adapter.name / PACKAGES).read_bytes())
    if version == adapter.version:
        shutil.copyfile(LOCKS / adapter.name / LOCK, folder / LOCK)
    packages["dependencies"][adapter.package] = version
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
        said = " ".join(ended.err.decode(errors="replace").split())[-SAID:]
        raise RunBroken("npm", f"installed nothing: {said or ended}", "check the registry, then run the same command")
