"""Expert: two people have looked at the task, its author and somebody else, and both let it pass.

They sign in `signoffs.csv` or `signoffs.json` of the pack, without their names:

    item,reviewer,role,decision,reason,content
    film-1,3fa91c02d4e7,author,accept,,
    film-1,77ab01e2c9d0,independent,reject,ambiguous,

`reviewer` is a hash of whatever the maintainers know a person by. A later line of the same person about the same item
replaces the earlier one. `content`, where given, is the digest of the item that was looked at (as
`cutscore check --json` tells it): once the item is another, the sign-off is void.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar

from pydantic import AfterValidator, ValidationError, model_validator

from cutscore.core.bundle import Bundle
from cutscore.core.errors import BrokenData
from cutscore.core.frozen import FrozenModel, SafeName
from cutscore.core.gate import Gate
from cutscore.core.strict_json import first_fault, read_json

SHEET, RECORD = "signoffs.csv", "signoffs.json"
LONGEST_BYTES = 16_000_000
Kind = TypeVar("Kind", bound=FrozenModel)

REASONS = {
    "ambiguous": "two readings of the brief are possible",
    "non-atomic": "a rubric item asks two things",
    "outside-brief": "something is measured that the brief does not ask",
    "unobservable": "an item cannot be answered from what is delivered",
    "unrealistic": "no client would ask this",
    "infeasible": "it cannot be done in the stated time or with the materials",
    "too-easy": "it can be done without understanding",
    "leak": "the materials give the answer away",
    "media": "a file is damaged or of poor quality",
    "licence": "the rights are not clear",
    "duplicate": "another task asks the same",
    "other": "told in the maintainers' own records",
}


def _require_hash(reviewer: str) -> str:
    if not re.fullmatch("[0-9a-f]{8,64}", reviewer):
        raise ValueError("is no hash (8 to 64 of 0-9a-f); names do not belong here")
    return reviewer


ReviewerHash = Annotated[str, AfterValidator(_require_hash)]


class Signoff(FrozenModel):
    """One person's word on one task."""

    item: SafeName
    reviewer: ReviewerHash
    role: Literal["author", "independent"]
    decision: Literal["accept", "revise", "reject"]
    reason: str = ""
    content: str = ""

    @model_validator(mode="after")
    def _has_a_reason(self) -> Self:
        if self.reason and self.reason not in REASONS:
            raise ValueError(f"reason '{self.reason}' is none of {', '.join(REASONS)}")
        if (self.decision == "accept") == bool(self.reason):
            raise ValueError("who does not accept gives a reason code, and only they")
        return self


def read_signoffs(folder: Path) -> list[Signoff]:
    """Return the sign-offs of a pack, none when there is no such file.

    Raises:
        BrokenData: A line cannot be used; it is named with its fault.
    """
    return read_reviews(folder, Signoff)


def read_reviews(folder: Path, kind: type[Kind]) -> list[Kind]:
    """Return the sign-offs of a pack whose benchmark has a form of its own for them."""
    for name in (SHEET, RECORD):
        if (file := folder / name).is_file():
            rows = _rows(file, write=f"write {', '.join(kind.model_fields)}")
            return [_read_row(plain, kind, file, number) for number, plain in enumerate(rows, 1)]
    return []


def _rows(file: Path, *, write: str) -> Sequence[object]:
    what = f"file '{file}'"
    try:
        with file.open("rb") as stream:
            text = stream.read(LONGEST_BYTES).decode("utf-8-sig")
        if file.name == RECORD:
            plain = read_json(text)
            if not isinstance(plain, list):
                raise ValueError("is not a list of sign-offs")
            return plain
    except (OSError, ValueError) as fault:
        raise BrokenData(what, str(fault), write) from None
    rows = list(csv.DictReader(io.StringIO(text), strict=True))
    for number, row in enumerate(rows, 1):
        if None in row or None in row.values():
            raise BrokenData(what, f"line {number} has not as many cells as the head", write)
    return rows


def _read_row(plain: object, kind: type[Kind], file: Path, number: int) -> Kind:
    try:
        return kind.model_validate(plain)
    except ValidationError as error:
        raise BrokenData(f"file '{file}'", f"sign-off {number}: {first_fault(error)}", "see docs/gates.md") from None


def check_expert(item: Bundle, signoffs: Iterable[Signoff]) -> Gate:
    """Return the gate of the two sign-offs of a task.

    A rejection or a wish for revision fails it, until the same person accepts. It is pending until two people have
    accepted it: its author, and somebody else.
    """
    valid = [each for each in signoffs if each.item == item.id and each.content in ("", item.digest())]
    last = {each.reviewer: each for each in valid}.values()
    against = [each for each in last if each.decision != "accept"]
    if against:
        told = (f"{each.role} {each.reviewer[:8]}: {each.decision}, {each.reason}" for each in against)
        return Gate(name="expert", state="failed", faults=tuple(told))
    missing = [role for role in ("author", "independent") if role not in {each.role for each in last}]
    if missing:
        there = f"{len(last)} of 2 signed" if last else "nobody signed"
        return Gate(name="expert", state="pending", faults=(f"{there}: no {' and no '.join(missing)} sign-off",))
    return Gate(name="expert")
