"""Action scripts of tasks, for packs whose author knows how they are done: `scripts.json` beside the sets.

{"factual-shopping-0": {"perfect": {"about": "…", "actions": [{"tool": "click", "arguments": {…}}], "answer": "…"},
                        "near_misses": [{"about": "the wrong element", "actions": […]}]}}
"""

from collections.abc import Mapping
from pathlib import Path

from pydantic import Field

from cutscore.core.errors import BrokenData
from cutscore.core.frozen import FrozenModel, SafeName
from cutscore.core.strict_json import first_fault, read_json
from cutscore.core.trajectory import Action
from cutscore.regular_file import open_regular

FILE = "scripts.json"
MOST_BYTES = 16_000_000


class ScriptedWork(FrozenModel):
    """What is done in the world, and what is answered when it is done.

    Args:
        about: What it is, in words: of a near miss, what is wrong with it.
        intermediate: Answer to the question about the tutorial.
    """

    about: str = Field(min_length=1)
    actions: tuple[Action, ...] = ()
    answer: str = ""
    intermediate: str = ""


class TaskScripts(FrozenModel):
    """How a task is done, and how it is nearly done."""

    perfect: ScriptedWork
    near_misses: tuple[ScriptedWork, ...] = Field(min_length=1)


class _ScriptsFile(FrozenModel):
    scripts: dict[SafeName, TaskScripts]


def read_scripts(folder: Path) -> Mapping[str, TaskScripts]:
    """Return the scripts of a folder by item; none where it has no such file."""
    file = folder / FILE
    if not file.is_file():
        return {}
    try:
        with open_regular(file) as stream:
            plain = read_json(stream.read(MOST_BYTES).decode())
        return _ScriptsFile.model_validate({"scripts": plain}).scripts
    except (OSError, ValueError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else first_fault(fault)
        raise BrokenData(f"file '{file}'", f"cannot be used: {why}", "mend it") from None
