"""Files in which people sign what they looked at: `signoffs.csv` or `signoffs.json` of a pack, without their names."""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, ValidationError

from cutscore.core.errors import BrokenData
from cutscore.core.frozen import FrozenModel
from cutscore.core.strict_json import first_fault, read_json

SHEET, RECORD = "signoffs.csv", "signoffs.json"
LONGEST_BYTES = 16_000_000
Kind = TypeVar("Kind", bound=FrozenModel)


def _require_hash(reviewer: str) -> str:
    if not re.fullmatch("[0-9a-f]{8,64}", reviewer):
        raise ValueError("is no hash (8 to 64 of 0-9a-f); names do not belong here")
    return reviewer


ReviewerHash = Annotated[str, AfterValidator(_require_hash)]


def read_signed(folder: Path, kind: type[Kind]) -> list[Kind]:
    """Return the sign-offs of a pack, each of one kind; none when there is no such file.

    Raises:
        BrokenData: A line cannot be used; it is named with its fault.
    """
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
        rows = list(csv.DictReader(io.StringIO(text), strict=True))
    except (OSError, ValueError, csv.Error) as fault:
        raise BrokenData(what, str(fault), write) from None
    for number, row in enumerate(rows, 1):
        if None in row or None in row.values():
            raise BrokenData(what, f"line {number} has not as many cells as the head", write)
    return rows


def _read_row(plain: object, kind: type[Kind], file: Path, number: int) -> Kind:
    try:
        return kind.model_validate(plain)
    except ValidationError as error:
        raise BrokenData(f"file '{file}'", f"sign-off {number}: {first_fault(error)}", "see docs/gates.md") from None
