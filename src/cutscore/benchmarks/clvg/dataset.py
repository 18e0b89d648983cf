"""Items: a context of any modality, and what a video generator is asked to make of it."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Self

from pydantic import Field, JsonValue, field_validator, model_validator

from cutscore.authoring.packs import PackReading, broken_pack, read_lines
from cutscore.benchmarks.clvg.taxonomy import Subcategory, find_subcategory
from cutscore.core.errors import UnknownName
from cutscore.core.files import FileRef, Files, FileStore
from cutscore.core.frozen import FrozenModel, SafeName
from cutscore.core.item import TRUTH, Item
from cutscore.store import Store

STARTER = Path(__file__).parent / "starter"


class ContextPart(FrozenModel):
    """One piece of a context beside the instruction.

    Args:
        role: What it is for: `source` (to be changed or continued), `subject`, `style`, `voice`, `first_frame`,
            `last_frame`, `motion`, `camera`, `composition` …; several parts may share a role.
        file: Name of one of the case's files.
        text: Words, where the part has no file or they say something of it.
    """

    role: SafeName
    file: str = ""
    text: str = ""


class GenerationCase(Item, Files):
    """Make a video from a context.

    Args:
        subcategory: One of the 47 (`taxonomy.toml`).
        files: Images, sounds and videos of the context.
        context: What each file is for, and further words; a file that no part names is a `reference`.
        length_s: How long the video should be; None where nothing is asked.
        shots, subjects: How many the context shows or wants, where somebody counted; 0 where nobody did.
        staged: Which kind of staged case it is, and its settings (`staged.kind.StagedCase`), where we know the truth.
        construction: How it was made and who verified it (`construction`), where models wrote it.
    """

    subcategory: SafeName
    instruction: str = Field(min_length=1)
    context: tuple[ContextPart, ...] = ()
    length_s: float | None = Field(default=None, gt=0)
    shots: int = Field(default=0, ge=0)
    subjects: int = Field(default=0, ge=0)
    staged: Annotated[dict[str, JsonValue], TRUTH] = Field(default_factory=dict)
    construction: Annotated[dict[str, JsonValue], TRUTH] = Field(default_factory=dict)

    @field_validator("subcategory")
    @classmethod
    def _known(cls, code: str) -> str:
        try:
            return find_subcategory(code).code
        except UnknownName as fault:
            raise ValueError(str(fault)) from None

    @model_validator(mode="after")
    def _parts_name_its_files(self) -> Self:
        known = {file.name for file in self.files}
        if strange := next((part.file for part in self.context if part.file and part.file not in known), None):
            raise ValueError(f"a part of the context names file '{strange}', which is not among its files")
        return self

    @property
    def kind(self) -> Subcategory:
        """Its subcategory, with category and family."""
        return find_subcategory(self.subcategory)

    @property
    def whole_context(self) -> tuple[ContextPart, ...]:
        """All parts; files that nobody gave a role are references."""
        named = {part.file for part in self.context}
        others = (ContextPart(role="reference", file=file.name) for file in self.files if file.name not in named)
        return (*self.context, *others)


def items(store: FileStore, data: Path | None = None) -> list[GenerationCase]:
    """Return all items in published order: of the starter pack, or of a folder of cases.

    A case that cannot be used is left out and named (`find_left_out`); where none can, that is an error.
    """
    folder = data or STARTER
    read = _read_cases(folder, store)
    if not read.items or (read.faults and data is None):
        raise broken_pack(folder, read)
    return [item.model_copy(update={"groups": {**strata(item), **item.groups}}) for item in read.items]


def find_left_out(data: Path | None = None) -> tuple[str, ...]:
    """Return which cases of a folder cannot be used, each with its line and its fault."""
    if data is None:
        return ()
    with TemporaryDirectory(prefix="cutscore-") as scratch:
        faults = _read_cases(data, Store(Path(scratch))).faults
    return tuple(f"a case is left out: {fault}" for fault in faults)


def _read_cases(folder: Path, store: FileStore) -> PackReading[GenerationCase]:
    return read_lines(folder, GenerationCase, store, folders=("files",), complete=_complete)


def _complete(fields: dict[str, JsonValue]) -> None:
    """Add what a case of somebody's own need not say: its files, which its parts name, and that it stands alone."""
    context = fields.get("context")
    if "files" not in fields and isinstance(context, list):
        named = [part["file"] for part in context if isinstance(part, dict) and part.get("file")]
        fields["files"] = list(dict.fromkeys(str(each) for each in named))
    fields.setdefault("cluster", fields.get("id"))


def strata(item: GenerationCase) -> dict[str, str]:
    """Return the groups of tables: category, family, modalities, references, shots, subjects.

    >>> case = GenerationCase(id="a", cluster="a", subcategory="sorting_maths", instruction="Sort them.")
    >>> strata(case)["category"], strata(case)["modalities"], strata(case)["references"]
    ('logical_reasoning', 'text', '0')
    """
    counted = {"shots": item.shots, "subjects": item.subjects}
    return {
        "category": item.kind.category,
        "subcategory": item.subcategory,
        "family": item.kind.family,
        "modalities": "+".join(("text", *modalities(item.files))),
        "references": _many(len(item.files)),
        **{name: _many(number) for name, number in counted.items() if number},
    }


def modalities(files: Sequence[FileRef]) -> tuple[str, ...]:
    """Return which of image, audio and video a context holds beside its words, in this order."""
    there = {file.media_type.partition("/")[0] for file in files}
    return tuple(name for name in ("image", "audio", "video") if name in there)


def _many(number: int) -> str:
    return str(number) if number < 3 else "3 or more"
