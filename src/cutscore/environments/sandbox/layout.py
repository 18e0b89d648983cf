"""Where things lie in a box, whoever makes it: bubblewrap here, a container elsewhere."""

from collections.abc import Iterable
from pathlib import PurePosixPath

WORKSPACE = "/workspace"  # the agent's working folder, with the materials in it
OUTPUTS = f"{WORKSPACE}/outputs"  # what lies here when the agent has stopped is handed over
HOME = "/home/agent"  # fresh for every sample
PROGRAM = "/opt/agent"  # the agent itself, read-only
PYTHON = "/opt/python"  # an interpreter with media packages, read-only
SPEECH = "/opt/speech"  # weights for faster-whisper, read-only
SOCKETS = "/run/cutscore"  # where the model can be reached

# Files and folders that agents take for orders, or for settings, when they lie in their working folder or below it.
INSTRUCTION_FILES = (
    *("AGENTS.md", "AGENTS.override.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md"),
    *("opencode.json", "opencode.jsonc", ".mcp.json", ".claude", ".codex", ".gemini", ".opencode", ".openclaw"),
    *("SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md", "MEMORY.md"),  # openclaw
)


def find_instruction_files(names: Iterable[str]) -> list[str]:
    """Return which of these paths an agent would take for orders: in any folder, in capitals or not.

    >>> find_instruction_files(["task-1/film.mp4", "task-1/Agents.MD", ".claude/settings.json", "claude.mp4"])
    ['task-1/Agents.MD', '.claude/settings.json']
    """
    orders = {name.casefold() for name in INSTRUCTION_FILES}
    return [name for name in names if any(part.casefold() in orders for part in PurePosixPath(name).parts)]
