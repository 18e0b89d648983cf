"""Where things lie in a box, whoever makes it: bubblewrap here, a container elsewhere."""

WORKSPACE = "/workspace"  # the agent's working folder, with the materials in it
OUTPUTS = f"{WORKSPACE}/outputs"  # what lies here when the agent has stopped is handed over
HOME = "/home/agent"  # fresh for every sample
PROGRAM = "/opt/agent"  # the agent itself, read-only
PYTHON = "/opt/python"  # an interpreter with media packages, read-only
SOCKETS = "/run/cutscore"  # where the model can be reached

# Files that agents take for orders when they lie in their working folder.
INSTRUCTION_FILES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", "opencode.json")
