"""`checklist.json` as CoVEBench releases it → checklists; nothing is mended silently.

The file is an array of tasks. A task that cannot be read is named and left out, and the rest goes on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, ValidationError

from cutscore.benchmarks.covebench.checklist import Checklist
from cutscore.core.errors import BrokenData
from cutscore.core.frozen import FrozenModel
from cutscore.core.strict_json import first_fault, read_json

CHECKLIST_FILE = "checklist.json"
MOST_BYTES = 64_000_000  # ten times the released file


class _ReleasedEntry(FrozenModel):
    model_config = ConfigDict(extra="ignore")


class _ReleasedQuestion(_ReleasedEntry):
    id: str
    format: str = Field(alias="type")
    dimension: str = ""
    text: str = Field(alias="question")
    options: dict[str, str] = Field(default_factory=dict)
    expected: str = Field(default="", alias="expected_answer", coerce_numbers_to_str=True)
    difficulty: str = ""
    model_answer: Any = None


class _ReleasedGroup(_ReleasedEntry):
    target: str = Field(alias="target_element")
    about: str = Field(default="", alias="description")
    instruction: str = ""  # the release has none; whoever adds one can have edits asked for one by one
    questions: list[_ReleasedQuestion]
    category: list[dict[str, Any]] = Field(default_factory=list)


class _ReleasedTask(_ReleasedEntry):
    id: int | str
    description: str = Field(default="", alias="original_description")
    instruction: str = Field(alias="editing_instruction", min_length=1)
    target: str = Field(default="", alias="target_video_description")
    source: str = Field(alias="videoA_path", min_length=1)
    groups: list[_ReleasedGroup] = Field(alias="evaluation_groups", min_length=1)
    category: list[dict[str, Any]] = Field(default_factory=list)


@dataclass(frozen=True)
class ReleasedTask:
    """A task as the file has it.

    Args:
        source: `videoA_path`, as written.
        answers: What a judge said elsewhere (`model_answer`), by question.
        remarks: What is written in an odd way; what it says is for `construction.lint` to judge.
    """

    id: str
    instruction: str
    description: str
    target: str
    source: str
    checklist: Checklist
    answers: Mapping[str, Any]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReleasedChecklist:
    """Tasks in the file's order, and why others could not be read."""

    tasks: tuple[ReleasedTask, ...]
    faults: Mapping[str, str]


def read_checklist(file: Path) -> ReleasedChecklist:
    """Read a checklist file."""
    with file.open("rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise BrokenData(f"checklist '{file.name}'", f"is larger than {MOST_BYTES:,} bytes", "split it")
    try:
        entries = read_json(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, ValueError) as fault:
        raise BrokenData(f"checklist '{file.name}'", f"cannot be read: {fault}", "fetch it again") from None
    if not isinstance(entries, list) or not entries:
        raise BrokenData(f"checklist '{file.name}'", "is not an array of tasks", "see docs of covebench")
    return parse_tasks(entries)


def parse_tasks(entries: Sequence[Any]) -> ReleasedChecklist:
    """Make checklists of a parsed file."""
    tasks: dict[str, ReleasedTask] = {}
    faults: dict[str, str] = {}
    for number, entry in enumerate(entries, start=1):
        name = str(entry.get("id", f"number {number}")) if isinstance(entry, dict) else f"number {number}"
        try:
            task = _parse_task(entry)
            if task.id in tasks:
                raise ValueError("its id is that of an earlier task")
            tasks[task.id] = task
        except (ValidationError, ValueError) as fault:
            faults[name] = first_fault(fault)
    return ReleasedChecklist(tuple(tasks.values()), faults)


def _parse_task(entry: Any) -> ReleasedTask:
    task = _ReleasedTask.model_validate(entry)
    remarks: list[str] = []
    points = [
        {
            "target": group.target,
            "about": group.about,
            "instruction": group.instruction,
            "questions": [question.model_dump(exclude={"model_answer"}) for question in group.questions],
            "categories": [_category(each, remarks) for each in group.category],
        }
        for group in task.groups
    ]
    checklist = Checklist.model_validate(
        {"points": points, "categories": [_category(each, remarks) for each in task.category]}
    )
    asked = [question for group in task.groups for question in group.questions]
    answers = {question.id: question.model_answer for question in asked if question.model_answer is not None}
    return ReleasedTask(
        id=str(task.id),
        instruction=task.instruction,
        description=task.description,
        target=task.target,
        source=task.source,
        checklist=checklist,
        answers=answers,
        remarks=tuple(remarks),
    )


def _category(entry: Mapping[str, Any], remarks: list[str]) -> dict[str, Any]:
    """Read a category, also one whose keys are written with an underscore."""
    spaced = {key.replace("_", " "): value for key, value in entry.items()}
    if odd := sorted(entry.keys() - spaced.keys()):
        remarks.append(f"a category writes {odd[0]!r}")
    levels = {f"level_{number}": str(spaced.get(f"Level {number}", "")) for number in (1, 2, 3)}
    return {**levels, "questions": spaced.get("Question IDs", [])}
