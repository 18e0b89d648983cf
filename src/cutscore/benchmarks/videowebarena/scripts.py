"""Action scripts of tasks, for packs whose author knows how they are done: `scripts.json`, or files in `scripts/`.

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

FILE, FOLDER = "scripts.json", "scripts"
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
    """How a task is done, and how it is nearly done.

    Args:
        needs: Marks of the tutorial's log: what of it must be seen or heard.
        pieces: Of information in the answer to the question about the tutorial.
        accepted: Wordings of which a free answer has one where it is right, by the reference that a judge compares with
            (an entry of `fuzzy_match`, or the `string_note` of a task that cannot be done).
    """

    perfect: ScriptedWork
    near_misses: tuple[ScriptedWork, ...] = Field(min_length=1)
    needs: tuple[str, ...] = ()
    pieces: int = Field(default=1, ge=0)
    accepted: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class _ScriptsFile(FrozenModel):
    scripts: dict[SafeName, TaskScripts]


def read_scripts(folder: Path) -> Mapping[str, TaskScripts]:
    """Return the scripts of a folder by item, of one file or of several; none where it has neither."""
    files = [folder / FILE] if (folder / FILE).is_file() else []
    files += sorted((folder / FOLDER).glob("*.json"))
    made: dict[str, TaskScripts] = {}
    for file in files:
        read = _read_file(file)
        if twice := next((item for item in read if item in made), None):
            raise BrokenData(f"file '{file}'", f"has item '{twice}', which another file has, too", "remove one of them")
        made |= read
    return made


def _read_file(file: Path) -> Mapping[str, TaskScripts]:
    try:
        with open_regular(file) as stream:
            plain = read_json(stream.read(MOST_BYTES).decode())
        return _ScriptsFile.model_validate({"scripts": plain}).scripts
    except (OSError, ValueError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else first_fault(fault)
        raise BrokenData(f"file '{file}'", f"cannot be used: {why}", "mend it") from None
