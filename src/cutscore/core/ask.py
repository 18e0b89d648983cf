"""What a subject may see of an item: the public half, and nothing else."""

from collections.abc import Iterable
from typing import Self

from pydantic import Field, JsonValue, model_validator

from cutscore.core.files import FileRef, Files
from cutscore.core.frozen import FrozenModel, SafeName


class RequestedFile(FrozenModel):
    """One file that the subject is asked to deliver."""

    name: str
    about: str = ""


class AskPart(FrozenModel):
    """One named part of an ask as data, for subjects that are programs and not readers of a brief.

    Args:
        role: What it is for: `instruction`, `source`, `reference`, `style`, `start_page`; several may share a role.
        text: Words.
        file: Name of one of the ask's files.
        value: Whatever else has a shape: a viewport, a list of addresses.
    """

    role: SafeName
    text: str = ""
    file: str = ""
    value: JsonValue = None


class Ask(Files):
    """The whole of what a subject gets for one sample.

    Args:
        item: Id of the item, so that a folder of ready deliverables can be matched.
        brief: The words, after every blank of the prompt was filled.
        wanted: Files to hand over; empty when the answer is text.
        parts: What the brief says, as named data beside it.
        choices: The allowed answers of a closed question, in the order shown.
        prompts: Digest of each prompt file that went into the brief, by name.
    """

    item: SafeName
    brief: str = Field(min_length=1)
    wanted: tuple[RequestedFile, ...] = ()
    parts: tuple[AskPart, ...] = ()
    choices: tuple[str, ...] = ()
    prompts: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _parts_name_its_files(self) -> Self:
        known = {file.name for file in self.files}
        if strange := next((part.file for part in self.parts if part.file and part.file not in known), None):
            raise ValueError(f"a part names file '{strange}', which is not among the files of the ask")
        return self

    def with_files(self, files: Iterable[FileRef]) -> Self:
        """Return the same ask with other files; parts whose file is left out are left out, too."""
        kept = tuple(files)
        names = {"", *(file.name for file in kept)}
        parts = tuple(part for part in self.parts if part.file in names)
        return self.model_copy(update={"files": kept, "parts": parts})

    def part(self, role: str) -> AskPart | None:
        """Return the first part of a role, None when there is none."""
        return next(iter(self.parts_of(role)), None)

    def parts_of(self, role: str) -> tuple[AskPart, ...]:
        """Return all parts of a role, in their order."""
        return tuple(part for part in self.parts if part.role == role)
