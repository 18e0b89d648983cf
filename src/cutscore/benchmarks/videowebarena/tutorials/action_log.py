"""NAME.log.json: what was done in a tutorial and when, in seconds of its video, with placeholders for addresses."""

import json
from pathlib import Path

from pydantic import Field

from cutscore.atomic import replace_file
from cutscore.core.errors import BrokenData
from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.strict_json import first_fault, read_json
from cutscore.core.trajectory import Action
from cutscore.regular_file import open_regular

ENDING = ".log.json"
MOST_BYTES = 16_000_000
SpanS = tuple[Finite, Finite]


class LoggedStep(FrozenModel):
    """One step of a visit as it was played.

    Args:
        at: Its span.
        acted: When the action was done; None where the step has none.
        element: Words of the element that it was done to.
        url: The page on view at its end.
        cursor: Where the pointer stood at its end.
    """

    at: SpanS
    say: str = ""
    do: Action | None = None
    acted: Finite | None = None
    element: str = ""
    url: str
    cursor: tuple[int, int]


class TutorialLog(FrozenModel):
    """The truth about a tutorial.

    Args:
        voice: Who speaks, with a version.
        marks: Spans that tasks need, by name.
    """

    visit: str
    seconds: Finite
    voice: str
    marks: dict[str, SpanS] = Field(default_factory=dict)
    steps: tuple[LoggedStep, ...]


def write_log(log: TutorialLog, file: Path) -> None:
    """Write a log that appears whole or not at all, a step a line: people read it, and so do diffs."""
    plain = log.model_dump(mode="json", exclude_defaults=True)
    parts = {name: json.dumps(value, ensure_ascii=False) for name, value in plain.items()}
    lines = ",\n  ".join(json.dumps(each, ensure_ascii=False) for each in plain["steps"])
    parts["steps"] = f"[\n  {lines}\n ]"
    text = ",\n".join(f' "{name}": {value}' for name, value in parts.items())
    with replace_file(file) as draft:
        draft.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")


def read_log(file: Path) -> TutorialLog:
    """Return the log of a tutorial; BrokenData where the file is none."""
    try:
        with open_regular(file) as stream:
            return TutorialLog.model_validate(read_json(stream.read(MOST_BYTES).decode()))
    except (OSError, ValueError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else first_fault(fault)
        raise BrokenData(f"file '{file.name}'", f"cannot be used: {why}", "record the tutorial again") from None
